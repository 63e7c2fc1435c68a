"""Two machines on one mailbox: whatever they do at once, nothing is signed twice that leaves."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from office.club import Club
from office.lockstep import TURN, Folder, Lockstep, Machines, Uids
from office.test_delivery import bounce

from adjudicator.core import bundles, deadlines
from adjudicator.host.host import Host
from adjudicator.host.letters import Letters
from adjudicator.mail.mime import read_mail
from adjudicator.mail.outgoing import render
from adjudicator.mail.senders import NotSent
from adjudicator.office import copies, overview
from adjudicator.office.game import HostMail
from adjudicator.office.office import Office, Turn
from adjudicator.office.outbox import Outbox
from adjudicator.store import files
from orders.documents import read_invite
from orders.entries import Ruling
from orders.errors import Refused
from orders.fields import digest


@pytest.fixture
def machines(
    mailroom: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Machines]:
    """A game on two machines, which hand over at mails, files and the outbox."""
    now: list[Lockstep] = []

    def handing_over(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            now[-1].point()
            return real(*args, **options)

        return call

    monkeypatch.setattr(files, "add", handing_over(files.add))
    monkeypatch.setattr(files, "remove", handing_over(files.remove))
    monkeypatch.setattr(Outbox, "change", handing_over(Outbox.change))

    def make(seed: int, box: Uids | None = None) -> Machines:
        now.append(Lockstep(None))  # type: ignore[arg-type]
        room = mailroom(name=f"room{len(now)}", options={"press": "public"})
        made = Machines(room, seed, Uids() if box is None else box)
        now.append(made.lockstep)
        return made

    return make


def test_overlapping_turns(machines: Callable[..., Machines]) -> None:
    """Between any two calls the other one may go on."""
    made = machines(0)
    made.sail(5)
    made.end()


@pytest.mark.parametrize("seed", (*range(100, 130), 149, 716))
def test_many_overlapping_turns(machines: Callable[..., Machines], seed: int) -> None:
    """The same, and either may end at any call; the voyage goes on with new seeds."""
    made = machines(seed)
    made.sail(12, kill=(0.0, 0.004, 0.02)[seed % 3])
    made.end()


@pytest.mark.parametrize("seed", range(300, 304))
def test_a_maildir(machines: Callable[..., Machines], tmp_path: Path, seed: int) -> None:
    """Copies have numbers there too, and no two have one."""
    root = tmp_path / "box"
    made = machines(seed, Folder(root=root))
    made.sail(8, kill=0.01)
    made.end()
    names = [one.name for one in (root / ".Adjudicated" / "cur").iterdir()]
    assert len(names) > 5
    assert sorted(names) == [f"{number:08d}.copy:2,S" for number in range(1, len(names) + 1)]


@pytest.mark.parametrize("seed", range(400, 404))
def test_a_folder_made_anew_and_answers_that_are_lost(
    machines: Callable[..., Machines], seed: int
) -> None:
    """Then nothing leaves in that turn, and it goes on in a later one."""
    box = Uids()
    made = machines(seed, box)
    for _ in range(5):
        box.anew, box.unseen = made.chance.random() < 0.5, made.chance.random() < 0.5
        made.sail(2)
    box.anew = box.unseen = False
    made.end()
    assert any(
        "no copy" in line or "made anew" in line for one in made.machines for line in one.faults
    )


def test_an_answer_in_common_and_one_that_came_second(
    machines: Callable[..., Machines], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both machines answer one order in one second, with the same bytes, and one of them the next
    two as well: these answers do not leave, as the other's copy is the first, and come later."""
    made = machines(1)
    one, two = made.machines
    one.skew = two.skew = 0
    box, room = made.room.box, made.room
    for name, line in (("alice", "start C4"), ("alice", "start C3"), ("bob", "start F6")):
        room.box.put(room.order(name, line))
    first, keep = min(box.held), box.keep

    def second(mail: bytes) -> None:
        monkeypatch.setattr(box, "keep", keep)
        mails, box.held = box.held, {first: box.held[first]}
        two.turn()
        box.held = mails
        keep(mail)

    monkeypatch.setattr(box, "keep", second)
    one.turn()
    made.end()
    assert one.record.last_step() == 1


