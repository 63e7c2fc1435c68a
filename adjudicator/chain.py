"""One entry after another: is it signed, does it follow, does it use signed slips, do clocks run?

What belongs here: all that can be checked of an entry by anyone, before any secret is known.
`receive` does it as an entry comes in, `verify` for a whole record.
What it must not know: the master secret, positions, how a verdict is worded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from adjudicator import engine
from adjudicator.engine import Clocks
from adjudicator.opening import Opening
from adjudicator.record import Source
from adjudicator.signed import read_signed
from orders import names, sshsig
from orders.documents import Slip, read_slip
from orders.entries import Entry, Genesis, Reveal, read_entry
from orders.errors import Refused, at
from orders.fields import Digest, Time, digest
from orders.secrets import commitment

SEALED_LONGER = 48
"""How many bytes a sealed file is longer than its size class (RFC 9180: key 32, tag 16)."""


@dataclass(frozen=True, slots=True)
class Link:
    """A checked entry: its bytes, digest and values, the slips that it uses with the sealed order
    files, the clocks after it.

    `over`: nothing but a reveal may follow.
    """

    data: bytes
    digest: Digest
    entry: Genesis | Entry | Reveal
    clocks: Clocks
    slips: Mapping[str, Slip] = field(default_factory=dict)
    sealed: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Whether nobody is awaited any more."""
        return not self.clocks.awaited


def first(opening: Opening, source: Source) -> Link:
    """The genesis; raises Refused where its clocks are not as they must be."""
    path = names.entry(0)
    data = source.read(path)
    genesis = opening.genesis
    joins = genesis.joins
    expected = engine.genesis(opening.offer, opening.setup, joins, genesis.time, genesis.engine)
    if expected.awaited != genesis.awaited:
        raise Refused("clock", f"{path}: awaited is not everyone for setup, for the turn time")
    clocks = Clocks(genesis.awaited, engine.first_reserve(opening.setup))
    return Link(data, digest(data), genesis, clocks)


def standing(opening: Opening, source: Source, step: int) -> Link:
    """Entry `step` of a record whose entries were checked as they came in; raises Refused."""
    if step == 0:
        return first(opening, source)
    data = source.read(names.entry(step))
    entry = read_entry(data)
    clocks = Clocks(entry.awaited, entry.reserve) if isinstance(entry, Entry) else Clocks({}, {})
    return Link(data, digest(data), entry, clocks)


def walk(opening: Opening, source: Source, last: int) -> list[Link]:
    """The entries from genesis to `last`, each checked; raises Missing or Refused."""
    links = [first(opening, source)]
    for _ in range(last):
        links.append(follow(opening, links[-1], source, lambda step: links[step].clocks))
    return links


def follow(
    opening: Opening,
    before: Link,
    source: Source,
    earlier: Callable[[int], Clocks],
) -> Link:
    """The entry after `before`, checked with all files that it names; raises Missing or Refused.

    `earlier` gives the clocks as an earlier entry left them; a ruling goes back to those.
    """
    step = before.entry.step + 1
    path = names.entry(step)
    data = read_signed(source, opening.offer.host, sshsig.ENTRY, path)
    with at(path):
        entry = read_entry(data)
        _check_place(opening, before, step, entry)
    if isinstance(entry, Genesis):
        raise Refused("chain", f"{path}: a second genesis")
    if isinstance(entry, Reveal):
        with at(path):
            _check_reveal(opening, before, entry)
        return Link(data, digest(data), entry, Clocks({}, before.clocks.reserve))
    if before.over:
        raise Refused("chain", f"{path}: follows the end of the game and is no reveal")
    with at(path):
        _check_events(opening, entry)
        _check_end(entry)
        _check_reports(opening, entry, source)
    slips = {player: _check_slip(opening, before, entry, player, source) for player in entry.slips}
    sealed = {player: _check_sealed(opening, slip, source) for player, slip in slips.items()}
    with at(path):
        if entry.ruling is None:
            _check_clocks(opening, before, entry)
        else:
            _check_ruling(opening, before, earlier, entry)
    clocks = Clocks(entry.awaited, entry.reserve)
    return Link(data, digest(data), entry, clocks, slips, sealed)


