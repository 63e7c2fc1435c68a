"""A turn at the prompt: the screen, the words that may be typed below it, and the lines planned.

Nothing that is typed counts before it is sent: each line is checked when it is typed and then
*planned*, an empty line sends the plan, and who leaves keeps it, in their seat's private folder. A
game's own order words win over the words of the prompt; `adjudicator try` refuses a game in which
they would meet.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

import games
from adjudicator.cli import tell_error
from adjudicator.cli.shared import is_terminal, now, say, wanted
from adjudicator.core.source import Files, read_or_none
from adjudicator.player.seated import Seated
from adjudicator.words import adviser, faults, form, manual, story
from adjudicator.words.adviser import Advice
from adjudicator.words.deduced import worked_out
from adjudicator.words.screen import LEAST_NEWS, Scene, Window, lines, scene, wrapped
from games.chart import Chart, legend
from games.game import After, Deductions, Game, Malformed, OrderError, View
from games.grid import Cell, read_cell
from games.screen import told_of
from orders.errors import Refused, pasteable


def window() -> Window:
    """What this terminal shows; without one, plain lines without end."""
    size = shutil.get_terminal_size()
    if not sys.stdout.isatty():
        return Window(max(size.columns, 40), None)
    dumb = os.environ.get("TERM", "") in ("", "dumb")
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8" and not dumb
    context = click.get_current_context(silent=True)
    colour = not dumb and (context is None or context.color is not False)
    return Window(max(size.columns, 20), max(size.lines, 8), utf8, colour)


def paged(text: str) -> None:
    """Show a long text in the pager, which says how one comes back."""
    os.environ.setdefault("LESS", "-FRX -m -PmSpace goes on, q comes back$")
    click.echo_via_pager(f"{text}\n")


def since_my_last(own: Seated) -> tuple[int, bool]:
    """The entry that my last orders led to, and whether there is one; without one the first
    entry."""
    for link in reversed(list(own.ledger.links())):
        entry = link.entry
        if own.seat.player in (*link.slips, *entry.missing) and entry.reports:
            return link.step, True
    return 1, False


def heard(own: Seated, since: int) -> list[Sequence[Mapping[str, Any]]]:
    """The events of this seat's reports from that entry on, without those that are not here."""
    found: list[Sequence[Mapping[str, Any]]] = []
    for step in range(since, own.ledger.last.step + 1):
        link = own.ledger.link(step)
        if link.entry.reports and own.seat.sits(link.joins):
            with suppress(Refused):
                found.append(story.heard_by(link.entry, own.report(step)))
    return found


@dataclass(frozen=True)
class Asked:
    """Somebody who is asked for orders: what they know, and who judges what they write.

    `known`: what they have worked out. `judge` raises OrderError or Refused for orders that would
    be refused; `advice` is what the captain would write. `heard`: the events of their reports since
    their last orders; `first`: they gave none yet. `sentence`: an event in words, if not the game's
    own; `history`: all that they were told, from the beginning. `folder`: their private folder, in
    whose file `plan` the lines are kept that they have planned for that `step`, and not sent.
    `note` keeps a note of theirs, and returns the line that says so; None where there are no notes.
    """

    game: Game[Any, Any]
    view: View
    known: Deductions
    judge: Callable[[str], object]
    advice: Callable[[], Advice]
    heard: Sequence[Sequence[Mapping[str, Any]]] = ()
    first: bool = True
    sentence: Callable[[Mapping[str, Any]], str] | None = None
    history: Callable[[], Sequence[str]] = tuple
    folder: Files | None = None
    step: int = 0
    note: Callable[[str], str] | None = None

    @property
    def planned(self) -> tuple[str, ...]:
        """The lines that were kept."""
        held = b"" if self.folder is None else read_or_none(self.folder, "plan") or b""
        first, _, rest = held.decode("utf-8", "replace").partition("\n")
        return tuple(rest.splitlines()) if first == str(self.step) else ()

    def keep(self, lines: Sequence[str]) -> None:
        """Keep such lines; none to forget them."""
        if self.folder is not None and tuple(lines) != self.planned:
            text = "\n".join([str(self.step), *lines])
            self.folder.write("plan", f"{text}\n".encode())


