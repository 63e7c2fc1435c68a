"""A host's mailbox: games from invite to verdict, who is answered, and what a crash does."""

from __future__ import annotations

import contextlib
import email
import email.policy
from collections.abc import Callable
from email.message import EmailMessage
from itertools import count
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli
from adjudicator.mail import block, office, post, telling
from adjudicator.mail.arrived import Down
from adjudicator.mail.desk import Desk
from adjudicator.mail.mime import read_mail
from adjudicator.mail.outbox import Outbox
from adjudicator.mail.senders import NotSent
from adjudicator.player.letters import Message
from adjudicator.store import files
from orders.bundle import Bundle
from orders.documents import read_receipt
from orders.errors import Refused

Mailroom = Any
HOST = "referee@example.net"


def receipts(mails: list[bytes]) -> list[str]:
    """The statuses of the receipts in some mails."""
    found = [block.choose(read_mail(mail).blocks, ("receipt",)) for mail in mails]
    return [read_receipt(one.files[0][1]).status for one in found if one is not None]


def test_whole_game(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """A game goes from invitations to a true verdict through mails alone, at both ends."""
    room = mailroom().begin().play(*example)
    assert room.verify().verdict == "true: alice won"
    for name in room.players:
        assert "The game is over" in room.last(name)
        others = {f"-{other}.sealed" for other in room.players if other != name}
        # What is sealed concerns its two ends alone: everything else is in every copy.
        theirs = {
            path: room.record.read(path)
            for path in room.record.paths()
            if not (path.startswith("orders/") and path.endswith(".sealed"))
            and not any(path.endswith(other) for other in others)
        }
        assert {path: room.copy(name).read(path) for path in room.copy(name).paths()} == theirs


def test_threads(mailroom: Callable[..., Mailroom], example: Any) -> None:
    """Each entry's mail answers the one before, a receipt the mail that brought the orders."""
    room = mailroom().begin()
    sent = room.order("alice", "start C4")
    room.box.put(sent)
    room.turn()
    receipt = read_mail(room.got("alice")[-1])
    assert read_mail(sent).message_id in receipt.references
    room.play({"bob": "start C1"})
    told = [read_mail(one) for one in room.got("alice") if b"] entry " in one]
    assert told[0].message_id in told[1].references


@pytest.mark.parametrize("times", [1, 2, 5])
def test_same_mail_again(mailroom: Callable[..., Mailroom], times: int) -> None:
    """A mail that is delivered again, with other transport headers, has no second effect."""
    room = mailroom().begin()
    mail = room.order("alice", "start C4")
    for n in range(times):
        room.box.put(b"Received: by relay-%d\n" % n + mail)
        room.turn()
    assert receipts(room.got("alice")) == ["accepted"]


def test_same_bundle_in_another_mail(mailroom: Callable[..., Mailroom]) -> None:
    """The very same orders in a new mail get the same receipt again."""
    room = mailroom().begin()
    seated = room.seated("alice")
    mail = room.order("alice", "start C4")
    bundle = block.choose(read_mail(mail).blocks, ("order",))
    room.box.put(mail)
    room.box.put(room.mail("alice", bundle))
    room.turn()
    first, second = [
        block.choose(read_mail(one).blocks, ("receipt",)) for one in room.got("alice")[-2:]
    ]
    assert first == second
    assert [order.slip.revision for order in seated.seat.orders()] == [1]


def test_pasted_into_a_reply(
    mailroom: Callable[..., Mailroom], write: Any, words: Any, armored: Any
) -> None:
    """A plain mail with the block pasted above the quoted mail of the host is taken."""
    room = mailroom().begin()
    bundle = block.choose(read_mail(room.order("alice", "start C4")).blocks, ("order",))
    asked = room.got("alice")[-1].decode()
    quoted = "".join(f"> {line}\n" for line in asked.splitlines())
    body = f"{armored(bundle)}\nOn Saturday the referee wrote:\n{quoted}"
    room.box.put(write("somebody-else@example.com", body))
    room.turn()
    assert receipts(room.got("alice")) == ["accepted"]
    assert [to for _, to, _ in room.wire.out if "somebody" in to] == []


def test_identity_is_the_signature(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """Row 22: Bob's From on Alice's orders changes nothing; the answer goes to Alice."""
    room = mailroom().begin()
    mail = room.order("alice", "start C4")
    forged = mail.replace(b"From: alice@", b"Reply-To: eve@example.com\nFrom: bob@")
    before = len(room.got("bob"))
    room.box.put(forged)
    room.turn()
    assert receipts(room.got("alice")) == ["accepted"]
    assert len(room.got("bob")) == before
    assert not [to for _, to, _ in room.wire.out if "eve" in to]


def test_two_bundles(mailroom: Callable[..., Mailroom], write: Any, armored: Any) -> None:
    """Row 23: two different orders in one mail are refused, and neither is used."""
    room = mailroom().begin()
    made = [
        block.choose(read_mail(room.order("alice", x)).blocks, ("order",))
        for x in ("start C4", "start C3")
    ]
    room.box.put(write("alice@example.org", "\n".join(armored(one) for one in made)))
    room.turn()
    assert "ambiguous" in room.last("alice")
    assert room.host.folder.waiting() == {}


def test_orders_above_a_quoted_message(
    mailroom: Callable[..., Mailroom], write: Any, armored: Any
) -> None:
    """Bob answers a message with his orders, and his client quotes its attachment: orders count."""
    room = mailroom(options={"press": "private"}).begin()
    room.box.put(room.letter("alice", message=Message("bob", "Truce?")))
    room.turn()
    message = block.choose(read_mail(room.got("bob")[-1]).blocks, ("letter",))
    quoted = "".join(f"> {line}\n" for line in armored(message).splitlines())
    room.box.put(write("bob@example.org", armored(room.sealed("bob", "start C1")) + quoted))
    room.turn()
    assert receipts(room.got("bob")) == ["accepted"]


AUTOMATIC = [
    "Auto-Submitted: auto-replied\n",
    "Auto-Submitted: auto-generated\n",
    "Return-Path: <>\n",
    "Precedence: bulk\n",
    "X-Autoreply: yes\n",
    "Content-Type: multipart/report; boundary=x\n",
    "X-Adjudicator: host\n",
]


@pytest.mark.parametrize("head", AUTOMATIC)
@pytest.mark.parametrize("sender", ["alice@example.org", "stranger@example.com"])
def test_never_answers_machines(
    mailroom: Callable[..., Mailroom], write: Any, head: str, sender: str
) -> None:
    """Row 24: automatic mail is never answered, whoever seems to send it."""
    room = mailroom().begin()
    before = len(room.wire.out)
    room.box.put(write(sender, "status", head=head))
    room.turn()
    assert len(room.wire.out) == before
    assert room.box.held == {}


@pytest.mark.parametrize("mark", [True, False])
def test_orders_sent_by_machines(mailroom: Callable[..., Mailroom], mark: bool) -> None:
    """What is signed is taken in though a machine sent it, and gets its receipt: once."""
    room = mailroom().begin()
    mail = room.order("alice", "start C4")
    if not mark:
        mail = mail.replace(b"Message-ID:", b"X-Was:")
    for n in range(3):
        room.box.put(b"Auto-Submitted: auto-generated\n" + mail.replace(b"orders", b"o%d" % n))
        room.turn()
    assert receipts(room.got("alice")) == ["accepted"]
    assert list(room.host.folder.waiting()) == ["alice"]


def test_own_mail_comes_back(mailroom: Callable[..., Mailroom]) -> None:
    """No mail that the host sends makes it answer when it comes back."""
    room = mailroom().begin().play({"alice": "start C4", "bob": "start C1"})
    sent = list(room.wire.out)
    for _, _, data in sent:
        room.box.put(data)
        room.box.put(data.replace(b"X-Adjudicator", b"X-Was").replace(b"Message-ID", b"X-Id"))
    room.turn()
    assert room.wire.out == sent


def test_strangers(mailroom: Callable[..., Mailroom], write: Any, words: Any) -> None:
    """An unknown sender gets the same fixed words whatever was sent, once an hour at the most."""
    room = mailroom().begin()
    before = len(room.wire.out)
    for n, body in enumerate(["status", "hello", "resend 1", "x" * 5000]):
        room.box.put(write("eve@example.com", body, mark=str(n)))
    room.turn()
    assert len(room.wire.out) == before + 1
    envelope, to, data = room.wire.out[-1]
    assert (envelope, to) == ("", "eve@example.com")
    room.clock.skip(3_601)
    room.box.put(write("eve@example.com", "again", mark="again"))
    room.turn()
    assert len(room.wire.out) == before + 2
    assert words(room.wire.out[-1][2]) == words(data)


def test_strangers_all_together(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """However many addresses are forged, few are answered in an hour."""
    room = mailroom().begin()
    before = len(room.wire.out)
    for n in range(post.MOST["strangers"] + 40):
        room.box.put(write(f"e{n}@example.com", "hi", mark=str(n)))
    room.turn()
    assert len(room.wire.out) == before + post.MOST["strangers"]


def test_mailing_lists(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """Words over a mailing list are not answered; signed orders are, to their signer."""
    room = mailroom().begin()
    before = len(room.wire.out)
    room.box.put(write("alice@example.org", "status", head="List-Id: <x.example.org>\n"))
    room.turn()
    assert len(room.wire.out) == before
    room.box.put(b"List-Id: <x.example.org>\n" + room.order("alice", "start C4"))
    room.turn()
    assert receipts(room.got("alice")) == ["accepted"]


def through_a_list(data: bytes) -> bytes:
    """A mail as a list leaves it that must not break DMARC: Mailman 3 with from_is_list, a tag
    before the subject, the text in base64, and a footer of its own."""
    given = email.message_from_bytes(data, policy=email.policy.SMTP)
    out = EmailMessage(policy=email.policy.SMTP)
    out["From"] = f"{given['From']} via Games".replace("@", " at ") + " <games@lists.example.org>"
    out["Reply-To"] = given["From"]
    out["To"] = "games@lists.example.org"
    out["Subject"] = f"[Games] {given['Subject']}"
    out["Message-ID"] = "<list-" + given["Message-ID"][1:]
    out["List-Id"] = "Games <games.lists.example.org>"
    out["Precedence"] = "list"
    for part in given.walk():
        if not part.is_multipart():
            text = part.get_content()
            if part.get_filename() is None:
                out.set_content(text, cte="base64")
            else:
                out.add_attachment(text, filename=part.get_filename(), cte="quoted-printable")
    if not out.is_multipart():
        out.make_mixed()
    footer = EmailMessage(policy=email.policy.SMTP)
    footer.set_content("_____\nGames mailing list -- games@lists.example.org\n")
    out.attach(footer)
    return out.as_bytes()


def test_a_list_that_rewrites(mailroom: Callable[..., Mailroom]) -> None:
    """All mails go over a list, both ways: the game goes on, and nobody writes to the list."""
    room = mailroom()
    room.queue([telling.invitation(room.desk, room.address(n), n) for n in room.players])
    room.turn()
    for name in room.players:
        (room.root / name).mkdir(exist_ok=True)
        room.read(name, through_a_list(room.got(name)[-1]))
        room.box.put(through_a_list(room.join(name)))
    room.turn()
    for name in room.players:
        room.read(name, through_a_list(room.got(name)[-1]))
    for name, lines in (("alice", "start C4"), ("bob", "start C1")):
        order = room.order(name, lines)
        assert f"\r\nTo: {room.address_of_host}\r\n".encode() in order
        room.box.put(through_a_list(order))
    room.turn()
    assert room.host.last.entry.slips.keys() == {"alice", "bob"}
    assert {to for _, to, _ in room.wire.out} == {"alice@example.org", "bob@example.org"}
    found = room.read("bob", through_a_list(room.got("bob")[-1]))
    assert "entry 1" in found.lines[0]


def test_a_state_that_is_lost(mailroom: Callable[..., Mailroom]) -> None:
    """The folder with the outbox is gone: entries are told again, as the same mails."""
    room = mailroom().begin().play({"alice": "start C4", "bob": "start C1"})
    entries = [one for one in map(read_mail, room.got("bob")) if "] entry " in one.subject]
    (room.root / "state").rename(room.root / "lost")
    before = len(room.got("bob"))
    room.turn()
    again = [read_mail(one) for one in room.got("bob")[before:]]
    assert [one.message_id for one in again] == [one.message_id for one in entries]
    assert [one.digest for one in again] == [one.digest for one in entries]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("status", "awaited: bob"),
        ("STATUS!\n\n> help", "awaited: bob"),
        ("help", "The host understands"),
        ("who", "bob: key SHA256:"),
        ("rules", "SD-1"),
        ("history", "genesis: alice, bob"),
        ("orders?", "No orders of yours for step 1 are in"),
        ("what now?", "was not understood"),
        ("message to bob: hello", "signed"),
        ('game = "0"\norders = """\nfire S\n"""', "sealed and signed"),
    ],
)
def test_commands(mailroom: Callable[..., Mailroom], write: Any, body: str, expected: str) -> None:
    """Words are understood in the body or in the subject, and answered to the signed address."""
    room = mailroom().begin()
    before = len(room.wire.out)
    room.box.put(write("Alice <ALICE@example.org>", body))
    room.turn()
    room.clock.skip(3_601)
    again = body if "\n" in body else ""
    subject = f"Re: [friday] {body.splitlines()[0]}"
    room.box.put(write("alice@example.org", again, subject=subject, mark="2"))
    room.turn()
    assert [to for _, to, _ in room.wire.out[before:]] == ["alice@example.org"] * 2
    assert expected in room.last("alice")
    assert all(expected in one for one in map(read_text, room.got("alice")[-2:]))


def read_text(data: bytes) -> str:
    """The text as the host's own reader sees it."""
    return read_mail(data).text


def test_words_from_one_place(
    mailroom: Callable[..., Mailroom], write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What mails tell of a game is what the commands print."""
    room = mailroom().begin().play({"alice": "start C4", "bob": "start C1"})
    monkeypatch.chdir(room.root)

    def printed(*words: str) -> str:
        return CliRunner().invoke(cli, words, prog_name="adjudicator").stdout

    for word, command in (("history", ("log", "friday")), ("rules", ("rules", "sugar-dog"))):
        room.box.put(write("bob@example.org", word, mark=word))
        room.turn()
        assert " ".join(printed(*command).split()) in " ".join(room.last("bob").split())
    room.box.put(write("bob@example.org", "status", mark="status"))
    room.turn()
    told = room.last("bob").splitlines()[1:]
    assert [line.partition(" (")[0] for line in told] == [
        line.partition(" (")[0]
        for line in printed("status", "friday").splitlines()
        if not line.startswith(("in:", "missing:"))
    ]


def test_long_answers_are_seldom(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """Mallory asks in Alice's name: the rules come to her once an hour."""
    room = mailroom().begin()
    before = len(room.got("alice"))
    for n in range(4):
        room.box.put(write("alice@example.org", "rules", mark=str(n)))
    room.box.put(write("alice@example.org", "status", mark="status"))
    room.turn()
    assert len(room.got("alice")) == before + 2


def test_what_do_you_hold_of_mine(
    mailroom: Callable[..., Mailroom], write: Any, words: Any
) -> None:
    """`orders?` brings the signed receipt of one's orders that are in, and nobody else's."""
    room = mailroom().begin()
    room.box.put(room.order("alice", "start C4"))
    room.box.put(room.order("alice", "start C5"))
    room.turn()
    for name in room.players:
        room.box.put(write(f"{name}@example.org", "orders?", mark=name))
    before = len(room.got("bob"))
    room.turn()
    found = read_mail(room.got("alice")[-1])
    receipt = read_receipt(block.choose(found.blocks, ("receipt",)).files[0][1])
    assert (receipt.step, receipt.revision, receipt.status) == (1, 2, "accepted")
    assert "No orders of yours" in words(room.got("bob")[before])


def test_resend(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """`resend` brings the last entry again, `resend 0` another, each as a mail of its own."""
    room = mailroom().begin().play({"alice": "start C4", "bob": "start C1"})
    earlier = {read_mail(one).message_id for one in room.got("bob")}
    room.box.put(write("bob@example.org", "resend"))
    room.box.put(write("bob@example.org", "resend 0", mark="2"))
    room.turn()
    last, first = [read_mail(one) for one in room.got("bob")[-2:]]
    assert "entries/0001.toml" in dict(block.choose(last.blocks, ("entry",)).files)
    assert "entries/0000.toml" in dict(block.choose(first.blocks, ("entry",)).files)
    assert not {last.message_id, first.message_id} & earlier


def ticking(mails: int) -> Callable[[], float]:
    """A clock by which a turn's time is up after that many mails."""
    ticks = count()
    return lambda: next(ticks) * office.INTAKE / mails


def test_ten_thousand_junk_mails(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """A heap of junk, half of it in Bob's name: the orders behind it are answered in one turn.

    A turn's time is up after sixty mails here. Bob's own mail answers one that only he got.
    """
    room = mailroom().begin()
    for n in range(10_000):
        sender = f"e{n}@example.com" if n % 2 else "bob@example.org"
        room.box.put(write(sender, "buy", mark=f"junk{n}"))
    room.box.put(room.order("alice", "start C4"))
    room.box.put(room.order("bob", "start C1"))
    with contextlib.closing(room.outbox()) as outbox:
        turn = room.office(outbox, timer=ticking(60)).turn(room.box, room.wire)
    assert turn.handled == 60
    assert turn.left == 10_002 - 60
    for name in room.players:
        assert "accepted" in receipts(room.got(name))
    assert room.record.last_step() == 1


def test_heads_that_come_slowly(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """However long a server takes to tell whose the mails are, some of them are looked at."""
    room = mailroom().begin()
    for n in range(30):
        room.box.put(write("eve@example.com", "buy", mark=f"junk{n}"))
    time = [0.0]

    def slow(mails: Any, sort: Any) -> Any:
        time[0] += 10 * office.INTAKE
        for one in sort(mails):
            yield one
            time[0] += office.INTAKE / 10

    room.box.mails = lambda sort: slow([room.box.arrived(n) for n in sorted(room.box.held)], sort)
    with contextlib.closing(room.outbox()) as outbox:
        turn = room.office(outbox, timer=lambda: time[0]).turn(room.box, room.wire)
    assert 9 <= turn.handled <= 12
    assert turn.left == 30 - turn.handled


def test_nobody_is_late_behind_a_heap(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """While mails are left unread their deadlines wait; then they pass."""
    room = mailroom().begin()
    for n in range(100):
        room.box.put(write("eve@example.com", "buy", mark=f"junk{n}"))
    room.clock.skip(4 * 86_400)
    for steps in (0, 0, 1):
        with contextlib.closing(room.outbox()) as outbox:
            room.office(outbox, timer=ticking(45)).turn(room.box, room.wire)
        assert room.record.last_step() == steps


def test_receipts_in_a_flood(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """Mallory writes forty mails in Alice's name: she gets few answers, and her receipt."""
    room = mailroom().begin()
    before = len(room.got("alice"))
    for n in range(40):
        room.box.put(write("alice@example.org", "status", mark=str(n)))
    room.turn()
    assert len(room.got("alice")) == before + post.MOST["command"]
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    assert receipts(room.got("alice")) == ["accepted"]


def test_every_refused_order_is_answered(mailroom: Callable[..., Mailroom]) -> None:
    """Sixty different orders in an hour: each gets its receipt, until receipts repeat."""
    room = mailroom().begin()
    own = room.sealed("alice", "start C4")
    for n in range(25):
        # The sealed file is not there.
        slips = dict(room.sealed("alice", "start C4").files)
        slips.pop("orders/0001-alice.sealed")
        room.box.put(room.mail("alice", Bundle("order", tuple(slips.items())), f"try {n}"))
    room.box.put(room.mail("alice", own))
    room.turn()
    answers = receipts(room.got("alice"))
    assert answers.count("absent") >= 20
    assert answers[-1] == "accepted"


def test_replayed_orders(mailroom: Callable[..., Mailroom]) -> None:
    """Mallory sends Alice's own mail again and again, each time as a new one: few receipts."""
    room = mailroom().begin()
    mail = room.order("alice", "start C4")
    for n in range(30):
        room.box.put(mail.replace(b"Message-ID: <", b"Message-ID: <%d" % n))
    room.turn()
    assert receipts(room.got("alice")) == ["accepted"] * (1 + post.MOST["again"])


def test_hostile_mails_do_not_stop_the_mailbox(mailroom: Callable[..., Mailroom]) -> None:
    """Row 21: what is refused is put away, and the mails after it are taken."""
    room = mailroom().begin()
    room.box.put(b"a" * 10_000_000)
    room.box.put(b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 20000)
    room.box.put(b"")
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    assert room.box.held == {}
    assert receipts(room.got("alice")) == ["accepted"]


def test_deadline(mailroom: Callable[..., Mailroom]) -> None:
    """Once a deadline has passed the game goes on without who is missing, and all are told."""
    room = mailroom().begin()
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    assert room.record.last_step() == 0
    room.clock.skip(3 * 86_400)
    room.turn()
    assert room.record.last_step() == 1
    assert "Missing: bob" in room.last("alice")


def test_joins(mailroom: Callable[..., Mailroom]) -> None:
    """A name is whose key came first; one key may join anew; the game begins when all are there."""
    room = mailroom()
    room.invite()
    first = room.join("alice")
    room.box.put(first)
    room.turn()
    (room.root / "alice" / "alice.seat").rename(room.root / "alice" / "old")
    room.keys["alice"], room.keys["bob"] = room.keys["bob"], room.keys["alice"]
    room.box.put(room.join("alice"))
    room.turn()
    assert "choose another name" in room.last("alice").lower()
    assert room.record.last_step() is None
    room.keys["alice"], room.keys["bob"] = room.keys["bob"], room.keys["alice"]
    room.box.put(room.join("bob"))
    room.turn()
    assert room.record.last_step() == 0
    assert room.host.opening.players == ("alice", "bob")


def test_outbox_waits_and_tries_again(mailroom: Callable[..., Mailroom]) -> None:
    """While nothing goes out mails wait, the pauses grow, and then each goes once, in order."""
    room = mailroom().begin()
    before = len(room.wire.out)
    room.wire.fault = NotSent("451 try later", down=True)
    for name, lines in (("alice", "start C4"), ("bob", "start C1")):
        room.box.put(room.order(name, lines))
    assert room.turn().faults
    pauses = []
    for _ in range(12):
        outbox = room.outbox()
        due = outbox.listed()[0].due
        outbox.close()
        pauses.append(due)
        room.clock.time = due
        room.turn()
    assert pauses == sorted(set(pauses))
    room.wire.fault = None
    room.clock.skip(7 * 3_600)
    room.turn()
    assert len(room.wire.out) == before + 4
    kinds = [b"] entry " in data for data in room.got("alice")[-2:]]
    assert kinds == [False, True]
    room.turn()
    assert len(room.wire.out) == before + 4


def test_refused_for_good(mailroom: Callable[..., Mailroom]) -> None:
    """A mail that is refused for good is listed, and holds no other up."""
    room = mailroom().begin()
    room.box.put(room.order("alice", "start C4"))
    room.wire.fault = NotSent("550 no such user", for_good=True)
    room.turn()
    outbox = room.outbox()
    assert [one.state for one in outbox.listed()] == ["failed"]
    outbox.retry(room.clock.now())
    outbox.close()
    room.wire.fault = None
    room.turn()
    assert receipts(room.got("alice")) == ["accepted"]


class Died(BaseException):
    """The process ends here."""


def dying(patch: pytest.MonkeyPatch, at: int) -> None:
    """The process ends at its `at`-th act that lasts: before it if `at` is odd, else after it."""
    count = 0

    def hooked(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            nonlocal count
            count += 1
            if count == at and at % 2:
                raise Died
            value = function(*args, **options)
            if count == at:
                raise Died
            return value

        return call

    patch.setattr(files, "write", hooked(files.write))
    for name in ("queue", "handle", "tell", "sent", "speak"):
        patch.setattr(Outbox, name, hooked(getattr(Outbox, name)))


def turn_dying(room: Any, first: int) -> int:
    """A host's turn that dies again and again, each time a little later; how often it died."""
    deaths = 0
    while True:
        with pytest.MonkeyPatch.context() as patch:
            dying(patch, first + deaths)
            try:
                room.turn()
            except Died:
                deaths += 1
            else:
                return deaths


@pytest.mark.parametrize("first", range(1, 7))
def test_dies_anywhere(mailroom: Callable[..., Mailroom], example: Any, first: int) -> None:
    """Killed before or after any act that lasts, the host's next run goes on.

    No order is lost or used twice, every player is sent every entry, and the verdict is true.
    """
    room = mailroom().begin()
    deaths = 0
    for orders in example:
        for name, lines in orders.items():
            room.box.put(room.order(name, lines))
        deaths += turn_dying(room, first)
        for name in room.players:
            room.receive(name)
    assert deaths >= 15
    assert room.verify().verdict == "true: alice won"
    for name in room.players:
        sent = [read_mail(one) for one in room.got(name)]
        told = {one.message_id for one in sent if "] entry " in one.subject}
        assert len(told) == 6
        # Where the host died before it could note a mail as sent it went twice, as the same mail.
        by_id = {one.message_id: one.digest for one in sent}
        assert len({one.digest for one in sent}) == len(by_id)
        assert set(receipts(room.got(name))) == {"accepted"}


def test_mailbox_that_cannot_be_read(mailroom: Callable[..., Mailroom]) -> None:
    """While the mailbox is down nobody is called late: their orders may lie in it."""
    room = mailroom().begin()
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    room.box.put(room.order("bob", "start C1"))
    room.clock.skip(5 * 86_400)
    held, room.box = room.box, Broken()
    assert room.turn().faults
    assert room.record.last_step() == 0
    room.box = held
    room.turn()
    assert room.host.ledger.link(1).entry.missing == ()


class Broken:
    """A mailbox that cannot be reached."""

    def mails(self, sort: Any) -> Any:
        raise Down("nobody there")
        yield


def test_fault_of_ours(mailroom: Callable[..., Mailroom], monkeypatch: pytest.MonkeyPatch) -> None:
    """A mail on which this program itself fails stays where it is; the mails after it are taken."""
    room = mailroom().begin()
    room.box.put(b"From: x@example.org\n\nboom\n")
    room.box.put(room.order("alice", "start C4"))
    real = office.read_mail

    def failing(data: bytes) -> Any:
        if b"boom" in data:
            raise ZeroDivisionError("a bug")
        return real(data)

    monkeypatch.setattr(office, "read_mail", failing)
    faults = room.turn().faults
    assert "ZeroDivisionError" in faults[0]
    assert len(room.box.held) == 1
    assert list(room.host.folder.waiting()) == ["alice"]


def test_many_games(mailroom: Callable[..., Mailroom], write: Any, example: Any) -> None:
    """Games in one mailbox do not touch each other, though the same people play under one name."""
    rooms = [mailroom(name="one"), mailroom(name="two", seed=b"\x0a" * 32), mailroom(name="three",
             game="silent-ships", seed=b"\x0b" * 32)]  # fmt: skip
    first = rooms[0]
    for room in rooms[1:]:
        room.box, room.wire, room.clock = first.box, first.wire, first.clock
    outbox = first.outbox()
    desks = [Desk(room.record, room.signer, first.clock, HOST) for room in rooms]
    shared = office.Office(desks, outbox, HOST, first.clock, first.log.append)
    now = first.clock.now()
    for room, desk in zip(rooms, desks, strict=True):
        addresses = [room.address(name) for name in room.players]
        shared.post.queue([telling.invitation(desk, to, now) for to in addresses])
        shared.turn(first.box, first.wire)
        for name in room.players:
            invited = [one for one in first.got(name) if b"you are invited" in one]
            room.read(name, invited[-1])
            room.box.put(room.join(name))
    shared.turn(first.box, first.wire)
    assert [room.record.last_step() for room in rooms] == [0, 0, 0]
    mails = {name: first.got(name) for name in first.players}
    for room in rooms:
        for name in room.players:
            for data in mails[name]:
                with contextlib.suppress(Refused):
                    room.read(name, data)
    first.box.put(rooms[1].order("alice", "start C4"))
    first.box.put(rooms[0].order("alice", "start C3"))
    shared.turn(first.box, first.wire)
    assert [list(room.host.folder.waiting()) for room in rooms] == [["alice"], ["alice"], []]
    first.box.put(write("alice@example.org", "status"))
    shared.turn(first.box, first.wire)
    assert first.last("alice").count("awaited: alice") == 3
    outbox.close()
