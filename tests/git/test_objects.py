"""Git's objects as bytes, against git itself."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator.git.objects import (
    FILE,
    FOLDER,
    Item,
    object_id,
    read_commit,
    read_tree,
    tree_data,
)
from adjudicator.git.writing import Writer
from orders.errors import Refused
from orders.keys import MemoryKey

KEY = MemoryKey.from_seed(b"k" * 32)
TIME = "2026-01-01T00:00:00Z"


def test_a_signature_binds_the_whole_commit(repo):
    """Any byte changed, or another key: refused."""
    writer = Writer(repo, "host", KEY)
    commit = writer.commit([], {"a": b"1"}, TIME, "x")
    data = writer._objects[commit].data
    read_commit(data, writer.algorithm).check(KEY.public)
    changed = read_commit(data.replace(b"\n\nx", b"\n\ny"), writer.algorithm)
    for one, key in ((changed, KEY), (read_commit(data, writer.algorithm), None)):
        public = MemoryKey.from_seed(b"o" * 32).public if key is None else key.public
        with pytest.raises(Refused) as error:
            one.check(public)
        assert error.value.word == "bad-signature"


@given(st.binary(max_size=400))
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_any_bytes_parse_or_are_refused(data):
    """A tree or commit that somebody else made raises the one error, if any."""
    for read in (read_tree, read_commit):
        with contextlib.suppress(Refused):
            read(data, "sha1")


NAMES = st.text(st.sampled_from("ab.-0/"), min_size=1, max_size=6).map(
    lambda s: s.replace("/", "_")
)


@given(st.dictionaries(NAMES, st.sampled_from([FILE, FOLDER]), max_size=8))
@settings(max_examples=100, deadline=None)
def test_trees_round_trip(modes):
    """What is written is read again."""
    items = {name: Item(mode, object_id("blob", name.encode(), "sha1")) for name, mode in
             modes.items()}  # fmt: skip
    assert read_tree(tree_data(items), "sha1") == items
