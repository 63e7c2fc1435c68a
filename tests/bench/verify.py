"""Verifying a finished record of 1,000 steps, against as many bare Ed25519 verifications.

`python tests/bench/verify.py [STEPS]` prints the ratio: best of five each, taken in turn.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from long_record import best, finished, raw_verifications, without_fsync

from adjudicator.verify import verify
from orders import names

ROUNDS = 5


def main() -> None:
    """Measure and print."""
    without_fsync()
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        record = finished(Path(folder), steps)
        count = sum(1 for path in record.paths() if (name := names.parse(path)) and name.signature)
        found = verify(record)
        assert found.code == 0, found.verdict
        raw = raw_verifications(count)
        pairs = [(best(lambda: verify(record), 1), best(raw, 1)) for _ in range(ROUNDS)]
        taken, bare = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    print(f"{steps} steps, {count} signatures: verified in {taken:.3f} s, {bare:.3f} s bare")
    print(f"{taken / bare:.2f} times the bare verifications")


if __name__ == "__main__":
    main()
