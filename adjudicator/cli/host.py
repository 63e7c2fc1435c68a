"""A game that is hosted here: its key, its desk, what leaves as files, and what `take` and `sync`
do by files."""

from __future__ import annotations

import itertools
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from adjudicator.cli import courier, settings, tell_error
from adjudicator.cli.courier import Here, Lying
from adjudicator.cli.keys import signer_of
from adjudicator.cli.shared import now, reader, record_of, say, warn, write_bundle
from adjudicator.core import bundles
from adjudicator.core.opening import read_offer
from adjudicator.host.desk import Desk
from adjudicator.host.folder import HostFolder
from adjudicator.host.host import Host
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import answers, story
from orders.bundle import Bundle
from orders.errors import TEMPORARY, Refused, pasteable
from orders.keys import Signer
from orders.public_key import read_public


def host_signer(record: Record, key: Path | None) -> Signer:
    """The host's signer: with the given key, or else the one named in its folder; raises
    Refused."""
    folder = HostFolder(record.host)
    folder.master()
    return signer_of(read_offer(record).host, key, folder.key_path(), folder.note_key)


def desk_of(record: Path, key: Path | None, *, sure: bool) -> Desk:
    """The desk of a game that is hosted here; raises Refused. `sure`: this machine's clock is
    right."""
    target = record_of(record)
    return Desk(target, lambda: host_signer(target, key), SystemClock(), None if sure else warn)


def open_host(record: Path, key: Path | None, *, sure: bool) -> Host:
    """The host's side of a game that has begun; raises Refused."""
    return begun(desk_of(record, key, sure=sure))


def begun(desk: Desk) -> Host:
    """The host's side of a game; raises Refused if it has not begun."""
    if desk.host is None:
        raise Refused("not-yet", "the game has not begun", "adjudicator start begins it")
    return desk.host


# By files: what `take` and `sync` do for a host.


def take(desk: Desk, bundle: Bundle, path: str, out: str | None = None) -> int:
    """Take in a join, orders or a letter, and write what leaves for it; the exit code. Raises
    Refused."""
    if bundle.kind != "join":
        begun(desk)
    taken = desk.take(bundle)
    if taken.asks:
        path = pasteable(path)
        say(f"{path} asks for the seat of {taken.player}: adjudicator rule --hand-on {path} "
            "--reason ...", to=out)  # fmt: skip
    elif taken.join is not None:
        key = read_public(taken.join.key).fingerprint
        there, wanted = len(desk.room.joins()), desk.wanted
        many = f"; {there} of {wanted} so far" if wanted else f"; {there} so far"
        many = many if desk.record.last_step() is None else ""
        say(f"{taken.player} joined, {key}{many}", to=out)
    elif taken.receipt is not None:
        said = answers.answered(desk.begun().ledger, taken.receipt)
        said = "taken" if said == "accepted" else said
        (where,) = [write_for(desk, to, sent, out) for to, sent in taken.leaves.items()]
        say(f"{taken.player}: {said}. For {taken.player}: {where}", to=out)
        warn(*taken.warnings)
        return 0 if answers.counts(desk.begun().ledger, taken.receipt) else 1
    else:
        say(f"{taken.player}: a letter, taken")
        pass_on(desk, taken.leaves)
    return 0


def sync(
    record: Record, key: Path | None, here: Here, *, late: bool, sure: bool, quiet: bool
) -> int:
    """Take in what lies beside a record for its host (`here`), and do what is due; the exit code.
    Raises Refused. By mail the mailbox is seen to, and by git all is."""
    way = carrier(record)
    if way == "git":
        from adjudicator.cli.repository import sync_host

        sync_host(record, late=late, sure=sure)
        return 0
    desk, ids = desk_of(record.root, key, sure=sure), bundles.ids_of(record)
    code = 0
    again: list[Lying] = []
    mine = courier.beside(here, lambda it: courier.is_for_host(it) and courier.about(it) in ids)
    for one in itertools.chain(mine, again):
        try:
            code = _take_file(desk, one, ids) or code
        except Refused as error:
            if error.word == "clock" and one not in again:
                # A later slip may show that the clock is right.
                again.append(one)
                continue
            if error.word in (*TEMPORARY, "clock", "ahead"):
                raise
            error.message = f"{one.path.name}: {error.message}"
            tell_error(error)
            code = 1
    if way == "files" and not go_on(desk, late=late) and not quiet:
        over = desk.host is not None and desk.host.last.over
        say(*(story.whose_turn(desk.begun().last.entry) if over else waits(desk)))
    return code


