"""What a player's screen says around the map: the goal, the title and the notes, the lines that may
be written, and the news of a turn in short."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.game import Brief, Deductions, Player, Setup, Table, View
from games.grid import HEADINGS, Cell
from games.screen import GAP, Paragraph
from games.submarine_warfare import events as tell
from games.submarine_warfare.deduced import NO_MIND, Foe, Mind
from games.submarine_warfare.lines import ALONE
from games.submarine_warfare.moves import changes, possible, turn_after
from games.submarine_warfare.state import BOARD, ENOUGH, HP, RINGS, Sub, home_row, letters
from games.submarine_warfare.table import PASSIVE, specials
from games.submarine_warfare.view import assumed


def goal(setup: Setup) -> str:
    """`Game.goal`."""
    return (
        f"Goal: {ENOUGH} points, or sink all five. On cells 1 2 4 a submarine scores at the end of "
        "your turn, twice if surfaced; but only surfaced ones are seen."
    )


# The title and the notes.


def brief(view: View, known: Deductions) -> Brief:
    """`Game.brief`."""
    if "setup" in view.shown:
        other = next(name for name in view.setup.players if name != view.player)
        return Brief(f"Submarine Warfare: you are {view.player}, against {other}.")
    notes = () if view.player is None else tuple(_notes(view, known))
    return Brief(_title(view.shown, view.player), notes)


def _title(shown: Table, player: Player | None) -> str:
    turn, ap = shown.get("turn"), shown.get("ap")
    head = f"Submarine Warfare, round {shown['round']}:"
    if turn is None:
        return f"{head} the game is over."
    return f"{head} your turn, {player}. {ap} AP." if turn == player else f"{head} {turn}'s turn."


def _notes(view: View, known: Deductions) -> Iterator[str]:
    """One's own side, a line a submarine; then the other's, as far as it is seen or known."""
    state, shown, player = assumed(view), view.shown, str(view.player)
    side, fleet = state.sides[player], state.fleet(player)
    told = ", 25 announced" if player in shown["reached"] else ""
    offer = ", draw offered" if side.draw else ""
    yield f"you: {side.points} points of {ENOUGH}{told}{offer}"
    for sub in fleet:
        yield f"{_letter(sub)} {sub.at}  {sub.hp} HP  {_depth(sub):<9}  {sub.special}"
    if side.sunk:
        yield f"sunk: {', '.join(f'{one.letter} ({one.special})' for one in side.sunk)}"
    if side.mines:
        yield f"mines (*): {' '.join(map(str, side.mines))}"
    other = next(name for name in view.setup.players if name != player)
    mind = known.memory if isinstance(known.memory, Mind) else NO_MIND
    foes = [_foe(line, mind.foes.get(line[0]), shown["round"]) for line in shown[other]["subs"]]
    many = points_of(mind, other in shown["reached"])
    many = f", {many}" if many else ""
    draw = ", offers a draw" if shown[other].get("draw") else ""
    yield f"{other}: {', '.join(foes) or 'no submarine left'}{many}{draw}"
    if shown["rings"]:
        yield f"{shown['rings']} of {RINGS} rings destroyed (#)"


def points_of(mind: Mind, reached: bool) -> str:
    """What is known of the other side's points, in words; "" if nothing is."""
    if reached:
        return "25 points or more"
    low, high = mind.points
    return f"{_range(low, high)} points" if mind.turn and high < ENOUGH - 1 else ""


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _letter(sub: Sub) -> str:
    return sub.letter.upper() if sub.up else sub.letter


def _depth(sub: Sub) -> str:
    return "surfaced" if sub.up else "submerged"


def _foe(line: str, known: Foe | None, round_: int) -> str:
    """An enemy submarine: its cell if it is seen, its HP if it was hit, and if it is submerged
    where it was last seen."""
    letter, _, at = line.partition(" ")
    if known is None:
        return f"{letter.upper()} {at}" if at else letter
    low, high = known.hp
    life = f" {low} HP" if low == high < HP else f" {low}-{high} HP" if high < HP else ""
    if at:
        return f"{letter.upper()} {at}{life}"
    if known.seen is None:
        return f"{letter}{life}"
    rounds = round_ - known.seen[1]
    ago = "this round" if rounds <= 0 else f"{rounds} round{'s' * (rounds > 1)} ago"
    return f"{letter} was at {known.seen[0]} {ago}{life}"


# What may be written.


