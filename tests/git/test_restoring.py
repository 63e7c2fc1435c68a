"""Old backups: the server's, the host's, or both; players' clones hold what was lost."""

from __future__ import annotations

import shutil

import pytest
from git.conftest import check_all, run

from adjudicator.host.host import Host
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from orders import names
from orders.entries import Ruling
from orders.errors import Refused

GAME = (("alice", "start C4"), ("bob", "start F1"), ("alice", "silent"), ("bob", "silent"))


@pytest.fixture(scope="session")
def played(tmp_path_factory, begun, guarded):
    """A guarded table with four entries, and a backup from after the first. Not to be changed."""
    table = begun.copy(tmp_path_factory.mktemp("played") / "t")
    guarded(table.bare)
    for number, (name, line) in enumerate(GAME):
        table.order(name, line)
        table.sync(name)
        table.sync_host()
        for other in table.players:
            table.sync(other)
        if number == 1:
            for place in (table.bare, table.record.root, table.record.host):
                shutil.copytree(place, table.folder / "backup" / place.name)
    return table


@pytest.fixture
def restored(played, tmp_path, request):
    """Such a table; the server and the host (or one) are as they were after the first entry.

    The main and the last entry that were there are given too.
    """
    table = played.copy(tmp_path / "table")
    last = table.record.last_step()
    assert last == 3
    main, entry = table.main(), table.record.read(names.entry(last))
    given = request.param
    for place in (table.bare, table.record.root, table.record.host):
        if place.name in given:
            shutil.rmtree(place)
            shutil.copytree(table.folder / "backup" / place.name, place)
    if "friday" in given:
        assert table.record.last_step() == 1
    return table, main, entry


SERVER = ("remote.git",)
BOTH = ("remote.git", "friday", "friday.host")
CLONE = ("remote.git", "friday")


def check_goes_on(table, main: str, entry: bytes) -> None:
    """Everything is there again, the very same commits; the game ends true."""
    assert table.main() == main
    assert table.record.read(names.entry(3)) == entry
    for name in table.players:
        assert table.sync(name).warnings == []
    name = table.awaited()[0]
    table.order(name, "resign")
    table.sync(name)
    table.sync_host()
    for name in table.players:
        table.sync(name)
        assert verify(table.records[name]).code == 0


@pytest.mark.parametrize("restored", [SERVER], indirect=True)
def test_the_host_puts_back_what_the_server_lost(restored):
    """From its own clone, at its next sync."""
    table, main, entry = restored
    assert table.main() != main
    told = table.sync_host().lines
    assert "the remote's main had lost commits of the host's: they are put back" in told
    check_goes_on(table, main, entry)


@pytest.mark.parametrize("restored", [BOTH], indirect=True)
@pytest.mark.parametrize("ordered", [False, True])
def test_what_both_lost_comes_back_from_a_player(restored, ordered):
    """Host and server are old: the first player to sync is told, and any player's clone brings all
    entries back. Orders that quote a lost entry stop the host until then: it signs nothing."""
    table, main, entry = restored
    # Bob has moved last, so alice is awaited.
    if ordered:
        table.order("alice", "silent")
    taken = table.play_sync("alice").sync()
    assert "the remote has lost entries that are here" in taken.warnings[0]
    assert taken.lines == ["pushed: your orders for step 4, revision 1"] * ordered
    if ordered:
        before, signed = table.main(), sorted(table.record.paths())
        table.clock.skip(30 * 86_400)
        for _ in range(2):
            with pytest.raises(Refused) as error:
                table.sync_host(late=True)
            assert error.value.word == "ahead"
            assert "alice signed that there is entry 3" in error.value.message
            assert "adjudicator restore" in error.value.hint
            assert (table.main(), sorted(table.record.paths())) == (before, signed)
    told = run("restore", str(table.records["alice"].root), "-g", str(table.record.root))
    assert told.exit_code == 0, told.output
    table.sync_host()
    assert table.record.read(names.entry(3)) == entry
    if not ordered:
        check_goes_on(table, main, entry)
        return
    assert table.record.last_step() == 4
    for name in table.players:
        assert table.sync(name).warnings == []
        assert verify(table.records[name]).code == 4


