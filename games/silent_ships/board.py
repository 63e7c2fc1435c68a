"""The board of Silent Ships, of what somebody sees and of a position with nothing hidden: the card
in each cell, and what is said around it: a line about each side, the title, the goal, what may be
written, the hand, standing orders."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from games.chart import Chart, Ground, Piece, Sign
from games.game import Brief, Choice, Deductions, Player, Setup, Table, View
from games.grid import Cell
from games.news import addressed
from games.picture import written
from games.screen import Asked, Held, Sideline, ago, side_by_side
from games.silent_ships import orders
from games.silent_ships.cards import edition, spoken
from games.silent_ships.deduced import NO_MIND
from games.silent_ships.notation import read_view
from games.silent_ships.state import (
    BOARD,
    ISLANDS,
    NO_STANDING,
    Attack,
    Ship,
    State,
    cards_of,
    country,
    other,
    strength,
)

WIDTH = 15
"""A cell has room for `+(Frigate 7) C` and a blank."""
BARE = ("stand", "offer", "resign", "end", "start")
"""Words that are listed side by side."""


def chart(view: View) -> Chart:
    """The board, a legend, and the piles.

    A ship with a visible name has the id `OWNER-NAME`.
    """
    return chart_whole(read_view(view))


def chart_whole(seen: State) -> Chart:
    """The same of a position; of one in which nothing is hidden, with every ship by its name and
    both players' piles."""
    attack = seen.attack
    whose = (
        "the sea as it was" if seen.seen_by is None else f"as {seen.player or 'everybody'} sees it"
    )
    return Chart(
        f"Silent Ships: {whose}",
        BOARD,
        tuple(_pieces(seen)),
        _grounds(seen),
        tuple(_signs(seen)),
        tuple(_notes(seen)),
        arrows=() if attack is None else ((attack.start, attack.to),),
        wide=WIDTH,
        turned=bool(seen.player) and country(seen.setup, seen.player).row == BOARD.rows,
    )


# The board.


def _near(seen: State) -> Player:
    """The player whose ships are drawn as one's own: the viewer, or in the public view the first
    player."""
    return seen.player or seen.setup.players[0]


def _grounds(seen: State) -> dict[Cell, Ground]:
    grounds = {cell: Ground("isle", "island", "island", "i") for cell in ISLANDS}
    for player in seen.setup.players:
        kind = "home" if player == _near(seen) else "away"
        whose = f"{player}'s country"
        short = whose if len(whose) < WIDTH else "their country"
        mark = "your country" if player == seen.player else short
        grounds[country(seen.setup, player)] = Ground(kind, mark, whose, "C")
    return grounds


def _pieces(seen: State) -> Iterator[Piece]:
    for ship in seen.board.values():
        name = f"{ship.owner}-{ship.name}" if ship.name else ""
        foe = ship.owner != _near(seen)
        power = _strength(seen, ship) if ship.name else 0
        # An own ship is `+Frigate 7`, with its strength, an enemy's `-Frigate 7`; `(?)` is unknown.
        sign, mark = "-" if foe else "+", f"{SHORT[ship.name]} {power}" if ship.name else "?"
        yield Piece(
            ship.at,
            f"{sign}{mark}" if ship.up else f"{sign}({mark})",
            "foe" if foe else "own",
            card(ship.name, ship.up, foe, power),
            f"{ship.name or 'a ship'} of {ship.owner}, face {'up' if ship.up else 'down'}",
            name,
            about=ship.name or "ship",
        )


def _strength(seen: State, ship: Ship) -> int:
    """What a ship has now where it supports or is attacked."""
    sunk = seen.sides[other(seen.setup, ship.owner)].sunk
    shown = [one for one in seen.board.values() if one.up]
    return strength(seen.cards, ship, len(sunk), shown, attacks=False)


def _in_hand(seen: State, player: Player, name: str) -> int:
    """The same of a card, which lies beside no ship."""
    return _strength(seen, Ship(Cell(0, 0), player, False, name))


