"""The texts of mails: each is used, with a value for each name in it; and how they are filled."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Template

import pytest

from adjudicator import cli
from adjudicator.mail.outgoing import WIDTH
from adjudicator.office import replies
from adjudicator.office.replies import COMMANDS, MAILS, fill, write
from adjudicator.office.words import read

TEXTS = {path.name.removesuffix(".txt"): path.read_bytes().decode() for path in MAILS.iterdir()}


def names(text: str) -> frozenset[str]:
    """What a text is to be given."""
    return frozenset(Template(Template(text).safe_substitute(COMMANDS)).get_identifiers())


def uses() -> Iterator[tuple[str, str, frozenset[str | None]]]:
    """Each use of a text in the code: `write` or `fill`, the text, and what it is given."""
    for path in MAILS.parent.glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            match call:
                case ast.Call(ast.Name(by) | ast.Attribute(attr=by), [first, *_], given):
                    for name in ast.walk(first):
                        if isinstance(name, ast.Constant) and name.value in TEXTS:
                            yield by, name.value, frozenset(one.arg for one in given)


def test_each_text_is_used_and_given_its_values() -> None:
    """The code writes a mail, which has a subject, and fills a part; it gives nothing in vain."""
    assert {use for use in uses() if use[0] in ("write", "fill")} == {
        ("write" if text.startswith("Subject: ") else "fill", name, names(text))
        for name, text in TEXTS.items()
    }


@pytest.mark.parametrize("name", TEXTS)
def test_how_a_text_is_written(name: str) -> None:
    """Lines that any mail can hold, and paragraphs with one empty line between."""
    text = TEXTS[name]
    assert text.isascii()
    assert re.search(r"[^\n]\n\Z", text)
    assert re.search(r"[\r\t]|[ ]\n|\n\n\n|[$][$]|\A\n", text) is None
    for line in re.findall(r"^ .*", text, re.MULTILINE):  # what is not filled
        assert len(Template(line).safe_substitute(COMMANDS)) <= WIDTH
    assert Template(text).is_valid()


@pytest.mark.parametrize("name", [name for name, text in TEXTS.items() if "Subject: " in text])
def test_the_subject_of_a_mail(name: str) -> None:
    """It stands in the first line, and is no word that a machine could send back."""
    subject, empty, *_ = TEXTS[name].split("\n")
    assert re.fullmatch(r"Subject: \S.*", subject)
    assert empty == ""
    assert read(write(name, **dict.fromkeys(names(TEXTS[name]), "x")).subject, "").word == ""


def test_what_mails_tell_to_type() -> None:
    """Commands of the program, and a mail or a message tells each."""
    code = "".join(path.read_text("utf-8") for path in MAILS.parent.glob("*.py"))
    texts = "".join(TEXTS.values())
    for name, line in COMMANDS.items():
        assert f"${name}\n" in texts or f"${name} " in texts or f"COMMANDS['{name}']" in code, name
        assert line.split()[:1] == ["adjudicator"]
    for told in (*COMMANDS.values(), *re.findall(r"^ +(adjudicator .*)", texts, re.MULTILINE)):
        assert told.split()[1] in cli.COMMANDS


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The text `x`, to be written by a test."""
    monkeypatch.setattr(replies, "MAILS", tmp_path)
    replies._read.cache_clear()
    yield tmp_path / "x.txt"
    replies._read.cache_clear()


def test_what_is_filled(text: Path) -> None:
    """Paragraphs are, with their values; not lines that begin with a blank or are a value."""
    long = "word " * 30
    text.write_text("$a\nOne two\nthree $a.\n  $a\n\n$b\n")
    told = fill("x", a=long.strip(), b=long + "\n" + long).split("\n\n")
    assert told[0].split("\n") == [
        long.strip(),
        f"One two three {'word ' * 12}".strip(), f"{'word ' * 15}".strip(), "word word word.",
        "  " + long.strip(),
    ]  # fmt: skip
    assert told[1:] == [long + "\n" + long]


def test_what_goes(text: Path) -> None:
    """The line of an empty value, and the paragraph of nothing else."""
    text.write_text("Subject: to $who\n\nFirst.\n$empty\n\n$empty\n$empty\n\n$last\n")
    assert write("x", who="all", empty="", last="Last.") == ("to all", "First.\n\nLast.\n")


def test_a_value_is_no_text(text: Path) -> None:
    """Whoever writes dollars or braces reads them again."""
    text.write_text("Subject: $a\n\nSay $a\nor\n$a\n")
    given = "$b $TAKE $$ {a} ${b}"
    assert write("x", a=given) == (given, f"Say {given} or\n{given}\n")


@pytest.mark.parametrize(
    "line", ["Subject: $b\n\nno", "Subject: b\n\nto $b.", "Subject: b\n\n  $b"]
)
def test_no_mail_shows_a_name(text: Path, line: str) -> None:
    """A value that is missing is an error."""
    text.write_text(line)
    with pytest.raises(KeyError, match="b"):
        write("x", a="1")
