"""What a player's screen says around the board: the goal, the title and the notes, the lines that
may be written, and the news of a turn in short."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.game import Brief, Choice, Deductions, Player, Setup, Table, View
from games.screen import ago, side_by_side
from games.silent_ships import events as tell
from games.silent_ships import moves
from games.silent_ships.cards import Edition, edition
from games.silent_ships.deduced import NO_MIND, Mind
from games.silent_ships.draw import idle_turns
from games.silent_ships.state import NO_STANDING, Attack, other
from games.silent_ships.view import CardCounts, Sight, sight_of

BARE = ("stand", "offer", "resign", "end", "start")
"""Words that are listed side by side."""


def goal(setup: Setup) -> str:
    """`Game.goal`."""
    rules = edition(setup.options)
    wins = ["hold the enemy country with a ship until his turn ends"]
    wins += ["sink his flag ship"] * ("flag-ship" in rules.wins)
    wins += [f"sink {rules.sunk} of his ships"] * bool(rules.sunk)
    return f"Goal: {', or '.join(wins)}. Cards are ships and fuel: a step costs a card."


# The title and the notes.


def brief(view: View, known: Deductions) -> Brief:
    """`Game.brief`."""
    sight = sight_of(view)
    if not sight.begun:
        foe = other(sight.setup, sight.player)
        marks = "+Frigate 7: your frigate, face up, attack 7; -(?): a ship of theirs, face down"
        return Brief(f"Silent Ships: you are {sight.player}, against {foe}.", (marks,))
    return Brief(_title(sight), tuple(_notes(sight, known)), tuple(_order(sight)))


def _title(sight: Sight) -> str:
    you, attack = sight.player, sight.attack
    if sight.turn is None:
        return "Silent Ships: the game is over."
    if attack is not None and attack.player == you:
        return f"Silent Ships: {you}, {_asked(sight, attack)}"
    awaited = sight.turn if attack is None else attack.player
    return f"Silent Ships: {'your turn, ' if awaited == you else ''}{awaited}{_turn(awaited, you)}"


def _turn(awaited: Player, you: Player) -> str:
    return "." if awaited == you else "'s turn."


def _asked(sight: Sight, attack: Attack) -> str:
    """The question of an attack that waits for this player."""
    if attack.asks == "retreat":
        return f"your ship in {attack.to} is attacked from {attack.start}: retreat, or stand?"
    if attack.asks == "push":
        return f"their ship in {attack.to} retreats: where to?"
    whose = "you attack" if sight.turn == sight.player else "you are attacked in"
    return f"{whose} {attack.to} from {attack.start}: support?"


def _notes(sight: Sight, known: Deductions) -> Iterator[str]:
    rules, foe = edition(sight.setup.options), other(sight.setup, sight.player)
    hand = ", ".join(f"{short(name)} {sight.cards.attack(name)}" for name in sight.own.hand)
    yield f"hand ({len(sight.own.hand)}): {hand or 'none'}"
    discards = ", ".join(map(short, sight.own.discards)) or "none"
    yield f"you:  deck {_deck(sight.mine)}; discards {discards}; {_sunk(sight.mine, rules)}"
    theirs = sight.theirs
    yield (
        f"{foe}: hand {theirs.hand}, deck {_deck(theirs)}, discards {theirs.discards}; "
        f"{_sunk(theirs, rules)}"
    )
    yield "; ".join(_rest(sight, known))


def _deck(known: CardCounts) -> str:
    return f"{known.deck} (shuffled {known.shuffles})" if known.shuffles else str(known.deck)


def _sunk(known: CardCounts, rules: Edition) -> str:
    names = ", ".join(map(short, known.sunk)) or "none"
    if not known.sunk:
        return "sunk none"
    of = f" of {rules.sunk}" if rules.sunk else ""
    return f"sunk {len(known.sunk)}{of}: {names}"


def _rest(sight: Sight, known: Deductions) -> Iterator[str]:
    """What holds in this turn: an attack, standing orders, offers, idle turns; and the names of
    ships that lie face down and were seen before."""
    attack = sight.attack
    if attack is not None:
        number = f", attack {attack.number} of the turn" if attack.number > 1 else ""
        cells = ", ".join(map(str, attack.supports)) or "none yet"
        refused = ", the defender may have none" if attack.no_support else ""
        yield f"attack: {attack.start} on {attack.to}{number}; support {cells}{refused}"
    for name in sight.offers:
        whose = "you offer" if name == sight.player else f"{name} offers"
        yield f"{whose} to end the game"
    standing = sight.own.standing
    if standing != NO_STANDING:
        first = "" if standing.discard is None else ", a list (?)"
        yield f"standing orders: retreat {standing.retreat}, support {standing.support}{first}"
    if told := idle_turns(sight):
        yield told
    mind = known.memory if isinstance(known.memory, Mind) else NO_MIND
    for at, ship in mind.ships.items():
        seen = sight.board.get(at)
        if ship.name and seen is not None and not seen.name:
            yield f"{at} is {short(ship.name)}, seen {ago(mind.turns - ship.seen)}"


def _order(sight: Sight) -> Iterator[str]:
    """The list of standing orders, for which the screen has no room."""
    standing = sight.own.standing
    if standing.discard is not None:
        yield f"to give up first: {', '.join(map(short, standing.discard)) or 'none'}"


def short(name: str) -> str:
    """A ship's name as orders take it too: `frigate`, `fire`, `special`."""
    return name.partition("-")[0]


