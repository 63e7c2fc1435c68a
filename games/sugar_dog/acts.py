"""Order lines of Sugar Dog in parts, for a board that is touched (`Game.acts`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.acts import Act, Verb, joined
from games.game import View, Written
from games.grid import Cell, Heading
from games.sugar_dog import actions, lines, moves
from games.sugar_dog.deduced import run
from games.sugar_dog.view import Sight, read_view

VERBS: Mapping[str, Verb] = {
    "creep": Verb("Creep", "one cell; nothing happens there", "step", False, about="silent"),
    "run": Verb("Run", "one or two cells; a crash sinks both", "run", True, about="cruise"),
    "fire": Verb("Fire", "a torpedo, two cells each turn", "torpedo", True),
    "mine": Verb("Mine", "leave one here", "mine", False),
    "ping": Verb("Ping", "hear where everything is", "sonar", True),
    "stay": Verb("Stay", "wait and listen", "anchor", False, about="silent"),
    "start": Verb("Start", "any cell; nobody is told", "anchor", False),
    "draw": Verb("Offer a draw too", role="beside"),
    "resign": Verb("Resign", "sink your own submarine", role="give-up"),
}
_WAYS: Mapping[Heading, str] = {"N": "north", "E": "east", "S": "south", "W": "west"}


def acts(view: View, given: Sequence[str]) -> Iterator[Act]:
    """`Game.acts`."""
    sight = read_view(view)
    for choice in moves.after(view, given).choices:
        if choice.text == "draw":
            yield Act(choice.text, "draw", says="Offer a draw.")
            continue
        (line,) = lines.read_file(Written(choice.text))
        yield _act(sight, choice.text, line.order)


def _act(sight: Sight, text: str, order: actions.Order) -> Act:
    sub = sight.own.sub if sight.own and sight.own.sub else None
    here = str(sub or "")
    nothing = f"{_others(sight)} will hear nothing."
    match order:
        case actions.Start(at):
            said, heard = f"Start in {at}.", "Nobody is told where."
            return Act(text, "start", to=(str(at),), says=said, heard=heard)
        case actions.Silent(None):
            return Act(text, "stay", here=here, says=f"Stay in {here}.", heard=nothing)
        case actions.Silent(to):
            said = f"Creep to {to}."
            return Act(text, "creep", "", here, (str(to),), says=said, heard=nothing, goes=True)
        case actions.Cruise(path):
            cells, heard = tuple(map(str, path)), _contacts(sight, path)
            said = f"Run to {', then '.join(cells)}."
            warns = _warning(sight, path)
            return Act(text, "run", "", here, cells, says=said, heard=heard, goes=True, warns=warns)
        case actions.Fire(heading):
            ahead = _ahead(sight, sub, heading)
            heard = _contacts(sight, ahead) if ahead else "It leaves the map at once."
            run = tuple(map(str, ahead))
            said = f"Fire {_WAYS[heading]}."
            return Act(text, "fire", "", here, run[:1], run[1:], (), said, heard)
        case actions.Mine():
            return Act(text, "mine", here=here, says=f"Lay a mine in {here}.", heard=nothing)
        case actions.Ping():
            heard = f"{_others(sight)} will hear where you are."
            return Act(text, "ping", here=here, says=f"Ping from {here}.", heard=heard)
        case _:
            return Act(text, "resign", says="Sink your own submarine.")


def _warning(sight: Sight, path: Sequence[Cell]) -> str:
    """What of one's own a run meets (SD-8): a mine, or a torpedo that has run by then (SD-4)."""
    if sight.own is None:
        return ""
    for at in path:
        if at in sight.own.mines:
            return f"Your own mine lies in {at}: it would sink you."
        if any(run(sight.board, one)[1:] == (at,) for one in sight.own.torpedoes):
            return f"Your own torpedo is in {at} by then: it would sink you."
    return ""


def _others(sight: Sight) -> str:
    """The one other player, or all of them."""
    others = [name for name in sight.setup.players if name != sight.player]
    return others[0] if len(others) == 1 else "The others"


def _contacts(sight: Sight, cells: Sequence[Cell]) -> str:
    """What others hear of something that enters these cells (SD-7)."""
    places = joined(f"in {cell}" for cell in cells)
    return f"{_others(sight)} will hear a contact {places}."


def _ahead(sight: Sight, here: Cell | None, heading: Heading) -> list[Cell]:
    """The two cells that a torpedo enters as it is fired (SD-5), as far as they are on the map."""
    found: list[Cell] = []
    at = here
    while at is not None and len(found) < 2 and (at := at.step(heading)).on(sight.board):
        found.append(at)
    return found
