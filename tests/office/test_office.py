"""A host's mailbox: games from invite to verdict, who is answered, what a crash does."""

from __future__ import annotations

import contextlib
import email
import email.policy
import re
from collections.abc import Callable
from email.message import EmailMessage
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from mailroom import receipts

from adjudicator.mail import block
from adjudicator.mail.mailboxes import MailboxDown
from adjudicator.mail.mime import read_mail
from adjudicator.office import office
from adjudicator.office.game import HostMail
from adjudicator.office.office import MOST_TURNS, Office
from adjudicator.office.outbox import Outbox
from adjudicator.store import files
from orders.errors import Refused

Mailroom = Any
HOST = "referee@example.net"


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


def test_who_can_be_told_is_no_machine(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """A server's note of where a mail would come back to is in every mail that it delivers."""
    room = mailroom().begin()
    before = len(room.wire.out)
    head = "Return-Path: <alice@example.org>\n"
    room.box.put(write("alice@example.org", "status", head=head))
    room.turn()
    assert len(room.wire.out) == before + 1


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
    room.queue([room.game.invitation(room.address(n), n) for n in room.players])
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

    patch.setattr(files, "add", hooked(files.add))
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


@pytest.mark.parametrize("first", [1, 4])
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
    assert deaths >= 10
    assert room.verify().verdict == "true: alice won"
    for name in room.players:
        # What is sealed concerns its two ends alone: everything else is in every copy.
        others = tuple(f"-{other}.sealed" for other in room.players if other != name)
        copy = room.copy(name)
        shared = {
            path
            for path in room.record.paths()
            if not path.endswith(others) and not re.fullmatch(r"orders/.*\.sealed", path)
        }
        assert set(copy.paths()) == shared
        assert all(copy.read(path) == room.record.read(path) for path in shared)
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
        raise MailboxDown("nobody there")
        yield

    def keep(self, mail: bytes) -> None:
        raise MailboxDown("nobody there")

    def close(self) -> None:
        pass

    def bring_back(self) -> int:
        raise MailboxDown("nobody there")

    def time(self) -> str:
        raise MailboxDown("nobody there")

    def kept(self, mark: str) -> Any:
        raise MailboxDown("nobody there")


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
    games = [HostMail(room.record, room.signer, first.clock, HOST) for room in rooms]
    shared = office.Office(games, outbox, HOST, first.clock, first.log.append)
    now = first.clock.now()
    for room, game in zip(rooms, games, strict=True):
        addresses = [room.address(name) for name in room.players]
        shared.post.queue([game.invitation(to, now) for to in addresses])
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
    assert first.last("alice").count("alice's setup, until") == 3
    outbox.close()


DAY = 86_400


def test_a_mail_that_the_server_does_not_give(mailroom: Callable[..., Mailroom]) -> None:
    """It is named, the mails behind it are read at once; after three turns it is set aside."""
    room = mailroom().begin()
    name = room.box.put(b"From: a@example.com\n\nhi\n")
    room.box.broken.add(name)
    room.box.put(room.order("alice", "start C4"))
    for turn in range(MOST_TURNS):
        (fault,) = room.turn().faults
        assert name in fault
        assert list(room.host.folder.waiting()) == ["alice"]
        assert ("set aside" in fault) == (turn == MOST_TURNS - 1)
    assert room.turn().faults == []
    assert list(room.box.aside) == [name]
    assert room.box.held == {}


def test_deadlines_pass_behind_a_broken_mail(mailroom: Callable[..., Mailroom]) -> None:
    """It may be Bob's order, so they wait for three turns; then they pass."""
    room = mailroom().begin()
    room.box.broken.add(room.box.put(b"From: a@example.com\n\nhi\n"))
    room.clock.skip(3 * DAY)
    for _ in range(MOST_TURNS - 1):
        room.turn()
        assert room.record.last_step() == 0
    room.turn()
    assert room.record.last_step() == 1


def test_a_mail_that_cannot_be_moved_either(mailroom: Callable[..., Mailroom]) -> None:
    """A server that neither gives a mail out nor moves it stops nothing, and is asked no more."""
    from adjudicator.mail.mailboxes import MailboxDown

    room = mailroom().begin()
    name = room.box.put(b"From: a@example.com\n\nhi\n")
    room.box.broken.add(name)

    def fails(name: str) -> None:
        raise MailboxDown("MOVE failed")

    room.box.set_aside = fails
    for _ in range(MOST_TURNS):
        assert room.turn().faults
    assert room.turn().faults == []
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    assert list(room.host.folder.waiting()) == ["alice"]


def test_an_order_with_a_photo(mailroom: Callable[..., Mailroom]) -> None:
    """Too large to be read: the player is told at once, and can send it without."""
    from adjudicator.mail.mailboxes import TooBig

    room = mailroom().begin()
    mail = room.order("alice", "start C4") + b"x" * 5_000_000
    name = room.box.put(mail)

    def read(asked: str) -> bytes:
        if asked == name:
            raise TooBig(len(mail), mail[:65_536])
        return bytes(room.box.held[asked])

    room.box.read = read
    room.turn()
    assert "too-big" in room.last("alice")
    assert list(room.box.aside) == [name]


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
    turn = room.turn(timer=ticking(60))
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
    turn = room.turn(timer=lambda: time[0])
    assert 9 <= turn.handled <= 12
    assert turn.left == 30 - turn.handled


def test_a_heap_has_one_turn_in_each_round(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """Behind a heap of junk come mails of two players: by a signed address, and by a Message-ID of
    the host's that only its reader has seen."""
    room = mailroom().begin()
    asked = read_mail(room.got("bob")[-1]).message_id
    junk = [room.box.put(write("eve@example.com", "buy", mark=f"junk{n}")) for n in range(30)]
    answer = write("b@example.com", "help", mark="b", head=f"In-Reply-To: {asked}\n")
    last = [room.box.put(one) for one in (write("alice@example.org", "help", mark="a"), answer)]
    with contextlib.closing(room.outbox()) as outbox:
        looked = room.box.mails(room.office(outbox).in_turns)
        assert [one.name for one in looked] == [junk[0], *last, *junk[1:]]


def test_nobody_is_late_behind_a_heap(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """While mails are left unread their deadlines wait; then they pass."""
    room = mailroom().begin()
    for n in range(100):
        room.box.put(write("eve@example.com", "buy", mark=f"junk{n}"))
    room.clock.skip(4 * 86_400)
    for steps in (0, 0, 1):
        room.turn(timer=ticking(45))
        assert room.record.last_step() == steps


@pytest.mark.parametrize("many", [20, 21])
def test_writers_take_turns_where_there_are_many_mails(many: int) -> None:
    """Of a few the order does not matter."""
    host: Any = SimpleNamespace(whose=lambda mail: "ann" if mail < many - 1 else "ben")
    order = list(Office.in_turns(host, [*range(many)]))
    assert order.index(many - 1) == (many - 1 if many == 20 else 1)
