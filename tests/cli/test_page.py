"""`adjudicator page`: what is refused before anything is built, and what is said without npm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from table import Table

from adjudicator.page import build
from orders.bundle import Bundle, decode, encode


@pytest.fixture
def desk(tmp_path: Path, at_commands: Any) -> Table:
    """A command line in a folder with nothing in it."""
    return at_commands(tmp_path)


def test_without_npm_it_says_so(desk: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to install; nothing is written."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(desk.root / "cache"))
    said = desk.fails("missing", "page", "-o", "page.html")
    assert "npm" in said
    assert not (desk.root / "page.html").exists()


def test_nothing_of_another_kind_is_replaced(desk: Table) -> None:
    """It is refused before minutes are spent on building."""
    (desk.root / "page.html").write_text("<!doctype html>\nmine")
    desk.fails("exists", "page", "-o", "page.html")
    (desk.root / "torn.zip").write_bytes(b"PK\3\4")
    desk.fails("bad-pack", "page", "-o", "new.html", "--record", "torn.zip")
    assert desk.run("page").exit_code == 2


def test_an_invitation_must_be_one(desk: Table) -> None:
    """What it carries is read before anything is built: a file or a mail with one good invite."""
    desk.key("host.key")
    desk.run("invite", "sugar-dog", "--key", "host.key", "-o", "friday")
    invite = (desk.root / "friday-invite.txt").read_text()
    (desk.root / "words.txt").write_text("come and play")
    said = desk.fails("malformed", "page", "-o", "new.html", "--invite", "words.txt")
    assert "'words.txt': expected one invitation, found 0" in said
    said = desk.fails("malformed", "page", "-o", "new.html", "--invite", "host.key")
    assert "found 0" in said
    bundle = decode(invite.encode())
    forged = [(path, data.replace(b"turn_time", b"turn_tine")) for path, data in bundle.files]
    (desk.root / "forged.txt").write_bytes(encode(Bundle("invite", tuple(forged))))
    said = desk.fails("bad-signature", "page", "-o", "new.html", "--invite", "forged.txt")
    assert "invite.toml" in said
    assert not (desk.root / "new.html").exists()


def test_check_tells_whether_it_is_the_page_of_this_version(
    desk: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the digest, whatever a page carries. Another page or file gives exit code 1."""
    page = build.BEGINS + b"all of it\n" + build.ISLAND + b"</script>\n</body>\n</html>\n"
    monkeypatch.setattr(build, "of_version", lambda: page)
    (desk.root / "game.html").write_bytes(build.carry(page, {"record": b"PK"}))
    said = desk.run("page", "--check", "game.html")
    assert (said.exit_code, said.stdout.splitlines()) == (
        0,
        [
            f"game.html: page {build.digest(page)}",
            "  it carries: record, 2 bytes",
            "  it is the page of this version",
        ],
    )
    (desk.root / "other.html").write_bytes(page.replace(b"all of it", b"most of it"))
    said = desk.run("page", "--check", "other.html")
    assert said.exit_code == 1
    assert f"this version's is {build.digest(page)}" in said.stderr
    monkeypatch.delattr(build, "of_version")  # To build one takes minutes.
    (desk.root / "none.html").write_bytes(b"<p>")
    assert "this is no page" in desk.fails("malformed", "page", "--check", "none.html")


PAGE = build.BEGINS + (
    b"<meta content=\"img-src data:; base-uri 'none'\">\n<title>x</title>\n"
    + build.ISLAND
    + b"</script>\n</body>\n</html>\n"
)


def test_a_folder_for_a_web_host(desk: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that ends in /, or is there: all its files, the digest of the page in it, and what to say
    of its address. It may be written anew; `--check` knows where it is published."""
    monkeypatch.setattr(build, "of_version", lambda *_: PAGE)
    site = desk.root / "site"
    told = desk.run("page", "-o", "site/").stdout.splitlines()
    digest = build.digest((site / "index.html").read_bytes())
    assert told == [
        f"site/index.html: page {digest}",
        "site: put all of it on a web host",
        "chats show no picture of a link to it: for that say --at https://HOST/FOLDER/",
    ]
    assert sorted(path.name for path in site.iterdir()) == [
        "demo.zip", "icon-192.png", "icon-512.png", "icon.svg", "index.html",
        "manifest.webmanifest", "preview.png",
    ]  # fmt: skip
    said = desk.run("page", "--check", "site/index.html")
    assert said.stdout.splitlines()[1] == "  it is published in a folder"
    told = desk.run("page", "-o", "site", "--at", "https://example.org/play/").stdout.splitlines()
    anew = build.digest((site / "index.html").read_bytes())
    assert anew != digest
    assert told[2] == (
        f"in invitations: adjudicator config page https://example.org/play/index.html#sha256={anew}"
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(desk.root))
    assert desk.run("config", "page", told[2].split()[-1]).exit_code == 0
    said = desk.run("page", "--check", "site/index.html")
    assert said.stdout.splitlines() == [
        f"site/index.html: page {anew}",
        "  it is published in a folder, at https://example.org/play/",
        "  it is the page of this version",
    ]


def test_no_other_folder_is_filled(desk: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address that is none, one for a single file, and files of somebody's own."""
    monkeypatch.setattr(build, "of_version", lambda *_: PAGE)
    for at in ("http://example.org/", "https://example.org/play", "https://example.org/?x/", "x"):
        said = desk.fails("bad-option", "page", "-o", "site/", "--at", at)
        assert f"--at '{at}': expected https://HOST/ or https://HOST/FOLDER/" in said
    assert desk.run("page", "-o", "x.html", "--at", "https://example.org/").exit_code == 2
    assert not (desk.root / "site").exists()
    (desk.root / "site").mkdir()
    (desk.root / "site" / "index.html").write_text("<!doctype html>\nmine")
    desk.fails("exists", "page", "-o", "site")
    assert (desk.root / "site" / "index.html").read_text().endswith("mine")
