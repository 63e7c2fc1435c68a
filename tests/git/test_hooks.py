"""The guard as a hook, in a process of its own for each push."""

from __future__ import annotations

import pytest

from adjudicator.git import hooks
from orders.errors import Refused


def test_what_host_and_players_push_passes(make_table, guarded):
    """A game is played through the hook, revisions and late slips included."""
    table = make_table(started=False)
    guarded(table.bare)
    table.join()
    table.start()
    for name in table.players:
        table.order(name, "start A1")
        table.sync(name)
        table.order(name, "start B2" if name == "alice" else "start F6")
        if name == "bob":
            path = table.bare / "hooks" / "pre-receive"
            path.unlink()
            assert hooks.install(table.bare) == path
        table.sync(name)
    assert table.sync_host().steps == [1]
    table.sync("alice")
    guarded(table.bare)
    assert table.play_bots(2) == 2


def test_as_an_update_hook(make_table, program):
    """Called for one branch at a time, it takes what host and players push."""
    table = make_table(started=False)
    hook = table.bare / "hooks" / "update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\nexec "{program}" git guard "$@"\n')
    hook.chmod(0o755)
    table.join()
    table.start()
    assert table.play_bots(1) == 1


def test_a_hook_that_is_there_stays(make_table):
    """One's own is named, and not written over; the tool's own may be installed again."""
    table = make_table(started=False)
    path = hooks.install(table.bare)
    written = path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o755
    assert hooks.install(table.bare) == path
    assert path.read_bytes() == written
    path.write_text("#!/bin/sh\nexit 0\n")
    with pytest.raises(Refused, match="is there already") as error:
        hooks.install(table.bare)
    assert error.value.hint == "call it from your own hook"
    assert path.read_text() == "#!/bin/sh\nexit 0\n"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("x", "y"), "expected OLD NEW REF"),
        (("0" * 40, "nowhere", "refs/heads/main"), "'nowhere' is no commit here"),
        (("--all", "0" * 40, "refs/heads/main"), "'--all' is no commit here"),
    ],
)
def test_what_git_would_not_hand_to_a_hook(shared, row, said):
    """It is quoted, with what was expected."""
    with pytest.raises(Refused, match=said):
        hooks.check(shared.bare, [row])
