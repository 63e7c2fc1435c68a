"""Order files: a salt, and below it a player's order lines for one step, in their one rendering.

What belongs here: the bytes that are hashed, sealed and opened (`docs/formats/order-files.md`), and
reading what a person typed. What it must not know: what the orders mean.

People write one order a line, with remarks, by any editor: alone, or in a form, below the line that
says whose orders these are. That is read leniently, and without losing anything: a character that
cannot be written in an order file is refused, with its line and column in the person's own file;
only a remark with such characters is cut instead.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from orders.errors import Refused, named
from orders.fields import Digest

LARGEST = 2**16
"""Bytes of the largest order file that is read at all; every game's bound is far below."""

_FORM = re.compile(rb'salt = "([0-9a-f]{64})"\n((?:[ -~]*\n)*)')


class OrderFile(NamedTuple):
    """A player's orders: `orders` are their lines."""

    orders: tuple[str, ...]

    @property
    def text(self) -> str:
        """The orders as the game reads them."""
        return "\n".join(self.orders)

    def render(self, salt: str) -> bytes:
        """The file's bytes with that salt, 64 hex digits."""
        return "\n".join([f'salt = "{salt}"', *self.orders, ""]).encode("ascii")


def compose(text: str) -> OrderFile:
    """The order file of these lines, without blanks at line ends and blank last lines."""
    orders = [line.rstrip(" ") for line in text.split("\n")]
    while orders and not orders[-1]:
        orders.pop()
    return OrderFile(tuple(orders))


def read_order_file(data: bytes) -> tuple[str, OrderFile]:
    """Salt and order file in `data`, which must be its one rendering; raises Refused `malformed` or
    `too-big`."""
    if len(data) > LARGEST:
        raise Refused("too-big", f"order file: {len(data)} bytes, at most {LARGEST} are taken")
    found = _FORM.fullmatch(data)
    if found is not None:
        salt, file = found[1].decode("ascii"), compose(found[2].decode("ascii"))
        if file.render(salt) == data:
            return salt, file
    raise Refused("malformed", f"order file: {_fault(data)}", "these files are written by the tool")


def _fault(data: bytes) -> str:
    """The first line that is not as it must be, and how it must be."""
    salt, *lines = data.split(b"\n")
    if re.fullmatch(rb'salt = "[0-9a-f]{64}"', salt) is None:
        return f"line 1 is {ascii(salt)[2:-1]:.90}: expected its salt"
    for number, line in enumerate(lines[:-1], 2):
        if re.fullmatch(rb"[ -~]*(?<! )", line) is None:
            expected = "expected plain ASCII without a blank at its end"
            return f"line {number} is {ascii(line)[2:-1]:.90}: {expected}"
    return "expected LF at the end of its last line, and no empty line there"


# What a person typed.

LARGEST_TYPED = 2**18
"""Bytes of the largest file that is read, with what stands above the orders in a form."""

_BREAKS = re.compile("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""Characters that some editors show as the end of a line, and others do not."""

_QUOTES = "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u00ab\u00bb"
_STRAIGHT = 'type straight quotes; the setting is called "smart quotes" or "smart punctuation"'
_ODD = re.compile(r"[^\t -~]")
_CUT = re.compile(r"# ==== Below: the orders of (\S+) for step (\S+) of game (\S+) ====")


def cut(game: Digest, step: int, player: str) -> str:
    """The line of a form below which the orders stand: a form is for one player, step and game."""
    return f"# ==== Below: the orders of {player} for step {step} of game {game[:16]} ===="


class Typed(NamedTuple):
    """What somebody typed: the order file, and how many lines of their own file are above it."""

    file: OrderFile
    above: int


def read_typed(data: bytes, game: Digest, step: int, player: str) -> Typed:
    """The order file in `data`: what `player` ordered for `step` of `game`.

    Raises Refused: `malformed` or `too-big` for what cannot be read, `stale` for a form of another
    game or step, `mismatch` for another player's.
    """
    lines = _decode(data).split("\n")
    cuts = (at for at, line in enumerate(lines, 1) if line.startswith("# ==== Below: "))
    above = next(cuts, 0)
    if above:
        _check_form(lines[above - 1].rstrip(), above, game, step, player)
    for number, line in enumerate(lines[:above], 1):
        # An order written in the wrong place would be lost.
        if line.strip() and not line.lstrip().startswith("#"):
            raise Refused(
                "malformed",
                f"line {number} is above the line where the orders begin: {line[:60]!a}",
                "write orders below that line, and put # in front of a note of your own",
            )
    if sum(map(len, lines[above:])) > LARGEST:
        raise Refused("too-big", f"order file: more than {LARGEST} characters", "shorten it")
    orders = [_clean(number, line) for number, line in enumerate(lines[above:], above + 1)]
    return Typed(compose("\n".join(orders)), above)


def _check_form(line: str, number: int, game: Digest, step: int, player: str) -> None:
    found = _CUT.fullmatch(line)
    fresh = "take a fresh form: adjudicator play --form"
    if found is None:
        wanted = cut(game, step, player)
        what = f"line {number} of the form was changed: {line!a:.90}: expected {wanted!r}"
        raise Refused("malformed", what, fresh)
    for name, said, here in zip(("player", "step", "game"), found.groups(),
                                (player, str(step), game[:16]), strict=True):  # fmt: skip
        if said != here:
            word = "mismatch" if name == "player" else "stale"
            raise Refused(
                word, f"the form is for {name} {said!a:.60}, this is {name} {here}", fresh
            )


def _clean(number: int, line: str) -> str:
    """A line as it is signed: tabs as blanks, remarks in printable ASCII only."""
    orders, _, remark = line.partition("#")
    odd = _BREAKS.search(line) or _ODD.search(orders)
    if odd is not None:
        place = f"line {number}, column {odd.start() + 1}"
        if odd[0] in _QUOTES:
            raise Refused("malformed", f"{place} is a curly quote, {named(odd[0])}", _STRAIGHT)
        raise Refused(
            "malformed",
            f"{place} is {named(odd[0])}, which stands in no order",
            "type plain letters and signs; others may follow a #, in a remark, which is then left "
            "out",
        )
    return (orders if _ODD.search(remark) else line).replace("\t", " ")


def _decode(data: bytes) -> str:
    """The text of a typed file, its lines ended by LF."""
    if len(data) > LARGEST_TYPED:
        raise Refused("too-big", f"{len(data)} bytes, at most {LARGEST_TYPED} are taken")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:200]:
        raise Refused(
            "malformed",
            "the order file is saved as UTF-16 (some editors call it Unicode)",
            "save the file as UTF-8",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise Refused(
            "malformed",
            f"line {line}, byte {column} (0x{data[error.start]:02x}) is in another encoding",
            "save the file as UTF-8",
        ) from None
    return text.replace("\r\n", "\n")
