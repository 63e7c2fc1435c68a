"""Watching and verifying in real browsers: the command's own verdict, and any step of a game."""

from __future__ import annotations

import base64
import contextlib
import functools
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from generate import breaks
from page.browsers import Browser, Tab
from verifier.liar import Liar
from verifier.lies import LIES

from adjudicator.cli import cli
from adjudicator.page import build
from adjudicator.store import pack

RECORDS = Path(__file__).parents[1] / "suite" / "records"
SUGAR_DOG = RECORDS / "sugar-dog-3.zip"
EXPECTED = json.loads(SUGAR_DOG.with_suffix(".json").read_text("ascii"))
LAST = len(EXPECTED["entries"])
CLAIM = re.compile(r"  ok   ")
HEADS = {1: "Not verified", 2: "Not judged", 3: "True, but look", 4: "True as far as it goes"}
"""What the seal says of a record, by the command's exit code, where it is not verified."""


@functools.cache
def by_command(path: Path) -> str:
    """What `adjudicator verify --json` prints of a pack, under its name alone."""
    with contextlib.chdir(path.parent):
        return CliRunner().invoke(cli, ["verify", "--json", path.name]).stdout


def in_full(path: Path) -> str:
    """What `adjudicator verify -v` prints of a pack."""
    with contextlib.chdir(path.parent):
        return CliRunner().invoke(cli, ["verify", "-v", path.name]).stdout


def judged(tab: Tab, path: Path) -> str:
    """What the page finds of a pack that was given to it, as JSON; its screen says the same."""
    tab.give(path)
    tab.wait(f"document.querySelector('main').dataset.done === {json.dumps(path.name)}")
    found: str = tab.eval("Page.call('watch.verify').then((found) => found.json)")
    said = tab.eval("document.querySelector('[data-verdict]').dataset.verdict")
    assert said == json.loads(found)["verdict"]
    return found + "\n"


