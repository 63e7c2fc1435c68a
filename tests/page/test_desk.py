"""The page's desk against a host at the command line, over real mails, without any browser."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from commands import Table
from page.posted import PASSPHRASE, PRESS, Posted

from adjudicator.page.desk import BEFORE, DAMAGED, EARLY, FOREIGN, OWN
from adjudicator.page.play import Play
from adjudicator.page.shown import Seen
from adjudicator.player import safe
from adjudicator.store.clock import now
from games.game import OrderError
from orders.bundle import decode
from orders.errors import Refused


@pytest.fixture(autouse=True)
def _cheap_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """As little as Argon2id may cost; `tests/player/test_safe.py` holds what it does cost."""
    monkeypatch.setattr(safe, "PASSES", 1)
    monkeypatch.setattr(safe, "KIBIBYTES", 8)


@pytest.fixture
def posted(tmp_path: Path) -> Posted:
    """A game of Sugar Dog that has begun."""
    return Posted(Table(tmp_path), "sugar-dog", "--option", "first=alice", *PRESS).begin()


@pytest.mark.parametrize("game", ["sugar-dog", "silent-ships", "submarine-warfare"])
def test_a_whole_game_by_mail(game: str, tmp_path: Path) -> None:
    """Page against page, with a host at the command line: joins, orders, receipts, the reveal."""
    posted = Posted(Table(tmp_path), game).begin()
    for _ in range(3):
        posted.round()
    while posted.desks["alice"].state()["stage"] == "play":
        posted.round(resigns="bob")
    for name, desk in posted.desks.items():
        told = desk.state()
        assert (told["stage"], told["outcome"]) == ("over", "alice won")
        assert (desk.verdict()["code"], desk.verdict()["verdict"]) == (0, "true: alice won")
        assert told["player"] == name
    assert "TRUE: alice won." in posted.host.run("verify", "friday").stdout
    assert posted.desks["alice"].packed()["data"]


def test_what_a_player_is_told(posted: Posted) -> None:
    """Board, clocks, who is awaited; what was sent, and then its receipt."""
    desk = posted.desks["alice"]
    told = desk.state()
    assert told["chart"]["cells"]["C4"] == "C4"
    assert [(one["player"], one["you"]) for one in told["awaited"]] == [
        ("alice", True), ("bob", False),
    ]  # fmt: skip
    assert told["awaited"][0]["left"].startswith("in ")
    assert (told["mine"], told["sent"], told["amiss"]) == (True, [], [])
    posted.order("alice", "start C4")
    (sent,) = desk.state()["sent"]
    assert (sent["answered"], sent["lines"]) == (False, ["start C4"])
    assert sent["text"].endswith("No receipt yet")
    posted.deliver()
    (sent,) = desk.state()["sent"]
    assert (sent["answered"], sent["refused"]) == (True, False)
    assert sent["text"].endswith("The host has it")
    assert [one["title"] for one in desk.log()] == ["the game begins: alice, bob"]
    assert desk.deduced() == {"may": [], "notes": []}


def test_the_desk_is_told_the_time(posted: Posted) -> None:
    """It has no clock of its own."""
    told = posted.desks["alice"].state("2036-01-01T00:00:00Z")
    assert "overdue by" in told["awaited"][0]["left"]


def test_the_next_choices(posted: Posted) -> None:
    """Lines in parts; complete once they are whole orders; planned ones in parts too."""
    desk = posted.desks["alice"]
    first = desk.plan([])
    assert not first["complete"]
    (one,) = [one for one in first["acts"] if one["text"] == "start C4"]
    assert (one["verb"], one["to"], one["says"]) == ("start", ("C4",), "Start in C4.")
    then = desk.plan(["start C4"])
    assert (then["complete"], then["planned"]) == (True, [one])
    assert desk.plan(["start C4"], 1)["planned"] == []
    assert desk.check("start C4") == {"lines": ["start C4"]}
    with pytest.raises(OrderError, match="start Z9"):
        desk.check("start Z9")


def test_orders_that_cannot_stand_change_nothing(posted: Posted) -> None:
    """Refused before anything is sealed: the safe is not saved, no revision used."""
    desk = posted.desks["alice"]
    before = desk.state()["saved"]
    for text in ("start Z9", "fire S", "\x00", "start C4\n" * 5000):
        with pytest.raises((OrderError, Refused)):
            desk.order(now(), text)
    assert desk.state()["saved"] == before
    assert desk.order(now(), "start C4")["ordered"]["revision"] == 1


def test_orders_may_protest(posted: Posted) -> None:
    """By what the page offers; the slip says it."""
    alice = posted.desks["alice"]
    said = alice.state()["protests"][0]
    told = alice.order(now(), "start C4", said)
    assert f"with a protest: {said}" in told["sent"][0]["text"]


def test_sending_saves_the_seat(posted: Posted) -> None:
    """The safe comes with the mail, holds the order, and is one number higher each time."""
    desk = posted.desks["alice"]
    one, two = (desk.order(now(), f"start {cell}") for cell in ("C4", "C5"))
    assert (two["ordered"]["revision"], two["safe"]["saved"]) == (2, one["safe"]["saved"] + 1)
    assert two["safe"]["name"] == "friday-alice.safe"
    other = Play()
    other.open(now(), base64.b64decode(two["safe"]["data"]), PASSPHRASE)
    assert [sent["lines"] for sent in other.state()["sent"]] == [["start C4"], ["start C5"]]
    again = other.again(now())["send"]
    assert again["text"] == two["send"]["text"]


def test_what_is_sent_is_a_draft_to_the_host(posted: Posted) -> None:
    """A mail that opens as a draft, in the thread of the host's last one; and text to paste."""
    send = posted.desks["alice"].order(now(), "start C4")["send"]
    data = base64.b64decode(send["mail"])
    assert data.startswith(b"X-Unsent: 1\r\nDate: ")
    assert b"\r\nTo: referee@example.net\r\n" in data
    assert b"\r\nIn-Reply-To: <" in data
    assert b"start C4" not in data
    assert decode(send["text"].encode()).kind == "order"
    assert (send["to"], send["subject"]) == (
        "referee@example.net", "Re: [friday] sealed orders for step 1",
    )  # fmt: skip


