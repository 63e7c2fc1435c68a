"""Watching and verifying in real browsers: the command's own verdict, and any step of a game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from page.browsers import Browser

from adjudicator.cli import cli

RECORDS = Path(__file__).parents[1] / "vectors" / "records"


def by_command(pack: Path) -> str:
    """What `adjudicator verify --json` prints of a pack, under its name alone."""
    with pytest.MonkeyPatch.context() as here:
        here.chdir(pack.parent)
        return CliRunner().invoke(cli, ["verify", "--json", pack.name]).stdout


def test_the_verdict_is_the_commands(browser: Browser, page_file: Path) -> None:
    """Byte for byte, of every game's records, one after the other in one page."""
    tab = browser.tab(page_file)
    for pack in sorted(RECORDS.glob("*.zip")):
        tab.give(pack)
        tab.wait(f"document.querySelector('main[data-done={json.dumps(pack.name)}]')")
        found = tab.eval("Page.call('watch.verify').then((found) => found.json)")
        assert found + "\n" == by_command(pack)
        assert json.loads(found)[0]["verdict"] in tab.text("main")
    assert tab.said() == []
    assert tab.asked() == []