def _check_place(
    opening: Opening, before: Link, step: int, entry: Genesis | Entry | Reveal
) -> None:
    if entry.step != step:
        raise Refused("chain", f"chain broken at {step}: the entry says step {entry.step}")
    if isinstance(entry, Genesis):
        return
    if entry.game != opening.id:
        raise Refused("chain", f"chain broken at {step}: the entry is of game {entry.game}")
    if entry.prev != before.digest:
        raise Refused(
            "chain",
            f"chain broken at {step}: prev is {entry.prev}, entry {step - 1} is {before.digest}",
        )
    if entry.time < before.entry.time:
        raise Refused("clock", f"time runs backwards, from {before.entry.time} to {entry.time}")


def _check_reveal(opening: Opening, before: Link, entry: Reveal) -> None:
    if not before.over:
        raise Refused("chain", "a reveal that comes early: players are still awaited")
    if commitment(entry.master) != opening.offer.invite.master:
        raise Refused("chain", "the master revealed is not the one that the invite commits to")
    if entry.outcome != _outcome(before.entry):
        raise Refused(
            "chain", f"outcome {dict(entry.outcome)} is not that of entry {entry.step - 1}"
        )


def _outcome(last: Genesis | Entry | Reveal) -> dict[str, object]:
    if isinstance(last, Entry) and last.ruling is not None and last.ruling.abandons:
        return {"abandoned": True}
    over = last.events[-1] if isinstance(last, Entry) and last.events else {}
    if over.get("kind") != "over":
        return {}
    return {"draw": True} if over.get("draw") is True else {"winner": over.get("winner")}


def _check_events(opening: Opening, entry: Entry) -> None:
    """Whether the game can tell each event: whoever shows the news later counts on it."""
    for event in entry.events:
        try:
            opening.game.news(event)
        except Exception:
            text = f"{opening.game.id} has no such event: {dict(event)!a:.200}"
            raise Refused("chain", text) from None


def _check_end(entry: Entry) -> None:
    """An entry awaits nobody exactly where the game is over or abandoned."""
    ended = _outcome(entry) != {}
    if ended and entry.awaited:
        raise Refused("chain", f"the game ends, and yet {', '.join(entry.awaited)} is awaited")
    if not ended and not entry.awaited:
        raise Refused("chain", "nobody is awaited, and yet the game does not end")


def _check_reports(opening: Opening, entry: Entry, source: Source) -> None:
    if tuple(entry.reports) != opening.players or tuple(entry.reserve) != opening.players:
        raise Refused("chain", "reports and reserve must be of every player, in seat order")
    size = opening.offer.invite.sizes.report + SEALED_LONGER
    for player, told in entry.reports.items():
        path = names.report(entry.step, player)
        sealed = source.read(path)
        if digest(sealed) != told.sealed:
            raise Refused("mismatch", f"{path} has not the digest that the entry names")
        if len(sealed) != size:
            raise Refused("mismatch", f"{path} has {len(sealed)} bytes, not {size}")


def _check_slip(opening: Opening, before: Link, entry: Entry, player: str, source: Source) -> Slip:
    path = names.slip(entry.step, player)
    if player not in opening.keys:
        raise Refused("chain", f"{path}: nobody in this game is called {player}")
    data = read_signed(source, opening.keys[player], sshsig.SLIP, path)
    if digest(data) != entry.slips[player].digest:
        raise Refused("mismatch", f"{path} has not the digest that entry {entry.step} names")
    with at(path):
        slip = read_slip(data)
        check_slip(opening, before, player, slip)
    return slip


