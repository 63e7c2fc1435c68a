"""The order words of Silent Ships, a row each: those of an answer (SS-6, SS-7, SS-12), then those
of a turn (SS-4, SS-16); supports and pushes can also be parts of a move line (SS-13).

What belongs here: for each word how it is read, when it is allowed, and its possible next lines.
What it must not know: what a line leaves (`orders`), states, and how it is carried out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from games.game import Choice
from games.grid import Cell
from games.news import joined
from games.orders import Verb
from games.silent_ships.cards import spoken
from games.silent_ships.state import (
    BOARD,
    ISLANDS,
    Attack,
    Ship,
    Ships,
    State,
    able,
    country,
    moved,
    other,
    places,
    retreats,
    supporters,
    under_way,
)
from games.silent_ships.words import (
    SUNK,
    Backing,
    Command,
    LineFault,
    Sea,
    Word,
    cell_of,
    distinct,
    hand_card,
    hand_cards,
    listed,
    not_understood,
    on_board,
    one_cell,
    own_ship,
    parts_of,
    reads,
    ship_of,
    whole_name,
)

SUPPORT = "`support CELL discard SHIP` or `support none`"
PUSH = "`push CELL`, such as `push D2`"

# retreat


def _retreats(sea: Sea) -> Iterator[Choice]:
    for card in sea.hand:
        says = f"Retreat, paying {spoken(card)}."
        yield Choice(f"retreat discard {card}", says=says, picks=(card,))


# support


def _read_supports(parts: list[list[str]]) -> tuple[Backing | None, list[list[str]]]:
    """The supports at the beginning of a move line's parts (None: not given), and the remaining
    parts."""
    if not parts or parts[0][0] != "support":
        return None, parts
    if parts[0] == ["support", "none"]:
        return (), parts[1:]
    found = []
    while parts and parts[0][0] == "support":
        given = parts[1] if len(parts) > 1 else [""]
        if len(parts[0]) != 2 or given[0] != "discard":
            raise not_understood(SUPPORT)
        found.append((cell_of(parts[0][1], SUPPORT), ship_of(given[1:], SUPPORT)))
        parts = parts[2:]
    return tuple(found), parts


def _read_support(words: Sequence[str], form: str) -> Command:
    if list(words) == ["none"]:
        return Command("support", supports=())
    if words[1:2] != ["discard"]:
        raise not_understood(form)
    return Command("support", supports=((cell_of(words[0], form), ship_of(words[2:], form)),))


def check_supports(seen: State, attack: Attack, given: Backing) -> Backing:
    """Supports with whole names and cards of the hand, each by another ship that may support
    (SS-7)."""
    may = supporters(seen.board, seen.cards, attack, seen.player)
    found: list[tuple[Cell, str]] = []
    for cell, card in given:
        if on_board(cell) not in may:
            raise LineFault("cannot-support", f"{cell} cannot support; {listed(may)} can")
        if cell in (there for there, _ in found):
            raise LineFault("cannot-support", f"{cell} supports once only")
        found.append((cell, hand_cards(seen, (card,))[0]))
    return tuple(found)


def _check_support(seen: State, command: Command) -> Command:
    given = check_supports(seen, under_way(seen.attack), command.supports or ())
    return command._replace(supports=given)


def _supports(sea: Sea) -> Iterator[Choice]:
    seen, attack = sea.seen, under_way(sea.seen.attack)
    if not any(ship.at in attack.supports for ship in sea.ships):
        yield Choice("support none", says="Fight without support.", verb="alone")
    for cell in supporters(seen.board, seen.cards, attack, seen.player):
        helper, at = spoken(seen.board[cell].name), str(cell)
        for card in sea.hand:
            says = f"Support with {helper} in {at}, paying {spoken(card)}."
            yield Choice(f"support {at} discard {card}", (at,), says, picks=(card,))


# push


def check_push(seen: State, attack: Attack, cell: Cell) -> None:
    """Raise LineFault unless the attacker may send a retreat there (SS-6)."""
    free = retreats(seen.board, attack.to)
    if on_board(cell) not in free:
        raise LineFault("no-retreat", f"the target cannot go to {cell}; it can to {listed(free)}")


def _check_push(seen: State, command: Command) -> Command:
    if command.push is not None:
        check_push(seen, under_way(seen.attack), command.push)
    return command


def _pushes(sea: Sea) -> Iterator[Choice]:
    for cell in map(str, retreats(sea.seen.board, under_way(sea.seen.attack).to)):
        yield Choice(f"push {cell}", (cell,), f"Push it to {cell}.")


# play


def _read_play(words: Sequence[str], form: str) -> Command:
    if not words:
        raise not_understood(form)
    *name, place = words
    if place in ("on", "left", "right"):
        return Command("play", (), (ship_of(name, form),), place)
    return Command("play", (cell_of(place, form),), (ship_of(name, form),))


def _check_play(seen: State, command: Command) -> Command:
    card = hand_card(seen, command.cards[0])
    allowed = places(seen.setup, seen.player)
    cell = allowed[command.place] if command.place else on_board(command.cells[0])
    if cell not in allowed.values():
        raise LineFault(
            "not-at-country",
            "a ship is played on, left or right of your country: "
            + ", ".join(f"{name} is {at}" for name, at in allowed.items()),
        )
    if cell in seen.board:
        raise LineFault("occupied", f"{cell} is not empty")
    return Command("play", (cell,), (card,))


def _plays(sea: Sea) -> Iterator[Choice]:
    for place, cell in places(sea.seen.setup, sea.seen.player).items():
        if cell in sea.empty:
            for card in sea.hand:
                yield Choice(
                    f"play {card} {place}",
                    (str(cell),),
                    f"Play {spoken(card)} face down in {cell}.",
                    unit=card,
                    heard="They see a card, not which.",
                )


# move


def _read_move(words: Sequence[str], form: str) -> Command:
    way, *parts = parts_of(words, ("discard", "support", "push"))
    cells = tuple([cell_of(word, form) for word in way])
    cards = []
    while parts and parts[0][0] == "discard":
        cards.append(ship_of(parts.pop(0)[1:], form))
    if len(cells) < 2 or not cards:
        raise not_understood(form)
    supports, rest = _read_supports(parts)
    push = one_cell(rest.pop(0)[1:], PUSH) if rest and rest[0][0] == "push" else None
    if rest:
        raise not_understood("discards, then supports, then a push")
    return Command("move", cells, tuple(cards), supports=supports, push=push)


def _check_move(seen: State, command: Command) -> Command:
    ship = own_ship(seen, command.cells[0])
    cards = hand_cards(seen, command.cards)
    _check_way(seen, ship, command.cells)
    due = able(seen.cards, ship, "heavy")
    if len(cards) != due:
        raise LineFault("discards", f"discards: moving this ship costs {due}, not {len(cards)}")
    if not is_attack(seen.board, command):
        if command.supports is not None or command.push is not None:
            raise LineFault("no-attack", "`support` and `push` go with an attack only")
        return command._replace(cards=cards)
    # A speed boat attacks from the last empty cell of its way, after it has left its first cell
    # (SS-5).
    board = moved(seen.board, command.cells[0], command.cells[-2])
    fought = seen._replace(board=board)
    attack = Attack(command.cells[-2], command.cells[-1])
    supports = command.supports
    if supports is not None:
        supports = check_supports(fought, attack, supports)
        distinct(seen.own.hand, (*cards, *(card for _, card in supports)))
    if command.push is not None:
        check_push(fought, attack, command.push)
    return command._replace(cards=cards, supports=supports)


def is_attack(board: Ships, command: Command) -> bool:
    """Whether a command that is allowed is a move into an enemy ship's cell (SS-5)."""
    return command.verb == "move" and command.cells[-1] in board


