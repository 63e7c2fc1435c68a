"""What commands share: outputs that replace nothing, times and texts that people type."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import click
import pytest

from adjudicator.cli import courier, keys, shared
from adjudicator.store import files
from orders.bundle import Bundle, decode, encode
from orders.errors import Refused

Table = Any


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A machine whose clock is an hour ahead of UTC."""
    monkeypatch.setenv("TZ", "CET-1")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("3d", "2026-11-24T12:00:00Z"),
        ("+3d", "2026-11-24T12:00:00Z"),
        ("2d12h", "2026-11-24T00:00:00Z"),
        ("90m", "2026-11-21T13:30:00Z"),
        ("1w", "2026-11-28T12:00:00Z"),
        ("2026-11-30 18:00", "2026-11-30T17:00:00Z"),
        ("2026-11-30T18:00", "2026-11-30T17:00:00Z"),
        ("2026-11-30T18:00:00Z", "2026-11-30T18:00:00Z"),
        ("2026-11-30 18:00+03:00", "2026-11-30T15:00:00Z"),
        ("2026-11-30", "2026-11-30T23:00:00Z"),
    ],
)
def test_times_as_people_write_them(berlin: None, text: str, meant: str) -> None:
    """Spans from now on, local times, days to their end."""
    assert shared.moment(text, "2026-11-21T12:00:00Z") == meant
    if text == "2026-11-30":
        assert shared.moment(text, "2026-11-21T12:00:00Z", begins=True) == "2026-11-29T23:00:00Z"


@pytest.mark.parametrize("text", ["", "tomorrow", "3", "3x", "d", "-3d", "2026-13-01", "1e3d"])
def test_times_that_nobody_can_mean(text: str) -> None:
    """A wrong call, with examples."""
    with pytest.raises(click.BadParameter, match="2026-11-30 18:00"):
        shared.moment(text, "2026-11-21T12:00:00Z")


@pytest.mark.parametrize(
    ("reason", "odd"),
    [
        ("Weihnachten \u2013 sch\u00f6n", "character 13 is EN DASH (U+2013)"),
        ("sch\u00f6n", "character 4 is LATIN SMALL LETTER O WITH DIAERESIS (U+00F6)"),
        ("a\x1b[2J", "character 2 is a control character (U+001B)"),
    ],
)
def test_reasons_say_which_character(table: Table, reason: str, odd: str) -> None:
    """Entries hold printable ASCII."""
    error = table.fails("malformed", "rule", "-g", "friday", "--until", "9d", "--reason", reason)
    assert odd in error


def test_a_name_that_no_terminal_shows(table: Table) -> None:
    """Bytes that are no UTF-8 in a file's name: told as escapes, no traceback."""
    name = os.fsdecode(b"J\xf6rg")
    (table.root / "friday").rename(table.root / name)
    out = table.run("resend", "all", "0", "-g", name, "-o", f"{name}.txt")
    assert (out.exit_code, out.stderr) == (0, "")
    assert "\\udcf6" in out.stdout


VICTIMS = (
    "alice.key",
    "alice.key.pub",
    "alice.seat/seat.toml",
    "alice.seat/orders/0001-1.txt",
    "friday.host/master",
    "friday.host/new.txt",
    "friday/invite.toml",
    "friday/entries/0001.toml",
    "friday/entries/0002.toml",
    "alice-orders.txt",
    "friday-alice-join.txt",
    "friday-invite.txt",
    "bob.seat",
    "link.txt",
)


def test_o_replaces_nothing_but_its_own_kind(table: Table) -> None:
    """Keys, seats, records, forms, other bundles, folders and links stay, and nothing is done."""
    table.step(alice="start C4", bob="start C1")
    form = table.orders("alice", "fire S")
    (table.root / "link.txt").symlink_to("alice.key")
    before = held(table.root)
    seat = ("--seat", "alice.seat")
    for arguments in (
        ("play", "--file", form, "-g", "friday", *seat, "-o"),
        ("take", "friday-alice-0001-1.txt", "-g", "friday", "-o"),
        ("resend", "all", "1", "-g", "friday", "-o"),
        ("show", "-g", "friday", *seat, "--svg"),
        ("play", "--form", "-g", "friday", *seat, "-o"),
        ("verify", "friday", "--against", "friday", "-o"),
        ("start", "friday-alice-join.txt", "friday-bob-join.txt", "-g", "friday", "-o"),
        ("join", "friday-invite.txt", "--name", "carol", "--key", "alice.key", "-o"),
        ("consent", "friday-alice-join.txt", "-g", "friday", *seat, "-o"),
    ):
        for victim in VICTIMS:
            assert "hint: name " in table.fails("exists", *arguments, victim)
            assert held(table.root) == before, (arguments, victim)


