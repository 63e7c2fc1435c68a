"""`play`: one's own turn in any game, in one command; with a GAME's name, a game against bots."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

import games
from adjudicator.cli import completing, courier, notices, prompt, settings, shared
from adjudicator.cli.courier import LOOK
from adjudicator.cli.keys import own_signer
from adjudicator.cli.prompt import Prompt, asked_by_host
from adjudicator.cli.which import SEAT, GameOption, Place, SeatOption, duelled, find, nothing
from adjudicator.player import finding, letters, witness
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.store.record import Record
from adjudicator.words import adviser, answers, story
from adjudicator.words import form as form_of
from adjudicator.words.story import Story
from games.game import Malformed, OrderError
from games.options import did_you_mean
from orders.errors import PROTESTS, Refused, pasteable
from orders.order_file import LARGEST_TYPED, OrderFile


@click.command(epilog="Example: adjudicator play sugar-dog, or adjudicator play fire S")
@click.argument("words", metavar="[GAME|ORDERS]", nargs=-1, shell_complete=completing.of_game)
@GameOption
@SeatOption
@shared.KeyOption
@click.option("--check", is_flag=True, help="Say what the host would refuse; sign nothing.")
@click.option("--form", is_flag=True, help="Write an order file to fill in, with board and news.")
@click.option("--file", metavar="FILE", help="The orders are in this order file; - is stdin.")
@click.option("--edit", is_flag=True, help="Write orders in your $EDITOR, below board and news.")
@click.option(
    "--protest", type=click.Choice(PROTESTS), metavar="WHAT",
    help=f"Host's fault: {', '.join(PROTESTS)}.",
)  # fmt: skip
@click.option("--anyway", is_flag=True, help="Sign orders even if your board is known to be old.")
@shared.YesOption
@shared.OutOption
@shared.bot_option("New game: its rivals, each a level or a command.")
@shared.GameOptionOption
@click.option("--seed", metavar="HEX", help="New game: all secrets come from it.")
@click.option("--keep", type=shared.AnyPath, help="New game: keep all files here.")
@click.option("--new", is_flag=True, help="New game: though another is not over.")
@click.option("--learn", is_flag=True, help="First the lessons of GAME: positions to play.")
@shared.JsonOption
@click.pass_context
def play(
    ctx: click.Context, words: tuple[str, ...], record: Path | None, seat: Path | None,
    key: Path | None, check: bool, form: bool, file: str | None, edit: bool,
    protest: str | None, anyway: bool, yes: bool, out: str | None,
    bots: tuple[str, ...], options: tuple[str, ...],
    seed: str | None, keep: Path | None, new: bool, learn: bool, as_json: bool,
) -> None:  # fmt: skip
    """Play a GAME against bots, or your turn here: fetch what came, show the board, ask for
    orders; or check and send those given ("A; B": two lines). `play hint`: what the captain would
    write; `play help`: what you may.
    """
    what = " ".join(words) or None
    if learn:
        from adjudicator.cli.learn import lessons

        if what is None or bots or options or seed or keep or new:
            raise click.UsageError("--learn goes with a GAME alone, as in play sugar-dog --learn")
        lessons(games.load(what))
        return
    if what is not None and what in games.installed():
        from adjudicator.cli.against import against

        rules, usual = games.load(what), settings.get("bot")
        ctx.exit(against(rules, bots, options, seed, keep, new=new, usual=usual))
    if bots or options or seed or keep or new:
        raise click.UsageError(
            "--bot, --option, --seed, --keep and --new go with a GAME, as in play sugar-dog"
        )
    if what is not None and what.lower() in ("help", "?"):
        _help(ctx, record, seat)
        return
    hint = what is not None and what.lower() == "hint"
    what = None if hint else what
    if as_json and not hint:
        raise click.UsageError("--json goes with hint: adjudicator play hint --json")
    if (edit or file or form) and what is not None:
        raise click.UsageError(f"--edit, --file and --form go without orders: leave out {what!a}")
    typed = None if what is None else os.fsencode(form_of.lines_of(what))
    if file is not None:
        typed = read_typed_file(file)
    home = duelled(record, seat)
    if home is not None:
        from adjudicator.cli import duel

        if edit or form or protest:
            raise click.UsageError("a duel takes no --edit, --form or --protest")
        if as_json:
            shared.say_json(duel.advice(home))
            return
        code = duel.play(home, typed, key, out, check=check, hint=hint, yes=yes, anyway=anyway)
        notices.tell((), [home])
        ctx.exit(code)
    copy, own, kept = _chosen(record, seat, what)
    if as_json:
        shared.say_json(adviser.advice(seated(copy.root, own)).plain())
        return
    if form:
        _write_form(copy, own, out)
        return
    if check:
        _check(copy, own, typed, protest)
        return
    if kept is not None:
        from adjudicator.cli.against import go_on

        if edit or protest or out:
            raise click.UsageError("a game against bots takes no --edit, --protest or --out")
        given = None
        if typed is not None:
            given = confirmed(judged(seated(copy.root, own), typed, None), yes=yes).text
        ctx.exit(go_on(kept, given, hint=hint))
    turn = _Turn(copy, own, protest, force=anyway)
    code = turn.run(typed, key, out, edit=edit, hint=hint, yes=yes)
    notices.tell([Place(copy.root, own.root, hosts=False)])
    ctx.exit(code)


def _help(ctx: click.Context, record: Path | None, seat: Path | None) -> None:
    """What may be written in the game that is meant; without one how the command is called."""
    try:
        found = find(record, seat, SEAT, bots=True)
        own = seated(found.record, shared.seat_in(seat or found.seat or Path()))
        at = Prompt(asked_by_host(own))
    except Refused:
        click.echo(ctx.get_help())
        return
    shared.say(*prompt.help_lines(at))


def _chosen(
    record: Path | None, seat: Path | None, what: str | None
) -> tuple[Record, Seat, Path | None]:
    """The game that is meant, and the seat; of one against bots its folder. Raises Refused or
    UsageError."""
    try:
        found = find(record, seat, SEAT, bots=True)
    except Refused as error:
        if error.word == "missing" and record is None and what is not None and " " not in what:
            raise nothing([], SEAT, what) from None
        raise
    place = seat or found.seat
    if place is None:
        raise nothing([found], SEAT)
    return Record(found.record.absolute()), shared.seat_in(place), found.bots


def read_typed_file(path: str) -> bytes:
    """An order file as it was typed, or what comes on standard input for -; raises Refused."""
    if path == "-":
        return sys.stdin.buffer.read(LARGEST_TYPED + 1)
    if not Path(path).exists():
        raise Refused(
            "missing",
            f"{path!a} is not there",
            "name an order file, or - for what you type; adjudicator play LINE takes lines",
        )
    return files.read(Path(path), LARGEST_TYPED)


def _write_form(copy: Record, seat: Seat, out: str | None) -> None:
    """Write an order file to fill in; raises Refused."""
    target = out or "-"
    shared.check_out(target, like=b"")
    own = seated(copy.root, seat)
    if own.last.over:
        raise Refused("over", "the game is over", "adjudicator show shows how it ended")
    shared.write_out(target, form_of.template(own).encode(), like=b"")
    if target != "-":
        shared.say(f"{target}: fill it in, then adjudicator play --file {pasteable(target)}")


def _check(copy: Record, seat: Seat, typed: bytes | None, protest: str | None) -> None:
    """Say what the host would refuse; raises Refused or OrderError."""
    if typed is None:
        raise click.UsageError("--check: name the orders, or their --file")
    own = seated(copy.root, seat)
    file = judged(own, typed, protest)
    shared.say(f"ok: orders of {seat.player} for step {own.step}")
    shared.say(*shown(file))


def judged(own: Seated, typed: bytes, protest: str | None) -> OrderFile:
    """The orders as they would be signed; raises Refused or OrderError, which quotes a line only if
    there are others."""
    try:
        return own.read(typed, protest)
    except OrderError as error:
        word = typed.decode("utf-8", "replace").strip()
        if len(word.splitlines()) > 1:
            raise
        alone = error.alone()
        if not alone.hint and isinstance(error, Malformed):
            game = did_you_mean(word, games.installed())
            alone.hint = game or "adjudicator play help"
        raise alone from None


def shown(file: OrderFile) -> list[str]:
    """The orders that were read: nothing else is signed."""
    return [f"  {line}" for line in answers.lines_of(file)]


class _Turn:
    """One's own turn: what came, the board, and orders."""

    def __init__(self, copy: Record, seat: Seat, protest: str | None, *, force: bool) -> None:
        self.carrier = courier.of(copy, seat)
        self.table = self.carrier.table
        self.seat = seat
        self.protest = protest
        self.force = force

    def run(
        self, orders: bytes | None, key: Path | None, out: str | None, *, edit: bool, hint: bool,
        yes: bool,
    ) -> int:  # fmt: skip
        """Fetch, show, and send orders if there are any; returns the exit code. Raises Refused or
        OrderError. `out`: where the sealed orders go, instead of to the host."""
        shared.check_out(out, like=shared.like_bundle("order"))
        folder = self.table.record.root.absolute().parent
        by_git = (self.table.record.root / ".git").exists()
        here = courier.Here((), ()) if by_git else courier.look(folder)
        fetched = self.carrier.fetch(here)
        strange, look = courier.strays(folder, here)
        amiss = [*self.table.not_news(fetched.warnings), *self.table.not_mine(fetched)]
        shared.warn(*amiss, *strange)
        for kept in fetched.letters:
            shared.say(*letters.in_words(self.table.ledger, self.seat, kept))
        look = LOOK if amiss else look
        if not self.table.begun:
            shared.say(f"{self.table.game}: joined as {self.seat.player}. The host has not begun.")
            shared.warn(*self.table.news())
            return 4 if self.table.old() else look
        own = self.table.seated()
        looks, code = orders is None and not edit, 0
        if looks:
            ended = self._show(own, hint=hint)
            # Last, where it is read: nothing above it is to be trusted if the board is old.
            said, code = shared.wanting(self.table, shared.now())
            code = code or ended
            shared.warn(*said, *fetched.evidence)
        elif self.table.robbed:
            raise Refused("no-seat", witness.given_away(self.table.ledger, self.seat))
        elif not self.force:
            self.table.check_new()
        file = self._orders(own, orders, edit=edit, yes=yes)
        if file is not None:
            self._send(own, file, key, out)
        return 1 if fetched.evidence and looks else code or look

    def _orders(
        self, own: Seated, orders: bytes | None, *, edit: bool, yes: bool
    ) -> OrderFile | None:
        """The given orders, or those written in an editor or at the terminal; None if there are
        none. Who resigns was asked once: the prompt asks by itself."""
        if orders is not None:
            return confirmed(judged(own, orders, self.protest), yes=yes)
        awaited = own.seat.player in own.last.entry.awaited
        if edit and awaited:
            # The form lies beside the copy, and stays there.
            path = finding.form_beside(self.table.record, own)
            click.edit(filename=str(path))
            typed = files.read(path, LARGEST_TYPED)
            if typed == form_of.template(own).encode():
                shared.say(f"{path.name}: nothing was written, so no orders are sent")
                return None
            return confirmed(own.read(typed, self.protest), yes=yes)
        if edit:
            shared.say(f"{self.table.game}: {story.standing(own.last.entry)}")
        if not awaited or not shared.is_terminal() or self.table.lacking() or self.table.robbed:
            return None
        if not self.force:
            self.table.check_new()
        text = self._prompt(own).ask()
        return None if text is None else own.read(text.encode(), self.protest)

    def _prompt(self, own: Seated) -> Prompt:
        awaited = own.last.entry.awaited
        mine = awaited.get(own.seat.player) or next(iter(awaited.values()), None)
        until = () if mine is None else shared.reader().until(mine.until)
        return Prompt(asked_by_host(own, protest=self.protest), until=until)

    def _send(self, own: Seated, file: OrderFile, key: Path | None, out: str | None) -> None:
        ordered = own.order(file, own_signer(own, key), shared.now(), self.protest)
        shared.say(f"Ready: {answers.in_words(ordered.file, self.protest)}.", to=out)
        if out is not None:
            where = shared.write_bundle(ordered.bundle, out, out)
            shared.say(f"Send {'it' if where == '-' else where} to the host", to=out)
            return
        courier.send(self.carrier)

    def _show(self, own: Seated, *, hint: bool) -> int:
        """The screen, and the orders sent; without one's report, what everybody sees. Returns the
        exit code of the verdict on a game that is over, else 0."""
        if self.table.robbed:
            shared.say("\n".join(Story(own.ledger).seen(None, shared.reader()).lines(newest=True)))
            return 0
        if self.table.lacking():
            seen = story.seen_by(own, None)
            shared.say(own.opening.game.draw(seen.boards[0]).rstrip("\n"))
            shared.say(*story.whose_turn(own.last.entry, shared.reader(), own.seat.player))
            shared.say(*(sent.text(shared.reader()) for sent in answers.sent(own)))
            return 0
        if own.ledger.revealed:
            return prompt.tell_end(own, self.table.record.root)
        at = self._prompt(own)
        at.show()
        shared.say(*(sent.text(shared.reader()) for sent in answers.sent(own)))
        if hint and own.seat.player in own.last.entry.awaited:
            at.hint()
        return 0


def seated(record: Path, own: Seat) -> Seated:
    """A seat in a game that has begun; raises Refused."""
    target = shared.record_of(record)
    if target.last_step() is None:
        raise Refused(
            "not-yet", "the game has not begun", "take in the host's first entry: adjudicator sync"
        )
    return Seated(target, own)


def confirmed(file: OrderFile, *, yes: bool = False) -> OrderFile:
    """The orders, once a player who resigns was asked; raises as `agreed` does."""
    words = [line.partition("#")[0].strip().lower() for line in file.orders]
    if "resign" in words:
        shared.agreed("You resign: the game is over for you. Really?", yes=yes)
    return file
