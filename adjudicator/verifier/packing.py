"""Which files of a record go into its pack: all except sealed ones that anybody can make again."""

from __future__ import annotations

from adjudicator.core.ledger import Ledger
from adjudicator.core.source import Source
from orders import names


def kept(source: Source) -> dict[str, bytes]:
    """The files of a record's pack by name; raises Missing or Refused.

    Of a finished game sealed files stay out: `verify` makes each of them again and compares digests
    anyway. A sealed order that nobody has opened stays in, because it can still be opened.
    """
    paths = [path for path in source.paths() if names.is_ours(path) and path != names.ATTRIBUTES]
    if Ledger.read(source).revealed:
        there = set(paths)
        paths = [path for path in paths if not _again(path, there)]
    return {path: source.read(path) for path in paths}


def _again(path: str, there: set[str]) -> bool:
    name = names.parse(path)
    if name is None or name.kind not in ("report", "sealed"):
        return False
    return name.kind == "report" or names.opened_order(name.step, name.player) in there