def _take_file(desk: Desk, lying: Lying, ids: Collection[str]) -> int:
    """Take in what a file brings for the host; the exit code."""
    code, orders = 0, [one for one in lying.mine if one.kind != "join"]
    refused: list[Refused] = []
    # Whoever sends orders again has no receipt; what was taken by hand was not sent again.
    before = courier.done(desk.record.root) / lying.path.name
    again = lying.is_only(ids) and before.is_file()
    again = again and before.read_bytes() == lying.path.read_bytes()
    for bundle in lying.mine:
        if bundle.kind == "join":
            due = not desk.has(bundle)
            if due and desk.host is not None:
                # Of somebody who would take a seat over: it is kept, so that it is told once.
                try:
                    desk.room.keep(bundle, desk.host.seated())
                except Refused as error:
                    if error.word in TEMPORARY:
                        raise
                    refused.append(error)
                    continue
        else:
            # A letter that was kept may still have to be passed on.
            due = again or bundle.kind == "letter" or not desk.has(bundle)
        code = (take(desk, bundle, lying.path.name) if due else 0) or code
    if orders or refused:
        courier.clear(desk.record.root, ids, [lying], lambda _: True)
    if refused:
        raise refused[0]
    return code


def pass_on(desk: Desk, passed: Mapping[str, Bundle]) -> None:
    """Write what each player is sent, and say for whom each file is."""
    for player, bundle in passed.items():
        say(f"{write_for(desk, player, bundle)}: for {player}")


def write_for(desk: Desk, player: str, bundle: Bundle, out: str | None = None) -> str:
    """Write what leaves for a player beside the record; where it lies."""
    name = bundles.name(desk.name, bundle)
    # A letter that is passed on says whose it is, and not for whom.
    name += f"-{player}" * (bundle.kind == "letter")
    return write_bundle(bundle, out, os.path.relpath(desk.record.root.with_name(f"{name}.txt")))


def go_on(desk: Desk, *, late: bool) -> bool:
    """Do what is due, and write what goes out; returns whether anything was due. Raises Refused."""
    new = desk.advance(late=late)
    # After a crash, entries of before may still have to go out.
    steps = (() if desk.host is None else desk.host.unsent()) or new
    if steps:
        hand_out(desk, steps)
    return bool(steps)


def waits(desk: Desk) -> Iterator[str]:
    """For whom the game waits, and how to go on."""
    if desk.host is None:
        wanted, there = desk.wanted, desk.room.joins()
        many = f" of {wanted}" if wanted else ""
        names = f": {', '.join(there)}" if there else ""
        yield f"{desk.record.root.name}: {len(there)}{many} joined{names}"
        if wanted is None and there:
            yield "to begin with them: adjudicator start"
        yield from by_hand(desk.record)
        return
    awaited, time = desk.host.last.entry.awaited, now()
    lacking = desk.host.missing()
    if not lacking:
        return
    at = reader()
    yield "Waiting for " + ", ".join(
        f"{player} until {at.deadline(awaited[player].until)}" for player in lacking
    )
    if all(awaited[player].until <= time for player in lacking):
        yield "Their time is over. To go on without them: adjudicator sync --late"
    else:
        yield "After that: adjudicator sync --late"


BACK = "What they send back: save it here, then adjudicator sync"


def by_hand(record: Record) -> Sequence[str]:
    """What a host does by hand with mails, and which settings would do it; nothing where they do,
    or no mails are to be expected."""
    if carrier(record) != "files" or read_offer(record).invite.mail is None:
        return ()
    lacks = "; ".join(one.hint for one in settings.lacking(record.root))
    return BACK, f"For mails to come and go by themselves: {lacks}; then the same invite again"


def hand_out(desk: Desk, steps: Sequence[int], out: Path | None = None) -> None:
    """Write the bundles of new entries, one for each reader whose bundle differs, and print the
    news. By mail and git the next sync tells them."""
    folder = desk.record.root.parent if out is None else out
    written = out is not None or carrier(desk.record) == "files"
    if written:
        for step, player, number, bundle in desk.leaves(steps):
            part = f".{number}" if number > 1 else ""
            name = f"{bundles.name(desk.name, bundle)}{part}.txt"
            where = write_bundle(bundle, None, os.path.relpath(folder / name))
            say(f"{where}: entry {step}, for {player or 'everybody'}")
        # By mail and git nobody has it yet: another one of its number may still take its place.
        desk.folder.mark_sent(steps[-1])
    ledger = desk.begun().ledger
    for step in steps:
        entry = ledger.link(step).entry
        if not written:
            say(f"entry {step}: {story.title(entry)}")
        if written or entry.ruling is None:
            say(*(f"  {line}" for line in story.heard(ledger.opening, entry)))
    say(*story.whose_turn(ledger.last.entry, reader()))


def carrier(record: Record) -> str:
    """How a host's bundles travel: `git`, `mail` or `files`.

    A game whose invite names an address is carried by hand, as files, until the settings say how
    mails come and go. Once mails of it left, or wait to leave, it is not, until it is over: without
    a setting nothing goes on.
    """
    if (record.root / ".git").exists():
        return "git"
    if read_offer(record).invite.mail is None:
        return "files"
    if settings.lacking(record.root):
        from adjudicator.cli import office

        return "mail" if office.serves(record) else "files"
    return "mail"
