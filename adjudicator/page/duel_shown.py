"""What the page shows of a duel, as plain data, in the words of `shown.state`.

`stage` is also `offer`: an offer that came, to be accepted; and `offered`: this player's offer or
accept left, and the game has not begun. What it must not know: HTML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from adjudicator.core import deadlines
from adjudicator.duel import audit
from adjudicator.duel import row as rows
from adjudicator.duel.party import Party, turn_time
from adjudicator.duel.row import Row
from adjudicator.page import shown
from adjudicator.words.duel import is_late, subject
from adjudicator.words.spans import ReadAt, left
from games.game import Deductions, Game, View
from games.options import TURN_TIME, Option
from orders.duel import DuelBlock
from orders.errors import Refused
from orders.fields import Time

_UNUSED: Mapping[str, Any] = {
    "sent": [], "protests": [], "protest": None, "news": [], "standing": "",
}  # fmt: skip
"""What only a game with a host has."""

GOOD = (
    "Both opened what they hid. Every move was made again from it, and all of it agrees: neither "
    "lied."
)
"""What a verdict means that finds nothing."""


def offer(row: Row) -> dict[str, Any]:
    """The game that a duel is about: its options in words, and who plays, each with the fingerprint
    of their key."""
    game, values = row.game, rows.check_options(row.game, row.offer.options)
    asked = [one for one in (*game.own_options, TURN_TIME) if one.name in values]
    fixed = {} if game.duel is None else game.duel.options
    return {
        "id": row.id,
        "ids": [row.id[:16]],
        "title": game.title,
        "rules": game.rules,
        "summary": game.summary,
        "given": [f"{key}={_written(value)}" for key, value in row.offer.options.items()],
        "options": [
            [_asked(one), _said(values[one.name])] for one in asked if one.name not in fixed
        ],
        "named": "".join(named(row)[:1]),
        "members": [[one.name, one.key.fingerprint] for one in row.members],
    }


def named(row: Row) -> list[str]:
    """Who is named in the options of an offer besides its author."""
    kinds = {one.name: one.kind for one in row.game.options}
    values = [value for name, value in row.offer.options.items() if kinds[name] == "player"]
    return [one for one in values if isinstance(one, str) and one != row.offer.player]


def _asked(option: Option) -> str:
    """What an option is about, without what its absence means in a game with a host."""
    about = shown.about_option(option)
    return about.partition(";")[0] if option.kind == "player" else about


def _written(value: Any) -> str:
    """An option's value, as options are written."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _said(value: Any) -> str:
    """An option's value in words; a player whom nobody chose is drawn."""
    if value is None:
        return "drawn by lot"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def setup(game: Game[Any, Any], view: View, player: str, rival: str) -> dict[str, Any]:
    """The board on which the orders of the setup are chosen, before anything leaves."""
    return {
        "stage": "play",
        "step": 0,
        "id": "setup",
        "title": game.title,
        **_UNUSED,
        "rules": game.rules,
        "player": player,
        "other": rival,
        "players": [player, rival],
        **shown.around(game, view, Deductions()),
        "since": [],
        "mine": True,
        "awaited": [],
        "amiss": [],
        "outcome": "",
        "send": None,
    }


def state(party: Party, known: Deductions | None, now: Time) -> dict[str, Any]:
    """A player's side of a duel. `send`: the block that leaves now, or left last, with an `id` of
    its own; None where this player's orders come first."""
    row = party.row
    told = {
        **_UNUSED,
        **offer(row),
        "player": party.player,
        "other": party.other,
        "send": _send(party),
        "amiss": [],
    }
    if not party.can_begin:
        return {**told, "stage": "offered"}
    side, until = party.side, _until(party, now)
    mine = party.prompt is not None
    awaited = party.player if mine else party.other
    return {
        **told,
        "stage": "over" if _over(party) else "play",
        "step": len(row.moves),
        "players": list(side.setup.players),
        **shown.around(row.game, side.view, known or Deductions()),
        "since": list(_since(party)),
        "mine": mine,
        "awaited": [
            {"player": awaited, "you": mine, "what": "", "until": until, "left": left(until, now)}
        ],
        "ended": side.outcome is not None,
        "late": is_late(party, ReadAt(now)),
        "lie": "" if party.lie is None else str(party.lie),
        "outcome": _outcome(party),
        "rematch": shown.rematch(row.game, side.setup.players, _who(party)),
    }


def _over(party: Party) -> bool:
    """Whether nothing more is to come: one has ended it, and this player too."""
    return party.ended and (party.is_left or party.side.outcome is None)


def _outcome(party: Party) -> str:
    rival = party.other
    if party.lie is not None:
        return f"{party.lie.player} lied"
    if party.side.outcome is not None:
        winner = party.side.outcome.winner
        return "a draw" if winner is None else f"{winner} won"
    if not party.ended:
        return f"{rival} has ended it" if party.is_left else ""
    return audit.judge(party.documents)[0].text


def _until(party: Party, now: Time) -> Time:
    """When the time for the next move is over."""
    return party.due or deadlines.add(now, turn_time(party.row.game, party.row.offer.options))


def _send(party: Party) -> dict[str, Any] | None:
    row, number = party.row, len(party.row.moves)
    if party.can_begin and not party.ended and (party.moves_next or party.lie is not None):
        return None
    if number:
        what = "orders" if row.moves[-1].orders else "answer"
    else:
        what = "offer" if party.player == row.offer.player else "accept"
    if party.ended:
        what = "end"
    named = f"move {number}" if what in ("orders", "answer") else what
    return {
        "id": f"{row.id[:16]} {number} {what}",
        "name": party.block_name,
        "text": party.block().decode("ascii"),
        "what": what,
        "number": number,
        "subject": subject(party, named),
    }


def _since(party: Party) -> Iterator[dict[str, Any]]:
    """What this side heard from its last orders on, those included; see `shown.since`."""
    side, who = party.side, _who(party)
    last = max((at for at, asked in enumerate(who) if party.player in asked), default=0)
    for heard, asked in list(zip(side.heard, who, strict=False))[last:]:
        told = party.row.game.told(side.view, heard.events)
        yield {"step": heard.step, "who": asked, "told": [one._asdict() for one in told]}


def _who(party: Party) -> list[list[str]]:
    """Who was awaited for each step that this side heard of."""
    side = party.side
    later = [[one.player for one in heard.awaited] for heard in side.heard[:-1]]
    return [list(side.setup.players), *later]


@contextmanager
def plainly(party: Party, came: DuelBlock) -> Iterator[None]:
    """Say what is wrong with a block to who looks at this duel: no digests, no names of files."""
    rival = party.other or "your friend"
    try:
        if came.sealed and came.duel != party.row.id[:16]:
            raise Refused("other-game", "")  # noqa: TRY301 - worded below, as the documents' own
        yield
    except Refused as error:
        plain = _PLAIN.get(error.word)
        if plain is None:
            raise
        text = plain.format(rival=rival)
        raise Refused(error.word, f"{text} Nothing in your game has changed.") from None


_PLAIN = {
    "other-game": "This is of another duel.",
    "unopenable": "This opens for {rival} alone: it is one of your own. Send it to them.",
    "not-yet": "A move before this one has not come. Ask {rival} to send it again.",
    "stale": "A move for this turn is here already.",
    "superseded": "{rival} has accepted this offer already: make a new one for each friend.",
    "bad-signature": "This is not signed by {rival}.",
}
"""What is wrong with a block, by the word of its refusal."""
