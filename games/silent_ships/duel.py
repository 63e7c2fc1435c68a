"""Silent Ships for two people without a host: the same rules on one player's half.

A half holds the other player's cards and face-down ships with "" for a name. Everything else about
them is public: how many cards, in which cells, which lines were carried out. So a line of the other
player is told without its cards, and the same `check` that judges a player's own line judges it.
What the rules ask is in `FACTS`; nothing else of the other player matters before a ship is turned
up.

A deck has no order in a duel. It is shuffled again before each draw by dice that come from its
owner's secret and from the other player's release, so that neither can know or choose a card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from games.dice import Dice
from games.duel import Duel, Half, Untrue
from games.game import Illegal, Player, Step, View, Written
from games.grid import Cell, read_cell
from games.silent_ships import rules
from games.silent_ships.actions import WORDS, check_push, check_supports
from games.silent_ships.notation import read_view
from games.silent_ships.orders import Orders, check, is_decision, read
from games.silent_ships.run import Run
from games.silent_ships.state import State, able, other, scouted, see, under_way
from games.silent_ships.words import Backing, Command, LineFault, distinct

T = TypeVar("T")

NO_ORDERS = Orders((), {}, None)
_NO_DICE = Dice(b"")


class HalfRun(Run):
    """A run that asks the other player for what only they know."""

    def __init__(self, state: State, half: Half) -> None:
        super().__init__(state, _NO_DICE)
        self.half = half

    def secret(self, owner: Player, what: str, known: Callable[[], T]) -> T:
        """See Run. Raises Waiting or Untrue."""
        row = FACTS[what]

        def read(text: str) -> T:
            try:
                value: T = row.read(self, owner, text, known)
            except LineFault as fault:
                raise Untrue(f"`{what} {text:.60}`: {fault.expected}") from None
            return value

        value: T = self.half.fact(owner, what, known, row.write, read)
        return value

    @property
    def asked(self) -> Sequence[Player]:
        """Whoever knows tells first: so the next message holds it already."""
        return sorted(self.setup.players, key=self.half.knows, reverse=True)

    def shuffle(self, player: Player, cards: Sequence[str]) -> tuple[str, ...]:
        """The cards in the order of the table of ships: `take` shuffles."""
        return tuple(cards) if self.half.knows(player) else ("",) * len(cards)

    def take(self, player: Player, count: int) -> tuple[str, ...]:
        """Cards of the deck, by the dice of this draw."""
        dice = self.half.draws(player, other(self.setup, player))
        piles = self.piles[player]
        if dice is not None:
            piles.deck = dice.shuffle(f"draw/{piles.shuffles}", self.cards.sort(piles.deck))
        return super().take(player, count)

    def look(self) -> None:
        """What each player's patrol ships show at the end of the step (SS-16)."""
        seen = {player: scouted(self.state, player) for player in self.setup.players}
        self.show(
            [at for at, ship in self.board.items() if at in seen[other(self.setup, ship.owner)]],
            "look",
        )


class SilentDuel(Duel):
    """See `games.duel.Duel`."""

    options: Mapping[str, Any] = {"missed": "resign"}
    room = 512

    def read(self, view: View, written: Written) -> Orders:
        """`orders.read`; but an answer turns no ship up that the battle then turns up anyway.

        A host's report does not tell the two apart, and a duel's facts would. It is allowed where
        it changes something: if the ship arms others, or supports from afar.
        """
        orders, seen = read(view, written), read_view(view)
        attack = seen.attack
        if attack is None or not any(
            command.verb in ("stand", "support") for command in orders.judged.values()
        ):
            return orders
        for number, command in orders.judged.items():
            if command.verb == "flip" and command.cells[0] in (attack.start, attack.to):
                name = seen.board[command.cells[0]].name
                if not (seen.cards.ability(name, "arms") or seen.cards.ability(name, "reaches")):
                    raise Illegal(
                        number,
                        orders.lines[number - 1],
                        "the battle turns that ship up anyway; in a duel it is not turned up here",
                    )
        return orders

    def step(self, state: State, orders: Mapping[Player, Orders], half: Half) -> Step[State]:
        """`rules.adjudicate` on a half, and what patrol ships see at its end."""
        awaited = [prompt.player for prompt in rules.awaited(state)]
        files = {player: orders.get(player, NO_ORDERS) for player in awaited}
        step = rules.adjudicate(state, files, _NO_DICE, lambda state, _: HalfRun(state, half))
        if step.state.over is not None:
            return step
        run = HalfRun(step.state, half)
        run.look()
        return Step(run.state, step.events)


# Facts.


class Fact(NamedTuple):
    """How a fact is written, and how it is read and judged: by the run, for its owner, from the
    text, with what this half holds in its place."""

    write: Callable[[Any], str]
    read: Callable[[HalfRun, Player, str, Callable[[], Any]], Any]


def _write_line(command: Command | None) -> str:
    """A line without its cards, except those that everybody hears of."""
    if command is None:
        return "nothing"
    if command.verb == "offer":
        return "offer end"
    if command.supports is not None and command.verb == "support":
        return f"support {_write_supports(command.supports)}"
    cells = [*command.cells, *([command.push] if command.verb == "push" and command.push else [])]
    cards = command.cards if command.verb == "swap" else ()
    return " ".join([command.verb, *map(str, cells), *cards])


