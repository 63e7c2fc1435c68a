"""What a host's mail must not forget, and what may leave: budgets in a flood, what waits."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mailroom import HOST, receipts

from adjudicator.core import deadlines
from adjudicator.mail.mime import read_mail
from adjudicator.mail.outgoing import Outgoing, token
from adjudicator.mail.senders import NotSent
from adjudicator.office.office import Settings
from adjudicator.office.outbox import LOGGED, LONGEST_PAUSE, MOST, Outbox
from orders.bundle import Bundle
from orders.errors import Refused

Mailroom = Any


NOW = "2026-11-21T18:00:00Z"


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[Outbox]:
    with contextlib.closing(Outbox(tmp_path / "state")) as opened:
        yield opened


def queue(outbox: Outbox, key: str, to: str = "alice@example.org") -> None:
    outbox.queue(Outgoing(key, b"secret", to, "", ""), HOST, key.encode(), NOW)


def test_an_act_is_whole_or_not_at_all(outbox: Outbox) -> None:
    """What fails within leaves nothing of it."""
    with pytest.raises(ZeroDivisionError), outbox.act():
        queue(outbox, "one")
        outbox.handle("digest", NOW)
        raise ZeroDivisionError
    assert not outbox.has("one")
    assert not outbox.handled("digest")
    with outbox.act():
        queue(outbox, "one")
        outbox.handle("digest", NOW)
    assert outbox.has("one")
    assert outbox.handled("digest")


def test_it_is_there_after_a_restart(tmp_path: Path) -> None:
    """Also for a key that was sent long ago: a mail is made again, and sent once."""
    with contextlib.closing(Outbox(tmp_path / "state")) as first, first.act():
        queue(first, "one")
        first.sent("one", NOW)
        first.tell("game", 3)
    with contextlib.closing(Outbox(tmp_path / "state")) as second:
        queue(second, "one")
        assert second.due("2027-11-21T18:00:00Z") == []
        assert second.told("game") == 3
        assert second.told("another") == -1


def test_two_processes_at_once(tmp_path: Path) -> None:
    """The second is told, and neither's work is mixed with the other's."""
    folder = tmp_path / "state"
    with contextlib.closing(Outbox(folder)) as one, contextlib.closing(Outbox(folder)) as other:
        other.base.execute("PRAGMA busy_timeout = 1")
        with one.act(), pytest.raises(Refused, match="busy"), other.act():
            pytest.fail("both hold it")


def test_mails_to_one_recipient_keep_their_order(outbox: Outbox) -> None:
    """One that waits holds back those behind it to the same address, and no others."""
    for key, to in (("/a1", "alice"), ("/b1", "bob"), ("/a2", "alice"), ("/b2", "bob")):
        queue(outbox, key, to)
    outbox.failed("/a1", "451", NOW, for_good=False, ours=False)
    assert outbox.due(NOW) == ["/b1", "/b2"]
    outbox.failed("/b1", "550", NOW, for_good=True, ours=False)
    assert outbox.due(NOW) == ["/b2"]
    assert outbox.due("2026-11-22T18:00:00Z") == ["/a1", "/a2", "/b2"]
    assert [one.state for one in outbox.listed()] == ["waiting", "failed", "waiting", "waiting"]


def test_a_clock_that_was_ahead(outbox: Outbox) -> None:
    """What was put there and spoken while it was ahead holds nothing up once it is set right."""
    queue(outbox, "one")
    outbox.failed("one", "451", "2027-11-21T18:00:00Z", for_good=False, ours=True)
    assert outbox.due(NOW) == ["one"]
    outbox.speak("alice", "2027-11-21T18:00:00Z")
    assert outbox.spoken("alice", "2026-11-21T17:00:00Z", NOW) == 0


@pytest.mark.parametrize(
    ("off", "due"), [(0, True), (1, False), (LONGEST_PAUSE, False), (LONGEST_PAUSE + 1, True)]
)
def test_a_mail_waits_as_long_as_any_pause_and_no_longer(
    outbox: Outbox, off: int, due: bool
) -> None:
    """To the second."""
    one = Outgoing("one", b"secret", "alice@x", "", "")
    outbox.queue(one, HOST, b"", deadlines.add(NOW, off))
    assert outbox.due(NOW) == ["one"] * due


def test_a_mail_that_came_back(outbox: Outbox) -> None:
    """By its token, once it was sent; one that nobody sent is none."""
    one, two = (token(b"secret", key) for key in ("one", "two"))
    queue(outbox, "one")
    assert not outbox.came_back(one, "5.1.1")
    outbox.sent("one", NOW)
    assert not outbox.came_back(two, "5.1.1")
    assert outbox.came_back(one, "5.1.1")
    found = outbox.delivery("one")
    assert found is not None
    assert (found.state, found.ours) == ("bounced", False)
    assert outbox.retry(NOW) == 1
    assert outbox.due(NOW) == ["one"]


def test_mails_that_another_names(outbox: Outbox) -> None:
    """In the order in which their tokens stand there; what is no token of ours is none."""
    for key in ("one", "two", "three"):
        queue(outbox, key, f"{key}@example.org")
    tokens = [token(b"secret", key) for key in ("three", "four", "one")]
    assert [one.recipient for one in outbox.known(tokens)] == [
        "three@example.org", "one@example.org",
    ]  # fmt: skip
    assert outbox.known(()) == []


def test_what_is_done_once_a_day(outbox: Outbox) -> None:
    """Also on the day on which a clock was set back."""
    assert outbox.daily("digest", NOW)
    outbox.mark("digest", NOW, 7)
    assert outbox.marked("digest") == (NOW, 7)
    for time, due in (
        ("2026-11-22T17:59:59Z", False),
        ("2026-11-22T18:00:00Z", True),
        ("2026-11-21T17:59:59Z", True),
    ):
        assert outbox.daily("digest", time) is due


def test_the_log_forgets_its_oldest_lines(outbox: Outbox) -> None:
    """It grows with nothing that strangers send."""
    with outbox.act():
        for number in range(LOGGED + 5):
            outbox.note(f"line {number}", NOW)
    found = outbox.log()
    assert len(found) == LOGGED
    assert found[0][2] == "line 5"
    assert outbox.log(found[-2][0]) == found[-1:]


def test_a_folder_for_others_to_read_is_refused(tmp_path: Path) -> None:
    """Mails lie in it."""
    (tmp_path / "state").mkdir(mode=0o755)
    with pytest.raises(Refused):
        Outbox(tmp_path / "state")


def test_a_full_disk_is_told_by_its_name(outbox: Outbox) -> None:
    """Even if it has ended the transaction already; nothing of that stays."""
    with pytest.raises(Refused, match=r"unwritable: .*no such table"), outbox.act():
        outbox.note("half", NOW)
        outbox.base.execute("ROLLBACK")
        outbox.change("DELETE FROM lost")
    assert outbox.log() == []
    with outbox.act():
        outbox.note("whole", NOW)


def test_nothing_leaves_that_cannot_be_noted(mailroom: Callable[..., Mailroom]) -> None:
    """On a full disk the same mail would leave at each turn."""
    room = mailroom().begin()
    room.box.put(room.order("alice", "start C4"))
    with contextlib.closing(room.outbox()) as held:
        office = room.office(held)
        office.turn(room.box, type(room.wire)(fault=NotSent("421 later", down=True)))
        room.clock.skip(3600)
        held.base.execute("PRAGMA query_only = ON")
        before = len(room.wire.out)
        with pytest.raises(Refused, match="unwritable"):
            office.post.flush(room.wire, [])
        assert len(room.wire.out) == before
        held.base.execute("PRAGMA query_only = OFF")
        assert office.post.flush(room.wire, []) == 1


def test_what_is_no_database_is_named(tmp_path: Path) -> None:
    """It is left as it is."""
    (tmp_path / "state").mkdir(mode=0o700)
    (tmp_path / "state" / "mail.db").write_bytes(b"x" * 4096)
    with pytest.raises(Refused, match=r"mail\.db"):
        Outbox(tmp_path / "state")
    gc.collect()  # from Python 3.13 on a connection left open warns
    assert (tmp_path / "state" / "mail.db").read_bytes() == b"x" * 4096


def test_a_state_that_is_lost(mailroom: Callable[..., Mailroom]) -> None:
    """The folder with the outbox is gone: the host is asked, and only then are entries told again,
    as the same mails."""
    room = mailroom().begin().play({"alice": "start C4", "bob": "start C1"})
    entries = [one for one in map(read_mail, room.got("bob")) if "] entry " in one.subject]
    (room.root / "state").rename(room.root / "lost")
    before = len(room.got("bob"))
    (fault,) = room.turn().faults
    assert "--tell-again all, last or none" in fault
    assert len(room.got("bob")) == before
    room.turn(settings=Settings(tell_again="all"))
    again = [read_mail(one) for one in room.got("bob")[before:]]
    assert [one.message_id for one in again] == [one.message_id for one in entries]
    assert [one.digest for one in again] == [one.digest for one in entries]


def test_strangers_all_together(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """However many addresses are forged, few are answered in an hour."""
    room = mailroom().begin()
    before = len(room.wire.out)
    for n in range(MOST["strangers"] + 40):
        room.box.put(write(f"e{n}@example.com", "hi", mark=str(n)))
    room.turn()
    assert len(room.wire.out) == before + MOST["strangers"]


def test_long_answers_are_seldom(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """Mallory asks in Alice's name: the rules come to her once an hour."""
    room = mailroom().begin()
    before = len(room.got("alice"))
    for n in range(4):
        room.box.put(write("alice@example.org", "rules", mark=str(n)))
    room.box.put(write("alice@example.org", "status", mark="status"))
    room.turn()
    assert len(room.got("alice")) == before + 2