def test_a_mailbox_that_takes_no_copy(machines: Callable[..., Machines]) -> None:
    """No receipt and no entry leaves, nobody is missing, and no mail is put away; once there is
    room again everything is as if it had just come."""
    box = Uids()
    made = machines(1, box)
    one, two = made.machines
    room = made.room
    room.box.put(room.order("alice", "start C4"))
    box.full = True
    before = len(room.wire.out)
    done = one.turn()
    assert "friday: no copy in the mailbox: quota exceeded" in done.faults
    room.clock.skip(30 * 86_400)
    one.turn()
    assert one.record.last_step() == 0
    assert len(room.wire.out) == before
    assert len(box.held) == 1
    box.full = False
    room.box.put(room.order("bob", "start F6"))
    one.turn()
    assert box.held == {}
    assert one.record.last_step() == 1
    two.turn()
    made.check()
    made.end()


def test_orders_of_one_machine_alone(machines: Callable[..., Machines]) -> None:
    """One accepts Alice's orders and ends before it can look; the other has never seen them, and
    goes on without her, as her time is up. Nobody was told that they were accepted: they are late.
    """
    box = Uids()
    made = machines(2, box)
    one, two = made.machines
    room = made.room
    mail = room.order("alice", "start C4")
    box.put(mail)
    box.full = True
    one.turn()
    box.full = False
    held = dict(box.held)
    box.held.clear()
    room.clock.skip(30 * 86_400)
    two.turn()
    assert two.record.last_step() > 0
    box.held.update(held)
    one.turn()
    made.check()
    texts = [read_mail(data).text for data in room.got("alice")]
    assert not any("accepted" in text and "step 1" in text for text in texts)
    made.end()


def test_what_another_machine_told_may_not_have_left(machines: Callable[..., Machines]) -> None:
    """One machine cannot send, and gives Alice more time for that. The other takes this from the
    copies once that time is over too: Alice was asked for nothing until its own mail leaves."""
    made = machines(1)
    one, two = made.machines
    room = made.room
    for name, lines in (("alice", "start C4"), ("bob", "start F6")):
        room.box.put(room.order(name, lines))
    room.wire.fault = NotSent("refused", down=True)
    one.turn()
    room.clock.skip(TURN)
    one.turn()
    assert one.record.last_step() == 2
    room.wire.fault = None
    room.clock.skip(TURN + 1)
    two.turn()
    last = two.game.begun().last
    assert (last.step, last.entry.missing) == (3, ())
    assert last.entry.ruling.reason == "entry 2 has not left for alice"
    room.clock.skip(TURN)
    two.turn()
    assert two.game.begun().last.entry.missing == ("alice",)
    made.check()


def test_what_came_back_to_one_machine_both_know(machines: Callable[..., Machines]) -> None:
    """One machine reads that Bob's mail came back and puts the notice away; the other one, on which
    his time is up, gives it once more, and does not call him missing."""
    made = machines(1)
    one, two = made.machines
    room = made.room
    room.box.put(bounce(room.got("bob")[-1]))
    room.box.put(room.order("alice", "start C4"))
    one.turn()
    assert room.box.held == {}
    room.clock.skip(TURN)
    two.turn()
    last = two.game.begun().last
    assert last.entry.ruling is not None
    assert last.entry.ruling.reason == "entry 0 could not be delivered to bob"
    one.turn()
    made.check()
    assert one.game.begun().last.digest == last.digest


