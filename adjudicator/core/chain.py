"""One entry after another: is it signed, does it follow, does it use signed slips, do clocks run?

What belongs here: all that anyone can check of an entry before a secret is known. A player's tool
does it as an entry comes in, the verifier for a whole record; both through `ledger`.
What it must not know: the master secret, positions, how a verdict is worded.

How a game goes from entry to entry:

    genesis --adjudication--> ... --adjudication--> (nobody is awaited) --reveal--> end
                 |    ^                                      ^
                 +ruling (moves deadlines, annuls,           |
                          hands a seat on)                   +--ruling (abandons)

Rule 1  An entry quotes the digest of the one before (`prev`); so the last one binds all.
Rule 2  An adjudication uses at most one slip of each player. A slip quotes the last entry that is
        no deadline ruling; its step is that entry's plus one. So such a ruling voids no slip.
Rule 3  The first adjudication fixes the seed for good. Until then every slip gives its nonce, and
        afterwards none does.
Rule 4  Nobody is missing before their deadline. A ruling may move a deadline to any time, but cuts
        none that was ever promised since the position that it goes back to.
Rule 5  A ruling annuls from an entry that still counts. The entries that count are found by going
        back from the last one; a ruling that annuls leads to the entry before those that it annuls.
        A game has at most a thousand rulings, so that readers may look back entry by entry.
Rule 6  If nobody is awaited, the game is over or abandoned, and only the reveal follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adjudicator.core import deadlines, seats
from adjudicator.core.deadlines import Clocks
from adjudicator.core.link import MOST_RULINGS, Earlier, Link, counts, promised
from adjudicator.core.opening import Opening
from adjudicator.core.source import Source, signed
from orders import names, sshsig
from orders.documents import Slip, read_slip
from orders.entries import AnyEntry, Awaited, Entry, Genesis, Reveal, Ruling, read_entry
from orders.errors import Refused, at, claim
from orders.fields import Time
from orders.secrets import commitment


def first(opening: Opening, source: Source) -> Link:
    """The genesis; raises Refused if its clocks are wrong."""
    path = names.entry(0)
    genesis = opening.genesis
    game = opening.game
    prompts = {prompt.player: prompt.what for prompt in game.awaited(game.start(opening.setup))}
    clocks = deadlines.start(opening.setup, genesis.time, prompts)
    with claim("time"), at(path):
        offered = opening.offer.invite.date
        if genesis.time < offered:
            raise Refused("clock", f"{genesis.time} is before the time of the invite, {offered}")
        if list(clocks.awaited.items()) != list(genesis.awaited.items()):
            raise Refused("clock", "every player must be awaited for setup, for the turn time")
    signatures = 2 + len(opening.players)
    return Link(
        source.read(path), opening.id, genesis, clocks, opening.joins, signatures=signatures
    )  # fmt: skip


def follow(
    opening: Opening, before: Link, source: Source, earlier: Earlier, *, trusted: bool = False
) -> Link:
    """The entry after `before`, checked with the files that it names; raises Missing or Refused.

    `trusted`: the digest of a later entry, which was verified before, binds this one, so its
    signature is not verified again.
    """
    step = before.step + 1
    path = names.entry(step)
    file = signed(source, path)
    if not trusted:
        with at(names.signature(path)):
            file.verify(opening.offer.host, sshsig.ENTRY)
    with at(path):
        entry = _in_place(opening, before, step, read_entry(file.data))
    if isinstance(entry, Reveal):
        with at(path):
            _check_reveal(opening, before, entry)
        return Link(
            file.data, file.digest, entry, Clocks({}, before.clocks.reserve), before.joins,
            before.first, step, before.rulings, signatures=1,
        )  # fmt: skip
    with at(path):
        if before.over:
            raise Refused("chain", "follows the end of the game and is no reveal")
        _check_names(opening, entry)
        # Games must draw the view, which is a part of each report.
        if len(entry.view) > opening.sizes.report:
            most = opening.sizes.report
            what = f"the view has {len(entry.view)} bytes, a report has {most} at most"
            raise Refused("chain", what)
        _check_end(entry)
        joins, signatures = seats.joins_after(
            opening, before, entry, source, earlier, trusted=trusted
        )
    slips = {
        player: _read_slip(opening, before, entry, player, source, earlier, trusted=trusted)
        for player in entry.slips
    }
    with claim("time"), at(path):
        if entry.ruling is None:
            _check_clocks(opening, before, entry)
        else:
            _check_ruling(opening, before, earlier, entry)
    adjudicated = entry.ruling is None
    return Link(
        file.data,
        file.digest,
        entry,
        Clocks(entry.awaited, entry.reserve),
        joins,
        step if before.first is None and adjudicated else before.first,
        before.since if entry.ruling is not None and entry.ruling.moves_only else step,
        before.rulings + (entry.ruling is not None),
        slips,
        1 + len(slips) + signatures,
    )


def _in_place(opening: Opening, before: Link, step: int, entry: AnyEntry) -> Entry | Reveal:
    """The entry, if it is of that game and step and follows `before`; raises Refused."""
    if isinstance(entry, Genesis) or entry.step != step:
        raise Refused("chain", f"chain broken at {step}: the entry says step {entry.step}")
    if entry.game != opening.id:
        raise Refused("chain", f"chain broken at {step}: the entry is of game {entry.game}")
    if entry.prev != before.digest:
        raise Refused(
            "chain",
            f"chain broken at {step}: it quotes {entry.prev}, entry {step - 1} is {before.digest}",
        )
    if entry.time is not None and before.entry.time is not None and entry.time < before.entry.time:
        with claim("time"):
            raise Refused(
                "clock", f"{entry.time} is before the time of entry {step - 1}, {before.entry.time}"
            )
    return entry


def _check_reveal(opening: Opening, before: Link, reveal: Reveal) -> None:
    if not before.over:
        raise Refused("chain", "reveals a game that is not over")
    if commitment(reveal.master) != opening.offer.invite.master:
        raise Refused("chain", "the master is not the one that the invite commits to")
    if dict(reveal.outcome) != ended(before.entry):
        raise Refused(
            "chain",
            f"the outcome is {_shown(reveal.outcome)}, entry {before.step} says "
            f"{_shown(ended(before.entry))}",
        )


def ended(last: AnyEntry) -> dict[str, object]:
    """The outcome that the last entry before a reveal tells; empty while the game goes on."""
    if last.ruling is not None and last.ruling.abandons:
        return {"abandoned": True}
    over = last.events[-1] if last.events else {}
    if over.get("kind") != "over":
        return {}
    return {"draw": True} if over.get("draw") is True else {"winner": over.get("winner")}


def _check_names(opening: Opening, entry: Entry) -> None:
    """Every name in an entry is a player's; reports and reserve are of all, in seat order."""
    players = opening.players
    for key, held in (("reports", entry.reports), ("reserve", entry.reserve)):
        if tuple(held) != players:
            raise Refused("chain", f"{key} must name every player, in the order of the seats")
    tables = (("awaited", entry.awaited), ("slips", entry.slips))
    for key, found in (*tables, ("missing", dict.fromkeys(entry.missing))):
        strange = next((name for name in found if name not in players), None)
        if strange is not None:
            raise Refused("chain", f"{key} names {strange}, who does not play")
        if list(found) != [player for player in players if player in found]:
            raise Refused("chain", f"{key} must be in the order of the seats: {', '.join(found)}")


