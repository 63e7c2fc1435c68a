"""`python -m adjudicator` is the command."""

from __future__ import annotations

import runpy
import sys

import pytest

import adjudicator


def test_the_module_is_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its arguments and its exit codes."""
    for arguments, code in ((["--version"], 0), (["--nonsense"], 2)):
        monkeypatch.setattr(sys, "argv", ["adjudicator", *arguments])
        with pytest.raises(SystemExit) as ended:
            runpy.run_module("adjudicator", run_name="__main__", alter_sys=False)
        assert ended.value.code == code
    assert adjudicator.__version__ in capsys.readouterr().out
