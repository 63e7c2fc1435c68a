"""What stands beside a board that is touched: what happened in sentences, a line about each side,
and standing orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games.acts import joined
from games.beside import Asked, Said, Sideline, Tale
from games.game import Deductions, Player, Table, View
from games.silent_ships import events as tell
from games.silent_ships.acts import spoken
from games.silent_ships.cards import edition
from games.silent_ships.view import CardCounts, Sight, sight_of

LESSONS = (
    "Begin: your cards are shuffled and dealt. Each is a ship to play, or fuel to pay with.",
    "Tap a card and a lit cell: it is played there face down, for nothing. Then tap your ship and "
    "a lit cell: each step costs a card. An island brings a card more in each turn.",
    "A step onto an enemy is an attack; a ship beside the fight can support it. You win on the "
    "enemy country, if you are still there after their turn.",
)


def told(view: View, events: Sequence[Table]) -> tuple[Said, ...]:
    """`Game.told`. Of a public event and the secret one behind it only the secret is told; whose
    turn it is, is left out."""
    you, tale = view.player, Tale()
    paid = NOTHING
    for event in events:
        kind, player = event["kind"], event.get("player", "")
        who = "You" if player == you else player
        match kind:
            case "turn":
                continue
            case "drew" if player == you and "cards" not in event and event["count"]:
                continue
            case "drew" if event.get("count", 1) == 0:
                continue
            case "drew":
                tale.add(Said(f"{who} {_drew(event, player == you)}.", (), "card"))
            case "shuffled":
                whose = "Your" if player == you else f"{player}'s"
                tale.add(Said(f"{whose} deck is shuffled.", (), "again"))
            case "played" if player == you and "ship" not in event:
                continue
            case "played":
                what = f"your {spoken(event['ship'])}" if "ship" in event else "a ship"
                words = f"{who} play{'s' * (player != you)} {what} in {event['at']}, face down."
                tale.add(Said(words, (event["at"],), "card"))
            case "discarded":
                if player != you or "cards" in event:
                    paid = Paid(who, event.get("cards") or [""] * event["count"])
            case "moved" | "retreat":
                _moved(tale, kind, event["from"], event["to"], paid)
                paid = NOTHING
            case "attack":
                cells = (event["from"], event["to"])
                words = f"The ship in {cells[0]} attacks the one in {cells[1]}{paid.behind()}."
                tale.add(Said(words, cells, "fight", "fight"))
                paid = NOTHING
            case "support":
                whose = "Your" if player == you else f"{player}'s"
                words = f"{whose} ship in {event['at']} supports{paid.behind()}."
                tale.add(Said(words, (event["at"],), "run"))
                paid = NOTHING
            case "flipped":
                words = f"The ship in {event['at']} turns up: {spoken(event['ship'])}."
                tale.add(Said(words, (event["at"],), "flip"))
            case "battle":
                tale.add(Said(_battle(event, you), (), "fight"))
            case "sunk":
                whose = "Your" if event["owner"] == you else f"{event['owner']}'s"
                words = f"{whose} {spoken(event['ship'])} is sunk in {event['at']}."
                tale.add(Said(words, (event["at"],), "down", "burst"))
            case _:
                at = (event["at"],) if "at" in event else ()
                tale.add(Said(tell.news(event), at))
    if paid != NOTHING:
        tale.add(Said(f"{paid.words()}.", (), "card"))
    return tuple(tale.said)


def _drew(event: Table, own: bool) -> str:
    if "cards" in event:
        return f"draw {joined(map(spoken, event['cards']))}"
    many = event["count"]
    return f"draw{'s' * (not own)} {many} card{'s' * (many != 1)}"


class Paid(NamedTuple):
    """Cards that somebody gave up, by name if they are one's own."""

    who: str
    cards: Sequence[str]

    def words(self) -> str:
        """`You pay Frigate`, `bob pays 2 cards`."""
        if all(self.cards):
            return f"{self.who} pay {joined(map(spoken, self.cards))}"
        return f"{self.who} pays {len(self.cards)} card{'s' * (len(self.cards) != 1)}"

    def behind(self) -> str:
        """The same behind another sentence."""
        words = self.words().replace("You", "you", 1)
        return f"; {words}" if self.cards else ""


NOTHING = Paid("", ())


def _moved(tale: Tale, kind: str, start: str, to: str, paid: Paid) -> None:
    """A ship entered a cell; steps of one ship are one way."""
    way: tuple[str, ...] = (start, to)
    if tale.last[:1] == (kind,) and tale.said[-1].cells[-1] == start:
        paid = Paid(paid.who or tale.last[1], (*tale.last[2:], *paid.cards))
        way = (*tale.said.pop().cells, to)
    does = "retreats" if kind == "retreat" else "goes"
    words = f"The ship in {way[0]} {does} to {', then '.join(way[1:])}{paid.behind()}."
    tale.add(Said(words, way, "step", "run"), kind, paid.who, *paid.cards)


def _battle(event: Table, you: Player | None) -> str:
    won = "you win" if event["winner"] == you else f"{event['winner']} wins"
    ships = f"{spoken(event['attacker'])} against {spoken(event['target'])}"
    return f"{ships}, {event['attack']} to {event['defence']}: {won}."


# The sides.


def sides(view: View, known: Deductions) -> Mapping[Player, Sideline]:
    """`Game.sides`."""
    sight = sight_of(view)
    return {name: _side(sight, name) for name in sight.setup.players} if sight.begun else {}


def _side(sight: Sight, player: Player) -> Sideline:
    cards = sight.known[player]
    hand = [f"hand {cards.hand}"] if player != sight.player else []
    words = "; ".join([_sunk(sight, cards), *_idle(sight, player)])
    piles = [*hand, f"deck {cards.deck}", f"discards {cards.discards}"]
    return Sideline(words, ", ".join(piles))


def _sunk(sight: Sight, cards: CardCounts) -> str:
    most = edition(sight.setup.options).sunk
    many = f"sunk {len(cards.sunk)}" + (f" of {most}" if most else "")
    return f"{many}: {joined(map(spoken, cards.sunk))}" if cards.sunk else many


def _idle(sight: Sight, player: Player) -> Iterator[str]:
    """What everybody should know of the turns: of a stalemate that comes near, and offers."""
    most = sight.setup.options["stalemate"]
    if player == sight.player and most and sight.idle >= most // 2:
        yield f"{sight.idle} of {most} turns without play"
    if player in sight.offers:
        yield "offers to end the game"


# Standing orders.


def standing(view: View) -> tuple[Asked, ...]:
    """`Game.standing`."""
    sight = sight_of(view)
    if not sight.begun or sight.turn is None or not sight.player:
        return ()
    now = sight.own.standing
    first = tuple((one.name, spoken(one.name)) for one in sight.cards.ships)
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