def asked_by_host(
    own: Seated, known: Deductions | None = None, protest: str | None = None
) -> Asked:
    """A seat in a game with a host. `known`: what it has worked out, if the caller knows."""
    told = own.report()
    since, begun = since_my_last(own)

    def note(text: str) -> str:
        # A turn is loaded without what few take.
        from adjudicator.player import notes

        return notes.keep(own, text, now())

    return Asked(
        own.opening.game,
        told.view,
        worked_out(own, told.step) if known is None else known,
        lambda text: own.read(text.encode(), protest),
        lambda: adviser.advice(own),
        heard(own, since),
        not begun,
        lambda event: story.news(own.opening, event),
        lambda: [line for step in range(1, own.last.step + 1) for line in story.told(own, step)],
        own.seat.files,
        own.step,
        note,
    )


def tell_end(own: Seated, named: Path | str, *also: str) -> int:
    """Print how a revealed game ended, for a seat in it, with the verdict and how to see all again:
    by its name or path. Returns the exit code of the verdict. Raises Refused."""
    from adjudicator.verifier import verify

    told, seen = own.report(), story.Story(own.ledger)
    found = verify.verify(own.copy, verify.Asked(own.seat))
    where = min(str(named), os.path.relpath(named), key=len)
    show_end(
        own.opening.game, told.view, told.events, seen.state(seen.last), story.ending(own),
        found.checked, f"replay: adjudicator replay -g {pasteable(where)}", *also,
    )  # fmt: skip
    return found.code


def show_end(
    game: Game[Any, Any], view: View, events: Sequence[Mapping[str, Any]], state: Any, said: str,
    *below: str, more: int = 0,
) -> None:  # fmt: skip
    """Print an end, all in one window: what is `said` of it, the board with nothing hidden, what
    the view's player heard last as far as there is room, and the lines `below`; so many lines
    `more` are printed later."""
    shown, chart = window(), game.chart_whole(state)
    board = chart or game.draw_whole(state).splitlines()
    told = " ".join(one.text for one in game.told(view, events))
    under = [line for text in below for line in wrapped(text, shown.columns, then="  ")]
    shown = replace(shown, rows=shown.rows and shown.rows - len(under) - more)
    made = Scene(said, board, chart.notes if chart else (), since="")
    whole = lines(made, shown)
    # It takes no room from what was hidden.
    if told and (shown.rows is None or len(whole) + LEAST_NEWS < shown.rows):
        whole = lines(replace(made, news=(told,), since="The last turn"), shown)
    say(*whole, *under)


_history: list[str] = []
"""What was typed at the prompt since the program began; nobody else should read it on a disk."""


def typed(prompt: str, fitting: Callable[[str, str], Sequence[str]]) -> str:
    """The line that a person types, with arrow keys, what they typed before, and Tab, where Python
    can; raises EOFError and KeyboardInterrupt. `fitting`: the words that may come, by the line
    before the word at the cursor and by how that begins."""
    try:
        import readline
    except ImportError:  # as on Windows
        return input(prompt)
    offered: list[str] = []

    def offers(begun: str, number: int) -> str | None:
        if number == 0:
            offered[:] = fitting(readline.get_line_buffer()[: readline.get_begidx()], begun)
        return offered[number] if number < len(offered) else None

    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
    # Lines that are pasted are lines.
    readline.parse_and_bind("set enable-bracketed-paste off")
    readline.set_completer_delims(" ;")
    readline.set_auto_history(False)
    for line in _history:
        readline.add_history(line)
    readline.set_completer(offers)
    try:
        said = input(prompt)
    finally:
        # Whatever is asked next is offered neither orders nor files.
        readline.set_completer(lambda begun, number: None)
        for _ in range(readline.get_current_history_length()):
            readline.remove_history_item(0)
    if said.strip() and _history[-1:] != [said]:
        _history.append(said)
    return said


