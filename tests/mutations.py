"""The small changes of a module that `mutants.py` and `drop_check.py` make: which there are, making
one, and watching a whole module for what each of them would alter.

`mutants.py` changes rules in every way, `RULES`. `drop_check.py` asks after a program's checks, by
kinds: `checks`, a refusal or the branch to one taken out; `edges`, a bound moved by one; `halves`,
a part of a condition taken out; `words`, another word of refusal, or another claim.

What belongs here: syntax trees. What it must not know: games, cases, processes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

Steps: TypeAlias = tuple[str | int, ...]
"""The way from a syntax tree's root to a node: names of fields, and places in lists."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module in which `node` stands at the end of `steps`.

    `name` (of the function, or of a value), `line` (as in the source) and `change` name it,
    whatever else of the module is edited. `number` is the line's.
    """

    module: str
    steps: Steps
    node: ast.AST
    number: int
    name: str
    line: str
    change: str

    @property
    def at(self) -> str:
        """Where it is, in a few words: `rules._run`."""
        return f"{self.module.rpartition('.')[2]}.{self.name}"

    @property
    def key(self) -> tuple[str, str, str]:
        """What an entry of `equivalent.toml` names it by."""
        return self.at, self.line, self.change


@dataclass(frozen=True, slots=True)
class Place:
    """Where the walk is; `text`: whether texts there are more than wording; `judges`:
    whether the function refuses, makes a claim or judges; `condition`: whether it is the condition
    of a comprehension."""

    steps: Steps = ()
    names: tuple[str, ...] = ()
    in_function: bool = False
    text: bool = True
    judges: bool = False
    condition: bool = False


_Change: TypeAlias = tuple[ast.AST, str]
Changes: TypeAlias = Callable[[ast.AST, Place], Iterator[_Change]]
"""The changes of a node, not of what it holds: what comes in its place, and the change in words."""


def mutants(source: str, module: str, changes: Changes | None = None) -> Iterator[Mutant]:
    """Every mutant of a module, by lines; those of a kind, or `RULES`."""
    lines = source.splitlines()
    for place, old, new, change in _walk(ast.parse(source), Place(), changes or RULES):
        number: int = next(part.lineno for part in ast.walk(old) if hasattr(part, "lineno"))
        name, line = ".".join(place.names), lines[number - 1].strip()
        yield Mutant(module, place.steps, new, number, name, line, change)


def _walk(
    node: ast.AST, place: Place, changes: Changes
) -> Iterator[tuple[Place, ast.AST, ast.AST, str]]:
    """All changes of a node and of what it holds: where, what is there, what comes, in words."""
    for new, change in changes(node, place):
        yield place, node, new, change
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        inside = isinstance(node, ast.FunctionDef) or place.in_function
        judges = isinstance(node, ast.FunctionDef) and _judges(node)
        place = replace(place, names=(*place.names, node.name), in_function=inside, judges=judges)
    elif isinstance(node, ast.Lambda) and not place.in_function:
        place = replace(place, in_function=True, judges=True)
    elif isinstance(node, ast.Assign | ast.AnnAssign) and not place.names:
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        place = replace(place, names=(ast.unparse(target),))
    elif isinstance(node, ast.Raise | ast.JoinedStr):
        place = replace(place, text=False)
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for step, child in _children(field, value):
            if not _for_people(child):
                inner = replace(place, steps=(*place.steps, *step), condition=field == "ifs")
                yield from _walk(child, inner, changes)


def _children(field: str, value: object) -> Iterator[tuple[Steps, ast.AST]]:
    if isinstance(value, ast.AST):
        yield (field,), value
    elif isinstance(value, list):
        yield from (
            ((field, at), item) for at, item in enumerate(value) if isinstance(item, ast.AST)
        )


def _for_people(node: ast.AST) -> bool:
    """Docstrings, texts in sentences, buttons and hints of an order word."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Verb":
        return not any(keyword.arg == "role" for keyword in node.keywords)
    if isinstance(node, ast.keyword) and node.arg == "habits":
        return True
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    texts = [part.value for part in parts if isinstance(part, ast.Constant)]
    return any(isinstance(text, str) and _SENTENCE.search(text) for text in texts)


