"""The page's cryptography, libsodium, by the tests of `orders.crypto` and the suite's values."""

from __future__ import annotations

import subprocess
from importlib.util import find_spec
from pathlib import Path

from page.browsers import needed

from adjudicator.page import build

HERE = Path(__file__).parent


def test_it_passes_the_tests_of_the_other_backend() -> None:
    """RFC vectors, key files, signatures with torsion in key and R, bad sealing keys, letters.

    Left out are tests that ask `ssh-keygen`, or need what libsodium cannot do and the page does not
    use.
    """
    modules = needed(build.fetched, "libsodium cannot be fetched")
    node = needed(lambda: build.program("node"), "no node")
    spec = find_spec("pytest")
    assert spec is not None
    assert spec.origin is not None
    packages = Path(spec.origin).parents[1]
    left_out = ("ssh_keygen", "short_salt", "all_files", "order_file", "typed", "texts")
    done = subprocess.run(
        [node, HERE / "pyodide.mjs", modules, HERE.parents[1], packages, "-q", "-k",
         " and ".join(f"not {one}" for one in left_out), "test_crypto.py", "test_vectors.py"],
        capture_output=True, timeout=300, check=False, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    passed = int(done.stdout.split(" passed")[0].split()[-1])
    assert passed > 300
