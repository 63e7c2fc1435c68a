"""The events of Submarine Warfare, a row each: how it is made, for whom, what is said of it and how
a board plays that (SW-19). If the audience depends on the position, the caller gives it; `*` is
everyone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.game import EVERYONE, Event, Player, Table, View
from games.grid import HEADINGS, Cell, read_cell
from games.news import Sentences
from games.submarine_warfare.state import BOARD, letters


def _owner(view: View, event: Table) -> Player:
    """Of the submarine that acts."""
    letter = event.get("sub", event.get("mover", "-"))
    return next((name for name in view.setup.players if letter in letters(view.setup, name)), "")


_SENTENCES = Sentences(_owner)
says, news, told = _SENTENCES.says, _SENTENCES.news, _SENTENCES.told


def _run_into(event: Table) -> str:
    to = event.get("to", event["struck_at"])
    ends = f" and pushes it to {to}" if to != event["struck_at"] else ""
    return "{mover} in {at} runs into {struck} in {struck_at}".format_map(event) + f"{ends}."


def _gone(event: Table) -> str:
    place = f" in {event['at']}" if "at" in event else ""
    return f"{event['sub']} is destroyed{place}."


def _met(event: Table) -> tuple[str, ...]:
    """Where the two of a collision are, and where the struck one ends."""
    return tuple(dict.fromkeys(event[key] for key in ("at", "struck_at", "to") if key in event))


def _mine(told: Mapping[str, Any]) -> str:
    """One's own alone is on the board."""
    return f"mine-{told['at']}" if told["own"] else ""


def _around(event: Table) -> tuple[str, ...]:
    at = read_cell(event["at"])
    around = [at.step(heading) for heading in HEADINGS] if at else []
    return tuple(str(cell) for cell in around if cell.on(BOARD))


def _ahead(event: Table) -> tuple[str, ...]:
    """The cells in which a torpedo is seen: where it is fired, and the next one on the map."""
    at = read_cell(event["at"])
    ahead = at.step(event["heading"]) if at else None
    return (event["at"], str(ahead)) if ahead and ahead.on(BOARD) else (event["at"],)


_BEFORE = ("torpedo", "depth-charge", "collision", "surfaced", "hit")
"""A hit is told in one sentence with these right before it. It follows them; that they did it is
not said, since what did it may be out of sight (SW-20)."""


HOW = {
    "eliminated": "no enemy submarine is left",
    "fifty": "50 points",
    "none-left": "no submarine is left, and points decide",
    "resigned": "the other side resigned",
    "missed": "the setup was missed",
    "time": "the other side's time has run out",
    "agreed": "agreed",
    "rounds": "the last round is over, and points decide",
}
"""SW-15: the ways in which a game ends."""


VOID = {
    "destroyed": "that submarine was destroyed",
    "collided": "that submarine had collided",
    "not-held": "that submarine did not hold the special",
    "nullified": "that special was nullified",
    "off-map": "the cell is off the map",
    "scoring-cell": "a cell that scores takes no mine",
    "occupied": "a submarine was in that cell",
    "held": "another of yours has that special",
    "no-target": "no submarine was seen in that cell",
}
"""SW-6: why a line was not carried out, in the order of the checks."""


def _ended(event: Table) -> str:
    why = HOW[event["how"]]
    winner = event.get("winner")
    if winner is None:
        return f"The game is a draw: {why}."
    return f"The game is over: {winner} wins ({why})."


@says(
    "{sub} starts in {at}.",
    own="",
    sign="anchor",
    play="lay",
    piece="sub-{sub}",
    behind={"placed": "; {sub} in {at}."},
)
def placed(letter: str, at: Cell) -> Event:
    """SW-3: where a submarine starts, as the game begins."""
    return Event("placed", EVERYONE, {"sub": letter, "at": str(at)})


@says("Round {round}: {player} to move.", told=False)
def turn(player: Player, number: int) -> Event:
    """SW-4: the player whose turn comes, and the round."""
    return Event("turn", EVERYONE, {"player": player, "round": number})


@says("{sub} surfaces in {at}.", sign="up", play="turn", rank="flip", piece="sub-{sub}")
def surfaced(letter: str, at: Cell) -> Event:
    """SW-7: a submarine that was submerged is seen by both."""
    return Event("surfaced", EVERYONE, {"sub": letter, "at": str(at)})


@says("{sub} submerges in {at}.", sign="down", play="turn", rank="step", piece="sub-{sub}")
def submerged(letter: str, at: Cell) -> Event:
    """SW-7: a submarine that was surfaced goes out of sight."""
    return Event("submerged", EVERYONE, {"sub": letter, "at": str(at)})


@says(_run_into, sign="fight", play="fight", cells=_met, piece="sub-{mover}", struck="sub-{struck}")
def collision(mover: str, at: Cell, struck: str, struck_at: Cell, to: Cell | None) -> Event:
    """SW-12: `to` is None where this collision's damage destroys the struck submarine."""
    fields = {"mover": mover, "at": str(at), "struck": struck, "struck_at": str(struck_at)}
    return Event("collision", EVERYONE, fields if to is None else {**fields, "to": str(to)})


@says(_gone, sign="down", play="sink", shape="submarine", piece="sub-{sub}", wreck="{sub}")
def destroyed(letter: str, at: Cell | None) -> Event:
    """SW-7: everybody hears that it is destroyed, and where if `at` is given."""
    fields = {"sub": letter}
    return Event("destroyed", EVERYONE, fields if at is None else {**fields, "at": str(at)})


