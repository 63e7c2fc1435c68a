"""Order lines of Submarine Warfare in parts, for a board that is touched (`Game.acts`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.acts import Act, Verb
from games.game import View, Written
from games.grid import HEADINGS
from games.submarine_warfare import moves
from games.submarine_warfare.actions import Command
from games.submarine_warfare.lines import OrderLine, Placement, read_file
from games.submarine_warfare.state import BOARD, Sub

VERBS: Mapping[str, Verb] = {
    "start": Verb("Place", "in your home row, with a special", "anchor"),
    "move": Verb("Move", "one cell", "step"),
    "surface": Verb("Surface", "double points, but seen", "up"),
    "submerge": Verb("Submerge", "out of sight", "down"),
    "replace": Verb("Replace", "its special", "swap"),
    "torpedo": Verb("Torpedo", "the first submarine that way", "torpedo"),
    "mine": Verb("Mine", "in a cell beside it", "mine"),
    "heal": Verb("Heal", "a submarine beside it", "heal"),
    "sonar": Verb("Sonar", "find who is near", "sonar"),
    "nullify": Verb("Nullify", "an enemy special", "swap"),
    "depth-charge": Verb("Charges", "all four cells around", "mine"),
    "stop": Verb("Stop", "nothing follows", role="rare"),
    "draw": Verb("Offer a draw too", role="beside"),
    "resign": Verb("Resign", "lose at once", role="give-up"),
}


def acts(view: View, given: Sequence[str]) -> Iterator[Act]:
    """`Game.acts`."""
    choices = moves.after(view, given).choices
    subs: Mapping[str, Sub] = {}
    if choices and "setup" not in view.shown:
        subs = moves.turn_after(view, given)[0].subs
    for choice in choices:
        (line,) = read_file(view.setup, Written(choice.text))
        yield _act(subs, choice.text, line)


def _act(subs: Mapping[str, Sub], text: str, line: OrderLine) -> Act:
    letter = line.letter
    match line.does:
        case Placement(at, special):
            said = f"Place {letter} in {at} with {special}."
            return Act(text, "start", letter, to=(str(at),), picks=(special,), says=said)
        case Command(verb, aim, _, ap):
            sub = subs[letter]
            ahead = sub.at.step(aim) if aim in HEADINGS else sub.at
            to = (str(ahead),) if ahead != sub.at and ahead.on(BOARD) else ()
            picks = (aim,) if aim and aim not in HEADINGS else ()
            said = line.does.word.label.format(sub=letter, at=sub.at, to=ahead, aim=aim)
            heard, goes = _heard(sub, verb), verb == "move"
            met = [one.letter for one in subs.values() if goes and one.at == ahead != sub.at]
            warns = f"It runs into your own {met[0]}." if met else ""
            return Act(text, verb, letter, str(sub.at), to, (), picks, f"{said}.", heard,
                       f"{ap} AP", goes, warns)  # fmt: skip
        case _:
            return Act(text, line.alone, says=f"{VERBS[line.alone].name}.")


def _heard(sub: Sub, verb: str) -> str:
    """Whether the other side sees who does it: the surfaced, and whoever surfaces (SW-7)."""
    return "They see it." if sub.up or verb == "surface" else "Out of their sight."
