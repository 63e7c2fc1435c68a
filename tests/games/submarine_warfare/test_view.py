"""Hidden information: what a player's view and report may and may not depend on.

`other_world` redraws everything of a position that is hidden from one player. Noninterference is:

1. Positions that look alike to a player are answered alike: refusal, legal lines, pictures.
2. An opponent's turn that consists of hidden actions touching nobody who is seen, nor the player,
   is to the player the same bytes as an empty one, in every such world, specials included.
3. A player's own turn that touches nothing hidden is reported alike in every such world.
4. Over whole games, what is told of a submerged submarine's actions goes to its owner alone.

Which actions are hidden, and what they touch, is worked out here from geometry, not by the rules'
own code.
"""

from __future__ import annotations

from itertools import takewhile

from alike import adjudicated, assert_alike, report
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.dice import Dice
from games.grid import read_cell
from games.promises import is_read
from games.submarine_warfare import GAME

seeds = st.integers(0, 2**32)
CELLS = tuple(f"{column}{row}" for row in range(1, 8) for column in "ABCDEFG")
SCORING = ("D4", "D3", "C4", "E4", "D5", "C3", "E3", "C5", "E5")
TABLE = GAME.read_table(GAME.default_table)


def other_world(position, player, other, seed):
    """The position with everything of `other` redrawn that `player` may not know: hidden cells, HP,
    specials, mines, what destroyed ones hold, points on the same side of 25."""
    dice = Dice(b"world %d" % seed)
    mine, theirs = position[player], position[other]
    taken = {text.split(" ")[1] for text in mine["subs"]} | set(mine["mines"])
    taken |= {text.split(" ")[1] for text in theirs["subs"] if " up " in text}
    free = [cell for cell in dice.shuffle("cells", CELLS) if cell not in taken]
    held = list(dice.shuffle("specials", [name for name in TABLE if name != "repair"]))
    subs = []
    for text in theirs["subs"]:
        letter, cell, _, state, _ = text.split(" ")
        where = cell if state == "up" else free.pop()
        hp = 2 + dice.below(f"hp/{letter}", 4)
        subs.append(f"{letter} {where} {hp} {state} {held.pop()}")
    sunk = [f"{text[0]} {held.pop()}" for text in theirs["sunk"]]
    mines = [cell for cell in free if cell not in SCORING][: dice.below("mines", 4)]
    points = dice.below("points", 4) + (25 if theirs["points"] >= 25 else 0)
    return {
        **position,
        other: {**theirs, "subs": subs, "sunk": sunk, "mines": mines} | {"points": points},
    }


@settings(max_examples=150, deadline=None)
@given(seeds, seeds, st.sampled_from(["alice", "bob"]), st.text(max_size=20))
def test_what_looks_alike_is_answered_alike(position, at, seed, other, turn, text):
    """Equal views have equal answers: acceptance, refusal, legal lines, map, who is awaited."""
    here = position(seed, turn)
    state, world = at(here), at(other_world(here, "alice", "bob", other))
    assert_alike(GAME, state, world, "alice", (text, "a move N\na move N\nb mine E", "e torpedo S"))


def test_the_public_view_holds_no_secret(position, at):
    """SW-7, in words: of a submerged submarine the letter alone, no HP, special, mine, points."""
    for seed in range(100):
        state = at(position(seed))
        shown = GAME.view(state, None).shown
        assert set(shown) == {"turn", "round", "rings", "reached", "alice", "bob"}
        for name, side in state.sides.items():
            subs = [f"{sub.letter} {sub.at}" if sub.up else sub.letter for sub in state.fleet(name)]
            assert shown[name] == {"subs": subs, **({"draw": True} if side.draw else {})}