def test_a_machine_that_does_not_say_so(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """It answers each mail of the host's: it gets one an hour, so the two do not talk for ever."""
    room = mailroom().begin()
    before = len(room.got("alice"))
    for n in range(4):
        room.box.put(write("alice@example.org", "I am on an island.", mark=str(n)))
        room.turn()
    room.box.put(write("alice@example.org", "status", mark="status"))
    room.turn()
    assert len(room.got("alice")) == before + 2


def test_receipts_in_a_flood(mailroom: Callable[..., Mailroom], write: Any) -> None:
    """Mallory writes forty mails in Alice's name: she gets few answers, and her receipt."""
    room = mailroom().begin()
    before = len(room.got("alice"))
    for n in range(40):
        room.box.put(write("alice@example.org", "status", mark=str(n)))
    room.turn()
    assert len(room.got("alice")) == before + MOST["command"]
    room.box.put(room.order("alice", "start C4"))
    room.turn()
    assert receipts(room.got("alice")) == ["accepted"]


def test_every_refused_order_is_answered(mailroom: Callable[..., Mailroom]) -> None:
    """Of 25 bad orders in an hour at least 20 get their receipts, and so does a good one."""
    room = mailroom().begin()
    own = room.sealed("alice", "start C4")
    for n in range(25):
        # Without its sealed file.
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
    assert receipts(room.got("alice")) == ["accepted"] * (1 + MOST["again"])


def test_an_order_that_comes_twice_at_once(mailroom: Callable[..., Mailroom]) -> None:
    """A server delivered it twice: it has one receipt, and both mails are put away."""
    room = mailroom().begin()
    mail = room.order("alice", "start C4")
    for _ in range(2):
        room.box.put(mail)
    room.turn()
    assert (receipts(room.got("alice")), room.box.held) == (["accepted"], {})


def test_outbox_waits_and_tries_again(mailroom: Callable[..., Mailroom]) -> None:
    """While nothing goes out mails wait, the pauses grow, but not beyond a quarter of an hour, as
    the fault is the host's; and then each goes once, in order."""
    room = mailroom().begin()
    before = len(room.wire.out)
    room.wire.fault = NotSent("451 try later", down=True)
    for name, lines in (("alice", "start C4"), ("bob", "start C1")):
        room.box.put(room.order(name, lines))
    assert room.turn().faults
    pauses = []
    for _ in range(12):
        room.clock.time = room.listed()[0].due
        pauses.append(room.clock.time)
        room.turn()
    assert pauses == sorted(set(pauses))
    room.wire.fault = None
    room.clock.skip(15 * 60)
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


def test_joins_flood_nobody(mailroom: Callable[..., Mailroom]) -> None:
    """Mallory joins again and again in the name of a victim's address: few mails go there."""
    room = mailroom()
    room.invite()
    for number in range(20):
        join = room.stranger(f"m{number}", "mallory", "victim@example.org")
        room.box.put(room.mail("bob", join))
    room.turn()
    assert len([to for _, to, _ in room.wire.out if to == "victim@example.org"]) == 3
