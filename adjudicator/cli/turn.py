"""`play`: one's own turn in any game, in one command; with a GAME's name, a game against bots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

import games
from adjudicator.cli import completing, courier, person
from adjudicator.cli.play import confirm, own_signer
from adjudicator.cli.shared import (
    AnyPath,
    ForceOption,
    GameOptionOption,
    MovedKeyOption,
    PresetOption,
    ProtestOption,
    is_terminal,
    now,
    open_seat,
    reader,
    record_of,
    say,
    seat_in,
    warn,
)
from adjudicator.core.opening import read_offer
from adjudicator.player import finding
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.store.record import Record
from adjudicator.words import adviser, answers, form, story
from adjudicator.words.deduced import heard, worked_out
from adjudicator.words.spans import left
from games.options import suggest
from orders.errors import Refused
from orders.order_file import OrderFile
from orders.typed import LARGEST_TYPED


@click.command(epilog="Example: adjudicator play sugar-dog, or adjudicator play fire S")
@click.argument("words", metavar="[GAME|ORDERS]", nargs=-1, shell_complete=completing.of_game)
@click.option("--record", type=AnyPath, help="Your copy, if the folder has several.")
@click.option(
    "--seat", type=AnyPath, help="Your seat folder, if the folder has several.",
    shell_complete=completing.of_seat,
)  # fmt: skip
@MovedKeyOption
@click.option("--edit", is_flag=True, help="Write orders in your $EDITOR, below board and news.")
@click.option("--hint", is_flag=True, help="Show what the captain would write.")
@ProtestOption
@ForceOption
@click.option(
    "--bot", "bots", multiple=True, help="New game: a rival; by default one captain.",
    shell_complete=completing.of_bot,
)  # fmt: skip
@GameOptionOption
@PresetOption
@click.option("--seed", metavar="HEX", help="New game: all secrets come from it.")
@click.option("--keep", type=AnyPath, help="New game: keep all files here.")
@click.pass_context
def play(
    ctx: click.Context, words: tuple[str, ...], record: Path | None, seat: Path | None,
    key: Path | None, edit: bool, hint: bool, protest: str | None, force: bool,
    bots: tuple[str, ...], options: tuple[str, ...],
    preset: str | None, seed: str | None, keep: Path | None,
) -> None:  # fmt: skip
    """Play a GAME against bots at once; or your turn in a game whose copy and seat are here.

    Without ORDERS: fetch what came, show news, board and what you may write, and ask for orders.
    With ORDERS: check, seal, sign and send them. Write a ; between two lines; the shell then needs
    quotes round all of it.
    """
    what = " ".join(words) or None
    if what is not None and what in games.installed():
        from adjudicator.cli.against import against

        ctx.exit(against(games.load(what), bots, options, preset, seed, keep, hint=hint))
    if bots or options or preset or seed or keep:
        raise click.UsageError(f"--bot, --option, --preset, --seed, --keep begin a game: {what!a}")
    if edit and what is not None:
        raise click.UsageError(f"--edit asks for the orders: leave out {what!a}")
    found = _chosen(record, seat, what)
    if found is not None:
        ctx.exit(_Turn(*found, protest, force=force).run(what, key, edit=edit, hint=hint))


def _chosen(record: Path | None, seat: Path | None, what: str | None) -> tuple[Record, Seat] | None:
    """The one game that is meant; None if there are several, which are listed. Raises Refused."""
    if record is not None:
        copy = record_of(record, absolute=True)
        own = open_seat(seat) or courier.seat_of(copy)
        if own is None:
            text = f"no seat of the game in {str(record)!a} is beside it"
            raise Refused("no-seat", text, "name it: --seat")
        return copy, own
    found = _here(seat)
    if not found:
        raise Refused(
            "missing",
            f"no game of yours is in this folder{suggest(what or '', games.installed())}",
            "go to the folder with your copy and your seat; to begin a game against a bot: "
            "adjudicator play sugar-dog",
        )
    if len(found) == 1:
        ((copy, place),) = found
        return copy, seat_in(place)
    for copy, place in found:
        try:
            told = f"in {place.name}" if place.is_file() else _standing(copy, seat_in(place))
        except Refused as error:
            # A broken copy is skipped.
            told = str(error)
        say(f"{copy.root.name}: {told}")
    say("which? adjudicator play --record NAME")
    return None


def _here(seat: Path | None) -> list[tuple[Record, Path]]:
    """The games in the current folder, each with its seat's folder or safe; with `seat`, that
    seat's game."""
    folder = Path().absolute()
    if seat is None:
        return finding.seated(folder)
    own = seat_in(seat)
    copies = finding.copies(folder)
    return [(copy, seat) for copy in copies if finding.invite_of(copy) == own.invite]