@pytest.fixture(scope="session")
def told_lies(
    once: Callable[[str, Callable[[Path], Any]], Path],
    make_table: type,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """A folder with the host's record of a game for each lie that we know of, packed as it lies."""

    def make(folder: Path) -> None:
        folder.mkdir()
        for lie in LIES:
            root = tmp_path_factory.mktemp("lie")
            game = Liar(make_table(root / "table", **lie.terms))
            if lie.begun:
                game.begin()
            lie.play(game)
            record = game.table.record
            held = {path: record.read(path) for path in record.paths()}
            (folder / f"{lie.id}.zip").write_bytes(pack.write(held))
            shutil.rmtree(root)

    return once("lies", make)


def test_the_verdict_is_the_commands(browser: Browser, page_file: Path, told_lies: Path) -> None:
    """Byte for byte: of every game's records, and of every lie of the library."""
    tab = browser.at(page_file)
    packs = [*sorted(RECORDS.glob("*.zip")), *sorted(told_lies.glob("*.zip"))]
    assert len(packs) > 60
    for path in packs:
        assert judged(tab, path) == by_command(path), path.name
    assert tab.said() == []
    assert tab.asked() == []


def test_breaks_are_told_as_they_are_published(
    browser: Browser, page_file: Path, tmp_path: Path
) -> None:
    """The first of each claim and code of the suite: the same code, and the words."""
    firsts = {
        (row["told"]["claim"], row["code"]): (row, files)
        for row, asked, files in reversed(breaks.published())
        if row["code"] and not asked
    }
    tab = browser.at(page_file)
    assert len(firsts) > 10
    for row, files in firsts.values():
        # A name of its own: by it one waits for this verdict, and not for the one before.
        path = tmp_path / f"{Path(row['id']).name}.zip"
        path.write_bytes(pack.write(files))
        found = json.loads(judged(tab, path))
        assert found["code"] == row["code"], row["id"]
        words = row["told"]["words"]
        assert words in json.dumps(found["claims"]) + found["verdict"], row["id"]
        assert tab.text(".verdict summary b") == HEADS[row["code"]], row["id"]
        # The seal of a lie is broken in two, and no other.
        halves = tab.eval("document.querySelectorAll('.seal .wax').length")
        assert halves == (2 if row["code"] == 1 else 1), row["id"]


def test_any_step_by_everybodys_eyes(browser: Browser, page_file: Path) -> None:
    """Keys and slider move; a link leads to a step and a side; what was believed and was so."""
    tab = browser.at(page_file)
    tab.eval("(location.hash = '#step=8&side=alice', 1)")
    tab.give(SUGAR_DOG)
    at = "document.querySelector('main').dataset.step === "
    tab.wait(at + "'8'")
    tab.wait("document.querySelector('.fact')")
    assert tab.text("figcaption") == "What alice could know"
    assert "bob's submarine" in tab.text(".knew")
    position = json.loads(EXPECTED["entries"]["8"]["state"])["position"]
    assert f"was {position['bob']['sub']}" in tab.text(".knew")
    tab.eval("(document.querySelector('.fact').focus(), 1)")
    assert tab.eval("document.querySelectorAll('.hatch').length") > 1
    assert tab.eval("document.querySelectorAll('.so-frame').length") == 1
    tab.eval("(document.activeElement.blur(), 1)")
    assert tab.eval("document.querySelectorAll('.so-frame').length") == 0
    tab.eval("(document.activeElement.blur(), 1)")
    for key, step in (("ArrowRight", 9), ("ArrowLeft", 8), ("End", LAST), ("Home", 0)):
        tab.keys(key)
        tab.wait(f"{at}'{step}'")
        assert tab.eval("location.hash") == f"#step={step}&side=alice"
    slider = "const it = document.querySelector('input[type=range]'); it.value = 12;"
    tab.eval(f"(() => {{ {slider} it.dispatchEvent(new Event('input')); }})()")
    tab.wait(at + "'12'")
    tab.run("await page.click('[aria-label=\"Step back\"]')")
    tab.wait(at + "'11'")
    tab.eval("(document.activeElement.blur(), 1)")
    tab.eval("(location.hash = '#step=9.7', 1)")
    tab.wait(at + "'9'")
    tab.keys(" ")
    # On a busy machine it may be further on when it is seen.
    tab.wait("document.querySelector('main').dataset.step >= 10")
    tab.keys(" ")
    tab.eval("([...document.querySelectorAll('[data-side]')].at(-1).click(), 1)")
    tab.wait("document.querySelectorAll('.chart').length === 4")
    assert tab.text("figcaption") == "What was so"
    assert tab.said() == []


def test_what_a_side_knew_for_sure_is_framed(browser: Browser, page_file: Path) -> None:
    """On its board, beside what it held possible; times are the reader's."""
    tab = browser.at(page_file)
    tab.eval("(location.hash = '#step=18&side=carol', 1)")
    tab.give(SUGAR_DOG)
    tab.wait("document.querySelector('main').dataset.step === '18' && document.querySelector('dl')")
    position = json.loads(EXPECTED["entries"]["18"]["state"])["position"]
    rows = tab.eval("[...document.querySelectorAll('.fact')].map((one) => one.innerText)")
    (row,) = [one for one in rows if one.startswith("bob's submarine")]
    assert row.split("\n") == ["bob's submarine", position["bob"]["sub"], "sure"]
    framed = "[...document.querySelectorAll('.so-frame')].map((one) => one.closest('figure'))"
    assert tab.eval(f"{framed}.map((one) => one.innerText.split('\\n')[0])") == [
        "What carol could know"
    ]
    assert not re.search(r"\dT\d", tab.text("main"))


def test_lines_of_one_kind_are_folded(browser: Browser, page_file: Path, tmp_path: Path) -> None:
    """Of all entries after a fault the first are named, and the others counted."""
    with zipfile.ZipFile(SUGAR_DOG) as held:
        files = {name: held.read(name) for name in held.namelist()}
    files["entries/0003.toml"] += b"\n"
    path = tmp_path / "changed.zip"
    path.write_bytes(pack.write(files))
    tab = browser.at(page_file)
    found = json.loads(judged(tab, path))
    (entries,) = [one for one in found["claims"] if one["name"] == "entries"]
    tab.eval("(document.querySelector('.verdict').open = true, 1)")
    assert len(entries["details"]) > 50
    assert f"{len(entries['details']) - 3} more of these" in tab.text(".claims")
    assert tab.text(".claims").count("is named by no entry") == 3


def test_a_running_game_shows_its_public_side(
    browser: Browser, page_file: Path, tmp_path: Path, make_table: Any
) -> None:
    """Nobody's own; the verdict says what is awaited."""
    table = make_table(tmp_path / "table").begin().play({"alice": "start A1", "bob": "start C3"})
    record = table.record
    path = tmp_path / "running.zip"
    path.write_bytes(pack.write({one: record.read(one) for one in record.paths()}))
    tab = browser.at(page_file)
    assert '"code": 4' in judged(tab, path)
    assert tab.eval("document.querySelectorAll('[data-side]').length") == 1
    assert "awaits alice" in tab.text(".who p")
    error = tab.eval(
        "Page.call('watch.known', {step: 1, player: 'alice'}).catch((one) => one.line)"
    )
    assert error == "positions show after the reveal"


def test_the_self_proving_game(browser: Browser, page_file: Path, tmp_path: Path) -> None:
    """A page that carries a record opens with it, where a link says, and tells its verdict."""
    page = tmp_path / "game.html"
    page.write_bytes(build.carry(page_file.read_bytes(), {"record": SUGAR_DOG.read_bytes()}))
    tab = browser.tab(page, hash="#step=8&side=alice")
    tab.wait("document.querySelector('main[data-done]')")
    tab.wait("document.querySelector('main').dataset.step === '8'")
    assert "Sugar Dog" in tab.text(".who p")
    panel = tab.eval("document.querySelector('[aria-label=Verdict]').textContent")
    told = in_full(SUGAR_DOG).splitlines()
    assert panel.endswith("\n".join(told[told.index(next(filter(CLAIM.match, told))) :]))
    assert tab.text(".verdict .words") == told[-1]
    assert "What no record can prove" in panel
    assert "whose a key is" in panel
    assert tab.said() == []
    assert tab.asked() == []


FOLDER = """
(() => {
  const bytes = (held) => Uint8Array.from(atob(held), (one) => one.charCodeAt(0));
  const leaf = (name, file) => ({name, isDirectory: file === null, file: (done) => done(file)});
  const entry = (name, held) => held === null || typeof held === "string"
    ? leaf(name, held === null ? null : new File([bytes(held)], name))
    : {name, isDirectory: true, createReader() {
        const left = Object.entries(held).map(([name, one]) => entry(name, one));
        // A browser hands out a hundred at a time.
        const more = () => given.endless ? Array(100).fill(entry("x", "")) : left.splice(0, 100);
        return {readEntries: (done) => done(more())};
      }};
  const dropped = entry(given.name, given.tree);
  const event = new Event("drop", {bubbles: true, cancelable: true});
  event.dataTransfer = {items: [{kind: "file", webkitGetAsEntry: () => dropped}]};
  document.body.dispatchEvent(event);
})()
"""
"""Drops a folder as a browser hands it over; null is a folder that nobody looks into."""


def dropped(tab: Tab, folder: Path) -> None:
    """Drop a folder onto the page."""
    tree: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            inside = path.relative_to(folder).parts
            where = tree.setdefault(inside[0], {}) if inside[1:] else tree
            where[inside[-1]] = base64.b64encode(path.read_bytes()).decode()
    tab.eval(FOLDER, name=folder.name, tree=tree)


def test_a_folder_is_opened_as_a_pack_is(browser: Browser, page_file: Path, tmp_path: Path) -> None:
    """A record or a copy as it lies on a disk, also one with what does not belong in it; and one
    chosen by the button: the command's verdict, byte for byte."""
    with zipfile.ZipFile(SUGAR_DOG) as pack_of:
        pack_of.extractall(tmp_path / "friday")
    shutil.copytree(tmp_path / "friday", tmp_path / "torn")
    (tmp_path / "torn" / "entries" / "0003.toml").write_bytes(b"\0")
    (tmp_path / "torn" / "notes.txt").write_text("mine")
    for folder in (tmp_path / "friday", tmp_path / "torn"):
        (folder / ".git").mkdir()
        (folder / ".git" / "HEAD").write_text("ref: refs/heads/main")
    tab = browser.at(page_file)
    for name in ("friday", "torn"):
        dropped(tab, tmp_path / name)
        tab.wait(f"document.querySelector('main').dataset.done === '{name}'")
        found = tab.eval("Page.call('watch.verify').then((found) => found.json)")
        assert found + "\n" == by_command(tmp_path / name)
    if browser.name == "chromium":
        tab.eval("(Page.go('receive'), 1)")
        tab.run("await (await page.$('input[webkitdirectory]')).uploadFile(given.path);",
                path=str(tmp_path / "friday"))  # fmt: skip
        tab.wait("document.querySelector('main').dataset.done === 'friday'")
        found = tab.eval("Page.call('watch.verify').then((found) => found.json)")
        assert found + "\n" == by_command(tmp_path / "friday")
    assert tab.said() == []


def test_a_folder_without_end_is_let_go(browser: Browser, page_file: Path) -> None:
    """After as many files as a pack may have; it is said in words, in sight."""
    tab = browser.at(page_file)
    tab.eval(FOLDER, name="disk", tree={}, endless=True)
    tab.wait("document.querySelector('#told').innerText.includes('disk is too large: a game has')")
    seen = "(({top, bottom}) => top >= 0 && bottom <= innerHeight && bottom > top)"
    assert tab.eval(f"{seen}(document.querySelector('#told').getBoundingClientRect())")
    assert tab.text("h1") == "Sealed orders, open results"