def _check_way(seen: State, ship: Ship, cells: Sequence[Cell]) -> None:
    """One step, or as many as a face-up speed boat may make; all cells on the way must be empty."""
    for cell in cells:
        on_board(cell)
    for start, to in pairwise(cells):
        if start.distance(to) != 1:
            raise LineFault("not-adjacent", f"{to} is not next to {start}")
    reach = able(seen.cards, ship, "sprints")
    if len(cells) - 1 > reach:
        raise LineFault("too-far", f"cells that this ship may enter in a move as it lies: {reach}")
    if len(set(cells)) < len(cells):
        raise LineFault("cell-twice", "a move names no cell twice")
    for cell in cells[1:-1]:
        if cell in seen.board:
            raise LineFault("blocked", f"{cell} is not empty")
    last = seen.board.get(cells[-1])
    if last is not None and last.owner == seen.player:
        raise LineFault("own-ship", f"your own ship is in {cells[-1]}")


def _moves(sea: Sea) -> Iterator[Choice]:
    """Lines without decisions in them: each has the same result as answering when asked."""
    for ship in sea.ships:
        prices = [
            ("".join([f" discard {card}" for card in cards]), joined(map(spoken, cards)), cards)
            for cards in combinations(sea.hand, able(sea.cards, ship, "heavy"))
        ]
        for way in _ways(sea, (ship.at,), able(sea.cards, ship, "sprints")):
            here, *to = map(str, way)
            verb, does = _kind(sea, way[-1])
            for discards, paid, cards in prices:
                yield Choice(
                    f"move {here} {' '.join(to)}{discards}",
                    tuple(to),
                    f"{spoken(ship.name)} {does} {to[-1]}, paying {paid}.",
                    verb,
                    here,
                    here,
                    picks=cards,
                    goes=verb == "move",
                )