def _signs(seen: State) -> Iterator[Sign]:
    near, far = ("yours", "theirs") if seen.player else seen.setup.players
    yield Sign(near, "+", "own", card("", True, False))
    yield Sign(far, "-", "foe", card("", True, True))
    yield Sign("face down", "( )", "sixth", card("", False, False))
    yield Sign("island", "i", ground="isle")
    homes = {name: country(seen.setup, name) for name in seen.setup.players}
    for name, cell in homes.items():
        kind = "home" if name == _near(seen) else "away"
        yield Sign(f"{name}'s country, {cell}", "C", ground=kind)


# Cards as SVG: each ship's outline, face up or face down, in a box of 60 by 60.


SHORT: Mapping[str, str] = {
    "flag-ship": "Flag",
    "fire-ship": "Fire",
    "frigate": "Frigate",
    "submarine": "Sub",
    "ramming-ship": "Ram",
    "missile-boat": "Missile",
    "speed-boat": "Speed",
    "patrol-ship": "Patrol",
    "salvage-ship": "Salvage",
    "special-operations-craft": "Craft",
    "ammunition-ship": "Ammo",
}
"""Names that fit into a cell of a text board, and onto a card."""

_HULL = "M10 32h40l-5 8h-30z"
_OUTLINES: Mapping[str, str] = {
    "flag-ship": _HULL + "M18 32v-6h22v6zM28 26v-15h2l14 5l-14 5v5z",
    "fire-ship": _HULL + "M20 30q-3-7 4-11q0 4 3 5q1-6 5-9q1 5 4 7q4 4 2 8z",
    "frigate": _HULL
    + "M22 32v-7h7v-9h3v9h5v7zM12 30v-4h7v4zM9 26h6v2h-6zM40 30v-4h7v4zM45 26h6v2h-6z",
    "submarine": "M9 34q0-6 8-6h8v-8h9v8h9q8 0 8 6t-8 6h-26q-8 0-8-6zM28 20v-6h6v2h-4v4z",
    "ramming-ship": "M8 30h32l16 7l-16 3h-28zM16 30v-7h14v7zM20 23v-6h4v6z",
    "missile-boat": _HULL + "M15 32l2-5h6l-2 5zM18 26l18-12l6-1l-3 5l-18 12z",
    "speed-boat": "M8 34h20l24-6l-6 10q-1 2-4 2h-30zM24 32l4-7h7l-3 6z"
    "M6 22h12v2h-12zM10 27h9v2h-9z",
    "patrol-ship": _HULL + "M20 32v-6h14v6zM26 26v-8h2v8zM18 12q9 8 18 0q-2 9-9 9t-9-9z",
    "salvage-ship": _HULL + "M17 32v-8h7v8zM29 32v-18h3l15 7v5h-2v-4l-13-5v15zM43 26h6v3h-6z",
    "special-operations-craft": "M9 32q0-3 4-3h34q4 0 4 3l-3 7q-1 2-4 2h-28q-3 0-4-2z"
    "M17 27v-5h6v5zM27 27v-5h6v5zM37 27v-5h6v5zM18 20v-4h4v4zM28 20v-4h4v4zM38 20v-4h4v4z",
    "ammunition-ship": _HULL
    + "M15 31v-8l3-5l3 5v8zM23 31v-8l3-5l3 5v8zM31 31v-8l3-5l3 5v8zM39 31v-8l3-5l3 5v8z",
}

_ROUNDED = "M10 4h40q5 0 5 5v42q0 5-5 5h-40q-5 0-5-5v-42q0-5 5-5z"
_CORNERED = "M13 4h34l8 8v36l-8 8h-34l-8-8v-36z"


def card(name: str, up: bool, foe: bool, power: int = 0) -> str:
    """A card: paper with an outline while it is face up, dark while face down. `name` is "" if it
    is not known; face up that is an empty card. An enemy's card has its corners cut. `power` is in
    a corner, unless it is 0."""
    edge = _CORNERED if foe else _ROUNDED
    if up:
        ground = (
            f'<path class="paper" d="{edge}" fill="#ffffff"/>'
            f'<path d="{edge}" fill="none" stroke="currentColor" stroke-width="3"/>'
        )
    else:
        ground = f'<path d="{edge}" fill="currentColor"/>'
    ink = "" if up else "on"
    if not name and up:
        return ground
    if not name:
        return ground + written(30, 42, 34, "?", "on", bold=True)
    fill = "currentColor" if up else "#ffffff"
    kind = "" if up else ' class="on"'
    number = written(47, 19, 12, str(power), ink, bold=True) if power else ""
    outline = f'<path{kind} d="{_OUTLINES[name]}" fill="{fill}"/>'
    return ground + outline + number + written(30, 51, 10, SHORT[name], ink, bold=True)


