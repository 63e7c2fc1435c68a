"""Order lines of Silent Ships in parts, and the hand, for a board that is touched (`Game.acts`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.acts import Act, Held, Verb, joined
from games.game import View
from games.lines import read_lines
from games.silent_ships import moves
from games.silent_ships.actions import is_attack
from games.silent_ships.hulls import card
from games.silent_ships.lines import Command
from games.silent_ships.state import places
from games.silent_ships.view import Sight, sight_of

VERBS: Mapping[str, Verb] = {
    "play": Verb("Play", "a card beside your country, face down", "card"),
    "move": Verb("Move", "to an empty cell; pay a card", "step"),
    "attack": Verb("Attack", "the ship next to yours; pay a card", "fight"),
    "flip": Verb("Turn up", "show a ship, to use what it can do", "flip"),
    "swap": Verb("Swap", "the craft for a sunk ship", "swap"),
    "stand": Verb(
        "Stand and fight", "a tie is yours", "anchor", answers="Attacked", asks="Stand or retreat?"
    ),
    "retreat": Verb("Retreat", "pay a card, give up the cell", "step"),
    "support": Verb("Support", "a ship beside the fight; pay a card", "run"),
    "alone": Verb(
        "No support",
        "fight with the one ship",
        "anchor",
        answers="Support?",
        asks="Who supports you?",
    ),
    "push": Verb("Push", "say where it retreats to", "step"),
    "start": Verb("Begin", "your cards are dealt", "anchor"),
    "end": Verb("End my turn", role="end"),
    "offer": Verb("Offer to end the game", role="beside"),
    "resign": Verb("Resign", "give up the game", role="give-up"),
}

ABILITIES: Mapping[str, str] = {
    "none": "",
    "flag": "If it is sunk, you lose",
    "burns": "Sunk when it is attacked",
    "heavy": "Moves for {} cards",
    "silent": "No support against it",
    "rams": "{} when it attacks",
    "reaches": "Supports {} cells away",
    "sprints": "Goes up to {} cells",
    "scouts": "Sees its neighbours",
    "salvages": "+{} in a support",
    "swaps": "Becomes a sunk ship",
    "arms": "+{} for its neighbours",
}
"""What each ability does, in a few words; the rules say it whole (SS-10)."""


def acts(view: View, given: Sequence[str]) -> Iterator[Act]:
    """`Game.acts`."""
    sight = sight_of(view)
    names = {str(ship.at): ship.name for ship in sight.board.values() if ship.owner == sight.player}
    for text in given:
        if text.partition(" ")[0] != moves.STANDS:
            names = _after(names, _read(text), sight)
    for choice in moves.after(view, given).choices:
        yield _act(sight, names, choice.text, _read(choice.text))


def _read(text: str) -> Command:
    (line,) = read_lines(text)
    return moves.read_command(line)


def _after(names: Mapping[str, str], command: Command, sight: Sight) -> dict[str, str]:
    """The names of one's ships by their cells, after a command that goes as it should."""
    found = dict(names)
    cells = [str(cell) for cell in command.cells]
    if command.verb == "play":
        at = cells[0] if cells else str(places(sight.setup, sight.player)[command.place])
        found[at] = command.cards[0]
    elif command.verb == "move" and cells[0] in found:
        found[cells[-1]] = found.pop(cells[0])
    return found


def _act(sight: Sight, names: Mapping[str, str], text: str, command: Command) -> Act:
    cells = tuple(map(str, command.cells))
    cards = command.cards
    ship = spoken(names.get(cells[0], "ship")) if cells else ""
    paid = f", paying {joined(map(spoken, cards))}" if cards else ""
    match command.verb:
        case "play":
            at = cells[0] if cells else str(places(sight.setup, sight.player)[command.place])
            said = f"Play {spoken(cards[0])} face down in {at}."
            heard = "They see a card, not which."
            return Act(text, "play", cards[0], to=(at,), says=said, heard=heard)
        case "move":
            here, *way = cells
            fights = is_attack(sight.board, command)
            verb, word = ("attack", "attacks") if fights else ("move", "to")
            said = f"{ship} {word} {way[-1]}{paid}."
            return Act(text, verb, here, here, tuple(way), (), cards, said, goes=not fights)
        case "flip":
            said, heard = f"Turn {ship} in {cells[0]} up.", "They see which ship it is."
            return Act(text, "flip", cells[0], cells[0], says=said, heard=heard)
        case "swap":
            said = f"Swap the craft in {cells[0]} for {spoken(cards[0])}."
            return Act(text, "swap", cells[0], cells[0], picks=cards, says=said)
        case "retreat":
            return Act(text, "retreat", picks=cards, says=f"Retreat{paid}.")
        case "support" if command.supports:
            ((cell, price),) = command.supports
            at, helper = str(cell), spoken(names.get(str(cell), "ship"))
            said = f"Support with {helper} in {at}, paying {spoken(price)}."
            return Act(text, "support", to=(at,), picks=(price,), says=said)
        case "support":
            return Act(text, "alone", says="Fight without support.")
        case "push":
            return Act(text, "push", to=(str(command.push),), says=f"Push it to {command.push}.")
        case verb:
            return Act(text, verb, says=f"{VERBS[verb].name}.")


def hand(view: View) -> Iterator[Held]:
    """`Game.hand`."""
    sight = sight_of(view)
    by_name = {one.name: one for one in sight.cards.ships}
    for name in sight.own.hand:
        one = by_name[name]
        words = ABILITIES[one.ability].format(one.amount)
        yield Held(name, card(name, True, False, one.attack), words)


def spoken(name: str) -> str:
    """A ship's name in a sentence: `Fire ship`."""
    return name.replace("-", " ").capitalize()
