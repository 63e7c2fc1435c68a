"""The pages in `docs/formats/` say what the code does: keys and their order, words, examples."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import games
from adjudicator.host import folder
from adjudicator.mail import player
from adjudicator.player import seat
from games import cases
from games.game import View
from orders import sealing, sshsig
from orders.bundle import KINDS
from orders.documents import read_slip
from orders.duel import End, Move, Offer
from orders.entries import read_entry
from orders.errors import PROTESTS, STATUSES
from orders.names import parse
from orders.order_file import read_order_file

ROOT = Path(__file__).parents[2]
FORMATS = ROOT / "docs" / "formats"
VECTORS = json.loads((ROOT / "tests" / "suite" / "documents.json").read_text("ascii"))


def page(name: str) -> str:
    """The text of a page."""
    return (FORMATS / f"{name}.md").read_text("utf-8")


def section(name: str, heading: str) -> str:
    """What stands under a heading of a page, up to the next one."""
    _, _, rest = page(name).partition(f"\n## {heading}\n")
    assert rest, f"{name}: no heading {heading}"
    return rest.partition("\n## ")[0]


def first_column(text: str) -> list[str]:
    """The words in backquotes in the first column of its tables."""
    rows = re.findall(r"^\| (`[^|]*`) \|", text, re.MULTILINE)
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row)]


def example(name: str, number: int = 0) -> str:
    """A TOML block of a page."""
    return re.findall(r"^```toml\n(.*?)^```$", page(name), re.MULTILINE | re.DOTALL)[number]


KEYS = [
    ("documents", "Invite", lambda one, values: one == "invite"),
    ("documents", "Join", lambda one, values: one == "join"),
    ("documents", "Consent", lambda one, values: one == "consent"),
    ("documents", "Slip", lambda one, values: one == "slip"),
    ("entries", "Genesis", lambda one, values: values.get("step") == 0),
    ("entries", "Reveal", lambda one, values: "reveal" in values),
    ("letters", "Letter", lambda one, values: one == "letter"),
    ("documents", "Receipt", lambda one, values: one == "receipt"),
    ("entries", "Adjudication", lambda one, values: "missing" in values),
]


@pytest.mark.parametrize(("name", "heading", "fits"), KEYS, ids=[one[1] for one in KEYS])
def test_keys_stand_in_the_order_of_the_page(name, heading, fits) -> None:
    """Every key that a document has is on its page, in that order; every key there is met."""
    listed = first_column(section(name, heading).partition("\n### ")[0])
    met: set[str] = set()
    listed = [key for key in listed if key not in STATUSES]
    for vector in VECTORS["documents"]:
        values = vector["values"]
        if fits(vector["document"], values):
            assert list(values) == [key for key in listed if key in values]
            met |= set(values)
    assert met == set(listed)


@pytest.mark.parametrize("document", [Offer, Move, End], ids=lambda one: one.__name__)
def test_a_duels_documents_have_the_keys_of_the_page(document) -> None:
    """The fields of each in their order, below its `kind`."""
    text = section("duels", document.__name__).partition("\n\n**")[0]
    assert first_column(text.replace("[options]", "options")) == ["kind", *document._fields]


def test_receipt_statuses_are_those_of_the_page() -> None:
    """The receipt's words are all explained, in the order of the code."""
    words = first_column(section("documents", "Receipt"))
    assert [word for word in words if word in STATUSES] == list(STATUSES)


def test_protests_are_those_of_the_page() -> None:
    """A slip's protests are all named."""
    text = section("documents", "Slip")
    assert all(f'`"{word}"`' in text for word in PROTESTS)


def test_namespaces_and_kinds_are_those_of_the_pages() -> None:
    """Every namespace of signatures and every kind of bundle is named, and no other."""
    named = re.findall(r"`(adjudicator-[a-z]+)`", page("signatures"))
    assert tuple(dict.fromkeys(named)) == sshsig.NAMESPACES
    line = re.search(r"^2\. `kind` is one of (.*)\.$", page("containers"), re.MULTILINE)
    assert line is not None
    assert tuple(re.findall(r"`([a-z]+)`", line[1])) == tuple(KINDS)