# What is said of each side, and of the turn.


def known_of(seen: State, player: Player, named: bool = True) -> list[str]:
    """What is known of a player: hand, deck, discards and sunk ships; then an offer, and standing
    orders. `named`: with the names of cards that are known, and the strength of those in hand."""
    side, most = seen.sides[player], edition(seen.setup.options).sunk
    whole = named and seen.seen_by is None
    mine = whole or (named and player == seen.player)
    hand = [f"{short(name)} {_in_hand(seen, player, name)}" for name in side.hand] if mine else ()
    deck = f"deck {len(side.deck)}" + f" (shuffled {side.shuffles})" * bool(side.shuffles)
    deck += " from the top" * whole
    sunk = f"sunk {len(side.sunk)}" + f" of {most}" * bool(most)
    told = [
        _listed(f"hand {len(side.hand)}", hand),
        _listed(deck, map(short, side.deck if whole else ())),
        _listed(f"discards {len(side.discards)}", map(short, side.discards if mine else ())),
        _listed(sunk, map(short, side.sunk)),
    ]
    if player in seen.offers:
        told.append("offers to end the game")
    ahead = side.standing
    if mine and ahead != NO_STANDING:
        told.append(f"standing orders: retreat {ahead.retreat}, support {ahead.support}")
        if ahead.discard is not None:
            first = ", ".join(map(short, ahead.discard)) or "none"
            told.append(f"to give up first: {first}")
    return told


def _listed(head: str, names: Iterable[str]) -> str:
    said = ", ".join(names)
    return f"{head}: {said}" if said else head


def short(name: str) -> str:
    """A ship's name as orders take it too: `frigate`, `fire`, `special`."""
    return name.partition("-")[0]


def _nearest_first(seen: State) -> Sequence[Player]:
    """Both players, first the one who sees it so."""
    return sorted(seen.setup.players, key=lambda name: name != seen.player)


def _now(seen: State) -> Iterator[str]:
    """An attack that waits, and the turns without play."""
    attack, most = seen.attack, seen.setup.options["stalemate"]
    if attack is not None:
        number = f", attack {attack.number} of the turn" if attack.number > 1 else ""
        cells = ", ".join(map(str, attack.supports)) or "none yet"
        refused = ", the defender may have none" if attack.no_support else ""
        yield f"attack: {attack.start} on {attack.to}{number}; support: {cells}{refused}"
    if most:
        yield f"idle turns {seen.idle} of {most}{' (not this one)' * seen.active}"


def _notes(seen: State) -> Iterator[str]:
    if not seen.begun:
        yield "The game has not begun: both players send `start`."
        return
    for player in _nearest_first(seen):
        yield f"{player}: {'; '.join(known_of(seen, player))}"
    yield from _now(seen)
    if seen.over is not None:
        ended = f"{seen.over.winner} has won" if seen.over.winner else "a draw"
        yield f"over: {ended} ({seen.over.how})"
    else:
        yield f"turn: {seen.turn}"
    for prompt in seen.prompts:
        yield f"awaited: {prompt.player} ({prompt.what})"


_WHY: Mapping[str, str] = {
    "country": "{winner} held {loser's} country until the end of {loser's} turn.",
    "flag-ship": "{winner} sank {loser's} flag ship.",
    "sunk": "{winner} sank {many} of {loser's} ships.",
    "agreed": "Both offered to end the game, and {winner} sank more.",
    "stalemate": "Nothing was done in {idle} turns, and {winner} sank more.",
    "resigned": "{loser} resigned.",
    "missed": "{loser} missed the deadline.",
}
_DRAWN: Mapping[str, str] = {
    "agreed": "Both offered to end the game.",
    "stalemate": "Nothing was done in {idle} turns.",
}
"""Why a game ended, by how it did; and one without a winner."""


