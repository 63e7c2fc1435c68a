"""Finding armored blocks in a mail's text, and undoing what mail did to them.

What belongs here: from text to bundles. A repair is right if and only if the digest in the block is
that of its content, so no guess made here can turn one bundle into another.
"""

from __future__ import annotations

import binascii
import html
import quopri
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from orders import bundle as armored
from orders.bundle import Bundle
from orders.errors import Refused

MOST_MARKS = 2_000
"""The most BEGIN and END lines in one text."""

_SPACES = dict.fromkeys([0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " ")
_NOTHING = dict.fromkeys([0xAD, *range(0x200B, 0x2010), *range(0x2060, 0x2065), 0xFEFF], "")
_DASHES = dict.fromkeys([*range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFF0D], "-")
_TYPED = {**_SPACES, **_NOTHING, **_DASHES, 0x0D: "\n", 0x2028: "\n", 0x2029: "\n"}
"""The characters that word processors and mailers put for blanks, dashes and line ends."""

_GAP = r"[\s>|]"
# A run of dashes, which some programs leave out, is tried once, from its first: so the search stays
# linear.
_MARK = re.compile(
    rf"(?:(?<!-)-++{_GAP}*+)?\b(?P<what>BEGIN|END){_GAP}++ADJUDICATOR{_GAP}++BUNDLE"
    rf"(?:{_GAP}*+-++)?"
)
_TORN = re.compile(rf"BEGIN{_GAP}++ADJUDICATOR[A-Z -]*+\s*+\Z")
_HEAD = re.compile(r"[Kk]ind:([a-z]{1,16}?)[Dd]igest:([0-9a-f]{64})")
_KIND = re.compile(r"[Kk]ind:[\s>|]*([a-z]{1,16})")
_OUTSIDE = re.compile(r"[^A-Za-z0-9+/=:]+")


@dataclass(frozen=True, slots=True)
class Block:
    """A block as found: the kind and digest that it names, and its bundle if it could be repaired;
    if not, its `fault` is what is wrong with it.

    `digest` and `kind` are "" if even those cannot be read.
    """

    kind: str
    digest: str
    bundle: Bundle | None
    fault: str = ""


def find(text: str) -> tuple[Block, ...]:
    """Every block in a text, in order; those beyond repair have no bundle. Raises Refused
    `too-big`."""
    text = text.translate(_TYPED)
    marks = list(islice(_MARK.finditer(text), MOST_MARKS + 1))
    if len(marks) > MOST_MARKS:
        raise Refused(
            "too-big", f"more than {MOST_MARKS // 2} blocks in one text", "take in a part of them"
        )
    blocks = []
    if _TORN.search(text, marks[-1].end() if marks else 0):
        blocks.append(Block("", "", None, "cut off within its first line"))
    begun = False
    for mark, following in zip(marks, [*marks[1:], None], strict=False):
        if mark["what"] == "BEGIN":
            body = text[mark.end() : len(text) if following is None else following.start()]
            found = _repair(body)
            begun = following is not None and following["what"] == "END"
            # What has no END line is of use if it is whole.
            if not begun and found.bundle is None:
                found = replace(found, fault="cut off: it has no END line")
        elif begun:
            begun = False
            continue
        else:
            found = Block("", "", None, "cut off: it has no BEGIN line")
        # In a sentence of somebody's, the words are no block.
        if found.bundle or found.kind or "-" in mark[0]:
            blocks.append(found)
    return tuple(blocks)


def _repair(body: str) -> Block:
    """The bundle between BEGIN and END, tried as it is, and then as it may have been before mail
    changed it."""
    read = Block("", "", None)
    for variant in _variants(body):
        now = _read(variant)
        if now.bundle is not None:
            return now
        read = read if read.digest else now
    return read


def _variants(body: str) -> Iterator[str]:
    yield body
    if "&" in body:
        yield html.unescape(body)
    if "=\n" in body or "=3" in body or "=2" in body:
        data = body.encode("ascii", "replace")
        yield quopri.decodestring(data).decode("ascii", "replace")


def _read(body: str) -> Block:
    # All quote marks (`> `, `| `, `AB> `) end in a character that no block holds.
    lines = [line[max(line.rfind(">"), line.rfind("|")) + 1 :] for line in body.split("\n")]
    squeezed = _OUTSIDE.sub("", "".join(lines))
    head = _HEAD.match(squeezed)
    if head is None:
        known = _KIND.search(body, 0, 400)
        fault = "damaged: the lines below its BEGIN line were changed"
        return Block("" if known is None else known[1], "", None, fault)
    kind, digest = head[1], head[2]
    content = squeezed[head.end() :].replace("=", "").replace(":", "")
    with suppress(Refused, ValueError):
        payload = binascii.a2b_base64(content + "=" * (-len(content) % 4), strict_mode=True)
        bundle = armored.unpack(payload)
        if (bundle.kind, bundle.digest) == (kind, digest):
            return Block(kind, digest, bundle)
    return Block(kind, digest, None, "damaged: something in it was changed on the way")


def choose(blocks: Iterable[Block], kinds: Collection[str]) -> Bundle | None:
    """The one bundle of these kinds among the blocks of a mail; None if there is none.

    Copies of one bundle count once, even if some of the copies are damaged. Blocks of other kinds
    (a quoted mail of the host in a player's answer) are passed over. Raises Refused `ambiguous` or
    `bad-bundle`.
    """
    relevant = [block for block in blocks if block.kind in kinds or not block.kind]
    whole = {b.bundle.digest: b.bundle for b in relevant if b.bundle is not None}
    damaged = {block.digest for block in relevant if block.bundle is None} - set(whole)
    named = {block.digest for block in relevant if block.bundle is None and block.kind}
    if len(whole) > 1 or (whole and (named & damaged) - {""}):
        raise Refused(
            "ambiguous",
            "the mail holds blocks that differ from each other; none of them was used",
            "send one block in one mail",
        )
    if not whole and damaged:
        raise Refused(
            "bad-bundle",
            "the block in the mail is damaged beyond repair",
            "send it again, as an attachment",
        )
    return next(iter(whole.values()), None)


def choose_each(blocks: Iterable[Block], kinds: Collection[str]) -> list[Bundle]:
    """The bundles of a mail, at most one of each of these kinds, in the order of the kinds.

    An order written above a quoted message gives both. Each bundle says itself what it is and who
    signed it. Raises Refused as `choose` does.
    """
    given = list(blocks)
    each = (choose([block for block in given if block.kind == kind], (kind,)) for kind in kinds)
    found = [bundle for bundle in each if bundle is not None]
    if not found:
        # There may be a block of which not even the kind can be read.
        choose(given, kinds)
    return found