def _read_line(run: HalfRun, player: Player, text: str, _: Callable[[], Any]) -> Command | None:
    """The same with blank cards, checked from what its author sees, as far as this half knows."""
    if text == "nothing":
        return None
    verb, *words = text.split(" ")
    if verb not in WORDS:
        raise Untrue(f"`line {text!a:.60}`: expected an order word")
    seen = see(run.state, player)
    if verb == "support":
        supports = _read_supports(" ".join(words))
        distinct(seen.own.hand, [card for _, card in supports or ()])
        return check(seen, Command(verb, supports=supports))
    if verb == "swap":
        if len(words) != 2:
            raise Untrue(f"{text!a:.60}: expected a cell and a card after `swap`")
        return check(seen, Command(verb, _cells(words[:1]), tuple(words[1:])))
    cells = _cells([] if verb == "offer" else words)
    if verb == "push":
        return check(seen, Command(verb, push=cells[0] if cells else None))
    cards = {"play": 1, "retreat": 1, "move": 1}.get(verb, 0)
    least = {"play": 1, "flip": 1, "move": 2}.get(verb, 0)
    if len(cells) < least or (len(cells) > least and verb != "move"):
        raise Untrue(f"{text!a:.60}: expected {least or 'no'} cells after `{verb}`")
    if verb == "move" and cells[0] in run.board:
        cards = able(run.cards, run.board[cells[0]], "heavy")
    return check(seen, Command(verb, cells, ("",) * cards))


def _write_answer(commands: Sequence[Command]) -> str:
    """A line beside an answer, or the decision: the supports of several lines are one."""
    if commands and commands[0].supports is not None:
        supports = [pair for command in commands for pair in command.supports or ()]
        return _write_line(commands[0]._replace(supports=tuple(supports)))
    return _write_line(commands[0]) if commands else "nothing"


def _read_answer(run: HalfRun, player: Player, text: str, known: Any) -> list[Command]:
    command = _read_line(run, player, text, known)
    if command is None or not (is_decision(command) or "answer" in WORDS[command.verb].when):
        raise Untrue("`answer nothing`: expected a decision")
    return [command]


def _cells(words: Sequence[str]) -> tuple[Cell, ...]:
    cells = [cell for word in words if (cell := read_cell(word)) is not None]
    if len(cells) < len(words):
        raise Untrue(f"{' '.join(words)!a:.60}: expected cells")
    return tuple(cells)


def _write_supports(given: Backing | None) -> str:
    if given is None:
        return "ask"
    return " ".join([str(cell) for cell, _ in given]) or "none"


def _read_supports(text: str) -> Backing | None:
    if text == "ask":
        return None
    return tuple([(cell, "") for cell in _cells([] if text == "none" else text.split(" "))])


def _supports(run: HalfRun, player: Player, text: str, _: Callable[[], Any]) -> Backing | None:
    given, seen = _read_supports(text), see(run.state, player)
    if given is None:
        return None
    distinct(seen.own.hand, [card for _, card in given])
    return check_supports(seen, under_way(seen.attack), given)


def _push(run: HalfRun, player: Player, text: str, _: Callable[[], Any]) -> Cell | None:
    if text == "ask":
        return None
    cells, seen = _cells([text]), see(run.state, player)
    check_push(seen, under_way(seen.attack), cells[0])
    return cells[0]


def _one_of(*words: str) -> Fact:
    def read(_: HalfRun, player: Player, text: str, known: Callable[[], Any]) -> str:
        if text not in words:
            raise Untrue(f"{text!a:.60}: expected one of {', '.join(words)}")
        return text

    return Fact(str, read)


def _names(run: HalfRun, player: Player, text: str, known: Callable[[], Any]) -> list[str]:
    """The names of ships: none that lies elsewhere, and none other than was told before."""
    names, before = text.split(" "), known()
    side = [ship.name for ship in run.board.values() if ship.owner == player and ship.name]
    gone = [*side, *run.piles[player].sunk]
    if len(names) != len(before):
        raise Untrue(f"{text!a:.60}: expected the names of {len(before)} ships")
    for name, told in zip(names, before, strict=True):
        if name not in run.cards.names:
            raise Untrue(f"{name!a:.60} is no ship of this game")
        if told and told != name:
            raise Untrue(f"{name}: this ship was {told} when a patrol ship saw it")
        if (not told and name in gone) or names.count(name) > 1:
            raise Untrue(f"{name}: {player} has one, and it is elsewhere")
    return names


FACTS: Mapping[str, Fact] = {
    "line": Fact(_write_line, _read_line),
    "answer": Fact(_write_answer, _read_answer),
    "retreat": _one_of("never", "ask", "always"),
    "supports": Fact(_write_supports, _supports),
    "support": _one_of("never", "ask", "all"),
    "push": Fact(lambda cell: str(cell or "ask"), _push),
    "names": Fact(" ".join, _names),
    "look": Fact(" ".join, _names),
}
"""What the rules ask of a player: lines, a whole answer, what standing orders and a move line
decide, and names of ships that are turned up or looked at."""


DUEL = SilentDuel()