def _check_sealed(opening: Opening, slip: Slip, source: Source) -> bytes:
    path = names.sealed_order(slip.step, slip.player)
    sealed = source.read(path)
    if digest(sealed) != slip.sealed:
        raise Refused("mismatch", f"{path} has not the digest that its slip names")
    if len(sealed) != opening.offer.invite.sizes.order + SEALED_LONGER:
        raise Refused("mismatch", f"{path} has {len(sealed)} bytes")
    return sealed


def check_slip(opening: Opening, before: Link, player: str, slip: Slip) -> None:
    """Whether a slip answers the entry `before`; raises Refused `countersignature` or `nonce`."""
    step = before.entry.step + 1
    if (slip.game, slip.step, slip.player) != (opening.id, step, player):
        raise Refused("countersignature", "the slip is of another game, step or player")
    if slip.head != before.digest:
        raise Refused(
            "countersignature",
            f"{player} answers an entry {slip.head}, the record's entry {step - 1} is another",
        )
    if (slip.nonce is not None) != (step == 1):
        raise Refused("nonce", "a nonce belongs into the slips of step 1, and only there")
    if slip.nonce is not None and commitment(slip.nonce) != opening.joins[player].nonce:
        raise Refused("nonce", f"the nonce is not the one that {player} committed to in the join")


def _check_clocks(opening: Opening, before: Link, entry: Entry) -> None:
    awaited = before.clocks.awaited
    missing = tuple(player for player in awaited if player not in entry.slips)
    if entry.missing != missing:
        raise Refused("chain", f"missing is {list(entry.missing)}, slips lack {list(missing)}")
    for player in missing:
        if entry.time < awaited[player].until:
            raise Refused("clock", f"{player} is missing before {awaited[player].until}")
    for player, used in entry.slips.items():
        if not before.entry.time <= used.received <= entry.time:
            raise Refused(
                "clock",
                f"the slip of {player} came at {used.received}, which is not between its entries",
            )
    received = {player: used.received for player, used in entry.slips.items()}
    prompts = {player: prompt.what for player, prompt in entry.awaited.items()}
    clocks = engine.run_clocks(opening.setup, before.clocks, received, entry.time, prompts)
    _compare_clocks(clocks, entry)


def _compare_clocks(clocks: Clocks, entry: Entry) -> None:
    if clocks.reserve != entry.reserve:
        raise Refused(
            "clock", f"reserve is {dict(entry.reserve)}, by the times {dict(clocks.reserve)}"
        )
    for player, prompt in clocks.awaited.items():
        if entry.awaited[player] != prompt:
            raise Refused(
                "clock",
                f"{player} is awaited from {entry.awaited[player].since} until "
                f"{entry.awaited[player].until}, by the rules from {prompt.since} "
                f"until {prompt.until}",
            )


def _check_ruling(
    opening: Opening, before: Link, earlier: Callable[[int], Clocks], entry: Entry
) -> None:
    ruling = entry.ruling
    if ruling is None or entry.slips:
        raise Refused("chain", "a ruling uses no slips")
    if ruling.annuls is not None and ruling.annuls > before.entry.step:
        raise Refused("chain", f"a ruling annuls from {ruling.annuls} on, which is not there yet")
    if before.entry.step == 0 and not ruling.abandons:
        raise Refused("chain", "before the first step nothing can be ruled but the game's end")
    base = before.clocks if ruling.annuls is None else earlier(ruling.annuls - 1)
    prompts = {player: prompt.what for player, prompt in entry.awaited.items()}

    def clocks(until: Time | None) -> Clocks:
        return engine.ruling_clocks(
            opening.setup, before.clocks, base, ruling, entry.time, prompts, until
        )

    until = max((prompt.until for prompt in entry.awaited.values()), default=None)
    usual = clocks(None)
    if usual.awaited == entry.awaited:
        until = None
    elif until is not None and any(until < prompt.until for prompt in usual.awaited.values()):
        raise Refused("clock", f"the ruling cuts a deadline, to {until}")
    _compare_clocks(clocks(until), entry)
