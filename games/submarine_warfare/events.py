"""The events of Submarine Warfare: how each is made, for whom, and what it says in English.

What belongs here: every kind of event with its fields, once (SW-19). What it must not know: when
an event happens (`rules`). Where the audience depends on the position it is handed in; `*` is
everyone.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.game import EVERYONE, Event, Player, Table
from games.grid import Cell
from games.options import Value


def placed(letter: str, at: Cell) -> Event:
    """SW-3: where a submarine starts, as the game begins."""
    return Event("placed", EVERYONE, {"sub": letter, "at": str(at)})


def turn(player: Player, number: int) -> Event:
    """SW-4: whose turn comes, in which round."""
    return Event("turn", EVERYONE, {"player": player, "round": number})


def surfaced(letter: str, at: Cell) -> Event:
    """SW-7: a submarine that was submerged is seen by both."""
    return Event("surfaced", EVERYONE, {"sub": letter, "at": str(at)})


def submerged(letter: str, at: Cell) -> Event:
    """SW-7: a submarine that was surfaced goes out of sight."""
    return Event("submerged", EVERYONE, {"sub": letter, "at": str(at)})


def collision(mover: str, at: Cell, struck: str, struck_at: Cell, to: Cell | None) -> Event:
    """SW-12: `to` is None where this collision's damage destroys the struck submarine."""
    fields = {"mover": mover, "at": str(at), "struck": struck, "struck_at": str(struck_at)}
    return Event("collision", EVERYONE, fields if to is None else {**fields, "to": str(to)})


def destroyed(letter: str, at: Cell, knowing: tuple[Player, ...] | None) -> Event:
    """SW-7: that is public; where, only to those who may know it (None: everyone)."""
    where = {"at": str(at)}
    if knowing is None:
        return Event("destroyed", EVERYONE, {"sub": letter, **where})
    return Event("destroyed", EVERYONE, {"sub": letter}, dict.fromkeys(knowing, where))


def reached(player: Player) -> Event:
    """SW-14: at least 25 points, once."""
    return Event("reached", EVERYONE, {"player": player})


def ring(number: int) -> Event:
    """SW-16: that many rings are destroyed from now on."""
    return Event("ring", EVERYONE, {"n": number})


def draw_offered(by: Player) -> Event:
    """SW-17."""
    return Event("draw-offered", EVERYONE, {"by": by})


def over(ended: Table) -> Event:
    """SW-15: the end: a winner or `draw`, and how."""
    return Event("over", EVERYONE, ended)


def moved(audience: str, letter: str, at: Cell) -> Event:
    """SW-5: a submarine entered a free cell."""
    return Event("moved", audience, {"sub": letter, "at": str(at)})


def replaced(audience: str, letter: str) -> Event:
    """SW-5: a submarine has another special; which is told to nobody."""
    return Event("replace", audience, {"sub": letter})


def torpedo(audience: str, letter: str, at: Cell, heading: str) -> Event:
    """SW-18: fired from that cell."""
    return Event("torpedo", audience, {"sub": letter, "at": str(at), "heading": heading})


def mine(audience: str, letter: str, at: Cell) -> Event:
    """SW-18: aimed at that cell, placed or not."""
    return Event("mine", audience, {"sub": letter, "at": str(at)})


def heal(audience: str, letter: str, target: str, only: Player | None) -> Event:
    """SW-18: `only` is the one who may know the target; None: the whole audience."""
    named: Mapping[str, Value] = {"target": target}
    if only is None:
        return Event("heal", audience, {"sub": letter, **named})
    return Event("heal", audience, {"sub": letter}, {only: named})


def sonar(audience: str, letter: str) -> Event:
    """SW-18."""
    return Event("sonar", audience, {"sub": letter})


def nullify(audience: str, letter: str, special: str) -> Event:
    """SW-18: the opponent's submarines cannot use that special for a while."""
    return Event("nullify", audience, {"sub": letter, "special": special})


def depth_charge(audience: str, letter: str, at: Cell) -> Event:
    """SW-18: around that cell."""
    return Event("depth-charge", audience, {"sub": letter, "at": str(at)})


def hit(audience: str, letter: str, amount: int) -> Event:
    """SW-7, SW-18: damage after armor, not cut to the HP left."""
    return Event("hit", audience, {"sub": letter, "amount": amount})


def healed(audience: str, letter: str, amount: int) -> Event:
    """SW-8, SW-18: HP really gained."""
    return Event("healed", audience, {"sub": letter, "amount": amount})


def found(author: Player, letter: str, at: Cell) -> Event:
    """SW-18: an enemy in the range of one's sonar."""
    return Event("found", author, {"sub": letter, "at": str(at)})


def not_placed(author: Player, at: Cell) -> Event:
    """SW-18: one's mine was not placed; not why."""
    return Event("not-placed", author, {"at": str(at)})


def scored(author: Player, points: int, total: int) -> Event:
    """SW-13, SW-14: one's points of this turn, and all so far."""
    return Event("scored", author, {"points": points, "total": total})


def void(author: Player, line: int, reason: str) -> Event:
    """SW-6: an order line of one's own was not carried out."""
    return Event("void", author, {"line": line, "reason": reason})


_HOW = {
    "eliminated": "no enemy submarine is left",
    "fifty": "50 points",
    "none-left": "no submarine is left, and points decide",
    "resigned": "the other side resigned",
    "missed": "the setup was missed",
    "time": "the other side's time has run out",
    "agreed": "agreed",
    "rounds": "the last round is over, and points decide",
}

_SENTENCES = {
    "placed": "{sub} starts in {at}.",
    "turn": "Round {round}: {player} to move.",
    "surfaced": "{sub} surfaces in {at}.",
    "submerged": "{sub} submerges in {at}.",
    "reached": "{player} has 25 points or more.",
    "ring": "The sea is destroyed {n} deep from the edge.",
    "draw-offered": "{by} offers a draw.",
    "moved": "{sub} moves to {at}.",
    "replace": "{sub} takes another special action.",
    "torpedo": "{sub} in {at} fires a torpedo {heading}.",
    "mine": "{sub} lays a mine in {at}.",
    "sonar": "{sub} uses its sonar.",
    "nullify": "{sub} nullifies {special}.",
    "depth-charge": "{sub} in {at} drops depth charges.",
    "hit": "{sub} takes {amount}.",
    "healed": "{sub} gains {amount} HP.",
    "found": "Sonar: {sub} is in {at}.",
    "not-placed": "Your mine for {at} was not placed.",
    "scored": "You score {points}, {total} in all.",
    "void": "Your line {line} was not carried out: {reason}.",
}


def news(event: Table) -> str:
    """One event, as in a report or an entry, as an English sentence in plain ASCII."""
    kind = event["kind"]
    if kind == "collision":
        to = event.get("to", event["struck_at"])
        ends = f" and pushes it to {to}" if to != event["struck_at"] else ""
        return "{mover} in {at} runs into {struck} in {struck_at}".format_map(event) + f"{ends}."
    if kind == "destroyed":
        place = f" in {event['at']}" if "at" in event else ""
        return f"{event['sub']} is destroyed{place}."
    if kind == "heal":
        return f"{event['sub']} heals {event.get('target', 'a submarine out of sight')}."
    if kind == "over":
        why = _HOW[event["how"]]
        winner = event.get("winner")
        if winner is None:
            return f"The game is a draw: {why}."
        return f"The game is over: {winner} wins ({why})."
    return _SENTENCES[kind].format_map(event)