def why(view: View, events: Sequence[Table], missing: Collection[Player] = ()) -> str:
    """`Game.why`."""
    seen = read_view(view)
    if seen.over is None:
        return ""
    winner, idle = seen.over.winner, seen.setup.options["stalemate"]
    if winner is None:
        return _DRAWN[seen.over.how].format(idle=idle)
    loser = other(seen.setup, winner)
    many = len(seen.sides[loser].sunk)
    said = _WHY[seen.over.how].replace("{many}", str(many)).replace("{idle}", str(idle))
    return addressed(view.player, said, winner=winner, loser=loser)


def sides(view: View, known: Deductions) -> Mapping[Player, Sideline]:
    """`Game.sides`."""
    seen = read_view(view)
    if not seen.begun:
        return {}
    found, most = {}, seen.setup.options["stalemate"]
    for player in seen.setup.players:
        told = known_of(seen, player, named=False)
        # Everybody should know of a stalemate that comes near.
        if player == seen.player and most and seen.idle >= most // 2:
            told += [line for line in _now(seen) if line.startswith("idle")]
        found[player] = Sideline("; ".join(told[3:]), ", ".join(told[:3]))
    return found


# The screen of a player.


def goal(setup: Setup) -> str:
    """`Game.goal`."""
    rules = edition(setup.options)
    wins = ["hold the enemy country with a ship until his turn ends"]
    wins += ["sink his flag ship"] * ("flag-ship" in rules.wins)
    wins += [f"sink {rules.sunk} of his ships"] * bool(rules.sunk)
    return f"Goal: {', or '.join(wins)}. Cards are ships and fuel: a step costs a card."


def about(setup: Setup) -> Mapping[str, str]:
    """`Game.about`: of the ships as this game's table has them."""
    rules, most = edition(setup.options), setup.options["stalemate"]
    ends = "for who sank more" if "most-sunk" in rules.wins else "as a draw"
    told = {
        "start": "Begin: your cards are shuffled and dealt.",
        "play": "Put a card of your hand face down on your country, or left or right of it (play "
        "frigate left), if that cell is empty. It is free, and a short name does: play fr on.",
        "move": "One of your ships goes one cell, and you give up a card (move B4 A4 discard "
        "frigate). Into an enemy's cell it is an attack.",
        "attack": "They may retreat for a card. Ships beside the fight may support, for a card "
        "each. Then all who fight are turned up, and the greater sum wins, theirs if it is as "
        "great. If you win, their ship is sunk and yours takes its cell; else yours stays.",
        "discard": "What you pay with: a card of your hand, by its name. It is put away face down, "
        "and comes back when your deck has run out.",
        "flip": "Turn a ship of yours face up, for nothing and for good. What a ship can do "
        "besides fighting, it can do only face up.",
        "swap": "A special operations craft that lies face up on an island or on the enemy country "
        "becomes a ship of yours that was sunk (swap A3 frigate).",
        "stand": "Stay and fight. A tie is yours.",
        "retreat": "Give up the cell for a card (retreat discard frigate): nothing is sunk or "
        "turned up, and they say to which cell your ship goes.",
        "support": "A ship beside the cell that is fought for adds its strength, for a card "
        "(support B3 discard frigate), a line for each; or support none.",
        "push": "Their ship retreats: you say to which cell beside it (push A4), and take its "
        "place.",
        "standing": "A line that answers for you when you are attacked: standing retreat ask (or "
        "never, always), standing support ask (or never, all), standing discard speed-boat, "
        "frigate (what to pay with first). It holds until you write others.",
        "offer": f"Offer to end the game (offer end). It ends, {ends}, when both of you have "
        "offered it.",
        "resign": "The other player wins.",
        "end": "The end of your turn. You lose if an enemy ship is on your country then.",
        "ship": "A card on the board: yours with +, theirs with -. The number is its strength.",
        "strength": "What a ship has in a battle as things are now: what its card says, and what "
        "sunk ships or a ship beside it add.",
        "face": "A ship that lies face down is in brackets, and only its owner knows which it is. "
        "Face up, everybody sees it, and it can do what its name stands for.",
        "turn": "You draw; then you write as many lines as you like, in any order, until end.",
        "shuffled": "So often that deck was made anew.",
        "island": "A ship of yours on one brings you a card more in each of your turns; on both, "
        "no more than that.",
        "country": "Your ships come into play on yours and beside it. You win if one of them is on "
        "theirs as their turn ends.",
        "on": "On your country.",
        "left": "The cell left of your country, as you see it.",
        "right": "The cell right of your country, as you see it.",
        "hand": "Your cards: each is a ship to play, or what you pay with. The number is its "
        "strength.",
        "deck": f"What you draw from: {rules.draw} cards a turn, one more with an island. When it "
        "has run out, the discards are shuffled into a new one.",
        "discards": "Cards that were given up. They are the next deck.",
        "sunk": "Ships that are out of the game."
        + f" Who has sunk {rules.sunk} wins." * bool(rules.sunk),
        "idle": f"Turns in a row in which no ship was played, moved or sunk. {most} end the game, "
        f"{ends}.",
    }
    for ship in cards_of(setup).ships:
        does = DOES[ship.ability].format(ship.amount)
        does = does if ship.ability != "flag" or "flag-ship" in rules.wins else ""
        told[ship.name] = f"Strength {ship.attack}. {does}".rstrip()
    return told