def test_what_was_signed_second_is_taken_back(machines: Callable[..., Machines]) -> None:
    """One machine's ruling is in its record, and in no copy yet; the other one signs entry 1 first.
    The ruling is taken back, and the host reads that in the log."""
    made = machines(3)
    one, two = made.machines
    room = made.room
    host = Host(one.record, room.signer, room.clock)
    host.rule(Ruling("more time for all"), until=deadlines.add(room.clock.time, 30 * 86_400))
    for name, lines in (("alice", "start C4"), ("bob", "start F6")):
        room.box.put(room.order(name, lines))
    two.turn()
    one.turn()
    assert any("entry 1 of this machine came second and is taken back" in line for line in one.log)
    made.check()
    made.end()


def test_what_is_refused_for_what_is_in_no_copy(machines: Callable[..., Machines]) -> None:
    """One machine has given Alice's seat to another key, and no copy says so, as the mailbox is
    full. Her orders, which it refuses for that, stay: the other, which goes on, takes them in."""
    box = Uids()
    made = machines(5, box)
    one, two = made.machines
    room = made.room
    for name, lines in (("alice", "start C4"), ("bob", "start F6")):
        room.box.put(room.order(name, lines))
    two.turn()
    one.turn()
    room.receive("alice")
    join = room.stranger("dora", "alice")
    Host(one.record, room.signer, room.clock).hand_on(join, "alice is gone")
    room.box.put(room.order("alice", "fire S"))
    box.full = True
    before = len(room.wire.out)
    one.turn()
    assert len(box.held) == 1
    assert len(room.wire.out) == before
    box.full = False
    room.clock.skip(30 * 86_400)
    two.turn()
    assert two.game.begun().ledger.link(2).entry.missing == ()
    one.turn()
    made.check()
    made.end()


def test_a_message_of_the_hosts_own(machines: Callable[..., Machines]) -> None:
    """It leaves once, also when the other machine was first in that turn."""
    box = Uids()
    made = machines(4, box)
    one, two = made.machines
    room = made.room
    taken = Letters(Host(one.record, room.signer, room.clock)).announce("all", "Back on Monday.")
    with contextlib.closing(Outbox(one.root / "state")) as outbox:
        one.office(outbox).copies.say(one.game, f"host-{taken.letter.number:04d}")
    room.box.put(room.order("alice", "start C4"))
    box.full = True
    one.turn()
    box.full = False
    two.turn()
    one.turn()
    two.turn()
    for name in room.players:
        said = [data for data in room.got(name) if b"Back on Monday." in data]
        assert len({read_mail(data).message_id for data in said}) == 1
    made.end()


def test_a_strangers_copy_counts_for_nothing(machines: Callable[..., Machines]) -> None:
    """Mallory writes one with the host's own blocks in it, and plays an old one again."""
    box = Uids()
    made = machines(5, box)
    one, _ = made.machines
    room = made.room
    room.box.put(room.order("alice", "start C4"))
    one.turn()
    (real,) = [data for data in box.copies if b" 1 " in data][-1:]
    forged = real.replace(b" 1 ", b" 2 ", 1)
    assert forged != real
    box.copies += [forged, real, b"X-Adjudicator: copy\n\ncopy " + b"0" * 64 + b" 1 " + b"0" * 64]
    room.box.put(room.order("bob", "start F6"))
    one.turn()
    assert one.faults == []
    assert one.record.last_step() == 1
    made.end()


class Twin(Club):
    """Another machine of a club's referee: a copy of its folder, with the same mailbox."""

    def __init__(self, club: Club) -> None:
        super().__init__(club.root.with_name("twin"))
        self.folder.rmdir()
        shutil.copytree(club.folder, self.folder)
        self.box, self.wire, self.people = club.box, club.wire, club.people
        self.clock.time = deadlines.add(club.clock.time, 7)


