"""Rule cases: those of each game by their paths, such that fail, and order files by game.

A case that fails is one of a game's own with one falsehood in it, or one that is no case. Order
files are those of the suite's records: in the position in which they were written, after order
files near them that must be refused, with what then happened; and such that are taken as well.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import tomli_w
from generate import suite
from generate.suite import Case, Folders, Made

import games
from adjudicator.core.opening import Opening, read_opening
from adjudicator.store.pack import Pack
from games import cases as rule_cases
from games.game import Game, OrderError, Written
from orders import names
from orders.order_file import read_order_file

GAMES = {
    "silent-ships": "games/silent_ships/RULES.md#correspondence",
    "submarine-warfare": "games/submarine_warfare/RULES.md#order-lines",
    "sugar-dog": "games/sugar_dog/RULES.md#commands",
}
"""Each game with the heading that decides what its players may write."""

CASES = "docs/formats/cases.md"
Row = dict[str, Any]


def made(_: Path) -> Made:
    """All cases."""
    folders = Folders("rules.zip")
    found = [*own(), *false(folders), *orders(folders)]
    return Made(found, folders.files())


def _try(folders: Folders, id: str, row: Row | str, code: int, page: str, comment: str) -> Case:
    """A case that is written here, in a file of its own."""
    text = row if isinstance(row, str) else tomli_w.dumps(row)
    place = {**folders.add(id, {"case.toml": text.encode("utf-8")}), "path": "case.toml"}
    return Case(id, id.partition("/")[0], page, comment, ("try", place), code)


# Every game's own.


def own() -> Iterator[Case]:
    """A case for each file in games/GAME/cases."""
    root = suite.SUITE.parents[1]
    for name in GAMES:
        headings = _headings(games.load(name))
        for path in rule_cases.find(games.own_cases(games.load(name))):
            case = rule_cases.read(path)
            yield Case(
                f"rules/{case.id}", "rules", headings[case.rules[0]], case.title,
                ("try", suite.file(f"../../{path.relative_to(root).as_posix()}")), 0,
                ", ".join(map(str, case.rules)),
            )  # fmt: skip


def _headings(game: Game[Any, Any]) -> dict[int, str]:
    """By a rule's number the heading under which it stands."""
    path = Path("games", game.id.replace("-", "_"), "RULES.md").as_posix()
    found, page = {}, path
    for line in games.rules_page(game).splitlines():
        if heading := re.match(r"#+ (.+)", line):
            page = f"{path}#{suite.anchor(heading[1])}"
        if rule := re.match(r"(?:\*\*)?(\d+)\.(?:\*\*)? ", line):
            found[int(rule[1])] = page
    return found


# Such that fail.


def _awaits_another(row: Row) -> bool:
    for step in row.get("step", ()):
        if isinstance(step.get("awaited"), list):
            step["awaited"] = [] if step["awaited"] else row["players"][:1]
            return True
    return False


def _refuses_otherwise(row: Row) -> bool:
    other = {"malformed": "illegal", "illegal": "malformed"}
    for step in row.get("step", ()):
        if "refused" in step:
            step["refused"] = {name: other[word] for name, word in step["refused"].items()}
            return True
    return False


def _refuses_another_line(row: Row) -> bool:
    for step in row.get("step", ()):
        if "refused_line" in step:
            step["refused_line"] = {name: line + 1 for name, line in step["refused_line"].items()}
            return True
    return False


def _takes_what_is_refused(row: Row) -> bool:
    for step in row.get("step", ()):
        if "refused" in step:
            step.pop("refused_line", None)
            del step["refused"]
            return True
    return False


def _refuses_what_is_taken(row: Row) -> bool:
    for step in row.get("step", ()):
        if step.get("orders") and "refused" not in step:
            step["refused"] = {next(iter(step["orders"])): "illegal"}
            return True
    return False


def _tells_less(row: Row) -> bool:
    for step in row.get("step", ()):
        if step.get("events"):
            step["events"].pop()
            return True
    return False


def _allows_less(row: Row) -> bool:
    for step in row.get("step", ()):
        for lines in step.get("legal", {}).values():
            if isinstance(lines, list) and lines:
                lines.pop()
                return True
    return False


def _ends_otherwise(row: Row) -> bool:
    outcome = row.get("outcome", {})
    if "winner" in outcome:
        outcome["winner"] = next(one for one in row["players"] if one != outcome["winner"])
    return "winner" in outcome


def _counts_otherwise(row: Row) -> bool:
    """A number in the position after a step is one more."""
    tables = [step["after"] for step in row.get("step", ()) if "after" in step]
    while tables:
        table = tables.pop()
        for key, value in table.items():
            if type(value) is int:
                table[key] = value + 1
                return True
            tables += [value] if isinstance(value, dict) else []
    return False


FALSEHOODS: Mapping[str, Callable[[Row], bool]] = {
    "awaits somebody else": _awaits_another,
    "refuses an order file by another word": _refuses_otherwise,
    "refuses another line": _refuses_another_line,
    "takes an order file that is refused": _takes_what_is_refused,
    "refuses an order file that is taken": _refuses_what_is_taken,
    "tells an event less": _tells_less,
    "lists an order less": _allows_less,
    "has another winner": _ends_otherwise,
    "counts one more": _counts_otherwise,
}
"""What a case says falsely, and what makes it so, where it can."""

MOST = 6
"""How many cases of a game say one thing falsely, each of another rule."""


