"""The small changes of a module that `mutants.py` makes: which there are, and making one.

What belongs here: syntax trees. What it must not know: games, cases, processes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Steps: TypeAlias = tuple[str | int, ...]
"""The way from a syntax tree's root to a node: names of fields, and places in lists."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module in which `node` stands at the end of `steps`.

    `at` (module and function, or name of a value), `line` (as in the source) and `change` name it,
    whatever else of the module is edited. `number` is the line's.
    """

    module: str
    steps: Steps
    node: ast.AST
    number: int
    at: str
    line: str
    change: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What an entry of `equivalent.toml` names it by."""
        return self.at, self.line, self.change


@dataclass(frozen=True, slots=True)
class Place:
    """Where the walk through a tree is; `text`: whether texts there are more than wording."""

    steps: Steps = ()
    names: tuple[str, ...] = ()
    in_function: bool = False
    text: bool = True


def mutants(source: str, module: str) -> Iterator[Mutant]:
    """Every mutant of a module, by lines."""
    lines = source.splitlines()
    for place, old, new, change in _walk(ast.parse(source), Place()):
        number: int = next(part.lineno for part in ast.walk(old) if hasattr(part, "lineno"))
        at = ".".join((module.rpartition(".")[2], *place.names))
        yield Mutant(module, place.steps, new, number, at, lines[number - 1].strip(), change)


_Change: TypeAlias = tuple[ast.AST, str]


def _walk(node: ast.AST, place: Place) -> Iterator[tuple[Place, ast.AST, ast.AST, str]]:
    """All changes of a node and of what it holds: where, what is there, what comes, in words."""
    for new, change in _changes(node, place):
        yield place, node, new, change
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        inside = isinstance(node, ast.FunctionDef) or place.in_function
        place = Place(place.steps, (*place.names, node.name), inside, place.text)
    elif isinstance(node, ast.Assign | ast.AnnAssign) and not place.names:
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        place = Place(place.steps, (ast.unparse(target),), False, place.text)
    elif isinstance(node, ast.Raise | ast.JoinedStr):
        place = Place(place.steps, place.names, place.in_function, text=False)
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for step, child in _children(field, value):
            if not _for_people(child):
                steps = (*place.steps, *step)
                yield from _walk(child, Place(steps, place.names, place.in_function, place.text))


def _children(field: str, value: object) -> Iterator[tuple[Steps, ast.AST]]:
    if isinstance(value, ast.AST):
        yield (field,), value
    elif isinstance(value, list):
        yield from (
            ((field, at), item) for at, item in enumerate(value) if isinstance(item, ast.AST)
        )


def _for_people(node: ast.AST) -> bool:
    """Docstrings, and texts in sentences."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    texts = [part.value for part in parts if isinstance(part, ast.Constant)]
    return any(isinstance(text, str) and _SENTENCE.search(text) for text in texts)


_SENTENCE = re.compile(r"[A-Za-z']{2,}[,:;.!?]? |^ ?[a-z]+ |[a-z]: ")


def _changes(node: ast.AST, place: Place) -> Iterator[_Change]:
    """The changes of this node, not of what it holds."""
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


def changed(tree: ast.Module, mutant: Mutant) -> ast.Module:
    """The tree with the mutant's node put in."""
    at: Any = tree
    for step in mutant.steps[:-1]:
        at = at[step] if isinstance(step, int) else getattr(at, step)
    last = mutant.steps[-1]
    if isinstance(last, int):
        at[last] = mutant.node
    else:
        setattr(at, last, mutant.node)
    return ast.fix_missing_locations(tree)
