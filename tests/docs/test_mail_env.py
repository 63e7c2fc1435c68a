"""The host's page shows a file for the mailbox and its password: every shell that reads it can."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page: str) -> list[str]:
    """The blocks of a page that show files."""
    text = (DOCS / f"{page}.md").read_text("utf-8")
    return re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("how", ["*/5 * * * *", '"|', "| cd"])
def test_mail_env_by_sh(tmp_path: Path, how: str) -> None:
    """The page's `mail.env`, read by sh as cron, .forward and procmail do: blanks and all."""
    shown = blocks("mail-hosts")
    (env,) = [one for one in shown if one.startswith("ADJUDICATOR_MAIL_ADDRESS=")]
    lines = [line for one in shown for line in one.splitlines() if "mail.env" in line]
    (line,) = [line for line in lines if line.startswith(how)]
    command = line.removeprefix(how.rstrip(" cd")).strip().strip('"').removeprefix("|").strip()
    command = re.sub(r"(/home/carl|\$HOME)/games", str(tmp_path), command)
    (tmp_path / "mail.env").write_text(env)
    stub = tmp_path / "adjudicator"
    stub.write_text('#!/bin/sh\nprintf "%s\\n" "$ADJUDICATOR_IMAP_PASSWORD" "$*"\n')
    stub.chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", "-c", command], capture_output=True, check=False,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.stderr == b""
    password, words = done.stdout.decode().splitlines()
    assert password == "abcd efgh ijkl mnop"
    assert words.startswith("mail serve friday")
