"""What the page shows of a duel, as plain data, in the words of `shown.state`.

`stage` is also `offer`: an offer that came, to be accepted; and `offered`: this player's offer or
accept left, and the game has not begun. What it must not know: HTML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from adjudicator.core import deadlines
from adjudicator.duel import again
from adjudicator.duel import row as rows
from adjudicator.duel.party import Party, setup_view, turn_time
from adjudicator.duel.row import Row
from adjudicator.duel.side import Heard, Side
from adjudicator.mail import pasted
from adjudicator.page import boards, shown
from adjudicator.page.boards import NO_WRECKS, Wrecks
from adjudicator.words import story
from adjudicator.words.duel import Sides, is_late, subject, why
from adjudicator.words.spans import ReadAt, left
from games.game import Deductions, Game, View, Written
from games.options import TURN_TIME, Option
from orders.bundle import decode
from orders.duel import DuelBlock
from orders.errors import Refused
from orders.fields import Time, digest

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
        "given": [
            f"{key}={str(value).lower() if isinstance(value, bool) else value}"
            for key, value in row.offer.options.items()
        ],
        "options": [
            [_asked(one), _said(row, one, values[one.name])]
            for one in asked
            if one.name not in fixed
        ],
        "match": next(story.of_match(row.match), ""),
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


def _said(row: Row, option: Option, value: Any) -> str:
    """An option's value in words; a player whom nobody chose is drawn, and in a match who offers
    sits first."""
    if value is None:
        return "drawn by lot"
    if option.kind == "player" and value == 1 and row.match != "none":
        return row.offer.player
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


def state(party: Party, known: Deductions | None, reply: bytes | None, now: Time) -> dict[str, Any]:
    """A player's side of a duel. `send`: the block that leaves now, or left last, with an `id` of
    its own; None where this player's orders come first. `reply`: the one that shows the other what
    they lack. `second`: of the first game of a match, whether this player offers the next; else
    None. `ending`: how it ended for this player, and what that means; None while it goes on.
    """
    row = party.row
    told = {
        **_UNUSED,
        **offer(row),
        "player": party.player,
        "other": party.other,
        "send": _send(party, reply),
        "amiss": [],
        "asking": bool(party.asking),
    }
    if not party.can_begin:
        view, first = set_up(party)
        return {
            **told,
            "stage": "offered",
            "step": 0,
            "players": [party.player, party.other or "your friend"],
            **shown.around(row.game, view, Deductions()),
            "since": [],
            "mine": False,
            "awaited": [],
            "ordered": _offered(row.game, view, first.orders.splitlines()),
            "outcome": "",
        }
    side, mine = party.side, party.prompt is not None
    until = party.due or deadlines.add(now, turn_time(row.game, row.offer.options))
    awaited = {"player": party.player if mine else party.other, "you": mine, "what": ""}
    outcome = side.outcome
    return {
        **told,
        "stage": "over" if party.ended else "play",
        "step": len(row.moves),
        "players": list(side.setup.players),
        **shown.around(
            row.game, side.view, known or Deductions(), (wrecks(party.side) or [{}])[-1]
        ),
        "since": list(_since(party)),
        "mine": mine,
        "awaited": [] if party.ended else [{**awaited, "until": until, "left": left(until, now)}],
        "begun": row.begun,
        "late": is_late(party, ReadAt(now)),
        "outcome": ""
        if outcome is None
        else f"{outcome.winner} won"
        if outcome.winner
        else "a draw",
        "ending": _ending(party) if party.ended else None,
        "why": why(party, party.player) if party.ended else "",
        "why_all": why(party, None) if party.ended else "",
        "rematch": shown.rematch(row.game, side.setup.players, _who(party)),
        "second": offers_second(party) if row.match == "first" else None,
    }


def set_up(party: Party) -> tuple[View, Written]:
    """What a player saw before the setup, and their orders for it: all there is until both have
    accepted."""
    row = party.row
    own = next(one for one in row.members if one.name == party.player)
    assert row.game.duel is not None  # noqa: S101 - a duel is played
    view = setup_view(row.game, row.offer.options, party.player, party.other)
    return view, again.opened(party.secret, 1, own.orders, row.game.duel.room)


def _offered(game: Game[Any, Any], view: View, lines: list[str]) -> list[str]:
    """Lines as a duel keeps them, in small letters, as the game offers them."""
    found: list[str] = []
    for line in lines:
        texts = {one.text.lower(): one.text for one in game.after(view, tuple(found)).choices}
        if line not in texts:
            return []
        found.append(texts[line])
    return found


def offers_second(party: Party) -> bool:
    """Whether this player, who has accepted the first game of a match, offers the second."""
    row = party.row
    return row.match == "first" and row.accept is not None and row.accept.player == party.player


def _ending(party: Party) -> dict[str, Any]:
    """How a duel ended for this player: a `title`, empty where the board says it; what that means
    and what to do, in sentences; whether more is `awaited`."""
    title, says = _told(party)
    if not party.is_left:
        says.append(f"Once {party.other} has opened too, both sides are compared.")
    if party.row.match == "first" and not offers_second(party):
        says.append(f"{party.other} offers the second game of the match.")
    return {"title": title, "says": says, "awaited": not party.is_left}


def _told(party: Party) -> tuple[str, list[str]]:
    rival = party.other
    mine = next(one for one in party.ends if one.player == party.player)
    theirs = next((one for one in party.ends if one.player == rival), None)
    if party.lie is not None:
        proof = "Your side is open, and the file of this duel proves it to everybody."
        return f"{rival} lied", [f"{party.lie}.", proof]
    if party.side.outcome is not None:
        return "", []
    if theirs is not None and theirs.gives_up:
        if mine.gives_up:
            return "Nobody won", []
        return "You won", []
    if mine.gives_up:
        return "You lost", []
    return "Nobody won", [_OPEN]


_OPEN = (
    "Between two nobody can prove that a message never came, so nobody has won. Keep this game: it "
    "shows every move that each of you signed."
)


def _send(party: Party, reply: bytes | None) -> dict[str, Any] | None:
    row, number = party.row, len(party.row.moves)
    if party.prompt is not None:
        return None
    if party.asking and party.other:
        what, block = "request", party.request()
    elif reply is not None:
        what, block = "reply", reply
    else:
        block = party.block()
        if party.ended:
            what = "end"
        elif number:
            what = "orders" if row.moves[-1].orders else "answer"
        else:
            what = "offer" if party.player == row.offer.player else "accept"
    named = f"move {number}" if what in ("orders", "answer") else what
    return {
        "id": digest(block)[:16],
        "name": party.block_name,
        "text": block.decode("ascii"),
        "link": pasted.link("", decode(block)),
        "what": what,
        "number": number,
        "subject": subject(party, named),
    }


def _since(party: Party) -> Iterator[dict[str, Any]]:
    """What this side heard from its last orders on, those included; see `shown.Seen.since`."""
    for heard, asked in _last(party):
        told = party.row.game.told(party.side.view, heard.events)
        yield {"step": heard.step, "who": asked, "told": [one._asdict() for one in told]}


def _last(party: Party) -> list[tuple[Heard, list[str]]]:
    steps = list(zip(party.side.heard, _who(party), strict=False))
    last = max((at for at, (_, asked) in enumerate(steps) if party.player in asked), default=0)
    return steps[last:]


def wrecks(side: Side) -> list[Wrecks]:
    """The wrecks that a side knows of after each step."""
    game = side.game
    views = [(heard.view, heard.events) for heard in side.heard]
    return boards.wrecks(
        boards.Heard(game.told(view, events), partial(game.chart, view)) for view, events in views
    )


def played(party: Party, sides: Sides) -> Iterator[dict[str, Any]]:
    """The same with the board before each step, and after each sentence; see
    `shown.Seen.boards`."""
    game, side = party.row.game, party.side
    lie = [NO_WRECKS, *wrecks(side)]
    start = game.view(game.start(side.setup), side.player)
    views = [start, *(heard.view for heard in side.heard)]
    for heard, asked in _last(party):
        drawn = [
            boards.strewn(found, lie[at])
            for at in (heard.step - 1, heard.step)
            for found in [game.chart_known(views[at], sides.known(side, at))]
            if found is not None
        ]
        if drawn:
            before, after = drawn
            told = game.told(heard.view, heard.events)
            yield {"step": heard.step, "who": asked, **shown.played(before, after, told)}


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
        own = error.word == "unopenable" and party.wrote(came)
        plain = _OWN if own else _PLAIN.get(error.word)
        if error.word == "not-yet":
            plain = _LACKS if party.other else _FIRST if came.sealed else _RESTORED
        if plain is None:
            raise
        same = "" if plain is _LACKS else " Nothing in your game has changed."
        raise Refused(error.word, plain.format(rival=rival) + same) from None


_LACKS = "This follows moves that are not here: your seat is older. Ask {rival} for them first."
_FIRST = "This follows what is not here. Ask your friend for the file of the duel, and drop it."
_RESTORED = "Say first that nobody else has accepted your offer."
_OWN = "This opens for {rival} alone: it is one of your own. Send it to them."
_PLAIN = {
    "other-game": "This is of another duel.",
    "unopenable": "This does not open: a part of it was changed on its way, or you sent it "
    "yourself from elsewhere. Ask {rival} to send it again.",
    "superseded": "{rival} has accepted this offer already: make a new one for each friend.",
    "bad-signature": "This is not signed by {rival}.",
}
"""What is wrong with a block, by the word of its refusal."""