# What may be written.


def menu(view: View, lines: Sequence[str], columns: int) -> tuple[str, ...]:
    """`Game.menu`."""
    sight = sight_of(view)
    offered: dict[str, list[Choice]] = {}
    for choice in moves.after(view, lines).choices:
        offered.setdefault(choice.text.partition(" ")[0], []).append(choice)
    rows = [
        row for row in (_play(offered), _moves(sight, offered), _answers(offered, columns)) if row
    ]
    cells = {verb: _cells(offered.get(verb, ())) for verb in ("flip", "swap")}
    bare = [f"flip {' '.join(cells['flip'])}"] if cells["flip"] else []
    bare += [f"swap {'|'.join(cells['swap'])} SHIP"] if cells["swap"] else []
    bare += [offered[word][0].text for word in BARE if word in offered]
    if "start" in offered:
        return ("start               the cards are shuffled and dealt",)
    return (*rows, *side_by_side(bare, max(columns, 60)))


def _cells(choices: Sequence[Choice]) -> list[str]:
    """The first cells of these lines, each once."""
    return list(dict.fromkeys(choice.cells[0] for choice in choices))


def _play(offered: Mapping[str, Sequence[Choice]]) -> str:
    places = {choice.text.split()[-1]: choice.cells[0] for choice in offered.get("play", ())}
    said = " | ".join(f"{place} ({cell})" for place, cell in places.items())
    return f"play SHIP {said}   face down, free" if said else ""


def _moves(sight: Sight, offered: Mapping[str, Sequence[Choice]]) -> str:
    """`move FROM TO discard SHIP`, and for each ship the cells that it can reach."""
    ways: dict[str, dict[str, None]] = {}
    for choice in offered.get("move", ()):
        start, to = choice.cells[0], choice.cells[-1]
        ship = next((ship for at, ship in sight.board.items() if str(at) == to), None)
        attacks = ship is not None and ship.owner != sight.player
        cost = choice.text.split().count("discard")
        name = f"{start} ({cost} cards)" if cost > 1 else start
        ways.setdefault(name, {})[f"{to}!" if attacks else to] = None
    said = "; ".join(f"{start}: {' '.join(cells)}" for start, cells in ways.items())
    return f"move FROM TO discard SHIP (! attacks)   {said}" if said else ""


def _answers(offered: Mapping[str, Sequence[Choice]], columns: int) -> str:
    """Retreats, supports and pushes: what a waiting attack asks for."""
    parts: list[str] = []
    if retreats := offered.get("retreat"):
        cards = "|".join(short(choice.text.split()[-1]) for choice in retreats)
        parts.append(f"retreat discard {cards}")
    supports = offered.get("support", ())
    if cells := _cells([choice for choice in supports if choice.cells]):
        parts.append(f"support {'|'.join(cells)} discard SHIP")
    if any(not choice.cells for choice in supports):
        parts.append("support none")
    if pushes := offered.get("push"):
        parts.append(f"push {'|'.join(_cells(pushes))}")
    return "   ".join(parts)


# News in short.


def gist(view: View, events: Sequence[Table]) -> str:
    """`Game.gist`: sentences in a row. Of a public event and the secret one behind it only the
    secret is told. Whose turn it is, shuffles, and one's own plays and moves are left out, and what
    another player's moves cost."""
    player = view.player
    told: list[str] = []
    paid, payer, moved = "", "", False
    for event in events:
        kind, own = event["kind"], event.get("player") == player
        if kind in ("turn", "shuffled") or (own and kind == "played"):
            continue
        if kind == "moved":
            way = f"{event['from']}-{event['to']}."
            if payer != player:
                told = [*told[:-1], f"{told[-1][:-1]}, {way}"] if moved else [
                    *told, f"{payer} moves {way}" if payer else way
                ]  # fmt: skip
                moved, paid = True, ""
            continue
        if kind == "discarded":
            payer, paid = event["player"], "" if own else tell.news(event)
            continue
        if paid:
            told.append(paid)
            paid = ""
        moved = False
        if kind == "drew" and own:
            if "cards" in event:
                told.append(f"You drew {', '.join(map(short, event['cards']))}.")
        else:
            told.append(tell.news(event))
    return " ".join([*told, paid]).strip()