def test_o_replaces_its_own_kind(table: Table) -> None:
    """An order over an order, an entry over an entry, a picture over a picture."""
    form = table.orders("alice", "start C4")
    for _ in range(2):
        table.ok("play", "--file", form, "-g", "friday", "--seat", "alice.seat", "-o", "mine.txt")
        table.ok("resend", "all", "0", "-g", "friday", "-o", "entry.txt")
        table.ok("show", "-g", "friday", "--svg", "board.svg")
    assert decode((table.root / "mine.txt").read_bytes()).kind == "order"
    table.fails("exists", "resend", "all", "0", "-g", "friday", "-o", "mine.txt")
    table.fails("exists", "show", "-g", "friday", "--svg", "mine.txt")


def held(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_kinds_of_bundles_replace_their_own(tmp_path: Path) -> None:
    """What `like_bundle` gives is how such a bundle begins; a join replaces no other join."""
    order = encode(Bundle("order", (("invite.toml", b"x"),)))
    assert order.startswith(shared.like_bundle("order"))
    assert not order.startswith(shared.like_bundle("entry"))
    assert shared.like_bundle("join") == b""
    target = tmp_path / "one.txt"
    shared.write_out(str(target), order, like=shared.like_bundle("order"))
    shared.write_out(str(target), order, like=shared.like_bundle("order"))
    for like in (shared.like_bundle("entry"), shared.like_bundle("join")):
        with pytest.raises(Refused, match=r"one\.txt' is there already") as refused:
            shared.write_out(str(target), b"", like=like)
        assert refused.value.word == "exists"
    assert target.read_bytes() == order


def test_output_lands_beside_a_record_and_not_in_it(table: Table) -> None:
    """Nothing of a record's own, a seat or a host's folder; other names in a record's folder may be
    anybody's. Standard output is never in the way."""
    for path in ("friday/entries/0009.toml", "alice.seat/x", "friday.host/deeper/x"):
        with pytest.raises(Refused, match="which holds only its own files"):
            shared.check_out(str(table.root / path), like=b"")
    for path in ("friday/my-notes.txt", "nowhere/x"):
        shared.check_out(str(table.root / path), like=b"")
    shared.check_out("-", like=b"")
    shared.check_out(None, like=b"")


@pytest.mark.parametrize(("text", "least"), [("7", 1), ("7f", 1), ("00" * 32, 32), ("0102", 2)])
def test_seeds_are_filled_with_zeros(text: str, least: int) -> None:
    """32 bytes, whatever was typed, the digits at their end."""
    seed = shared.read_seed(text)
    assert len(seed) == 32
    assert seed.hex().endswith(text)
    assert not any(seed[: 32 - least])


@pytest.mark.parametrize("text", ["", "0x07", "zz", "00" * 33])
def test_seeds_that_are_none(text: str) -> None:
    """A wrong call."""
    with pytest.raises(click.BadParameter, match="--seed"):
        shared.read_seed(text)


def test_texts_of_entries_have_bounds() -> None:
    """From one character to the maximum, both included."""
    shared.check_reason("x" * 500)
    shared.check_reason("~")
    for text in ("", "x" * 501):
        with pytest.raises(Refused, match=f"--reason has {len(text)} characters: write 1 to 500"):
            shared.check_reason(text)


def test_keys_are_looked_for_where_they_were_noted(table: Table) -> None:
    """First the given path, then the noted one. A missing key is quoted, with its fingerprint."""
    host, alice = table.root / "host.key", table.root / "alice.key"
    public = keys.signer(host).public
    noted: list[Path] = []
    assert keys.signer_of(public, None, host, noted.append).public == public
    assert keys.signer_of(public, alice, host, noted.append).public != public
    with pytest.raises(Refused) as refused:
        keys.signer_of(public, table.root / "gone.key", host, noted.append)
    assert refused.value.word == "bad-key"
    assert "gone.key" in refused.value.message
    assert public.fingerprint in refused.value.message
    with pytest.raises(Refused, match=r"is not at '.' any more"):
        keys.signer_of(public, None, Path(), noted.append)
    assert noted == []
    moved = table.root / "moved.key"
    host.rename(moved)
    assert keys.signer_of(public, alice, host, noted.append).public != public
    assert noted == []
    assert keys.signer_of(public, moved, host, noted.append).public == public
    assert noted == [moved]


def test_a_record_is_a_folder_a_pack_or_nothing(table: Table, finished: Table) -> None:
    """What is none is quoted; a game that has not begun is not taken for one that lacks files."""
    finished.ok("pack", "-g", "friday", "-o", "shared.zip")
    packed = shared.source_of(finished.root / "shared.zip")
    folder = shared.source_of(finished.root / "friday")
    assert shared.ledger_of(packed).last.digest == shared.ledger_of(folder).last.digest
    with pytest.raises(Refused, match="no game is in "):
        shared.source_of(table.root / "nowhere")
    (table.root / "friday/entries/0000.toml").unlink()
    with pytest.raises(Refused, match="has not begun") as refused:
        shared.ledger_of(shared.source_of(table.root / "friday"))
    assert refused.value.word == "not-yet"
    assert shared.open_seat(None) is None


def test_the_hosts_folder_is_seen_by_its_host_alone(table: Table) -> None:
    """None where it is missing, or does not hold this game's secret, like a stranger's."""
    record = shared.record_of(table.root / "friday")
    found = shared.host_folder(record)
    assert found is not None
    assert found.root == table.root / "friday.host"
    secret = table.root / "friday.host/letters"
    for other in ("ab" * 32, "no secret"):
        secret.write_text(other)
        assert shared.host_folder(record) is None
    secret.unlink()
    assert shared.host_folder(record) is None
    (table.root / "friday.host").rename(table.root / "elsewhere")
    assert shared.host_folder(record) is None


def test_the_record_and_the_seat_that_are_here(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As git finds its repository: the one copy here and the seat beside it, also from inside the
    copy and from below; what lies in a folder of somebody else's is let alone."""
    mine = type(table)(tmp_path / "mine")
    mine.root.mkdir()
    for path in ("friday-invite.txt", "friday-0000.txt"):
        table.give(path, mine)
    (table.root / "alice.seat").rename(mine.root / "alice.seat")
    mine.ok("take", "friday-invite.txt", "-g", "friday")
    assert "entry 0 taken in" in mine.ok("take", "friday-0000.txt")
    for words in (("status",), ("show",), ("log",), ("resend", "all", "0"), ("play", "--form")):
        named = mine.run(*words, "-g", "friday", *SEAT.get(words[0], ()))
        left_out = mine.run(*words)
        assert (left_out.exit_code, left_out.stdout) == (named.exit_code, named.stdout), words
    assert "As alice sees it" in mine.run("show").stdout
    assert "As everybody sees it" in mine.run("show", "--as", "all").stdout
    inside = type(table)(mine.root / "friday" / "entries")
    assert "As alice sees it" in inside.run("show").stdout
    form = f"{mine.ok('play', '--form')}start C4\n"
    assert mine.ok("play", "--check", "--file", "-", given=form.encode()).startswith(
        "ok: orders of alice"
    )
    (mine.root / "below").mkdir()
    below = type(table)(mine.root / "below")
    assert "As alice sees it" in below.run("show").stdout
    monkeypatch.setattr(files, "is_own", lambda path: False)
    assert "No game is here" in below.ok("status")
    monkeypatch.setenv("ADJUDICATOR_GAME", str(mine.root / "friday"))
    assert "friday: Sugar Dog" in below.ok("status")


SEAT = {"show": ("--seat", "alice.seat"), "play": ("--seat", "alice.seat")}


def test_one_of_several_games_is_asked_for(table: Table) -> None:
    """Never guessed: they are named, and one is asked for; the same with seats."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "sunday")
    assert table.ok("status").splitlines()[0].startswith("friday: Sugar Dog, as host: ")
    told = table.run("show")
    assert (told.exit_code, told.stdout) == (2, "")
    assert "error: several games are here: say which, -g friday or -g sunday" in told.stderr
    assert "2 seats" in table.fails("no-seat", "play", "--form", "-g", "friday")
    assert "As everybody sees it" in table.ok("show", "-g", "friday")


def test_to_ask_which_game_is_meant_reads_no_mails(
    table: Table, mine: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How each stands is in its record; beside them may lie hundreds."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "sunday")
    mine.run("join", "../sunday-invite.txt", "--name", "alice", "--key", "../alice.key")
    monkeypatch.setattr(courier, "look", None)
    told = mine.run("show")
    assert (told.exit_code, told.stderr.splitlines()[:2]) == (
        2, ["friday: Sugar Dog, as alice: not begun",
            "sunday: Sugar Dog, as alice: not begun"]
    )  # fmt: skip


def test_files_name_their_game(table: Table) -> None:
    """What is given says of which game it is, though several are here."""
    table.ok("invite", "sugar-dog", "--key", "host.key", "-o", "sunday")
    table.order("alice", "start C4")
    assert "alice: taken" in table.ok("take", "friday-alice-0001-1.txt")
    assert "not begun" in table.ok("status", "-g", "sunday")
    assert "Waiting for bob" in table.ok("sync", "-g", "friday")
    assert "ruling" in table.ok("rule", "-y", "-g", "friday", "--until", "9d", "--reason", "snow")
    assert "no-such.txt" in table.fails("missing", "take", "no-such.txt")
