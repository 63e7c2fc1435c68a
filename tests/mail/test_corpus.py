"""Mails as they really come: what is in them, and whether they may be answered."""

from pathlib import Path

import pytest
from mail import generate_corpus

from adjudicator.mail import block
from adjudicator.mail.mime import read_mail
from orders.errors import Refused

HERE = Path(__file__).parent
FILES = sorted((HERE / "corpus").glob("*.mail"))
KINDS = {"host": ("order", "join", "letter"), "player": ("invite", "entry", "receipt")}


def taken_apart(path: Path) -> tuple[dict[str, str], bytes]:
    """The expectations that a corpus file begins with, and the mail."""
    head, _, mail = path.read_bytes().partition(b"\n\n")
    return dict(line.split(": ", 1) for line in head.decode().splitlines()), mail


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_verdict(path: Path) -> None:
    """Each mail of the corpus has the verdict that it names, and its bundle to the byte."""
    expected, data = taken_apart(path)
    found = "nothing"
    digest = None
    try:
        mail = read_mail(data)
        if mail.automatic != (expected["answer"] == "no"):
            pytest.fail(f"automatic is {mail.automatic}")
        bundle = block.choose(mail.blocks, KINDS[expected["reader"]])
        if bundle is not None:
            found, digest = "taken", bundle.digest
    except Refused as error:
        found = error.word
    assert (found, digest) == (expected["verdict"], expected.get("digest"))


def test_as_generated() -> None:
    """The committed corpus is what its generator writes, and holds at least sixty mails."""
    written = {f"{case.name}.mail": case.content() for case in generate_corpus.cases()}
    assert len(written) == len(generate_corpus.cases()) >= 60
    assert {path.name: path.read_bytes() for path in FILES} == written