def menu(view: View, lines: Sequence[str], columns: int) -> tuple[str, ...]:
    """`Game.menu`."""
    if "setup" in view.shown:
        return _places(view, lines)
    if view.shown.get("turn") != view.player:
        return ()
    turn, ap, alone = turn_after(view, lines)
    if not alone:
        return ()
    verbs: dict[tuple[str, int], dict[str, list[str]]] = {}
    for letter, command in possible(turn, ap):
        if changes(turn.subs[letter], command):
            aims = verbs.setdefault((command.verb, command.ap), {}).setdefault(letter, [])
            aims.append(command.aim)
    moves = [_row("move", cost, subs) for (verb, cost), subs in verbs.items() if verb == "move"]
    plain = [
        _row(verb, cost, subs)
        for (verb, cost), subs in verbs.items()
        if verb in ("surface", "submerge", "replace")
    ]
    special = [
        f"{letter} {verb}{_aims(aims)} ({cost})"
        for (verb, cost), subs in verbs.items()
        if verb not in ("move", "surface", "submerge", "replace")
        for letter, aims in subs.items()
    ]
    rows = [GAP.join(moves), GAP.join(plain)]
    rows += [f"special: {GAP.join(special)}"] if special else []
    words = [word for word in ALONE if word in alone]
    return tuple(filter(None, [*rows, GAP.join(words)]))


def _row(verb: str, cost: int, subs: Mapping[str, Sequence[str]]) -> str:
    """A word of every submarine: `move (1 AP)  v E S W  w N E`."""
    if verb == "replace":
        return f"replace SPECIAL ({cost}) {' '.join(subs)}"
    if verb == "move":
        each = (f"{letter} {' '.join(aims)}" for letter, aims in subs.items())
        return f"move ({cost} AP)  {'  '.join(each)}"
    return f"{verb} ({cost}) {' '.join(subs)}"


def _aims(aims: Sequence[str]) -> str:
    if aims == [""]:
        return ""
    return f" {'|'.join(aims)}" if aims[0] in HEADINGS else " SPECIAL"


def _places(view: View, lines: Sequence[str]) -> tuple[str, ...]:
    """The setup: which submarines are not placed yet, where they may be, and the specials."""
    own, row = letters(view.setup, str(view.player)), home_row(view.setup, str(view.player))
    words = [line.split() for line in lines]
    placed = {word[0] for word in words}
    left = [letter for letter in own if letter not in placed]
    if not left:
        return ()
    taken, held = {word[1] for word in words}, {word[2] for word in words}
    cells = [str(Cell(column, row)) for column in range(1, BOARD.columns + 1)]
    free = [cell for cell in cells if cell not in taken]
    table = [one for name, one in specials(view.setup).items() if name not in held]
    costs = ", ".join(f"{one.name} {one.ap}" for one in table if one.mechanism not in PASSIVE)
    always = ", ".join(one.name for one in table if one.mechanism in PASSIVE)
    more = f", a line each for {' '.join(left)}" if left[1:] else ""
    return (
        f"{left[0]} CELL SPECIAL      cells {' '.join(free)}{more}",
        f"special (AP): {costs}",
        f"always on:    {always}",
    )


# News in short.


def gist(view: View, events: Sequence[Table]) -> str:
    """`Game.gist`: sentences in a row. One's own moves and who is to move are left out, results
    never; moves of one submarine in a row are one."""
    own = tuple(letters(view.setup, str(view.player)))
    said = Paragraph()
    trail: list[str] = []
    for event in [*events, {"kind": ""}]:
        kind = event["kind"]
        if kind == "moved" and event["sub"] not in own:
            if trail and trail[0] != event["sub"]:
                _moved(said, trail)
                trail = []
            trail = [*(trail or [event["sub"]]), event["at"]]
            continue
        _moved(said, trail)
        trail = []
        if kind == "placed" and event["sub"] not in own:
            said.add("enemy starts:", f"{event['sub']} {event['at']}")
        elif kind and not _plain(event, own):
            said.add(tell.news(event).removesuffix("."))
    return said.text()


def _moved(said: Paragraph, trail: Sequence[str]) -> None:
    if trail:
        said.add(f"{trail[0]} moves to {'-'.join(trail[1:])}")


def _plain(event: Table, own: Sequence[str]) -> bool:
    """Whether an event tells only what its hearer ordered, or whose turn it is."""
    mine = event.get("sub") in own
    return event["kind"] in ("turn", "placed") or (
        mine and event["kind"] in ("moved", "surfaced", "submerged", "replace")
    )