class Sea:
    """Where everything is in a position, and what one line of an order touches."""

    def __init__(self, state):
        self.state = state
        self.subs = {str(sub.at): (name, sub) for name in state.sides for sub in state.fleet(name)}
        self.mines = {str(cell) for side in state.sides.values() for cell in side.mines}

    def cells(self, line):
        """The cells whose content decides what the line does."""
        letter, verb, *rest = line.split(" ")
        special = TABLE.get(verb)
        verb = special.mechanism if special else verb
        here = next(cell for cell, (_, sub) in self.subs.items() if sub.letter == letter)
        if verb in ("mine", "heal"):
            return [str(read_cell(here).step(rest[0]))]
        if verb == "move":  # whoever is in the way is pushed on
            cells = [str(read_cell(here).step(rest[0]))]
            while cells[-1] in self.subs:
                cells.append(str(self.subs[cells[-1]][1].at.step(rest[0])))
            return cells
        if verb == "torpedo":
            ray, cell = [], read_cell(here)
            for _ in range(special.numbers["range"]):
                cell = cell.step(rest[0])
                ray.append(str(cell))
            return ray
        if verb == "depth-charge":
            return [str(read_cell(here).step(heading)) for heading in "NESW"]
        if verb == "sonar":
            far = special.numbers["range"]
            return [cell for cell in CELLS if read_cell(cell).distance(read_cell(here)) <= far]
        return []


def quiet_file(state, dice, allowed):
    """Up to three lines of the player on turn, of different submarines, each `allowed` in this
    position, that touch different cells: so each does in the file what it does alone."""
    view, sea = GAME.view(state, state.turn), Sea(state)
    lines, touched, moved = [], set(), set()
    for line in dice.shuffle("lines", GAME.legal(view)):
        if line in ("draw", "resign", "stop") or line[0] in moved or not allowed(sea, line):
            continue
        here = next(cell for cell, (_, sub) in sea.subs.items() if sub.letter == line[0])
        cells = {here, *sea.cells(line)}
        if touched & cells or not is_read(GAME, view, "\n".join([*lines, line])):
            continue
        lines.append(line)
        touched |= cells
        moved.add(line[0])
    return lines[:3]


def is_hidden(sea, line, player):
    """Whether the line is a submerged submarine's and touches nothing that `player` is told of."""
    letter, verb, *rest = line.split(" ")
    owner, sub = next(pair for pair in sea.subs.values() if pair[1].letter == letter)
    if sub.up or verb == "surface":
        return False
    cells = sea.cells(line)
    special = TABLE.get(verb)
    verb = special.mechanism if special else verb
    if verb == "move":
        return not any(cell in sea.subs or cell in sea.mines for cell in cells)
    if verb == "nullify":
        held = {own.special for own in sea.state.fleet(player)}
        return rest[0] not in held & {"reactor", "repair"}
    if verb in ("torpedo", "depth-charge", "heal"):
        met = [sea.subs[cell] for cell in cells if cell in sea.subs]
        needed = special.numbers.get("damage", 0) + 1  # a ring might take the last HP as well
        return all(name == owner and not one.up and one.hp > needed for name, one in met)
    return True


@settings(max_examples=250, deadline=None)
@given(seeds, seeds, seeds)
def test_hidden_turns_are_one_to_the_other_player(position, at, seed, other, luck):
    """Bob's submerged submarines move, lay mines, use sonar, nullify, replace, heal, shoot and drop
    charges, away from Alice's submarines and from all that are seen. Alice gets the bytes of an
    empty turn, in this world and in another, whatever specials there are."""
    here = position(seed, "bob")
    there = other_world(here, "alice", "bob", other)
    reports = []
    for number, table in enumerate((here, there)):
        state = at(table)
        lines = quiet_file(
            state, Dice(b"%d %d" % (luck, number)), lambda sea, line: is_hidden(sea, line, "alice")
        )
        reports += [
            report(GAME, adjudicated(GAME, state, "\n".join(lines)), "alice"),
            report(GAME, adjudicated(GAME, state, ""), "alice"),
        ]
    assert len(set(reports)) == 1


def test_hidden_turns_are_not_all_empty(position, at):
    """The property above is about something: in a few hundred positions every kind of action
    occurs among the hidden lines."""
    verbs = set()
    for seed in range(300):
        state = at(position(seed, "bob"))
        lines = quiet_file(
            state, Dice(b"%d" % seed), lambda sea, line: is_hidden(sea, line, "alice")
        )
        verbs |= {line.split(" ")[1] for line in lines}
    kinds = "move submerge replace torpedo salvo lance mine heal sonar nullify depth-charge"
    assert verbs == set(kinds.split())