def test_record_names_are_read() -> None:
    """The files in the record's folder, as the page lists them, are names that a record has."""
    block = re.search(r"^```\n(.*?)^```$", page("README"), re.MULTILINE | re.DOTALL)
    assert block is not None
    paths = re.findall(r"^([a-z][a-z0-9/.-]+)", block[1], re.MULTILINE)
    assert len(paths) == 10
    assert all(parse(path) is not None for path in paths)


def test_example_slip_is_one() -> None:
    """The slip on the page of documents is in the one rendering."""
    assert read_slip(example("documents").encode()).player == "alice"


def test_example_entry_is_one() -> None:
    """So is the adjudication on the page of entries; its view is one of Sugar Dog."""
    entry = read_entry(example("entries").encode())
    game = games.load("sugar-dog")
    setup = game.setup(("alice", "bob"), {"first": "alice"})
    shown = json.loads(entry.view)
    assert (entry.step, game.public(View(setup, None, shown))) == (2, shown)


def test_example_order_file_is_one() -> None:
    """So is the order file on its page."""
    _, file = read_order_file(example("order-files").encode())
    assert file.text == "fire S\n\nmove C4 # a remark"


def test_labels_and_sizes_are_those_of_the_page() -> None:
    """Every use of HPKE with its padded length; every label of a secret."""
    rows = re.findall(r"^\|.*\| `([a-z]+)` \|.*\| ([0-9,]+) \|$", page("sealing"), re.MULTILINE)
    sizes = {use: int(size.replace(",", "")) for use, size in rows}
    assert sizes == {
        "letter": sealing.LETTER_SIZE,
        "private": sealing.PRIVATE_SIZE,
        "receipts": sealing.RECEIPTS_SIZE,
        "note": sealing.LETTER_SIZE,
    }
    assert set(sizes) == set(sealing.USES)
    labels = re.findall(r"`(adjudicator/4/[^`]*)`", page("secrets"))
    source = (ROOT / "orders" / "secrets.py").read_text("ascii")
    assert [label.lower() for label in labels] == [
        label.replace("<", "").replace(">", "")
        for label in re.findall(r"\| `(adjudicator/4/[^`]*)`", source)
    ]


@pytest.mark.parametrize("name", ["sugar-dog", "submarine-warfare", "silent-ships"])
def test_sizes_are_those_of_the_rules_page(name: str) -> None:
    """Every number of players has its padded lengths in the table of the game's rules."""
    game = games.load(name)
    part = games.rules_page(game).partition("\n## Sizes\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\d+)(?: to (\d+))? \| ([0-9,]+) \| ([0-9,]+) \|$", part, re.MULTILINE)
    told = {
        players: (int(order.replace(",", "")), int(report.replace(",", "")))
        for first, last, order, report in rows
        for players in range(int(first), int(last or first) + 1)
    }
    least, most = game.seats
    assert told == {n: (*game.sizes_for(n),) for n in range(least, most + 1)}


def test_example_case_holds(tmp_path: Path) -> None:
    """The rule case on its page passes."""
    path = tmp_path / "case.toml"
    path.write_text(example("cases"))
    assert cases.run(cases.read(path)).faults == ()


def test_case_keys_are_those_of_the_page() -> None:
    """Every key of a case and of a step is explained, and no other."""
    top = {*first_column(section("cases", "The file"))}
    assert top - {"winner", "draw = true"} == set(cases._CASE)
    step = {*first_column(section("cases", "A step"))} - {"standing"}
    assert step == set(cases._STEP)


@pytest.mark.parametrize("vector", VECTORS["documents"], ids=lambda one: one["document"])
def test_vectors_are_toml(vector) -> None:
    """A document's bytes are TOML, with the values that stand beside them."""
    assert tomllib.loads(vector["bytes"]) == vector["values"]


def files_in(table: str) -> set[str]:
    """The files, or folders of files, that stand in the first column of these tables."""
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("|")]
    names = re.findall(r"`([a-z-]+(?:\.[a-z]+)?)[`/]", "".join(rows))
    return set(names)


@pytest.mark.parametrize(
    ("heading", "module"),
    [("RECORD.host", folder), ("NAME.seat", seat), ("RECORD.mail", player)],
    ids=str,
)
def test_private_folders_are_told_whole(heading: str, module: ModuleType) -> None:
    """The page lists just the files that the folder's own module lists."""
    listed = files_in(section("host-and-seat-folders", heading))
    assert listed
    assert listed == files_in(module.__doc__ or "")