_SENTENCE = re.compile(r"[A-Za-z']{2,}[,:;.!?]? |^ ?[a-z]+ |[a-z]: ")


# The changes of rules.


def RULES(node: ast.AST, place: Place) -> Iterator[_Change]:  # noqa: N802 - a kind among others
    """Comparisons, sums, conditions, constants the other way, and statements left out."""
    for new in (*_expressions(node), *_constants(node, place.text)):
        yield new, f"{ast.unparse(node)} -> {ast.unparse(new)}"
    for new, test in _negated(node):
        yield new, f"{ast.unparse(test)} -> not {ast.unparse(test)}"
    if place.in_function:
        for new in _left_out(node):
            yield new, "left out"
    if isinstance(node, ast.match_case):
        never = ast.match_case(node.pattern, ast.Constant(False), node.body)
        yield never, "left out"


_COMPARED: Mapping[type[ast.cmpop], Sequence[type[ast.cmpop]]] = {
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
_RECKONED: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult,
}  # fmt: skip


def _expressions(node: ast.AST) -> Iterator[ast.AST]:
    """Other comparisons and operators, and parts of conditions left out."""
    match node:
        case ast.Compare(left, ops, comparators):
            for at, op in enumerate(ops):
                for other in _COMPARED[type(op)]:
                    yield ast.Compare(left, [*ops[:at], other(), *ops[at + 1 :]], comparators)
        case ast.BinOp(left, op, right) if type(op) in _RECKONED:
            yield ast.BinOp(left, _RECKONED[type(op)](), right)
        case ast.AugAssign(target, op, value) if type(op) in _RECKONED:
            yield ast.AugAssign(target, _RECKONED[type(op)](), value)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for at in range(len(values)):
                rest = [*values[:at], *values[at + 1 :]]
                yield ast.BoolOp(op, rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand


def _constants(node: ast.AST, text: bool) -> Iterator[ast.AST]:
    """Other numbers, truth values and words."""
    match node:
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield ast.Constant(value + 1)
            if value:
                yield ast.Constant(value - 1)
        case ast.Constant(str(value)) if value and text:
            yield ast.Constant(value + "_")
        case ast.JoinedStr(values) if text:
            yield ast.JoinedStr([*values, ast.Constant("_")])


def _negated(node: ast.AST) -> Iterator[tuple[ast.AST, ast.expr]]:
    """A condition the other way round, where it is no comparison, which has its own changes."""
    match node:
        case ast.If(test, body, orelse) if _alone(test):
            yield ast.If(_not(test), body, orelse), test
        case ast.While(test, body, orelse) if _alone(test):
            yield ast.While(_not(test), body, orelse), test
        case ast.IfExp(test, body, other) if _alone(test):
            yield ast.IfExp(_not(test), body, other), test
        case ast.comprehension(target, each, ifs, is_async):
            for at, test in enumerate(ifs):
                if _alone(test):
                    tests = [*ifs[:at], _not(test), *ifs[at + 1 :]]
                    yield ast.comprehension(target, each, tests, is_async), test


def _alone(test: ast.expr) -> bool:
    single = isinstance(test, ast.Compare) and len(test.ops) == 1
    return not (single or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)))