class Prompt:
    """One turn of somebody who is asked, at the terminal."""

    def __init__(self, asked: Asked, *, until: Sequence[str] = (), title: str = "") -> None:
        """`until`: the deadline in words. `title`: in place of the game's own."""
        self.asked = asked
        self.game = asked.game
        self.view = asked.view
        self.known = asked.known
        self.first = asked.first
        self.until = until
        self.title = title
        self.lessons = ""
        """The command that begins the lessons, for somebody new to the game."""
        self.plan: list[str] = []
        self.around: Cell | None = None
        self.whole = False

    # The screen.

    def scene(self) -> Scene:
        """What there is to show, with the orders that may follow the plan."""
        news = self.asked.heard
        made = scene(self.game, self.view, self.known, news, self.plan, first=self.first)
        if self.lessons and not made.news:
            made = replace(made, since="Lessons first", news=(self.lessons,))
        return replace(
            made,
            title=self.title or made.title,
            until=self.until,
            around=self.around,
            whole=self.whole,
        )

    def show(self) -> None:
        """Print the screen."""
        for line in lines(self.scene(), window()):
            say(line)

    # The loop.

    def ask(self) -> str | None:
        """Ask until orders are sent; None if the player leaves instead."""
        # The plan that was kept is taken up, as far as it may still be written.
        with suppress(OrderError, Refused):
            for line in self.asked.planned:
                self._add(line)
        if self.plan:
            self._tell_plan()
        sure = False
        while True:
            try:
                text = self._read()
            except (EOFError, KeyboardInterrupt):
                say("")
                text = "quit"
            if text.lower() == "quit":
                self.asked.keep(self.plan)
                kept = " The plan is kept." if self.plan else ""
                keeps = self.asked.folder is not None
                say(f"Nothing is sent.{f'{kept} Go on: adjudicator play' if keeps else ''}")
                return None
            sends = text.lower() in ("", "send")
            try:
                if sends and (sent := self._send(sure)) is not None:
                    self.asked.keep(())
                    return sent
                if not sends and self._typed(text):
                    self.asked.keep(())
                    return "resign"
            except (OrderError, Refused) as error:
                self._refused(error)
                sends = False
            sure = sends

    def _refused(self, error: OrderError | Refused) -> None:
        """Say what is wrong with what was typed; nobody needs it quoted who has just typed it."""
        if not is_terminal():
            tell_error(error)
            return
        alone = error.alone() if isinstance(error, OrderError) and error.line is None else error
        line, hint = faults.told(alone)
        said = f"{line}{'' if line.endswith(('.', '?', '!')) else '.'} "
        said += f"{hint[:1].upper()}{hint[1:]}" if hint else "? lists what you may write."
        click.secho("\n".join(wrapped(said, window().columns, then="  ")), fg="red")

    def _read(self) -> str:
        """The next line; raises EOFError and KeyboardInterrupt."""
        if is_terminal():
            many = f"{len(self.plan)} line{'s' * (len(self.plan) > 1)}"
            said = filter(None, (many, self.after().left)) if self.plan else ()
            prompt = f"orders ({', '.join(said)})> " if self.plan else "orders> "
            return typed(prompt, self.fitting).strip()
        text = sys.stdin.readline()
        if not text:
            raise EOFError
        return text.strip()

    def fitting(self, before: str, begun: str) -> list[str]:
        """The words that begin so and may be typed next, after that part of a line: those of the
        orders that may follow the plan, and of the prompt."""
        *earlier, part = before.split(";")
        plan, said = list(self.plan), part.lower().split()
        try:
            self._add_all([one.strip() for one in earlier])
            after = self.after()
            choices = [*after.choices]
            if len(plan) == 1 and not (earlier or after.left):
                # As `_typed` takes them.
                choices += self.game.after(self.view, ()).choices
        except (OrderError, Refused):
            return []
        finally:
            self.plan = plan
        rows = [one.text.split() for one in choices]
        verbs = {row[0]: None for row in rows}
        if not earlier:
            own = (*self._words(), *ALSO, *(f"? {verb}" for verb in verbs))
            rows += [line.split() for line in own if line.split()[0] not in verbs]
        found: dict[str, bool] = {}
        for row in rows:
            word, *rest = row[len(said) :] or [""]
            begins = [one.lower() for one in row[: len(said)]] == said
            if word and begins and word.lower().startswith(begun.lower()):
                found[word] = found.get(word, True) and bool(rest)
        return [f"{word} " if goes_on else word for word, goes_on in found.items()]

    def after(self) -> After:
        """What may follow the plan."""
        return self.game.after(self.view, self.plan)

    def _send(self, sure: bool) -> str | None:
        """The plan as orders, if it is whole and nothing is left, or the player is `sure`; None if
        they are asked first. Raises OrderError or Refused."""
        text = "\n".join(self.plan)
        if not self.plan:
            try:
                self.asked.judge("")
            except OrderError:
                say("Nothing is planned. Write a line; ? lists what you may write; quit leaves.")
                return None
        else:
            self.asked.judge(text)
        left = self.after().left
        if sure or (self.plan and not left):
            return text
        if not self.plan:
            say(f"Nothing is planned{f', {left}' if left else ''}: Enter again sends no orders.")
        else:
            say(f"{left[0].upper()}{left[1:]}. Enter again sends.")
        return None

    # What is typed.

    def _typed(self, text: str) -> bool:
        """Do what was typed; whether the player has resigned. Raises OrderError or Refused."""
        word, _, rest = text.partition(" ")
        does = self._words().get(word.lower())
        before, after = list(self.plan), self.after()
        # A game's own order words win over those of the prompt.
        is_order = any(one.text.split()[0] == word.lower() for one in after.choices)
        if does is not None and not is_order:
            does(rest.strip())
            return False
        if not is_order:
            # Loaded only for what is neither; a slip of one letter in a word of the prompt.
            from difflib import get_close_matches

            for close in get_close_matches(word.lower(), self._words(), 1, 0.85):
                raise Malformed(None, word, f"{word!a} is no order", f"did you mean {close!r}?")
        parts = [part.strip() for part in text.split(";") if part.strip()]
        try:
            self._add_all(parts)
        except (OrderError, Refused):
            if len(before) != 1 or after.left or not after.complete:
                raise
            # It may be meant in place of the one order that a turn has.
            self.plan = []
            try:
                self._add_all(parts)
            except (OrderError, Refused):
                self.plan = before
                raise
            say(f"in place of {before[0]}:")
        if "resign" in self.plan:
            self.plan = before
            return self._resigns()
        self._tell_plan()
        return False

    def _add_all(self, given: Sequence[str]) -> None:
        """Plan these lines, all or none; raises OrderError or Refused."""
        before = list(self.plan)
        try:
            for line in given:
                self._add(line)
        except (OrderError, Refused):
            self.plan = before
            raise

    def _add(self, line: str) -> None:
        """Plan a line, in the spelling in which the game offers it; raises OrderError."""
        said = " ".join(line.partition("#")[0].split()).lower()
        for choice in self.after().choices:
            if choice.text.lower() == said:
                self.plan.append(choice.text)
                return
        try:
            self.asked.judge("\n".join([*self.plan, line]))
        except OrderError as error:
            # Orders that are only not whole yet are no fault of this line.
            if error.line is not None:
                raise type(error)(None, line, error.expected, error.hint) from None
        self.plan.append(line)

    def _tell_plan(self) -> None:
        after = self.after()
        said = f"planned: {'; '.join(self.plan)}."
        left = f" {after.left[0].upper()}{after.left[1:]}." if after.left else ""
        told = f"{said}{left} {'Enter sends.' if after.complete else 'More must follow.'}"
        say(*wrapped(told, window().columns, then="  "))

    def _resigns(self) -> bool:
        self.asked.judge("resign")
        return wanted("You resign: the game is over for you. Really?", default=False)

    # The words.

    def _words(self) -> Mapping[str, Callable[[str], None]]:
        note = self.asked.note
        own = {} if note is None else {"note": lambda rest: say(note(rest))}
        return own | {
            "undo": self._undo,
            "?": self._help,
            "help": self._help,
            "rules": self._rules,
            "goal": lambda _: say(*wrapped(self.game.goal(self.view.setup), window().columns)),
            "news": self.news,
            "board": lambda _: self.show(),
            "map": self._map,
            "hint": self.hint,
            "exit": lambda _: say("quit leaves; nothing is sent."),
        }

    def _undo(self, rest: str) -> None:
        if not self.plan:
            say("Nothing is planned.")
            return
        gone = self.plan[:] if rest == "all" else self.plan[-1:]
        del self.plan[-len(gone) :]
        say(f"taken back: {'; '.join(gone)}.")
        if self.plan:
            self._tell_plan()

    def _help(self, rest: str) -> None:
        say(*(lines_about(self, rest) if rest else help_lines(self)))

    def _rules(self, rest: str) -> None:
        page = games.learn_page(self.game) or games.rules_page(self.game)
        text = "\n".join(manual.lines(page or "", min(window().columns, manual.WIDEST)))
        if is_terminal():
            paged(text)
        else:
            say(text)

    def news(self, rest: str = "") -> None:
        """Print every sentence of the news since this seat's last orders; `all`: from the
        beginning."""
        if rest == "all":
            text = "\n".join(self.asked.history())
        else:
            says = self.asked.sentence or self.game.news
            sentences = [says(one) for told in self.asked.heard for one in told]
            text = "\n".join(sentences) or "No news yet."
        if is_terminal() and len(text.splitlines()) >= (window().rows or 0):
            paged(text)
        else:
            say(text)

    def _map(self, rest: str) -> None:
        cell = read_cell(rest)
        if rest != "all" and cell is None:
            say("map CELL, such as map K9, shows that part of a large map; map all shows all.")
            return
        self.whole, self.around = rest == "all", cell
        self.show()
        self.whole = False

    def hint(self, rest: str = "") -> None:
        """Print what the captain would write, and why."""
        say(*wrapped(f"hint: {self.asked.advice().line()}", window().columns, then="  "))


