"""The one error for files: its words, the file's name in front, commands that can be pasted."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders.errors import Missing, Refused, at, pasteable


def test_a_refusal_says_its_word_and_its_message() -> None:
    """In the one line that is printed; the hint is printed apart."""
    error = Refused("malformed", "x = 1: expected 2", "write 2")
    assert str(error) == "malformed: x = 1: expected 2"
    assert (error.word, error.message, error.hint) == ("malformed", "x = 1: expected 2", "write 2")
    assert (error.claim, Refused("a", "b").hint) == ("", "")


def test_what_is_missing_names_its_path() -> None:
    """So whoever asked for it can tell whether this was the file that is missing."""
    error = Missing("entries/0001.toml")
    assert (error.word, error.path) == ("missing", "entries/0001.toml")
    assert error.message == "entries/0001.toml is not there"


def test_the_file_stands_in_front_of_what_was_refused_in_it() -> None:
    """From the outside in; what is missing names itself, and other errors are left alone."""
    with pytest.raises(Refused) as caught, at("a.zip"), at("invite.toml"):
        raise Refused("malformed", "no table")
    assert caught.value.message == "a.zip: invite.toml: no table"
    with pytest.raises(Missing) as missing, at("a.zip"):
        raise Missing("invite.toml")
    assert missing.value.message == "invite.toml is not there"
    with pytest.raises(ValueError, match=r"^as it was$"), at("a.zip"):
        raise ValueError("as it was")


def test_plain_words_stay_as_they_are() -> None:
    """Only what a shell would read otherwise is quoted."""
    assert pasteable("friday/alice.seat") == "friday/alice.seat"
    assert pasteable("my games") == "'my games'"
    assert pasteable("") == "''"
    assert pasteable("a\n\u202e\\'") == "$'a\\x0a\\xe2\\x80\\xae\\x5c\\x27'"
    assert pasteable("\x1f ~\x7f") == "$'\\x1f ~\\x7f'"


@given(st.text())
def test_what_is_to_be_pasted_is_one_line_of_ascii(text: str) -> None:
    """A hint cannot forge a line of a terminal; plain words come back as a shell reads them."""
    word = pasteable(text)
    assert word.isascii()
    assert word.isprintable()
    if text.isascii() and text.isprintable():
        assert shlex.split(word) == [text]


@pytest.mark.skipif(not (shutil.which("bash") or os.environ.get("CI")), reason="asks bash")
def test_a_shell_reads_the_very_bytes() -> None:
    """Of any path, also one that is no text in any language."""
    texts = [
        "friday", "my games", "caf\u00e9 \U0001f600", "\udcff\udc80", "'\\''", "$(x)`y`", "-n",
        "\x01\x7f", "a\nb\\n", "\u202e", "*", "~",
    ]  # fmt: skip
    line = f"printf '%s\\0' {' '.join(map(pasteable, texts))}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=True, timeout=60)
    wanted = [text.encode("utf-8", "surrogateescape") for text in texts]
    assert done.stdout.split(b"\0")[:-1] == wanted
