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
    GameOptionOption,
    MovedKeyOption,
    PresetOption,
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
from adjudicator.player import finding, witness
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
    key: Path | None, edit: bool, hint: bool, bots: tuple[str, ...], options: tuple[str, ...],
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
        _turn(found[0], found[1], what, key, edit=edit, hint=hint)


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


def _turn(
    copy: Record, seat: Seat, orders: str | None, key: Path | None, *, edit: bool, hint: bool
) -> None:
    """Fetch, show, and send orders if there are any; raises Refused or OrderError."""
    carrier = courier.of(copy, seat)
    fetched = carrier.fetch()
    warn(*fetched.warnings)
    if copy.last_step() is None:
        say(f"{copy.root.name}: {_standing(copy, seat)}")
        return
    own = Seated(copy, seat)
    if orders is None and not edit:
        _show(own, fetched.steps, hint=hint)
    file = _orders(copy, own, orders, edit=edit)
    if file is not None:
        _send(own, carrier, file, key)


def _orders(copy: Record, own: Seated, orders: str | None, *, edit: bool) -> OrderFile | None:
    """The given orders, or those written in an editor or at the terminal; None if there are
    none."""
    if orders is not None:
        return own.read(person.lines_of(orders).encode())
    awaited = own.seat.player in own.last.entry.awaited
    if edit and awaited:
        return _edited(copy, own)
    if edit:
        say(f"{copy.root.name}: {_standing(copy, own.seat)}")
    if not awaited or not is_terminal():
        return None
    after = own.opening.game.after(own.report().view, ())
    return person.ask(after, lambda text: own.read(text.encode()))


def _edited(copy: Record, own: Seated) -> OrderFile | None:
    """The orders in the form beside the copy, which stays there; None if nothing was written."""
    path = finding.form_beside(copy, own)
    click.edit(filename=str(path))
    typed = files.read(path, LARGEST_TYPED)
    if typed == form.template(own).encode():
        say(f"{path.name}: nothing was written, so no orders are sent")
        return None
    return own.read(typed)


def _send(own: Seated, carrier: courier.Courier, file: OrderFile, key: Path | None) -> None:
    confirm(file)
    signer = own_signer(own, key)
    ordered = own.order(file, signer, now())
    say(*(f"  {line}".rstrip() for line in ordered.file.orders))
    slip = ordered.slip
    say(f"revision {slip.revision} for step {slip.step} is signed; no receipt has come yet")
    sent = carrier.send(ordered, signer)
    say(*sent.lines)
    warn(*sent.warnings)


def _show(own: Seated, steps: Sequence[int], *, hint: bool) -> None:
    """The news of these steps, or else of the last one; the board, the clocks, and the orders
    sent."""
    opening, player, last = own.opening, own.seat.player, own.last
    for step in steps or (last.step,):
        entry = own.ledger.link(step).entry
        say(f"[{step}] {story.title(entry)}")
        report = own.report(step) if entry.reports else None
        say(*(f"  {line}" for line in story.heard(opening, entry, report)))
    view = own.report().view
    say(opening.game.draw(view).rstrip("\n"))
    say(*heard(worked_out(own, own.report().step)))
    say(*story.whose_turn(last.entry, reader(), player))
    say(*(sent.text() for sent in answers.sent(own)))
    warn(*witness.unanswered(own.ledger, own.seat, now()))
    if player in last.entry.awaited:
        say("You may write:", *person.choices(opening.game.after(view, ())))
        if hint:
            say(f"hint: {person.in_one_line(adviser.advice(own))}")