def help_lines(at: Prompt) -> Iterator[str]:
    """The marks and further notes, the words of the prompt, and last, where it is in sight above
    the prompt, the screen with all notes and orders in place of the news."""
    shown, scene = window(), at.scene()
    for note in at.game.brief(at.view, at.known).more:
        yield from wrapped(note.strip(), shown.columns, then="  ")
    if isinstance(scene.board, Chart):
        yield from legend(scene.board, shown.columns)
    for words, does in HELP:
        if words == NOTE and at.asked.note is None:
            continue
        wide = shown.columns >= 60
        text = f"{words:<19} {does}" if wide else f"{words}: {does}"
        yield from wrapped(text, shown.columns, then=" " * 20 if wide else "  ")
    # Nothing of it may give way in a low window, where a large map has its usual part.
    endless = replace(shown, rows=shown.rows and TALLEST)
    yield from lines(replace(scene, news=(), since="", goal=""), endless)


TALLEST = 200
"""Lines of a window in which every screen has room."""
FEW = 16
"""So many lines are listed each with what it does."""
LONG = 30
"""So long lines say themselves what they do."""

ALSO = ("send", "quit", "undo all", "news all", "map all")
"""What may be typed at the prompt besides its words."""
NOTE = "note TEXT"
HELP = (
    ("A line, or a; b", "is checked and planned; Enter (or send) sends the plan"),
    ("undo, undo all", "take back the last planned line, or all"),
    ("? WORD, rules", "what a word is for, and each line with it; to learn the game"),
    ("goal, hint", "how it is won; what the captain would write"),
    ("news, news all", "since your last orders in full; from the beginning"),
    (NOTE, "keeps a note for yourself alone; replay shows it here"),
    ("board, map, quit", "the screen again; map CELL, map all; leave, and send nothing"),
)