def test_what_both_lost_may_be_no_entry(ready):
    """Host and server forget a commit that brought none: players, who have it, say nothing false,
    and go on with what comes in its place."""
    places = (ready.bare, ready.record.root, ready.record.host)
    ready.sync_host()
    for place in places:
        shutil.copytree(place, ready.folder / "old" / place.name)
    (ready.record.root / "README.md").write_text("hello\n")
    ready.sync_host()
    ready.sync("alice")
    lost = ready.main()
    for place in places:
        shutil.rmtree(place)
        shutil.copytree(ready.folder / "old" / place.name, place)
    assert ready.main() != lost
    assert ready.sync("alice").warnings == []
    assert ready.play_bots(2) == 2
    for name in ready.players:
        assert ready.sync(name).warnings == []
    check_all(ready)


@pytest.mark.parametrize("restored", [CLONE], indirect=True)
def test_a_host_whose_clone_lacks_what_its_folder_knows(restored):
    """It is told what brings that back: nobody hands a host an entry of its own."""
    table, main, entry = restored
    with pytest.raises(Refused) as error:
        table.sync_host()
    assert error.value.word == "gap"
    assert "adjudicator restore" in error.value.hint
    told = run("restore", str(table.records["alice"].root), "-g", str(table.record.root))
    assert told.exit_code == 0, told.output
    table.sync_host()
    check_goes_on(table, main, entry)


@pytest.mark.parametrize("restored", [BOTH], indirect=True)
def test_a_host_that_went_on_before_a_player_came(restored):
    """Then there are two entries of one number: nothing is put back, and players say it."""
    table, _, entry = restored
    name = table.awaited()[0]
    table.clock.skip(30 * 86_400)
    table.sync_host(late=True)
    assert table.record.last_step() >= 2
    assert table.record.read(names.entry(2)) != table.records["alice"].read(names.entry(2))
    with pytest.raises(Refused) as error:
        table.sync(name)
    assert error.value.word in ("rewritten", "fork")
    assert entry


@pytest.mark.parametrize("restored", [BOTH], indirect=True)
@pytest.mark.parametrize("over", [False, True])
def test_an_entry_that_never_left_gives_way(restored, over):
    """An old host over an old server goes on, or ends the game, and pushes nothing yet; a player's
    clone has the entry that was lost: `restore` takes back the other one, and all goes on."""
    table, main, entry = restored
    table.clock.skip(30 * 86_400)
    host = Host(table.record, table.key, table.clock)
    if over:
        host.rule(Ruling("enough", abandons=True))
    else:
        host.advance(late=True)
    assert table.record.read(names.entry(2)) != table.records["alice"].read(names.entry(2))
    told = run("restore", str(table.records["alice"].root), "-g", str(table.record.root))
    assert told.exit_code == 0, told.output
    assert "brought back: entry 2 of this machine is taken back" in told.output
    table.sync_host()
    check_goes_on(table, main, entry)


@pytest.mark.parametrize("restored", [BOTH], indirect=True)
@pytest.mark.parametrize("lost", ["objects/*/*", "HEAD", "refs/adjudicator/seen"])
def test_where_it_is_not_known_what_left_nothing_gives_way(restored, lost):
    """The clone was made anew, or git cannot read it: an entry here may be the one that players
    have, so two of one number stop the host, as they always did. What is lost comes back."""
    table, _, entry = restored
    for path in (table.record.root / ".git").glob(lost):
        path.unlink()
    assert table.host_sync().told() is None
    shutil.copytree(table.record.root, table.folder / "anew" / "friday")
    shutil.copytree(table.record.host, table.folder / "anew" / "friday.host")
    shutil.copy(table.folder / "host.key", table.folder / "anew")
    told = run("restore", str(table.records["alice"].root), "-g", str(table.record.root))
    assert told.exit_code == 0, told.output
    assert table.record.read(names.entry(3)) == entry
    other = Record(table.folder / "anew" / "friday")
    table.clock.skip(30 * 86_400)
    Host(other, table.key, table.clock).advance(late=True)
    made = other.read(names.entry(2))
    told = run("restore", str(table.records["alice"].root), "-g", str(other.root))
    assert "you have signed two entries 2" in told.output
    assert other.read(names.entry(2)) == made