def _not(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _left_out(node: ast.AST) -> Iterator[ast.AST]:
    """A statement of a function left out."""
    match node:
        case ast.Return(value) if value is not None:
            if not (isinstance(value, ast.Constant) and value.value is None):
                yield ast.Return(ast.Constant(None))
        case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.Raise():
            yield ast.Pass()
        case ast.Continue() | ast.Break() | ast.Return():
            yield ast.Pass()


# The changes of checks, by kinds.


TELLS = {"fault", "look", "note", "lack", "hold", "refuse", "warn"}
"""What a branch calls that tells findings something."""


def checks(node: ast.AST, place: Place) -> Iterator[_Change]:
    """A `raise` that is passed over, or a branch never taken though it leads to a refusal, a claim
    or a verdict: it raises, it tells findings something, or it returns words."""
    if not place.in_function:
        return
    shown = " ".join(ast.unparse(node.test if isinstance(node, ast.If) else node).split())
    match node:
        case ast.Raise(exc) if exc is not None:
            yield _never(node), shown
        case ast.Expr(value) if _tells(value):
            yield _never(node), shown
        case ast.If(test, body, orelse) if not isinstance(body[0], ast.Raise):
            if any(_leads(one) for part in body for one in ast.walk(part)):
                # The condition is asked all the same: it may do something.
                never = ast.BoolOp(ast.And(), [test, ast.Constant(False)])
                yield ast.If(never, body, orelse), f"if {shown}"


def edges(node: ast.AST, place: Place) -> Iterator[_Change]:
    """A comparison that holds at its bound and should not, or the other way round; and a bound that
    is one further out."""
    if not isinstance(node, ast.Compare) or not (place.in_function and place.text):
        return
    sides = [node.left, *node.comparators]
    for at, op in enumerate(node.ops):
        if type(op) not in _NEIGHBOUR:
            continue
        ops = [*node.ops[:at], _NEIGHBOUR[type(op)](), *node.ops[at + 1 :]]
        yield _told(node, ast.Compare(node.left, ops, node.comparators))
        for side in (at, at + 1):
            if _bound(sides[side]):
                # The neighbour lets the bound give way by one, to this side or to that; here it
                # moves to the other.
                more = isinstance(op, ast.Gt | ast.LtE) == (side == at + 1)
                moved = ast.BinOp(sides[side], ast.Add() if more else ast.Sub(), ast.Constant(1))
                left, *others = [*sides[:side], moved, *sides[side + 1 :]]
                yield _told(node, ast.Compare(left, node.ops, others))
                break


_NEIGHBOUR: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip


def _bound(node: ast.AST) -> bool:
    """A number, or a constant's name, or a part of a constant."""
    node = node.value if isinstance(node, ast.Subscript) else node
    name = getattr(node, "attr", getattr(node, "id", ""))
    return name.isupper() or (isinstance(node, ast.Constant) and type(node.value) is int)


def halves(node: ast.AST, place: Place) -> Iterator[_Change]:
    """A condition without one of its parts: of `and` and `or`, of a chain of comparisons, of what
    a comprehension leaves out. In functions that refuse, make a claim or judge; no wording."""
    if not (place.judges and place.text):
        return
    match node:
        case ast.BoolOp(op, values):
            for at in range(len(values)):
                rest = [*values[:at], *values[at + 1 :]]
                yield _told(node, ast.BoolOp(op, rest) if len(rest) > 1 else rest[0])
        case ast.Compare(left, ops, comparators) if len(ops) > 1:
            yield _told(node, ast.Compare(left, ops[:-1], comparators[:-1]))
            yield _told(node, ast.Compare(comparators[0], ops[1:], comparators[1:]))
    if place.condition and isinstance(node, ast.expr):
        yield _told(node, ast.Constant(True))


def words(node: ast.AST, place: Place) -> Iterator[_Change]:
    """Another word of a refusal, or another name of a claim."""
    match node:
        case ast.Call(
            ast.Name(called) | ast.Attribute(_, called), [ast.Constant(str(word)), *rest]
        ):
            if place.in_function and called in _WORDS:
                first, second = _WORDS[called]
                other = ast.Constant(second if word == first else first)
                change = f"{called}({word!r}) -> {other.value!r}"
                yield ast.Call(node.func, [other, *rest], node.keywords), change


_WORDS = {"Refused": ("malformed", "chain")} | dict.fromkeys(
    ("claim", "fault", "look", "note", "hold"), ("entries", "time")
)

KINDS: Mapping[str, Changes] = {
    "checks": checks, "edges": edges, "halves": halves, "words": words
}  # fmt: skip


def _told(old: ast.AST, new: ast.AST) -> _Change:
    return new, " ".join(f"{ast.unparse(old)} -> {ast.unparse(new)}".split())


def _never(node: ast.stmt) -> ast.If:
    # Not `pass`: what names a function needs from around it stays the same.
    return ast.If(ast.Constant(False), [node], [])


def _judges(function: ast.FunctionDef) -> bool:
    """Whether it refuses, makes a claim, or says yes or no."""
    answers = function.returns is not None and ast.unparse(function.returns) == "bool"
    return answers or any(_leads(one) for one in ast.walk(function))


def _leads(node: ast.AST) -> bool:
    """Whether that is a refusal, a claim or a verdict."""
    if isinstance(node, ast.Return):
        value = node.value
        return isinstance(value, ast.JoinedStr) or (
            isinstance(value, ast.Constant) and isinstance(value.value, str) and bool(value.value)
        )
    return isinstance(node, ast.Raise) or _tells(node)


def _tells(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in TELLS
    )


# Trees.


def changed(tree: ast.Module, mutant: Mutant) -> ast.Module:
    """The tree with the mutant's node put in."""
    _put(tree, mutant.steps, lambda _: mutant.node)
    return ast.fix_missing_locations(tree)


def watched(tree: ast.Module, changes: Sequence[Changes], first: int) -> ast.Module:
    """The tree with a probe at each place of a change; `__passed__(NUMBER)` is called whenever the
    change would have made a difference there, and returns true. Numbers count up from `first` in
    the order of `mutants`, kind by kind.

    A statement makes one when it is come to, an expression when what stands in its place has
    another value: both are asked, and `__either__(OLD, NUMBER, NEW, ...)` returns the old one.
    """
    probes: dict[Steps, list[tuple[int, ast.AST]]] = {}
    every = (one for kind in changes for one in _walk(tree, Place(), kind))
    for number, (place, _, new, _) in enumerate(every, first):
        probes.setdefault(place.steps, []).append((number, new))
    for steps in sorted(probes, key=len, reverse=True):
        _put(tree, steps, lambda node, news=probes[steps]: _probed(node, news))
    return ast.fix_missing_locations(tree)


def _probed(node: Any, news: Sequence[tuple[int, ast.AST]]) -> ast.AST:
    """A node, with probes for what could stand in its place."""
    if isinstance(node, ast.Call) and isinstance(news[0][1], ast.Call):  # another word
        passed = [_passed(number) for number, _ in news]
        return ast.BoolOp(ast.And(), [*passed, node])
    if isinstance(node, ast.expr):
        none = ast.arguments([], [], None, [], [], None, [])
        asked = [part for number, new in news
                 for part in (ast.Constant(number), ast.Lambda(none, new))]  # fmt: skip
        return ast.Call(ast.Name("__either__", ast.Load()), [node, *asked], [])
    ((number, _),) = news
    if isinstance(node, ast.If):
        test = ast.BoolOp(ast.And(), [node.test, _passed(number)])
        return ast.If(test, node.body, node.orelse)
    return ast.If(_passed(number), [node], [])


def _passed(number: int) -> ast.expr:
    return ast.Call(ast.Name("__passed__", ast.Load()), [ast.Constant(number)], [])


def _put(tree: ast.AST, steps: Steps, change: Callable[[Any], ast.AST]) -> None:
    """Change what stands at the end of the steps."""
    at: Any = tree
    for step in steps[:-1]:
        at = at[step] if isinstance(step, int) else getattr(at, step)
    last = steps[-1]
    if isinstance(last, int):
        at[last] = change(at[last])
    else:
        setattr(at, last, change(getattr(at, last)))