@says("{sub} was in {at}.", behind={"destroyed": " in {at}."})
def destroyed_at(audience: Player, letter: str, at: Cell) -> Event:
    """SW-7: where a submarine was destroyed out of the other player's sight; right after
    `destroyed`."""
    return Event("destroyed-at", audience, {"sub": letter, "at": str(at)})


@says("{player} has 25 points or more.")
def reached(player: Player) -> Event:
    """SW-14: the player has at least 25 points; told once."""
    return Event("reached", EVERYONE, {"player": player})


@says("The sea is destroyed {n} deep from the edge.")
def ring(number: int) -> Event:
    """SW-16: that many rings are destroyed from now on."""
    return Event("ring", EVERYONE, {"n": number})


@says("{by} offers a draw.")
def draw_offered(by: Player) -> Event:
    """SW-17."""
    return Event("draw-offered", EVERYONE, {"by": by})


@says(_ended)
def over(ended: Table) -> Event:
    """SW-15: the end: a winner or `draw`, and how."""
    return Event("over", EVERYONE, ended)


@says("{sub} moves to {at}.", sign="step", play="run", way="at", piece="sub-{sub}")
def moved(audience: str, letter: str, at: Cell) -> Event:
    """SW-5: a submarine entered a free cell."""
    return Event("moved", audience, {"sub": letter, "at": str(at)})


@says("{sub} changes its special action.", sign="swap", piece="sub-{sub}")
def replace(audience: str, letter: str) -> Event:
    """SW-5: a submarine has another special, which is not named to anybody."""
    return Event("replace", audience, {"sub": letter})


@says(
    "{sub} in {at} fires a torpedo {heading}.",
    sign="torpedo",
    play="torpedo",
    shape="torpedo",
    cells=_ahead,
)
def torpedo(audience: str, letter: str, at: Cell, heading: str) -> Event:
    """SW-18: fired from that cell."""
    return Event("torpedo", audience, {"sub": letter, "at": str(at), "heading": heading})


@says("{sub} lays a mine in {at}.", sign="mine", play="lay", piece=_mine)
def mine(audience: str, letter: str, at: Cell) -> Event:
    """SW-18: aimed at that cell, whether it was placed or not."""
    return Event("mine", audience, {"sub": letter, "at": str(at)})


@says(
    lambda event: f"{event['sub']} heals {event.get('target', 'a submarine out of sight')}.",
    sign="heal",
    piece=lambda told: f"sub-{told['target']}" if "target" in told else "",
)
def heal(audience: str, letter: str, target: str | None) -> Event:
    """SW-18: `target` is None where not all of the audience may know it."""
    fields = {"sub": letter}
    return Event("heal", audience, fields if target is None else {**fields, "target": target})


@says("{sub} heals {target}.", sign="heal", piece="sub-{target}")
def heal_target(author: Player, letter: str, target: str) -> Event:
    """SW-18: the target that only the author may know; right after `heal`."""
    return Event("heal-target", author, {"sub": letter, "target": target})


@says("{sub} uses its sonar.", sign="sonar", play="ping", piece="sub-{sub}")
def sonar(audience: str, letter: str) -> Event:
    """SW-18."""
    return Event("sonar", audience, {"sub": letter})


@says("{sub} nullifies {special}.", sign="swap", piece="sub-{sub}")
def nullify(audience: str, letter: str, special: str) -> Event:
    """SW-18: the opponent's submarines cannot use that special for a while."""
    return Event("nullify", audience, {"sub": letter, "special": special})


@says("{sub} in {at} drops depth charges.", sign="burst", play="burst", cells=_around)
def depth_charge(audience: str, letter: str, at: Cell) -> Event:
    """SW-18: around that cell."""
    return Event("depth-charge", audience, {"sub": letter, "at": str(at)})


@says(
    "{sub} takes {amount} damage.",
    sign="burst",
    play="burst",
    piece="sub-{sub}",
    struck="sub-{sub}",
    behind=dict.fromkeys(_BEFORE, "; {sub} takes {amount} damage."),
)
def hit(audience: str, letter: str, amount: int) -> Event:
    """SW-7, SW-18: damage that armor let through, not cut to the HP that are left."""
    return Event("hit", audience, {"sub": letter, "amount": amount})


@says("{sub} gains {amount} HP.", piece="sub-{sub}")
def healed(audience: str, letter: str, amount: int) -> Event:
    """SW-8, SW-18: the HP actually gained."""
    return Event("healed", audience, {"sub": letter, "amount": amount})


@says("Sonar: {sub} is in {at}.", sign="echo", play="echo", piece="sub-{sub}")
def found(author: Player, letter: str, at: Cell) -> Event:
    """SW-18: an enemy in the range of one's sonar."""
    return Event("found", author, {"sub": letter, "at": str(at)})


@says("Your mine for {at} was not placed.")
def not_placed(author: Player, at: Cell) -> Event:
    """SW-18: the author's mine was not placed; the reason is not told."""
    return Event("not-placed", author, {"at": str(at)})


@says("You score {points}, {total} in all.")
def scored(author: Player, points: int, total: int) -> Event:
    """SW-13, SW-14: one's points of this turn, and all so far."""
    return Event("scored", author, {"points": points, "total": total})


@says(lambda event: f"Your line {event['line']} was not carried out: {VOID[event['reason']]}.")
def void(author: Player, line: int, reason: str) -> Event:
    """SW-6: an order line of one's own was not carried out."""
    return Event("void", author, {"line": line, "reason": reason})
