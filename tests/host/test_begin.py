"""How a game begins: invites that are offered, joins that are taken, and those that are not."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from replacing import replace
from spoil import LOW_KEYS
from table import join_of

import games
from adjudicator.core import bundles, opening
from adjudicator.host import begin
from adjudicator.host.begin import Secrets, Terms
from adjudicator.host.folder import HostFolder
from adjudicator.store.clock import DemoClock
from adjudicator.store.record import Record
from orders import names, sshsig
from orders.bundle import Bundle
from orders.documents import Invite, Join, read_invite, read_join
from orders.errors import Refused
from orders.fields import digest
from orders.keys import MemoryKey
from orders.public_key import PublicKey

Table = Any


def joined(table: Table, name: str, **values: Any) -> Bundle:
    """A join with other values, signed again by its player."""
    held = dict(join_of(table.record, name).files) if table.record.last_step() else {}
    held = held or dict(next(b for b in table.joins if names.join(name) in dict(b.files)).files)
    join = replace(read_join(held[names.join(name)]), **values)
    return sign(table, join, name)


def sign(table: Table, join: Join, by: str) -> Bundle:
    data = join.render()
    path = f"joins/{join.player}.toml"
    signature = table.keys[by].sign(sshsig.JOIN, data)
    return bundles.pack("join", {path: data, names.signature(path): signature})


def start(table: Table, *joins: Bundle) -> Bundle:
    return begin.start(table.record, joins, table.signer, table.clock)


def test_a_clock_that_was_set_back(offered: Table) -> None:
    """A genesis from before the invite, which nobody takes, is not signed; a right clock begins."""
    right = offered.clock
    offered.clock = DemoClock("1970-01-01T00:00:00Z")
    with pytest.raises(Refused, match=r"^clock: this machine's clock says 1970-01-01T00:00:00Z"):
        start(offered, *offered.joins)
    assert offered.record.last_step() is None
    offered.clock = right
    start(offered, *offered.joins)
    assert offered.host.last.step == 0


@pytest.mark.parametrize("what", LOW_KEYS)
def test_row_2_hostile_public_keys_are_refused_at_join(offered: Table, what: str) -> None:
    """Row 2: as signing key and as sealing key; nothing is begun."""
    raw = LOW_KEYS[what]
    for values in ({"key": PublicKey(raw).line}, {"sealing": raw.hex()}):
        with pytest.raises(Refused) as caught:
            start(offered, joined(offered, "alice", **values), offered.joins[1])
        assert caught.value.word == "bad-key"
        assert offered.record.last_step() is None


HOSTILE_NAMES = (
    "../x", "con", "CON", "*", "x,dave", "x" * 300, "host", "", "-x", "1x", "nul", "com1",
    "lpt9", "al ice", "alice\n", "al.ice", "ålice", "setup", "turn",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_row_20_hostile_names_are_refused_at_join(offered: Table, name: str) -> None:
    """Row 20: before anything is written under them."""
    before = offered.held()
    try:
        hostile = joined(offered, "alice", player=name)
    except (Refused, ValueError):
        return  # no bundle can even hold it
    with pytest.raises(Refused):
        start(offered, hostile, offered.joins[1])
    assert offered.held() == before


def test_no_key_stands_twice(offered: Table) -> None:
    """Not in an invite and a join, nor in two joins; nor is a nonce committed to twice."""
    alice = read_join(dict(offered.joins[0].files)["joins/alice.toml"])
    for values in ({"sealing": alice.sealing}, {"nonce": alice.nonce}):
        with pytest.raises(Refused, match="is used twice"):
            start(offered, offered.joins[0], joined(offered, "bob", **values))
    same = sign(offered, replace(alice, player="bob"), "alice")
    with pytest.raises(Refused, match="is used twice"):
        start(offered, offered.joins[0], same)
    invite = offered.held()
    assert "entries/0000.toml" not in invite
    as_host = replace(alice, key=offered.signer.public.line).render()
    signature = offered.signer.sign(sshsig.JOIN, as_host)
    hosts = bundles.pack("join", {"joins/alice.toml": as_host, "joins/alice.toml.sig": signature})
    with pytest.raises(Refused, match="host's key"):
        start(offered, hosts, offered.joins[1])


def test_joins_that_are_none(offered: Table, finished: Table) -> None:
    """Of another invite, of one name twice, by another key, too few players, another kind."""
    for joins, word in (
        ((joined(offered, "alice", invite="0" * 64), offered.joins[1]), "mismatch"),
        ((offered.joins[0], offered.joins[0]), "malformed"),
        ((offered.joins[0],), "malformed"),
        ((offered.joins[0], *bundles.of_entry(finished.record, 1)), "bad-bundle"),
        ((sign(offered, read_join(dict(offered.joins[0].files)["joins/alice.toml"]), "bob"),
          offered.joins[1]), "bad-signature"),
    ):  # fmt: skip
        with pytest.raises(Refused) as caught:
            start(offered, *joins)
        assert caught.value.word == word
    assert offered.record.last_step() is None


@dataclass
class Offering:
    """A host about to offer a game in a folder."""

    root: Path
    signer: MemoryKey = field(default_factory=lambda: MemoryKey.from_seed(b"\x01" * 32))

    @property
    def record(self) -> Record:
        return Record(self.root / "game")

    def invite(self, game: str = "sugar-dog", **terms: Any) -> Invite:
        """Offer it; the invite as it stands in the bundle."""
        secrets = Secrets(b"\x02" * 32, b"\x03" * 32)
        options = terms.pop("options", {})
        offered = begin.invite(
            self.record, Terms(games.load(game), options, **terms), self.signer,
            self.root / "host.key", secrets, DemoClock(),
        )  # fmt: skip
        assert offered == bundles.of_invite(self.record)
        return read_invite(dict(offered.files)[names.INVITE])


def test_an_invite_holds_what_differs(tmp_path: Path) -> None:
    """Defaults stay out, except the times: everybody sees how long they have."""
    offering = Offering(tmp_path)
    invite = offering.invite(options={"first": "alice"}, mail="host@example.org", reserved=True)
    assert list(invite.options) == ["first", "turn_time", "reserve_time"]
    assert (invite.mail, invite.reserved, invite.table) == ("host@example.org", True, None)
    assert (invite.rules, invite.date) == ("sugar-dog/1", "2026-01-01T00:00:00Z")
    folder = HostFolder(offering.record.host)
    assert folder.master().commitment == invite.master
    assert folder.master().sealing().public.hex() == invite.sealing
    assert folder.letters().public.hex() == invite.letters
    assert folder.key_path() == tmp_path / "host.key"
    assert opening.read_offer(offering.record).host == offering.signer.public


def test_a_house_table_is_offered_in_its_one_rendering(tmp_path: Path) -> None:
    """However its author wrote it; without one, the game's own."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    ships = games.load("silent-ships")
    own = ships.default_table
    assert own is not None
    one = Offering(tmp_path / "one").invite("silent-ships")
    two = Offering(tmp_path / "two").invite("silent-ships", table=b"# mine\n" + own)
    assert one.table == two.table
    assert digest(Offering(tmp_path / "one").record.read(names.TABLE)) == one.table