@settings(max_examples=250, deadline=None)
@given(seeds, seeds, seeds)
def test_a_turn_that_touches_nothing_hidden_is_reported_alike(position, at, seed, other, luck):
    """Alice's own lines, surfaced or not, where no submarine or mine of Bob's is in either world:
    the same bytes in both."""
    here = position(seed, "alice")
    worlds = [at(here), at(other_world(here, "alice", "bob", other))]
    theirs = [
        {cell for cell, (name, _) in Sea(state).subs.items() if name == "bob"}
        | {str(mine) for mine in state.sides["bob"].mines}
        for state in worlds
    ]

    def apart(sea, line):
        return not any(cell in theirs[0] | theirs[1] for cell in sea.cells(line))

    lines = quiet_file(worlds[0], Dice(b"%d" % luck), apart)
    # A repair would be made, and be seen, as the turn passes.
    assume(not any(text.endswith(" repair") for text in here["bob"]["subs"]))
    steps = [adjudicated(GAME, world, "\n".join(lines)) for world in worlds]
    assert report(GAME, steps[0], "alice") == report(GAME, steps[1], "alice")


SEEN_BY_BOTH = {"moved", "replace", "torpedo", "mine", "heal", "sonar", "nullify", "depth-charge"}
SEEN_BY_BOTH |= {"hit", "healed"}


def test_what_is_told_of_a_submerged_submarine_goes_to_its_owner(play):
    """SW-7, SW-19, over whole games: who is surfaced is followed through the public events alone.
    An event by or on a surfaced submarine is for everyone, one of a submerged one for its owner;
    `found`, `not-placed`, `heal-target`, `scored` and `void` for whose turn it is; where it was
    destroyed for its owner and whose turn it is; all else for everyone."""
    kinds = set()
    for seed in range(40):
        up, turn = set(), None
        for step in play(seed, ("captain", "random") if seed % 4 == 0 else ("random", "random")):
            for number, event in enumerate(step.events):
                kinds.add(event.kind)
                fields, letter = event.fields, event.fields.get("sub")
                if event.kind in ("placed", "surfaced"):
                    up.add(letter)
                elif event.kind == "submerged":
                    up.remove(letter)
                elif event.kind == "turn":
                    turn = fields["player"]
                if event.kind in SEEN_BY_BOTH:
                    owner = "alice" if letter in "abcde" else "bob"
                    assert event.audience == ("*" if letter in up else owner)
                elif event.kind == "destroyed-at":
                    assert event.audience in {"alice" if letter in "abcde" else "bob", turn}
                elif event.kind in ("found", "not-placed", "heal-target", "scored", "void"):
                    assert event.audience == turn
                else:
                    assert event.audience == "*"
                if event.kind == "collision":
                    assert {fields["mover"], fields["struck"]} <= up
                after = step.events[number + 1 :]
                if event.kind == "heal" and letter in up and "target" not in fields:
                    assert (after[0].kind, after[0].audience) == ("heal-target", turn)
                    assert after[0].fields["sub"] == letter
                if event.kind == "destroyed":
                    owner = "alice" if letter in "abcde" else "bob"
                    private = takewhile(lambda one: one.kind == "destroyed-at", after)
                    told = {one.audience for one in private if one.fields["sub"] == letter}
                    assert ("at" in fields) == (letter in up) == (not told)
                    assert letter in up or told == {owner, turn}
            for name, other in (("alice", "bob"), ("bob", "alice")):
                shown = GAME.view(step.state, name).shown.get(other, {"subs": []})["subs"]
                assert {text[0] for text in shown if " " in text} == {
                    sub.letter for sub in step.state.fleet(other) if sub.up
                }
    assert kinds >= {*SEEN_BY_BOTH, "found", "void", "destroyed", "collision", "not-placed"}