def invites(club: Club) -> set[tuple[str, str]]:
    """The names and digests of all games to which somebody was invited, and the tokens."""
    found = set()
    for _, _, data in club.wire.out:
        for block in read_mail(data).blocks:
            if block.bundle is not None and block.bundle.kind == "invite":
                invite = dict(block.bundle.files)["invite.toml"]
                found.add((read_invite(invite).name, bundles.token_in(block.bundle) or ""))
                found.add((read_invite(invite).name, digest(invite)))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_two_referees(machines: Callable[..., Machines], tmp_path: Path, seed: int) -> None:
    """Both read the mail that begins a game: one invite leaves, and both serve the game with the
    same tokens. The one that reads no word of it takes it from the copies."""
    lockstep = machines(seed).lockstep
    club = Club(tmp_path / "club")
    box = club.box = Uids(point=lockstep.point)
    club.turn()
    twin = Twin(club)
    asked = club.write("ann@example.org", "seek sugar-dog players=2")
    for one in (club, twin):
        one.turn()
        box.put(asked)
    club.write("ann@example.org", "yes", answers=club.got("ann@example.org")[-1])
    lockstep.run({"one": club.turn, "two": twin.turn}, 0.3, (0.0, 0.01)[seed % 2])
    for one in (club, twin, club, twin):
        one.turn()
    assert len(invites(club)) == 2
    (name,) = club.games
    assert twin.games == [name]
    assert club.host(name).offer.digest == twin.host(name).offer.digest, (club.log, twin.log)
    assert club.host(name).folder.tokens() == twin.host(name).folder.tokens()
    club.person("ann").join()
    twin.turn()
    club.turn()
    assert list(club.host(name).joins()) == ["ann"] == list(twin.host(name).joins())
    assert read_mail(club.got("ann@example.org")[-1]).subject.endswith("you have joined")


class Hasty(Office):
    """The old order: what is signed leaves as if its copy were the first of its number."""

    def settle(self, done: Turn) -> None:
        for game in self.games:
            mail = self.copies.made(game)
            if mail is not None:
                self.source.keep(render(mail, self.address))
                self.copies.take(game, [copies.read(read_mail(render(mail, self.address)))])


def test_the_lockstep_finds_it(machines: Callable[..., Machines]) -> None:
    """Whoever lets answers leave before the look, signs two of something soon."""
    found = []
    for seed in range(500, 520):
        made = machines(seed)
        for one in made.machines:
            one.kind = Hasty
        try:
            made.sail(6)
        except AssertionError as error:
            found.append(str(error).partition("\n")[0])
            if "two of" in found[-1]:
                return
    raise AssertionError(f"nothing was found: {found}")


@pytest.mark.parametrize(("first", "taken"), [(2, False), (3, False), (4, True)])
def test_what_was_handed_out_is_not_taken_back(first: int, taken: bool) -> None:
    """Somebody was told of it; then the game stands still."""
    back: list[int] = []
    machine: Any = SimpleNamespace(
        folder=SimpleNamespace(sent=lambda: 3), take_back=back.append, witness=back.append
    )
    said = rf"^ahead: entry {first} was handed out here"
    with contextlib.nullcontext() if taken else pytest.raises(Refused, match=said):
        HostMail._take_back(machine, first, [])
    assert back == [first] * taken


def test_a_mail_that_the_other_machine_put_away(mailroom: Callable[..., Any]) -> None:
    """Between the list and the look at it: that is no fault, and nothing is set aside."""

    class Shared(Uids):
        def read(self, name: str) -> bytes:
            self.held.clear()
            return super().read(name)

    room = mailroom().begin()
    room.box = Shared(copies=room.box.copies)
    room.box.put(room.order("alice", "start C4"))
    done = room.turn()
    assert (done.faults, done.late, room.box.aside) == ([], True, {})
    assert any("gone: somebody took it away meanwhile" in line for line in room.log)
    with contextlib.closing(room.outbox()) as outbox:
        assert overview.hand(outbox, room.clock.now(), [room.game.id], done.faults) == ()