@pytest.mark.parametrize(
    ("options", "said"),
    [({"colour": "red"}, "colour"), ({"missed": "dance"}, "missed"),
     ({"turn_time": "soon"}, "soon"), ({"first": "host"}, "host"), ({"first": "turn"}, "turn")],
)  # fmt: skip
def test_what_cannot_be_offered_is_refused(
    tmp_path: Path, options: dict[str, str], said: str
) -> None:
    """Before anything is written; the option or its value is named."""
    with pytest.raises(Refused, match=said) as caught:
        Offering(tmp_path).invite(options=options)
    assert caught.value.word in ("bad-option", "malformed")
    assert list(tmp_path.iterdir()) == []


def test_no_table_is_offered_with_a_game_that_has_none(tmp_path: Path) -> None:
    """Whatever it holds."""
    with pytest.raises(Refused, match="bad-option: sugar-dog has no house table"):
        Offering(tmp_path).invite(table=b"a = 1\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["game/invite.toml", "game/notes.txt", "game.host/tokens", "game"])
def test_a_game_is_offered_where_nothing_is(tmp_path: Path, path: str) -> None:
    """Somebody's file is never cleared away."""
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_bytes(b"mine")
    with pytest.raises(Refused, match="is there already") as caught:
        Offering(tmp_path).invite()
    assert caught.value.word == "exists"
    assert caught.value.hint.startswith("name another folder")
    assert (tmp_path / path).read_bytes() == b"mine"


def test_what_a_crash_left_of_an_offer_is_no_offer(tmp_path: Path) -> None:
    """Secrets that no invite names bind nobody: they are made anew."""
    offering = Offering(tmp_path)
    offering.invite()
    (tmp_path / "game" / "invite.toml").unlink()
    (tmp_path / "game.host" / ".key.part").write_bytes(b"half")
    again = Offering(tmp_path, MemoryKey.from_seed(b"\x04" * 32))
    again.invite(reserved=True)
    assert opening.read_offer(again.record).host == again.signer.public
    assert not (tmp_path / "game.host" / ".key.part").exists()


def test_genesis_seats_the_players_in_the_order_given(offered: Table) -> None:
    """Only once: a second start gives the same genesis, and makes no other game."""
    genesis = start(offered, *reversed(offered.joins))
    assert opening.read_opening(offered.record).players == ("bob", "alice")
    assert start(offered, *reversed(offered.joins)) == genesis == start(offered)
    for joins in (offered.joins, offered.joins[:1]):
        with pytest.raises(Refused, match="the game has begun with bob, alice") as caught:
            start(offered, *joins)
        assert caught.value.word == "exists"
    assert offered.record.last_step() == 0


def test_only_the_host_begins(offered: Table) -> None:
    """The refusal names both keys."""
    with pytest.raises(Refused, match="bad-key") as caught:
        begin.start(offered.record, offered.joins, offered.keys["alice"], offered.clock)
    for key in (offered.keys["alice"], offered.signer):
        assert key.public.fingerprint in caught.value.message
    begin.check_host(opening.read_offer(offered.record), offered.signer)
    assert offered.record.last_step() is None


@pytest.mark.parametrize(("folder", "name"), [("friday", "friday"), ("Freitag 13", "freitag-13")])
def test_a_game_is_called_as_its_folder(tmp_path: Path, folder: str, name: str) -> None:
    """Without a name of its own; the folder's name is made one, where that can be done."""
    assert begin.name_of(Record(tmp_path / folder), None) == name
    assert begin.name_of(Record(tmp_path / folder), "sunday") == "sunday"


@pytest.mark.parametrize("folder", ["2026", "con", "all"])
def test_a_folder_may_have_no_name_for_a_game(tmp_path: Path, folder: str) -> None:
    """Then the host is asked for one; a name that is asked for is taken as it is."""
    with pytest.raises(Refused, match=r"^bad-option: .* is no name for a game"):
        begin.name_of(Record(tmp_path / folder), None)
    with pytest.raises(Refused, match="did you mean 'sunday'"):
        begin.name_of(Record(tmp_path / folder), "Sunday")