DOES: Mapping[str, str] = {
    "none": "",
    "flag": "If it is sunk, its owner loses.",
    "burns": "It is sunk in every battle in which it was attacked, even one that it wins.",
    "heavy": "Face up, it moves for {} cards.",
    "silent": "If it attacks face up, the defender may not support.",
    "rams": "{} where it attacks, though not in a support.",
    "reaches": "Face up, it supports a fight up to {} cells away.",
    "sprints": "Face up, it goes up to {} cells in a move, through empty ones, for one card.",
    "scouts": "Face up, it shows you what the enemy's ships beside it are, while they are there.",
    "salvages": "{} more for each enemy ship that you have sunk.",
    "swaps": "Face up on an island or on the enemy country, it becomes a ship of yours that was "
    "sunk (swap A3 frigate).",
    "arms": "Face up, it gives each ship of yours beside it {} more.",
}
"""What each ability does (SS-16)."""


def brief(view: View, known: Deductions) -> Brief:
    """`Game.brief`."""
    seen = read_view(view)
    if not seen.begun:
        foe = other(seen.setup, seen.player)
        marks = "+Frigate 7: your frigate, face up, strength 7; -(?): a ship of theirs, face down"
        return Brief(f"Silent Ships: you are {seen.player}, against {foe}.", (marks,))
    notes = [
        f"{'you' if player == seen.player else player}: {'; '.join(known_of(seen, player))}"
        for player in _nearest_first(seen)
    ]
    rest = "; ".join((*_now(seen), *_looked_at(seen, known)))
    return Brief(_title(seen), (*notes, *filter(None, [rest])))


def _looked_at(seen: State, known: Deductions) -> Iterator[str]:
    """The names of ships that lie face down and were seen before."""
    mind = known.memory or NO_MIND
    for at, ship in mind.ships.items():
        lies = seen.board.get(at)
        if ship.name and lies is not None and not lies.name:
            yield f"{at} is {short(ship.name)}, seen {ago(mind.turns - ship.seen)}"


def _title(seen: State) -> str:
    you, attack = seen.player, seen.attack
    if seen.turn is None:
        return "Silent Ships: the game is over."
    if attack is not None and attack.player == you:
        return f"Silent Ships: {you}, {_asked(seen, attack)}"
    awaited = seen.turn if attack is None else attack.player
    whose = f"your turn, {you}" if awaited == you else f"{awaited}'s turn"
    return f"Silent Ships: {whose}."


def _asked(seen: State, attack: Attack) -> str:
    """The question of an attack that waits for this player."""
    if attack.asks == "retreat":
        return f"your ship in {attack.to} is attacked from {attack.start}: retreat, or stand?"
    if attack.asks == "push":
        return f"their ship in {attack.to} retreats: where to?"
    whose = "you attack" if seen.turn == seen.player else "you are attacked in"
    return f"{whose} {attack.to} from {attack.start}: support?"


# What may be written.