def _kind(sea: Sea, to: Cell) -> tuple[str, str]:
    """The kind of a move into that cell, and what it does; it is not always known whether it is an
    attack."""
    if to not in sea.enemies:
        return "move", "moves to"
    return "attack", "moves to or attacks" if to in sea.empty else "attacks"


def _ways(sea: Sea, way: tuple[Cell, ...], reach: int) -> Iterator[tuple[Cell, ...]]:
    """Every way of up to `reach` cells that continues `way`, shorter ones before longer ones."""
    for near in BOARD.adjacent(way[-1]):
        if near in way:
            continue
        if near in sea.empty or near in sea.enemies:
            yield (*way, near)
        if near in sea.empty and reach > 1:
            yield from _ways(sea, (*way, near), reach - 1)


# flip


def _check_flip(seen: State, command: Command) -> Command:
    if own_ship(seen, command.cells[0]).up:
        raise LineFault("face-up", f"the ship in {command.cells[0]} lies face up already")
    return command


def _flips(sea: Sea) -> Iterator[Choice]:
    for ship in sea.ships:
        if not ship.up:
            says, heard = f"Turn {spoken(ship.name)} in {ship.at} up.", "They see which ship it is."
            at = str(ship.at)
            yield Choice(f"flip {at}", says=says, unit=at, here=at, heard=heard)


# swap


def _check_swap(seen: State, command: Command) -> Command:
    ship = own_ship(seen, command.cells[0])
    if not (ship.up and seen.cards.ability(ship.name, "swaps")):
        raise LineFault("no-swap", "only a face-up special operations craft swaps")
    if ship.at not in _swap_cells(seen):
        raise LineFault("no-swap", "a craft swaps on an island or the enemy country only")
    sunk = seen.own.sunk
    card = whole_name(command.cards[0], sunk, "not-sunk", SUNK)
    return command._replace(cards=(card,))


def _swap_cells(seen: State) -> tuple[Cell, ...]:
    return (*ISLANDS, country(seen.setup, other(seen.setup, seen.player)))


def crafts(sea: Sea) -> list[Ship]:
    """Ships that may be able to swap, in their possible cells."""
    return [
        ship
        for ship in sea.ships
        if ship.up and ship.at in _swap_cells(sea.seen) and sea.cards.ability(ship.name, "swaps")
    ]


def _swaps(sea: Sea) -> Iterator[Choice]:
    for ship in crafts(sea):
        for name in sea.seen.own.sunk:
            says, at = f"Swap the craft in {ship.at} for {spoken(name)}.", str(ship.at)
            yield Choice(f"swap {at} {name}", says=says, unit=at, here=at, picks=(name,))