def false(folders: Folders) -> Iterator[Case]:
    """Cases with one falsehood, and files that are no cases."""
    for name in GAMES:
        told, rules = Counter[str](), set()
        files = rule_cases.find(games.own_cases(games.load(name)))
        for path in files:
            row = tomllib.loads(path.read_text("utf-8"))
            for what, change in FALSEHOODS.items():
                wrong = copy.deepcopy(row)
                if told[what] < MOST and (what, row["rule"][0]) not in rules and change(wrong):
                    told[what] += 1
                    rules.add((what, row["rule"][0]))
                    yield _try(
                        folders, f"rules/false/{row['case']}-{what.replace(' ', '-')}", wrong, 1,
                        f"{CASES}#comparing", f"{row['title']}; but the case {what}",
                    )  # fmt: skip
        row = tomllib.loads(files[0].read_text("utf-8"))
        yield from no_cases(folders, name, row)


def no_cases(folders: Folders, name: str, row: Row) -> Iterator[Case]:
    """Files that are refused as cases, each by one change of a case."""
    step = row["step"][0]

    def other(**values: Any) -> Row:
        return {**row, **values}

    for what, wrong in (
        ("a player orders who does not play", other(step=[{**step, "orders": {"zoe": "draw"}}])),
        ("a key is unknown", other(positions=1)),
        ("a key of a step is unknown", other(step=[{**step, "await": ["alice"]}])),
        ("a step has a remark", other(step=[{**step, "source": "the rules"}])),
        ("a value is of another kind", other(players="alice")),
        ("a value of a step is of another kind", other(step=[{**step, "events": "none"}])),
        ("no step", {key: value for key, value in row.items() if key != "step"}),
        ("no rule", {key: value for key, value in row.items() if key != "rule"}),
        ("the game is unknown", other(game="tic-tac-toe")),
        ("an option is unknown", other(options={"colour": "red"})),
        ("a player is named twice", other(players=["alice", "alice"])),
        ("no TOML", "case = \n"),
    ):
        yield _try(
            folders, f"rules/false/{name}-{what.replace(' ', '-')}", wrong, 1, f"{CASES}#comparing",
            f"no case: {what}",
        )  # fmt: skip


# Order files by game.


def orders(folders: Folders) -> Iterator[Case]:
    """For each adjudication of the suite's records a case with what was ordered and came of it,
    after order files near these that are refused; and one for another that is taken."""
    for path in sorted((suite.SUITE / "records").glob("*.zip")):
        pack, told = Pack.open(path), suite.values(f"records/{path.stem}")
        opening = read_opening(pack)
        game, page = opening.game, GAMES[opening.game.id]
        for step, made in sorted((int(step), made) for step, made in told["entries"].items()):
            entry = tomllib.loads(pack.read(names.entry(step)).decode("ascii"))
            if "ruling" in entry:
                continue
            before = told["entries"].get(str(step - 1), {}).get("state")
            row = _case(path.stem, step, opening, before) | {"seed": told["seed"] or ""}
            written = {}
            for player in entry.get("slips", {}):
                _, file = read_order_file(pack.read(names.opened_order(step, player)))
                written[player] = "\n".join(file.orders)
            state = game.start(opening.setup)
            if before is not None:
                state = game.state(opening.setup, row["position"])
            refused, taken = _near(game, state, written)
            last: Row = {"orders": written, "after": json.loads(made["state"])["position"]}
            last["awaited"] = [*entry.get("awaited", {})]
            id = f"orders/{path.stem}/{step:04d}"
            what = f"{len(refused)} order files that are refused, then those of step {step}"
            yield _try(folders, id, {**row, "step": [*refused, last]}, 0, page, what)
            if refused and step % 3 == 0:
                row["step"] = [{"orders": refused[0]["orders"]}]
                what = f"an order file as taken that is refused in step {step}"
                yield _try(folders, f"{id}-false", row, 1, page, what)
            if taken:
                # Which one, goes round, so that not all are of one sort.
                row["step"] = [taken[step * 5 % len(taken)]]
                what = f"another order file that is taken in step {step}"
                yield _try(folders, f"{id}-other", row, 0, page, what)


def _case(record: str, step: int, opening: Opening, state: str | None) -> Row:
    """The beginning of a case: the position in which a step of a record was ordered."""
    game, invite = opening.game, opening.offer.invite
    row: Row = {"case": f"{game.prefix}-0{record}-{step:04d}", "title": f"{record}, step {step}"}
    row |= {"rule": [1], "game": game.id, "players": [*opening.players]}
    row |= {"options": dict(invite.options)} if invite.options else {}
    if opening.offer.table is not None:
        row["table"] = opening.offer.table.decode("ascii")
    return row if state is None else {**row, "position": json.loads(state)["position"]}


def _near(
    game: Game[Any, Any], state: Any, written: Mapping[str, str]
) -> tuple[list[Row], list[Row]]:
    """Steps of a case: order files near those that were written, which are refused, and such that
    are taken."""
    refused, taken = [], []
    for player, text in written.items():
        lines = text.split("\n")
        others = [*(other for name, other in written.items() if name != player)]
        texts = dict.fromkeys((
            "", text.upper(), f"{text}\n{text}", f"{text}\nfly away", *lines[:-1][:1],
            "\n".join(lines[::-1]), "\n".join(lines[1:]), *others[:1],
            re.sub(r"\b[A-H][1-8]\b", "Z9", text), re.sub(r"\b([A-H])[1-8]\b", r"\g<1>1", text),
            text.replace("N", "S"), text.replace(" ", "  "), text.replace(" ", "-"),
            "draw", "resign", "start A1", "fire N", "end", "stop",
        ))  # fmt: skip
        view = game.view(state, player)
        for one in texts:
            if one == text:
                continue
            try:
                game.read(view, Written(one))
                taken.append({"orders": {**written, player: one}})
            except OrderError as error:
                row: Row = {"orders": {player: one}, "refused": {player: error.status}}
                row |= {} if error.line is None else {"refused_line": {player: error.line}}
                refused.append(row)
    return refused, taken
