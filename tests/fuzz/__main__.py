"""`python -m tests.fuzz TARGET [-option=value ...] [FOLDER]`: a fuzzer drives one target, guided by
which code its bytes reach.

TARGET is `bundle`, `pack`, `order`, `mail`, `letter` or `duel`; the options are libFuzzer's, as
`-max_total_time=300`; FOLDER keeps what reached new code, for the next time. Needs Atheris
(`pip install -e '.[fuzz]'`). It ends at the first input that a target does not survive, and writes
it to `crash-...`; once the fault is mended, that file belongs in `tests/fuzz/corpus/TARGET`, with a
name that says what it was.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

NAMES = ("bundle", "pack", "order", "mail", "letter", "duel")
LIMITS = ("-timeout=10", "-rss_limit_mb=1024", "-max_len=65536")
"""Seconds and megabytes of one input: what takes more is a fault. What is given later counts."""


def main(given: list[str]) -> int:
    """Fuzz until something breaks, or as long as the options say; 2 where that cannot be."""
    if not given or given[0] not in NAMES:
        print(f"expected one of {', '.join(NAMES)}, as in: python -m tests.fuzz bundle")
        return 2
    try:
        import atheris
    except ImportError:
        print("Atheris is not installed: pip install -e '.[fuzz]'")
        return 2
    sys.path.insert(0, str(Path(__file__).parents[1]))
    with atheris.instrument_imports(include=["orders", "adjudicator", "games"]):
        from fuzz import targets

        target, seeds = targets.TARGETS[given[0]], targets.seeds(given[0])
        for seed in seeds:  # what is imported only when it is needed is imported now
            target.read(seed)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        for number, seed in enumerate(seeds):
            Path(folder, f"{number:03d}").write_bytes(seed)
        options = [one for one in given[1:] if one.startswith("-")]
        kept = [one for one in given[1:] if not one.startswith("-")]
        atheris.Setup([sys.argv[0], *LIMITS, *options, *kept, folder], target.read)
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