def _check_end(entry: Entry) -> None:
    """Check that an entry awaits nobody exactly if the game is over or abandoned (Rule 6)."""
    over = ended(entry) != {}
    if over and entry.awaited:
        raise Refused("chain", f"the game ends, and yet {', '.join(entry.awaited)} is awaited")
    if not over and not entry.awaited:
        raise Refused("chain", "nobody is awaited, and yet the game does not end")


def _read_slip(
    opening: Opening,
    before: Link,
    entry: Entry,
    player: str,
    source: Source,
    earlier: Earlier,
    *,
    trusted: bool,
) -> Slip:
    path = names.slip(entry.step, player)
    file = signed(source, path)
    if not trusted:
        with at(names.signature(path)):
            file.verify(before.key(player), sshsig.SLIP)
    if file.digest != entry.slips[player].digest:
        raise Refused("mismatch", f"{path} does not have the digest that entry {entry.step} names")
    with at(path):
        slip = read_slip(file.data)
        quoted = check_slip(opening, before, player, slip, earlier)
    with claim("time"), at(path):
        received = entry.slips[player].received
        if not str(quoted.entry.time) <= received <= entry.time:
            raise Refused(
                "clock",
                f"it came at {received}, which is not between the entry before it and its own",
            )
    return slip


def check_slip(opening: Opening, before: Link, player: str, slip: Slip, earlier: Earlier) -> Link:
    """The entry that a slip quotes, if the slip may quote it after `before` (Rules 2, 3).

    Raises Refused `countersignature` or `nonce`.
    """
    quoted = _quoted(opening, before, player, slip, earlier)
    with claim("dice"):
        if (slip.nonce is not None) != (before.first is None):
            raise Refused("nonce", "every slip must give a nonce until the first adjudication")
        if slip.nonce is not None and commitment(slip.nonce) != opening.joins[player].nonce:
            raise Refused(
                "nonce", f"the nonce is not the one that {player} committed to in the join"
            )
    return quoted