# offer


def _check_offer(seen: State, command: Command) -> Command:
    if seen.player in seen.offers:
        raise LineFault("offered", "your offer stands already")
    return command


def _offers(sea: Sea) -> Iterator[Choice]:
    if sea.seen.player not in sea.seen.offers:
        yield Choice("offer end", says="Offer to end the game.")


# Rows.


def _bare(verb: str, says: str, when: tuple[str, ...], button: Verb, asks: str = "") -> Word:
    """A word that is a whole line, and the last one if it is no decision."""
    return Word(
        f"nothing after `{verb}`",
        when,
        {verb: button},
        reads(verb),
        lambda sea: [Choice(verb, says=says)],
        asks=asks,
        last=not asks,
    )


WORDS: Mapping[str, Word] = {
    "stand": _bare(
        "stand",
        "Stand and fight.",
        ("answer",),
        Verb(
            "Stand and fight",
            "a tie is yours",
            "anchor",
            answers="Attacked",
            asks="Stand or retreat?",
        ),
        asks="retreat",
    ),
    "retreat": Word(
        "`retreat discard SHIP`",
        ("answer",),
        {"retreat": Verb("Retreat", "pay a card, give up the cell", "step")},
        reads("retreat", "discard", "SHIP"),
        _retreats,
        lambda seen, command: command._replace(cards=hand_cards(seen, command.cards)),
        asks="retreat",
    ),
    "support": Word(
        SUPPORT,
        ("answer",),
        {
            "support": Verb("Support", "a ship beside the fight; pay a card", "run"),
            "alone": Verb(
                "No support",
                "fight with the one ship",
                "anchor",
                about="support",
                answers="Support?",
                asks="Who supports you?",
            ),
        },
        _read_support,
        _supports,
        _check_support,
        asks="support",
    ),
    "push": Word(
        PUSH,
        ("answer",),
        {"push": Verb("Push", "say where it retreats to", "step")},
        lambda words, form: Command("push", push=one_cell(words, form)),
        _pushes,
        _check_push,
        asks="push",
    ),
    "play": Word(
        "`play SHIP on`, `left`, `right` or a cell, such as `play frigate left`",
        ("turn",),
        {"play": Verb("Play", "at your country, face down", "card")},
        _read_play,
        _plays,
        _check_play,
    ),
    "move": Word(
        "`move FROM TO discard SHIP`, such as `move B4 A4 discard frigate`",
        ("turn",),
        {
            "move": Verb("Move", "to an empty cell; pay a card", "step"),
            "attack": Verb("Attack", "the ship next to yours; pay a card", "fight"),
        },
        _read_move,
        _moves,
        _check_move,
    ),
    "flip": Word(
        "`flip CELL`, such as `flip A4`",
        ("turn", "answer", "beside"),
        {"flip": Verb("Turn up", "show a ship, to use what it can do", "flip")},
        reads("flip", "CELL"),
        _flips,
        _check_flip,
    ),
    "swap": Word(
        "`swap CELL SHIP`, such as `swap A3 frigate`",
        ("turn",),
        {"swap": Verb("Swap", "the craft for a sunk ship", "swap")},
        reads("swap", "CELL", "SHIP"),
        _swaps,
        _check_swap,
    ),
    "offer": Word(
        "`offer end`",
        ("turn", "answer"),
        {"offer": Verb("Offer to end the game", role="beside")},
        reads("offer", "end"),
        _offers,
        _check_offer,
    ),
    "resign": _bare(
        "resign",
        "Give up the game.",
        ("turn", "answer"),
        Verb("Resign", "give up the game", role="give-up"),
    ),
    "end": _bare("end", "End my turn.", ("turn",), Verb("End my turn", role="end")),
    "start": _bare("start", "Begin.", ("setup",), Verb("Begin", "your cards are dealt", "anchor")),
}
"""Every order word, in the order in which lines are offered. A new word needs a row here, what it
leaves (`orders`), and a rule."""
