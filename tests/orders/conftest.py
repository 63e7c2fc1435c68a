"""What the tests of `orders` share: fixed keys, the machine's ssh-keygen, refusals to hold."""

import functools
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import strategies as st

from orders.errors import Refused
from orders.keys import MemoryKey

WORDS = {"bad-key", "bad-signature", "malformed", "unopenable", "too-big", "bad-bundle"}

Refuses = Callable[..., Refused]


@pytest.fixture(scope="session")
def refuses() -> Refuses:
    """Call something that must refuse; gives the refusal, whose form is checked already."""

    def call(word: str, function: Callable[..., object], *given: object) -> Refused:
        with pytest.raises(Refused) as caught:
            function(*given)
        refused = caught.value
        assert refused.word == word
        assert word in WORDS
        for text in (refused.message, refused.hint):
            assert text.isascii()
            assert text.isprintable()
        assert len(refused.message) <= 500
        return refused

    return call


@pytest.fixture(scope="session")
def alice() -> MemoryKey:
    """A fixed key."""
    return MemoryKey.from_seed(b"alice" * 6 + b"!!")


@pytest.fixture(scope="session")
def bob() -> MemoryKey:
    """Another fixed key."""
    return MemoryKey.from_seed(b"bob" * 10 + b"!!")


@pytest.fixture(scope="session")
def ssh_keygen() -> Callable[..., bytes]:
    """Run the machine's ssh-keygen; skips where there is none, but never in CI."""
    if shutil.which("ssh-keygen") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI must have ssh-keygen: compatibility with it is a promise")
        pytest.skip("no ssh-keygen on this machine")

    def run(*arguments: str | Path, given: bytes = b"") -> bytes:
        command = ["ssh-keygen", *map(str, arguments)]
        done = subprocess.run(command, input=given, capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def damaged() -> Callable[[bytes], st.SearchStrategy[bytes]]:
    """Bytes near `valid`: a piece of it replaced, often by characters of its own alphabet."""

    @functools.cache
    def strategy(valid: bytes) -> st.SearchStrategy[bytes]:
        alphabet = st.sampled_from(sorted(set(valid) | {0, 10, 13, 32, 61, 255}))
        piece = st.one_of(st.binary(max_size=6), st.lists(alphabet, max_size=6).map(bytes))
        place = st.integers(0, len(valid))
        near = st.builds(
            lambda start, count, new: valid[:start] + new + valid[start + count :],
            place,
            st.integers(0, 6),
            piece,
        )
        return st.one_of(near, st.binary(max_size=300), st.just(valid))

    return strategy