def _quoted(opening: Opening, before: Link, player: str, slip: Slip, earlier: Earlier) -> Link:
    """The entry that a slip quotes, which must be one that may be answered (Rule 2)."""
    if (slip.game, slip.player) != (opening.id, player):
        raise Refused("countersignature", "the slip is of another game or player")
    if slip.step - 1 != before.since:
        raise Refused(
            "countersignature",
            f"the slip is for step {slip.step}, and orders are due for step {before.since + 1}",
        )
    quoted = before if before.since == before.step else earlier(before.since)
    if slip.head != quoted.digest:
        raise Refused(
            "countersignature",
            f"{player} answers entry {slip.head}, which is not entry {quoted.step} of the record",
        )
    return quoted


def _check_clocks(opening: Opening, before: Link, entry: Entry) -> None:
    awaited = before.clocks.awaited
    missing = tuple(player for player in awaited if player not in entry.slips)
    if entry.missing != missing:
        with claim("entries"):
            raise Refused(
                "chain",
                f"called missing: {_named(entry.missing)}; without a slip: {_named(missing)}",
            )
    for player in missing:
        if entry.time < awaited[player].until:
            raise Refused("clock", f"{player} is missing before {awaited[player].until}")
    received = {player: used.received for player, used in entry.slips.items()}
    prompts = {player: prompt.what for player, prompt in entry.awaited.items()}
    clocks = deadlines.run(opening.setup, before.clocks, received, entry.time, prompts)
    _compare_clocks(clocks, entry)


def _compare_clocks(clocks: Clocks, entry: Entry) -> None:
    if dict(clocks.reserve) != dict(entry.reserve):
        raise Refused(
            "clock",
            f"reserve is {_shown(entry.reserve)}, but the times give {_shown(clocks.reserve)}",
        )
    for player, prompt in clocks.awaited.items():
        if entry.awaited.get(player) != prompt:
            there = entry.awaited.get(player)
            raise Refused(
                "clock", f"{player} is {_awaited(there)}; the rules say {_awaited(prompt)}"
            )


def _named(players: Iterable[str]) -> str:
    return ", ".join(players) or "nobody"


def _shown(table: Mapping[str, object]) -> str:
    return ", ".join(f"{key} = {value!a}" for key, value in table.items()) or "nothing"


def _awaited(prompt: Awaited | None) -> str:
    if prompt is None:
        return "not awaited"
    return f"awaited for {prompt.what} since {prompt.since} until {prompt.until}"


def ruled(opening: Opening, before: Link, earlier: Earlier, ruling: Ruling, time: Time) -> Clocks:
    """The clocks after a ruling that moves no deadline; it may move each to a later time (Rule
    4)."""
    if ruling.annuls is None:
        return deadlines.ruled(opening.setup, before.clocks, before.clocks, ruling, time, {})
    base = ruling.annuls - 1
    kept = promised(before, base, earlier)
    return deadlines.ruled(opening.setup, before.clocks, earlier(base).clocks, ruling, time, kept)


def check_annuls(before: Link, earlier: Earlier, ruling: Ruling) -> None:
    """Raise Refused if there are too many rulings, or one annuls from an entry that does not count
    (Rule 5)."""
    if before.rulings >= MOST_RULINGS:
        raise Refused("chain", f"there are {before.rulings:,} rulings already, and no more may be")
    if ruling.annuls is None:
        return
    if ruling.annuls > before.step:
        there = f"there are 1 to {before.step}" if before.step else "there is the genesis alone"
        raise Refused("chain", f"there is no entry {ruling.annuls} to annul", there)
    if not counts(before, ruling.annuls, earlier):
        raise Refused("chain", f"entry {ruling.annuls} was annulled already")


def _check_ruling(opening: Opening, before: Link, earlier: Earlier, entry: Entry) -> None:
    ruling = entry.ruling
    assert ruling is not None  # noqa: S101 - its caller looks
    with claim("entries"):
        if entry.slips and before.first is not None:
            raise Refused("chain", "a ruling uses no slips")
        check_annuls(before, earlier, ruling)
        usual = ruled(opening, before, earlier, ruling, entry.time)
        if list(usual.awaited) != list(entry.awaited):
            raise Refused(
                "chain",
                f"the ruling awaits {_named(entry.awaited)}, "
                f"but the position awaits {_named(usual.awaited)}",
            )
    until = {player: prompt.until for player, prompt in entry.awaited.items()}
    _compare_clocks(deadlines.move(usual, until), entry)