def test_a_join_can_be_sent_again(tmp_path: Path) -> None:
    """From the safe too; the host takes it once."""
    posted = Posted(Table(tmp_path))
    desk = posted.desks["alice"]
    token = desk.take(now(), posted.mail("alice", "invite"))["token"]
    joined = desk.join(now(), "alice", PASSPHRASE, "alice@example.org", token)
    other = Play()
    other.open(now(), base64.b64decode(joined["safe"]["data"]), PASSPHRASE)
    assert other.state()["stage"] == "joined"
    assert other.again(now())["send"]["text"] == joined["send"]["text"]


def test_a_seat_that_is_reserved_needs_its_token(tmp_path: Path) -> None:
    """Refused before anything is made; so is a name that is none, and a short passphrase."""
    posted = Posted(Table(tmp_path))
    desk = posted.desks["alice"]
    token = desk.take(now(), posted.mail("alice", "invite"))["token"]
    for given, word in (
        ({"name": "alice"}, "no-seat: the seats are reserved"),
        ({"name": "Alice!", "token": token}, "malformed"),
        ({"name": "alice", "token": token, "address": "no address"}, "address"),
    ):
        with pytest.raises(Refused, match=word):
            desk.join(now(), passphrase=PASSPHRASE, **given)
    with pytest.raises(Refused, match="it needs 8"):
        desk.join(now(), "alice", "short", token=token)
    assert desk.state()["stage"] == "invited"
    assert desk.join(now(), "alice", PASSPHRASE, token=token)["send"]["name"] == "friday-alice-join"


# What comes in.


def test_a_late_start_takes_in_all_at_once(posted: Posted) -> None:
    """A safe of before the first turn, then all mails in one paste, backwards: it is up to date."""
    early = base64.b64decode(posted.desks["alice"].save()["data"])
    for _ in range(3):
        posted.round()
    step = posted.desks["alice"].state()["step"]
    for paste in (
        [b"\n> text between\n".join(reversed(posted.mails("alice")))],
        list(reversed(posted.mails("alice"))),
    ):
        other = Play()
        other.open(now(), early, PASSPHRASE)
        told = [other.take(now(), one) for one in paste]
        assert told[-1]["step"] == step
        assert other.verdict()["code"] == 4