def lines_about(at: Prompt, word: str) -> Iterator[str]:
    """What the game says of a word or a mark of the board, and every line with it that may be
    written now; of the board all its marks."""
    columns, chart = window().columns, at.scene().board
    signs = chart.signs if isinstance(chart, Chart) else ()
    if word.lower() == "board":
        yield from legend(chart, columns) if isinstance(chart, Chart) else ()
        return
    said = told_of(at.game.about(at.view.setup), word)
    said += [f"{sign.mark}  {sign.words}" for sign in signs if word in sign.mark.split()]
    for text in said:
        yield from wrapped(text, columns, then="  ")
    rare = {name for name, verb in at.game.verbs.items() if verb.role == "rare"}
    found = [
        choice
        for choice in at.after().choices
        if word.lower() in choice.text.lower().split() and choice.verb not in rare
    ]
    if found:
        yield "possible now:"
    long = max((len(one.text) for one in found), default=0)
    if len(found) > FEW or long > LONG:
        yield from (f"  {line}" for line in form.columns([one.text for one in found], columns - 2))
    else:
        for one in found:
            told = (one.says, one.cost and f"{one.cost}.", one.heard)
            yield f"  {one.text:<{long}}  {' '.join(filter(None, told))}".rstrip()
    if not said and not found:
        yield f"Nothing is known of {word!a}. ? alone lists the orders and the words."