def menu(view: View, lines: Sequence[str], columns: int) -> tuple[str, ...]:
    """`Game.menu`."""
    seen = read_view(view)
    offered: dict[str, list[Choice]] = {}
    for choice in orders.after(view, lines).choices:
        offered.setdefault(choice.text.partition(" ")[0], []).append(choice)
    rows = [row for row in (_play(offered), _moves(seen, offered), _answers(offered)) if row]
    cells = {verb: _cells(offered.get(verb, ())) for verb in ("flip", "swap")}
    bare = [f"flip {' '.join(cells['flip'])}"] if cells["flip"] else []
    bare += [f"swap {'|'.join(cells['swap'])} SHIP"] if cells["swap"] else []
    bare += [offered[word][0].text for word in BARE if word in offered]
    if "start" in offered:
        return ("start               the cards are shuffled and dealt",)
    return (*rows, *side_by_side(bare, max(columns, 60)))


def _cells(choices: Sequence[Choice]) -> list[str]:
    """The first cells of these lines, each once."""
    return list(dict.fromkeys(choice.here or choice.to[0] for choice in choices))


def _play(offered: Mapping[str, Sequence[Choice]]) -> str:
    places = {choice.text.split()[-1]: choice.to[0] for choice in offered.get("play", ())}
    said = " | ".join(f"{place} ({cell})" for place, cell in places.items())
    return f"play SHIP {said}   face down, free" if said else ""


def _moves(seen: State, offered: Mapping[str, Sequence[Choice]]) -> str:
    """`move FROM TO discard SHIP`, and for each ship the cells that it can reach."""
    ways: dict[str, dict[str, None]] = {}
    for choice in offered.get("move", ()):
        start, to = choice.here, choice.to[-1]
        ship = next((ship for at, ship in seen.board.items() if str(at) == to), None)
        attacks = ship is not None and ship.owner != seen.player
        cost = choice.text.split().count("discard")
        name = f"{start} ({cost} cards)" if cost > 1 else start
        ways.setdefault(name, {})[f"{to}!" if attacks else to] = None
    said = "; ".join(f"{start}: {' '.join(cells)}" for start, cells in ways.items())
    return f"move FROM TO discard SHIP (! attacks)   {said}" if said else ""


def _answers(offered: Mapping[str, Sequence[Choice]]) -> str:
    """Retreats, supports and pushes: what a waiting attack asks for."""
    parts: list[str] = []
    if retreats := offered.get("retreat"):
        cards = "|".join(short(choice.text.split()[-1]) for choice in retreats)
        parts.append(f"retreat discard {cards}")
    supports = offered.get("support", ())
    if cells := _cells([choice for choice in supports if choice.to]):
        parts.append(f"support {'|'.join(cells)} discard SHIP")
    if any(not choice.to for choice in supports):
        parts.append("support none")
    if pushes := offered.get("push"):
        parts.append(f"push {'|'.join(_cells(pushes))}")
    return "   ".join(parts)


# Standing orders.


def standing(view: View) -> tuple[Asked, ...]:
    """`Game.standing`."""
    seen = read_view(view)
    if not seen.begun or seen.turn is None or not seen.player:
        return ()
    now = seen.own.standing
    first = tuple((one.name, spoken(one.name)) for one in seen.cards.ships)
    return (
        Asked(
            "standing retreat", "When a ship of yours is attacked",
            (("ask", "Ask me"), ("never", "Stand"), ("always", "Retreat")), now.retreat,
        ),
        Asked(
            "standing support", "When a ship of yours could support",
            (("ask", "Ask me"), ("never", "Never"), ("all", "Every ship that can")), now.support,
        ),
        Asked(
            "standing discard", "Pay with these first, in this order",
            first, now.discard, many=True,
        ),
    )  # fmt: skip


# The hand.


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
    "salvages": "+{} for each ship sunk",
    "swaps": "Becomes a sunk ship",
    "arms": "+{} for its neighbours",
}
"""What each ability does, in a few words; the rules say it whole (SS-10)."""


def hand(view: View) -> tuple[Held, ...]:
    """`Game.hand`."""
    seen = read_view(view)
    by_name = {one.name: one for one in seen.cards.ships}
    return tuple(
        Held(name, card(name, True, False, power), ABILITIES[one.ability].format(one.amount))
        for name in seen.own.hand
        for one, power in [(by_name[name], _in_hand(seen, seen.player, name))]
    )