def test_a_reply_that_quotes_everything_twice(posted: Posted) -> None:
    """The same block plain and quoted, under words with markup: it counts once."""
    posted.order("alice", "start C4")
    mail = posted.mail("alice", "receipt").decode()
    quoted = "\n".join(f"> {line}" for line in mail.splitlines())
    text = f"<script>alert(1)</script>\nOn Friday <b>you</b> wrote:\n{quoted}\n{quoted}\n{mail}"
    told = posted.desks["alice"].take(now(), text.encode())
    assert "the host has your orders for step 1 (start C4)" in told["lines"]
    assert not told["warnings"]


def test_other_games_are_let_alone(
    posted: Posted, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Mails of another game, invitation and all, change nothing and are named."""
    other = Posted(Table(tmp_path_factory.mktemp("other"))).begin()
    desk, time = posted.desks["alice"], now()
    before = desk.state(time)
    for mail in other.mails("alice"):
        told = desk.take(time, mail)
        assert told["warnings"] in ([], [FOREIGN])
        assert told["lines"][:1] in ([], ["The mail says:"])
    assert desk.state() == before


HOSTILE = {
    "nothing": b"",
    "junk": bytes(range(256)) * 4096,
    "markup": b"<img src=x onerror=alert(1)>" * 1000,
    "begins": b"-----BEGIN ADJUDICATOR BUNDLE-----\n" * 1000,
    "dashes": b"-" * 2**20,
    "control": b"\x1b]0;title\x07\x1b[2J\x9b31m\r\r\r\n" * 1000,
    "headers": b"Subject: " + b"=?utf-8?q?" * 10_000 + b"\n\nwords",
    "parts": b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n\n" * 50_000,
    "zip": b"PK\x03\x04" + bytes(1000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pastes(name: str, posted: Posted) -> None:
    """Refused or said to hold nothing, in printable ASCII; nothing is changed."""
    desk, time = posted.desks["alice"], now()
    before = desk.state(time)
    try:
        told = desk.take(time, HOSTILE[name])
        said = [*told["lines"], *told["warnings"]]
    except Refused as error:
        said = [str(error), error.hint]
    assert said
    assert all(line.isascii() and line.isprintable() for line in said)
    assert desk.state() == before


def test_a_paste_too_large(posted: Posted) -> None:
    """Its size is looked at before its text."""
    with pytest.raises(Refused, match="too-big: 12,582,913 bytes"):
        posted.desks["alice"].take(now(), bytes(12 * 2**20 + 1))


def test_a_damaged_block(posted: Posted) -> None:
    """Named, and the whole one beside it is taken."""
    posted.order("alice", "start C4")
    mail = posted.mail("alice", "receipt")
    at = mail.index(b"digest: ") + 120
    broken = mail[:at] + bytes([mail[at] ^ 1]) + mail[at + 1 :]
    desk = posted.desks["alice"]
    told = desk.take(now(), broken)
    assert told["warnings"] == [DAMAGED]
    assert desk.take(now(), broken + b"\n" + mail)["warnings"] == []


def test_ones_own_mail_is_no_news(posted: Posted) -> None:
    """What one has sent oneself comes back quoted: it is not taken for the host's."""
    desk = posted.desks["alice"]
    send = desk.order(now(), "start C4")["send"]
    told = desk.take(now(), send["text"].encode())
    assert (told["lines"], told["warnings"]) == ([], [OWN])


def test_without_a_game() -> None:
    """What needs one says so."""
    desk = Play()
    assert desk.state()["stage"] == "none"
    for call in (desk.log, desk.hint, lambda: desk.plan([]), lambda: desk.order(now(), "x"),
                 lambda: desk.join(now(), "alice", PASSPHRASE), lambda: desk.again(now()),
                 desk.verdict, desk.packed):  # fmt: skip
        with pytest.raises(Refused, match="no game is open here"):
            call()


# The safe.


def test_the_command_line_opens_the_safe(posted: Posted) -> None:
    """The page goes on with what the command line has written."""
    folder = posted.host.root / "away"
    folder.mkdir()
    (folder / "words").write_text(PASSPHRASE)
    (folder / "alice.safe").write_bytes(base64.b64decode(posted.desks["alice"].save()["data"]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADJUDICATOR_PASSPHRASE_FILE", str(folder / "words"))
        posted.host.run("restore", "away/alice.safe", "-o", "away/open")
        (folder / "orders").write_text("start C4\n")
        posted.host.run("play", "--file", "away/orders", "-g", "away/open/friday",
                        "--seat", "away/open/alice.seat", "-o", "away/order.txt")  # fmt: skip
        posted.host.run("note", "Mine?", "-g", "away/open/friday",
                        "--seat", "away/open/alice.seat")  # fmt: skip
        posted.host.run("backup", "-g", "away/open/friday", "--seat", "away/open/alice.seat",
                        "-o", "away/again.safe")  # fmt: skip
    assert "alice: taken" in posted.host.run("take", "away/order.txt", "-g", "friday").stdout
    other = Play()
    other.open(now(), (folder / "again.safe").read_bytes(), PASSPHRASE)
    assert [sent["lines"] for sent in other.state()["sent"]] == [["start C4"]]
    # What the page does not show it keeps nevertheless.
    _, held = safe.open_with(base64.b64decode(other.save()["data"]), PASSPHRASE)
    assert "seat/notes/0000-0001.sealed" in held


def test_an_older_safe_takes_no_newer_ones_place(posted: Posted) -> None:
    """Neither that of an open seat nor of one that the browser remembers; the newer may be opened.

    What was open stays open.
    """
    desk = posted.desks["alice"]
    old = base64.b64decode(desk.save()["data"])
    new = base64.b64decode(desk.order(now(), "start C4")["safe"]["data"])
    time = now()
    before = desk.state(time)
    with pytest.raises(Refused, match="stale: this safe of alice was saved"):
        desk.open(time, old, PASSPHRASE)
    assert desk.state() == before
    other = Play()
    with pytest.raises(Refused, match="stale"):
        other.open(now(), old, PASSPHRASE, newest=safe.read_head(new).saved)
    other.open(now(), old, PASSPHRASE)
    other.open(now(), new, PASSPHRASE)
    assert other.state()["sent"]


def test_a_wrong_passphrase_changes_nothing(posted: Posted) -> None:
    """What was open stays open, and no folder is left behind."""
    desk = posted.desks["alice"]
    data = base64.b64decode(desk.save()["data"])
    time = now()
    before = desk.state(time)
    with pytest.raises(Refused, match="bad-safe"):
        desk.open(time, data, "another passphrase")
    assert desk.state() == before


def test_a_seat_gets_its_passphrase_later(tmp_path: Path) -> None:
    """Until then its safe is opened by its key alone; from then on by the passphrase, and the old
    safe is older."""
    alice = Play()
    token = alice.take(now(), Posted(Table(tmp_path)).mail("alice", "invite"))["token"]
    bare = alice.join(now(), "alice", token=token)["safe"]
    assert (bare["bare"], alice.state()["bare"]) == (True, True)
    again = Play()
    data = base64.b64decode(bare["data"])
    with pytest.raises(Refused, match="this safe has no passphrase"):
        again.open(now(), data, PASSPHRASE)
    assert again.open(now(), data, key=bare["key"])["player"] == "alice"
    with pytest.raises(Refused, match="is too short: it needs 8"):
        again.set_passphrase("short")
    assert again.state()["bare"]
    kept = again.set_passphrase(PASSPHRASE)
    assert (kept["bare"], again.state()["bare"], kept["saved"]) == (False, False, 2)
    other = Play()
    newer = base64.b64decode(kept["data"])
    assert other.open(now(), newer, PASSPHRASE)["player"] == "alice"
    assert other.open(now(), newer, key=kept["key"])["player"] == "alice"
    with pytest.raises(Refused, match="bad-safe"):
        other.open(now(), newer, key=bare["key"])


def test_a_safe_whose_seat_is_another_is_refused(posted: Posted) -> None:
    """Whoever made it knew the passphrase, yet its head names somebody else."""
    alice, bob = posted.desks["alice"], posted.desks["bob"]
    data = base64.b64decode(alice.save()["data"])
    lock, held = safe.open_with(data, PASSPHRASE)
    head = safe.read_head(data)
    forged = safe.seal(safe.SafeHead(head.name, "bob", head.invite, 99), lock, held)
    with pytest.raises(Refused, match="holds another seat than its unencrypted part names"):
        bob.open(now(), forged, PASSPHRASE)
    assert bob.state()["player"] == "bob"


def test_what_a_safe_says_in_the_clear(posted: Posted) -> None:
    """Which seat, and how often saved."""
    made = posted.desks["alice"].save()
    told = Play().head(base64.b64decode(made["data"]))
    assert (told["name"], told["player"], told["id"]) == ("friday", "alice", made["id"])
    assert told["saved"] == made["saved"]


def test_letters_come_in(posted: Posted) -> None:
    """A message by mail is shown, and kept in the seat."""
    bob = posted.host.root / "bob"
    bob.mkdir()
    (bob / "bob.safe").write_bytes(base64.b64decode(posted.desks["bob"].save()["data"]))
    (bob / "words").write_text(PASSPHRASE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADJUDICATOR_PASSPHRASE_FILE", str(bob / "words"))
        posted.host.run("restore", "bob/bob.safe", "-o", "bob")
        posted.host.run("say", "Truce?", "-g", "bob/friday", "--seat", "bob/bob.seat",
                        "--to", "alice", MAIL_OUT="")  # fmt: skip
    posted.host.serve(next(bob.glob("*letter*.eml")).read_bytes())
    told = posted.desks["alice"].take(now(), posted.mail("alice", "letter"))
    assert told["lines"] == ["message from bob to alice:", "  Truce?"]
    assert "  Truce?" in posted.desks["alice"].letters()


def test_a_message_is_written_and_passed_on(posted: Posted) -> None:
    """Sealed for the host, who passes it on; the safe that comes with it has it."""
    alice, bob = posted.desks["alice"], posted.desks["bob"]
    told = alice.say(now(), "bob", "Truce?")
    assert b"Truce" not in base64.b64decode(told["send"]["mail"])
    assert told["send"]["subject"] == "Re: [friday] a letter"
    posted.host.serve(base64.b64decode(told["send"]["mail"]))
    said = bob.take(now(), posted.mail("bob", "letter"))["lines"]
    assert said == ["message from alice to bob:", "  Truce?"]
    other = Play()
    other.open(now(), base64.b64decode(told["safe"]["data"]), PASSPHRASE)
    assert other.letters() == ["you, message to bob: in no entry yet", "  Truce?"]
    with pytest.raises(Refused, match="expected another player, all or host"):
        alice.say(now(), "carol", "Hello")


def test_what_something_is_about_is_told_before_it_is_taken_in(posted: Posted) -> None:
    """By the ids that the state of the game has; nothing is changed."""
    desk, time = posted.desks["alice"], now()
    before = desk.state(time)
    for mail in posted.mails("alice"):
        told = desk.brings(mail)
        assert set(told["ids"]) <= set(before["ids"])
        assert len(told["ids"]) == len(told["kinds"])
    assert desk.brings(b"words") == {"kinds": [], "ids": [], "begins": False}
    assert desk.state() == before


def test_closing_forgets_all(posted: Posted) -> None:
    """The folder in memory is gone, and with it the key."""
    desk = posted.desks["alice"]
    root = desk.root
    assert root.exists()
    assert desk.close()["stage"] == "none"
    assert not root.exists()


def test_no_mail_of_anybody_else_breaks_a_seat(posted: Posted) -> None:
    """Every mail of the other player's dropped first: the public board, one sentence, the protest
    ready; saved and opened it is the same, and the seat's own mails heal it."""
    for _ in range(2):
        for name, desk in posted.desks.items():
            if desk.state()["mine"]:
                posted.order(name, desk.hint()["orders"])
        for name, other in (("alice", "bob"), ("bob", "alice")):
            desk = posted.desks[name]
            said = [
                line for mail in posted.mails(other) for line in desk.take(now(), mail)["warnings"]
            ]
            assert f"This mail is {other}\u2019s, not yours. It does no harm." in said
            told, step = desk.state(), desk.state()["step"]
            (fault,) = [one for one in told["amiss"] if "report" in one]
            assert fault.startswith(
                f"Your report of entry {step} is missing, so you see what everybody sees. Look for "
                f"your mail \u201c[friday] entry {step}\u201d."
            )
            assert (told["stage"], told["protest"]) == ("play", "undelivered")
            assert told["chart"]["columns"] == 6
            saved = base64.b64decode(desk.save()["data"])
            again = Play()
            opened = again.open(now(), saved, PASSPHRASE)
            assert (opened["amiss"], opened["chart"]) == (told["amiss"], told["chart"])
            if told["mine"]:
                # Written blind, with the protest: the host judges it by the report it made.
                assert again.plan([])["complete"]
                assert again.order(now(), "resign", "undelivered")["send"]["name"]
        posted.deliver()
        for desk in posted.desks.values():
            assert (desk.state()["amiss"], desk.state()["protest"]) == ([], "")
            assert desk.boards() == list(Seen(desk._own()).boards())


def test_a_public_bundle_of_the_record_breaks_no_seat(posted: Posted) -> None:
    """As `adjudicator resend` makes it, without any report."""
    for name, line in (("alice", "start C4"), ("bob", "start F6")):
        posted.order(name, line)
    posted.host.run("resend", "all", "1", "-g", "friday", "-o", "public.txt")
    desk = posted.desks["alice"]
    told = desk.take(now(), (posted.host.root / "public.txt").read_bytes())
    assert (told["step"], told["protest"]) == (1, "undelivered")
    assert told["mine"]
    # Orders on what everybody sees need the protest.
    with pytest.raises(Refused, match=r"your report of entry 1 is not here"):
        desk.check("fire S")
    assert desk.check("fire S", "undelivered")["lines"] == ["fire S"]


def test_a_missing_entry_is_named(posted: Posted) -> None:
    """An entry that comes too early is kept; the board says that it is old, and what to ask for."""
    for name, line in (("alice", "start C4"), ("bob", "start F6")):
        posted.order(name, line)
    posted.desks["alice"].take(now(), posted.mails("alice")[-1])
    bob = posted.desks["bob"]
    first = [one for one in posted.mails("bob") if b"entry 1" in one]
    for mail in posted.mails("alice"):
        posted.desks["alice"].take(now(), mail)
    posted.order("alice", "fire S")
    second = [one for one in posted.mails("bob") if b"] entry 2" in one]
    told = bob.take(now(), second[0])
    assert told["amiss"][0] == (
        "Entry 1 did not come, and a later one waits for it. Look for the mail \u201c[friday] "
        "entry 1\u201d. Not there? Ask the host to send it again: your time may be running."
    )
    told = bob.take(now(), first[0])
    assert (told["step"], told["amiss"]) == (2, [])


def test_the_terms_stand_in_the_invitation(tmp_path: Path) -> None:
    """Days of rest and the rest of what everybody agrees on by joining."""
    posted = Posted(Table(tmp_path), "sugar-dog", "--option", "club", "--option", "zone=+01:00")
    told = Play().take(now(), posted.mail("alice", "invite"))
    terms = {"rest": "sat,sun", "zone": "+01:00", "away": "2"}
    assert terms.items() <= told["options"].items()


def test_a_seat_is_handed_on(posted: Posted) -> None:
    """Who would take it joins in a page; its player's page signs the consent, and knows afterwards
    that the seat is another's. Nothing but such a join asks for it."""
    alice, bob = posted.desks["alice"], posted.desks["bob"]
    posted.order("alice", "start C4")
    posted.order("bob", "start F6")
    posted.deliver()
    dora, text = posted.heir("dora", "alice")
    join = text.encode()
    told = alice.take(now(), join)
    assert (told["lines"], told["warnings"], told["stage"]) == ([], [], "play")
    assert told["heir"].startswith("SHA256:")
    for desk in (bob, dora):
        assert desk.take(now(), join)["heir"] == ""
    for desk, data in ((bob, join), (alice, posted.mail("alice", "invite"))):
        with pytest.raises(Refused, match="no-seat: nobody asks for your seat in this"):
            desk.consent(data)
    assert Play().take(now(), join)["warnings"] == [EARLY]

    send = alice.consent(join)["send"]
    assert (set(send), send["name"]) == ({"name", "text"}, "friday-alice-consent")
    said = posted.hand_on(text, send["text"])
    assert "the host gave alice's seat to another key; alice signed that" in said
    for mail in posted.mails("alice"):
        alice.take(now(), mail)
    told = alice.state()
    assert told["stage"] == "left"
    assert told["amiss"] == [
        "Entry 2 gives your seat to somebody else, and your key signed that; the reason given: "
        "'She has left'."
    ]
    assert alice.take(now(), join)["heir"] == ""
    entries = [mail for mail in posted.mails("dora") if b"kind: entry" in mail]
    first, *later = sorted(entries, key=lambda one: b"Subject: [friday] entry 0" not in one)
    assert len(later) == 2
    for mail in later:
        assert dora.take(now(), mail)["warnings"] == [BEFORE]
    for mail in (first, *later):
        dora.take(now(), mail)
    told = dora.state()
    assert (told["stage"], told["player"], told["amiss"]) == ("play", "alice", [])