def _standing(copy: Record, seat: Seat) -> str:
    """A game in a line: which it is, whether it waits for this seat, and how much time is left."""
    title = read_offer(copy).game.title
    if copy.last_step() is None:
        return f"{title}, as {seat.player}: not begun"
    entry = Seated(copy, seat).last.entry
    if seat.player in entry.awaited:
        prompt = entry.awaited[seat.player]
        return f"{title}, as {seat.player}: YOUR {prompt.what}, {left(prompt.until, now())}"
    return f"{title}, as {seat.player}: {story.standing(entry)}"


class _Turn:
    """One's own turn: what came, the board, and orders."""

    def __init__(self, copy: Record, seat: Seat, protest: str | None, *, force: bool) -> None:
        self.carrier = courier.of(copy, seat)
        self.table = self.carrier.table
        self.protest = protest
        self.force = force

    def run(self, orders: str | None, key: Path | None, *, edit: bool, hint: bool) -> int:
        """Fetch, show, and send orders if there are any; returns the exit code. Raises Refused or
        OrderError."""
        fetched = self.carrier.fetch()
        warn(*fetched.warnings)
        if not self.table.begun:
            say(f"{self.table.record.root.name}: {_standing(self.table.record, self._seat)}")
            warn(*self.table.news())
            return 4 if self.table.old() else 0
        own = self.table.seated()
        looks = orders is None and not edit
        if looks:
            self._show(own, fetched.steps, hint=hint)
            # Last, where it is read: nothing above it is to be trusted if the board is old.
            warn(*self.table.news(now()))
        elif not self.force:
            self.table.check_new()
        file = self._orders(own, orders, edit=edit)
        if file is not None:
            self._send(own, file, key)
        return 4 if looks and (self.table.old() or self.table.lacking()) else 0

    @property
    def _seat(self) -> Seat:
        assert self.table.seat is not None  # noqa: S101 - `__init__` gave it one
        return self.table.seat

    def _orders(self, own: Seated, orders: str | None, *, edit: bool) -> OrderFile | None:
        """The given orders, or those written in an editor or at the terminal; None if there are
        none."""
        if orders is not None:
            return own.read(person.lines_of(orders).encode(), self.protest)
        awaited = own.seat.player in own.last.entry.awaited
        if edit and awaited:
            return self._edited(own)
        if edit:
            say(f"{self.table.record.root.name}: {_standing(self.table.record, own.seat)}")
        if not awaited or not is_terminal() or self.table.lacking():
            return None
        if not self.force:
            self.table.check_new()
        after = own.opening.game.after(own.report().view, ())
        return person.ask(after, lambda text: own.read(text.encode(), self.protest))

    def _edited(self, own: Seated) -> OrderFile | None:
        """The orders in the form beside the copy, which stays there; None if nothing was
        written."""
        path = finding.form_beside(self.table.record, own)
        click.edit(filename=str(path))
        typed = files.read(path, LARGEST_TYPED)
        if typed == form.template(own).encode():
            say(f"{path.name}: nothing was written, so no orders are sent")
            return None
        return own.read(typed, self.protest)

    def _send(self, own: Seated, file: OrderFile, key: Path | None) -> None:
        confirm(file)
        signer = own_signer(own, key)
        ordered = own.order(file, signer, now(), self.protest)
        say(*(f"  {line}".rstrip() for line in ordered.file.orders))
        slip = ordered.slip
        say(f"revision {slip.revision} for step {slip.step} is signed; no receipt has come yet")
        sent = self.carrier.send(ordered, signer)
        say(*sent.lines)
        warn(*sent.warnings)

    def _show(self, own: Seated, steps: Sequence[int], *, hint: bool) -> None:
        """The news of these steps, or else of the last one; the board, the clocks, and the orders
        sent. Without one's report, what everybody sees."""
        opening, player, last = own.opening, own.seat.player, own.last
        for step in steps or (last.step,):
            entry = own.ledger.link(step).entry
            say(f"[{step}] {story.title(entry)}")
            say(*(f"  {line}" for line in story.told(own, step)))
        seen = story.seen_by(own, None)
        view = seen.boards[0]
        say(opening.game.draw(view).rstrip("\n"))
        mine = not self.table.lacking()
        if mine:
            say(*heard(worked_out(own, seen.step)))
        say(*story.whose_turn(last.entry, reader(), player))
        say(*(sent.text() for sent in answers.sent(own)))
        if player in last.entry.awaited and mine:
            say("You may write:", *person.choices(opening.game.after(view, ())))
            if hint:
                say(f"hint: {person.in_one_line(adviser.advice(own))}")
