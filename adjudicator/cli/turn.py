"""`play`: one's own turn in any game, in one command; with a GAME's name, a game against bots."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

import games
from adjudicator.cli import completing, courier, prompt, settings
from adjudicator.cli.here import SEAT, GameOption, SeatOption, duelled, find, nothing, places
from adjudicator.cli.play import confirm, own_signer, seated
from adjudicator.cli.prompt import AskedByHost, Prompt
from adjudicator.cli.shared import (
    AnyPath,
    AnywayOption,
    GameOptionOption,
    KeyOption,
    OutOption,
    ProtestOption,
    YesOption,
    check_out,
    is_terminal,
    like_bundle,
    now,
    reader,
    say,
    seat_in,
    wanting,
    warn,
    write_bundle,
    write_out,
)
from adjudicator.mail.player import message
from adjudicator.player import finding, witness
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.store.record import Record
from adjudicator.words import answers, story
from adjudicator.words import form as form_of
from adjudicator.words.story import Story
from games.game import Malformed, OrderError
from games.options import did_you_mean
from orders.errors import Refused, pasteable
from orders.order_file import OrderFile
from orders.typed import LARGEST_TYPED


@click.command(epilog="Example: adjudicator play sugar-dog, or adjudicator play fire S")
@click.argument("words", metavar="[GAME|ORDERS]", nargs=-1, shell_complete=completing.of_game)
@GameOption
@SeatOption
@KeyOption
@click.option("--check", is_flag=True, help="Say what the host would refuse; sign nothing.")
@click.option("--form", is_flag=True, help="Write an order file to fill in, with board and news.")
@click.option("--file", metavar="FILE", help="The orders are in this order file; - is stdin.")
@click.option("--edit", is_flag=True, help="Write orders in your $EDITOR, below board and news.")
@ProtestOption
@AnywayOption
@YesOption
@OutOption
@click.option(
    "--bot", "bots", multiple=True, help="New game: a rival: mate (as without), captain, random.",
    shell_complete=completing.of_bot,
)  # fmt: skip
@GameOptionOption
@click.option("--seed", metavar="HEX", help="New game: all secrets come from it.")
@click.option("--keep", type=AnyPath, help="New game: keep all files here.")
@click.option("--new", is_flag=True, help="A new game, though one against bots is not over.")
@click.pass_context
def play(
    ctx: click.Context, words: tuple[str, ...], record: Path | None, seat: Path | None,
    key: Path | None, check: bool, form: bool, file: str | None, edit: bool,
    protest: str | None, anyway: bool, yes: bool, out: str | None,
    bots: tuple[str, ...], options: tuple[str, ...],
    seed: str | None, keep: Path | None, new: bool,
) -> None:  # fmt: skip
    """Play a GAME against bots at once; or your turn in a game whose copy and seat are here.

    Without ORDERS: fetch what came, show news, board and what you may write, and ask for orders.
    With ORDERS: check, seal, sign and send them. Write a ; between two lines; the shell then needs
    quotes round all of it. `play hint` shows what the captain would write, `play help` the orders.
    """
    what = " ".join(words) or None
    if what is not None and what in games.installed():
        from adjudicator.cli.against import against

        rules, usual = games.load(what), settings.get("bot")
        ctx.exit(against(rules, bots, options, seed, keep, new=new, usual=usual))
    if bots or options or seed or keep or new:
        text = "--bot, --option, --seed, --keep, --new begin a game"
        raise click.UsageError(f"{text}: {what!a}")
    if what is not None and what.lower() in ("help", "?"):
        _help(ctx, record, seat)
        return
    hint = what is not None and what.lower() == "hint"
    what = None if hint else what
    if (edit or file or form) and what is not None:
        raise click.UsageError(f"--edit, --file and --form go without orders: leave out {what!a}")
    home = duelled(record, seat)
    if home is not None:
        from adjudicator.cli import duel

        if edit or form or protest:
            raise click.UsageError("a duel takes no --edit, --form or --protest")
        orders = None if what is None else os.fsencode(prompt.lines_of(what))
        orders = read_typed_file(file) if file else orders
        ctx.exit(duel.play(home, orders, key, out, check=check, hint=hint, yes=yes, anyway=anyway))
    looks = what is None and not (record or seat or edit or file or form or check)
    if looks and not places(Path().absolute()):
        from adjudicator.cli import against as bot_games

        if kept := bot_games.left_behind():
            ctx.exit(bot_games.go_on_with(kept))
    copy, own = _chosen(record, seat, what)
    if (copy.root.parent.parent / "bots").is_file():
        from adjudicator.cli import against as bot_games

        if (folder := bot_games.folder_of(copy.root)) is not None:
            # Nobody would answer orders in a file.
            if what is not None or file or form or edit or check:
                raise click.UsageError(
                    "a game against bots is played at its prompt: leave that out"
                )
            ctx.exit(bot_games.go_on(folder))
    turn = _Turn(copy, own, protest, force=anyway)
    if form:
        _write_form(copy, own, out)
        return
    typed = None if file is None else read_typed_file(file)
    if what is not None and typed is None:
        typed = os.fsencode(prompt.lines_of(what))
    if check:
        _check(copy, own, typed, protest)
        return
    ctx.exit(turn.run(typed, key, out, edit=edit, hint=hint, yes=yes))


def _help(ctx: click.Context, record: Path | None, seat: Path | None) -> None:
    """What may be written in the game that is meant; without one how the command is called."""
    try:
        found = find(record, seat, SEAT)
        own = seated(found.record, seat_in(seat or found.seat or Path()))
        at = Prompt(AskedByHost(own))
    except Refused:
        click.echo(ctx.get_help())
        return
    say(*prompt.help_lines(at))


def _chosen(record: Path | None, seat: Path | None, what: str | None) -> tuple[Record, Seat]:
    """The game that is meant, and the seat; raises Refused or UsageError."""
    try:
        found = find(record, seat, SEAT)
    except Refused as error:
        if error.word == "missing" and record is None and what is not None and " " not in what:
            raise nothing([], SEAT, what) from None
        raise
    place = seat or found.seat
    if place is None:
        raise nothing([found], SEAT)
    return Record(found.record.absolute()), seat_in(place)


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
    check_out(target, like=b"")
    own = seated(copy.root, seat)
    if own.last.over:
        raise Refused("over", "the game is over", "adjudicator show shows how it ended")
    write_out(target, form_of.template(own).encode(), like=b"")
    if target != "-":
        say(f"{target}: fill it in, then adjudicator play --file {pasteable(target)}")


def _check(copy: Record, seat: Seat, typed: bytes | None, protest: str | None) -> None:
    """Say what the host would refuse; raises Refused or OrderError."""
    if typed is None:
        raise click.UsageError("--check: name the orders, or their --file")
    own = seated(copy.root, seat)
    file = judged(own, typed, protest)
    say(f"ok: orders of {seat.player} for step {own.step}")
    say(*shown(file))


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


LOOK = 3
"""The exit code: done, but a person must look."""


class _Turn:
    """One's own turn: what came, the board, and orders."""

    def __init__(self, copy: Record, seat: Seat, protest: str | None, *, force: bool) -> None:
        self.carrier = courier.of(copy, seat)
        self.table = self.carrier.table
        self.protest = protest
        self.force = force

    def run(
        self, orders: bytes | None, key: Path | None, out: str | None, *, edit: bool, hint: bool,
        yes: bool,
    ) -> int:  # fmt: skip
        """Fetch, show, and send orders if there are any; returns the exit code. Raises Refused or
        OrderError. `out`: where the sealed orders go, instead of to the host."""
        check_out(out, like=like_bundle("order"))
        fetched = self.carrier.fetch()
        amiss = self.table.not_news(fetched.warnings)
        if not isinstance(self.carrier, courier.ByGit):
            amiss += courier.strays(self.table.record.root.absolute().parent)
        warn(*amiss)
        for kept in fetched.letters:
            say(*message(self.table, kept))
        look = LOOK if amiss else 0
        if not self.table.begun:
            say(f"{self.table.game}: joined as {self._seat.player}. The host has not begun.")
            warn(*self.table.news())
            return 4 if self.table.old() else look
        own = self.table.seated()
        looks, code = orders is None and not edit, 0
        if looks:
            self._show(own, hint=hint)
            # Last, where it is read: nothing above it is to be trusted if the board is old.
            said, code = wanting(self.table, now())
            warn(*said, *fetched.evidence)
        elif self.table.robbed:
            raise Refused("no-seat", witness.given_away(self.table.ledger, self._seat))
        elif not self.force:
            self.table.check_new()
        file = self._orders(own, orders, edit=edit)
        if file is not None:
            self._send(own, file, key, out, yes=yes)
        return 1 if fetched.evidence and looks else code or look

    @property
    def _seat(self) -> Seat:
        assert self.table.seat is not None  # noqa: S101 - `__init__` gave it one
        return self.table.seat

    def _orders(self, own: Seated, orders: bytes | None, *, edit: bool) -> OrderFile | None:
        """The given orders, or those written in an editor or at the terminal; None if there are
        none."""
        if orders is not None:
            return judged(own, orders, self.protest)
        awaited = own.seat.player in own.last.entry.awaited
        if edit and awaited:
            return self._edited(own)
        if edit:
            say(f"{self.table.game}: {story.standing(own.last.entry)}")
        if not awaited or not is_terminal() or self.table.lacking() or self.table.robbed:
            return None
        if not self.force:
            self.table.check_new()
        text = self._prompt(own).ask()
        return None if text is None else own.read(text.encode(), self.protest)

    def _prompt(self, own: Seated) -> Prompt:
        awaited = own.last.entry.awaited
        mine = awaited.get(own.seat.player) or next(iter(awaited.values()), None)
        until = () if mine is None else reader().until(mine.until)
        return Prompt(AskedByHost(own, protest=self.protest), until=until)

    def _edited(self, own: Seated) -> OrderFile | None:
        """The orders in the form beside the copy, which stays there; None if nothing was
        written."""
        path = finding.form_beside(self.table.record, own)
        click.edit(filename=str(path))
        typed = files.read(path, LARGEST_TYPED)
        if typed == form_of.template(own).encode():
            say(f"{path.name}: nothing was written, so no orders are sent")
            return None
        return own.read(typed, self.protest)

    def _send(
        self, own: Seated, file: OrderFile, key: Path | None, out: str | None, *, yes: bool
    ) -> None:
        confirm(file, yes=yes)
        ordered = own.order(file, own_signer(own, key), now(), self.protest)
        if out is not None:
            where = write_bundle(ordered.bundle, out, out)
            say(courier.ready(ordered.file, self.protest, where), to=out)
            return
        courier.announce(self.carrier, ordered.file, self.protest)
        sent = self.carrier.sync()
        say(*sent.lines)
        warn(*sent.warnings)

    def _show(self, own: Seated, *, hint: bool) -> None:
        """The screen, and the orders sent. Without one's report, what everybody sees."""
        if self.table.robbed:
            say("\n".join(Story(own.ledger).seen(None, reader()).lines()))
            return
        if self.table.lacking():
            seen = story.seen_by(own, None)
            say(own.opening.game.draw(seen.boards[0]).rstrip("\n"))
            say(*story.whose_turn(own.last.entry, reader(), own.seat.player))
            say(*(sent.text(reader()) for sent in answers.sent(own)))
            return
        at = self._prompt(own)
        at.show()
        say(*(sent.text(reader()) for sent in answers.sent(own)))
        if own.last.over:
            say(*story.whose_turn(own.last.entry, reader(), own.seat.player))
        if hint and own.seat.player in own.last.entry.awaited:
            at.tell_hint()
