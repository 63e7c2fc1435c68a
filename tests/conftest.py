"""What tests of several packages share: settings, and games to be copied."""

from __future__ import annotations

import functools
import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from inspect import signature
from pathlib import Path

import pytest
import ready
from click.testing import CliRunner, Result
from hypothesis import settings
from table import EXAMPLE, Table
from unlimited import Unlimited

from adjudicator.verifier.claims import Findings
from orders import crypto

# CI tries the same examples every time, so that what it refuses is the change under test; at a
# contributor's desk each run looks elsewhere.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("desk", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

if "mix_stderr" in signature(CliRunner).parameters:  # click before 8.2: as since then
    CliRunner.__init__ = functools.partialmethod(CliRunner.__init__, mix_stderr=False)
    Result.output = property(lambda self: self.stdout + self.stderr)

pytest_plugins = ["mailroom"]

HERE = Path(__file__).parent
MEMORY = Path("/dev/shm")  # noqa: S108 - tests have folders of their own in it


LONG, MANY, HOSTILE = "long games", "processes", "hostile input without end"
OVERLAPS = "two machines that overlap, many times"
SLOW = {
    "archive": MANY,
    "authors": MANY,
    "bench": MANY,
    "cli/test_against.py": LONG,
    "cli/test_demo.py": LONG,
    "cli/test_games.py::test_try_refuses_what_cannot_be_played": LONG,
    "cli/test_games.py::test_try_says_how_to_try_the_same_again": LONG,
    "cli/test_referee.py::test_a_second_one_waits": MANY,
    "cli/test_referee.py::test_the_container_by_docker": MANY,
    "cli/test_referee.py::test_the_container_installs_what_is_here": MANY,
    "docs/test_balance.py": LONG,
    "docs/test_other_keys.py": MANY,
    "docs/test_pettingzoo.py": LONG,
    "docs/test_transcripts.py": MANY,
    "duel/test_vectors.py::test_duels_do_not_drift": LONG,
    "fuzz/test_targets.py::test_a_long_look": HOSTILE,
    # A game's rules are held by its cases; these play until chance has shown much.
    "games/silent_ships/test_bot.py::test_standing_orders_spare_files": LONG,
    "games/silent_ships/test_bound.py": LONG,
    "games/silent_ships/test_moves.py": LONG,
    "games/silent_ships/test_view.py": LONG,
    "games/submarine_warfare/test_bot.py::test_hiding_costs_no_games": LONG,
    "games/submarine_warfare/test_bound.py": LONG,
    "games/submarine_warfare/test_view.py": LONG,
    "games/sugar_dog/test_bot.py::test_a_captain_finds_an_opponent_who_never_moves": LONG,
    "games/sugar_dog/test_bot.py::test_captains_seek_each_other_until_one_is_left": LONG,
    "games/sugar_dog/test_bound.py": LONG,
    "games/sugar_dog/test_view.py": LONG,
    "games/test_boards.py": LONG,
    "games/test_deduced.py": LONG,
    "games/test_bots.py": LONG,
    "games/test_formats.py::test_positions_and_views_have_the_keys_of_the_page": LONG,
    "games/test_mutants.py": "mutants",
    "games/test_picture.py": LONG,
    "games/test_promises.py::test_the_games_here_keep_them_all": LONG,
    "games/test_strict.py": LONG,
    "git/real": "git servers",
    "git/test_attacks.py::test_ten_thousand_branches": HOSTILE,
    "git/test_attacks.py::test_a_fault_of_this_machine": MANY,
    "git/test_attacks.py::test_a_small_disk": MANY,
    "git/test_attacks.py::test_bad_neighbours": MANY,
    "git/test_attacks.py::test_many_joins": MANY,
    "git/test_attacks.py::test_megabytes_on_receipts": MANY,
    "git/test_attacks.py::test_others_commit_on_main": HOSTILE,
    "git/test_attacks.py::test_receipts_are_replaced": HOSTILE,
    "git/test_attacks.py::test_the_guard": HOSTILE,
    "git/test_attacks.py::test_under_every_name": HOSTILE,
    "git/test_attacks.py::test_unread_is_an_exit_code": MANY,
    "git/test_attacks.py::test_upon_the_hosts_branches": HOSTILE,
    "git/test_attacks.py::test_what_the_server_cannot_unfold": HOSTILE,
    "git/test_bisect.py::test_it_finds_the_first_bad_commit": MANY,
    "git/test_cost.py": LONG,
    "git/test_diskless.py::test_a_whole_game": LONG,
    "git/test_guard.py::test_a_host_takes_back_what_came_before_the_guard": MANY,
    "git/test_guard.py::test_a_push_by_hand_is_refused_in_words": MANY,
    "git/test_guard.py::test_what_a_hostile_push_costs": HOSTILE,
    "git/test_guard.py::test_what_many_branches_cost": HOSTILE,
    "git/test_guard.py::test_what_host_and_players_push_passes": MANY,
    "git/test_host_sync.py::test_a_host_that_is_ended_anywhere_goes_on": "ended at every command",
    "git/test_letterbox.py::test_many_revisions_fit_the_boxes": LONG,
    "git/test_letterbox.py::test_slips_of_another_game_push_nothing_out": LONG,
    "git/test_page.py::test_a_host_elsewhere_keeps_the_page": LONG,
    "git/test_page.py::test_a_page_of_ones_own_stays": LONG,
    "git/test_page.py::test_a_page_through_a_game": LONG,
    "git/test_page.py::test_nothing_hidden_is_on_it": LONG,
    "git/test_play.py": LONG,
    "git/test_play_sync.py::test_a_player_that_is_ended_anywhere_goes_on": "ended at every command",
    "git/test_restoring.py": MANY,
    "git/test_search.py": MANY,
    "git/test_silence.py": LONG,
    "host/test_crash.py": "ended at every write",
    "host/test_restore.py::test_an_earlier_try_may_have_ended_anywhere": "ended at every write",
    "machine/test_demo.py": MANY,
    "mail/real": "mail servers",
    "mail/test_linear.py": "growth",
    "mail/test_outgoing.py::test_nothing_hidden_shows": LONG,
    "mail/test_pages.py": MANY,
    "office/test_office.py::test_ten_thousand_junk_mails": HOSTILE,
    "office/test_referee.py::test_killed_while_a_seat_is_handed_on": "ended at every write",
    "office/test_two_machines.py::test_a_folder_made_anew_and_answers_that_are_lost": OVERLAPS,
    "office/test_two_machines.py::test_a_maildir": OVERLAPS,
    "office/test_two_machines.py::test_many_overlapping_turns": OVERLAPS,
    "office/test_two_machines.py::test_the_lockstep_finds_it": OVERLAPS,
    "page/test_desk.py::test_a_whole_game_by_mail": LONG,
    "page/test_crypto.py": "a browser's cryptography, in a process",
    "page/test_types.py": "fetches the TypeScript compiler",
    "scenes/test_scenes.py::test_a_scene_by_git": MANY,
    "test_determinism.py": MANY,
    "test_hostile.py": HOSTILE,
    "test_hostile_files.py": HOSTILE,
    "test_install.py::test_pip_installs_these_bytes_and_no_others": "pip",
    "test_noninterference.py": LONG,
    "test_records.py": LONG,
    "test_suite.py::test_a_folder_is_put_together_as_the_page_says": MANY,
    "test_suite.py::test_a_liar_fails_in_every_kind": MANY,
    "test_suite.py::test_nothing_drifts": LONG,
    "test_suite.py::test_ours_passes": MANY,
    "test_suite.py::test_zips_and_documents_are_plain": "every file of the suite",
    "test_systems.py::test_a_fault_is_found": MANY,
    "test_walks.py": LONG,
    "verifier/test_bytes.py": HOSTILE,
    "verifier/test_lies.py::test_what_is_published_is_what_is_tested": LONG,
    "verifier/test_tamper.py": "every file's bytes, one by one",
    "voyage": "long voyages",
}
"""Folders, files and tests below this one that are marked `slow`, and why."""

ON_WINDOWS = {
    "core", "duel", "games", "golden", "host", "machine", "mail", "office", "orders", "player",
    "store", "test_systems.py", "verifier", "words",
}  # fmt: skip
"""The folders and files below this one that are collected on Windows. Of others, most need what is
not there: terminals of their own, git as a server, scripts, browsers."""

MODES, PIPES, PATHS = "modes of files", "pipes and links", "paths as they are elsewhere"
ZONES, SCRIPTS = "time zones by name", "scripts as programs"
NOT_ON_WINDOWS = {
    "duel/test_ends.py": PIPES,
    "games/test_mutants.py": "limits of memory",
    "host/test_folder.py::test_an_accepted_order_that_cannot_be_read_makes_nobody_late": PIPES,
    "host/test_folder.py::test_folders_of_secrets_that_are_open_are_refused": MODES,
    "host/test_folder.py::test_private_folders_are_made_private": MODES,
    "host/test_folder.py::test_secrets_come_back": PATHS,
    "mail/real": "mail servers",
    "mail/test_mailboxes.py::test_a_mail_that_another_machine_put_away": PATHS,
    "mail/test_mailboxes.py::test_copies_that_cannot_be_listed": PATHS,
    "mail/test_mailboxes.py::test_maildir": PATHS,
    "mail/test_mailboxes.py::test_maildir_with_odd_files": PIPES,
    "mail/test_pages.py": "terminals",
    "mail/test_senders.py::test_a_command_that_prints_no_token": SCRIPTS,
    "mail/test_senders.py::test_sendmail": SCRIPTS,
    "mail/test_senders.py::test_sendmail_that_fails": SCRIPTS,
    "office/test_outbox.py::test_a_folder_for_others_to_read_is_refused": MODES,
    "office/test_published.py::test_a_referee_does_it_in_its_turn": SCRIPTS,
    "orders/test_refusals.py::test_the_words_of_a_key_file": PIPES,
    "player/test_copy.py::test_a_full_disk_takes_nothing_in": MODES,
    "store/test_files.py": "how this is done on other systems",
    "verifier/test_lies.py::test_a_lie_is_noticed_by_these_and_by_nobody_else": PATHS,
    "words/test_spans.py::test_a_deadline_is_told_in_the_readers_time": ZONES,
    "words/test_spans.py::test_a_deadline_on_the_last_of_all_days": ZONES,
}
"""What is left out of that, and why; files and folders are not even read."""


def _names(path: Path) -> list[str]:
    """A file or folder of tests, and those that hold it, as the tables here name them."""
    place = path.relative_to(HERE)
    return [one.as_posix() for one in (place, *place.parents)]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """On Windows leave out what is not for it."""
    if os.name != "nt" or HERE not in collection_path.parents:
        return None
    names = _names(collection_path)
    return ON_WINDOWS.isdisjoint(names) or not NOT_ON_WINDOWS.keys().isdisjoint(names) or None


def pytest_report_header() -> list[str]:
    """What is left out on Windows."""
    if os.name != "nt":
        return []
    out = sorted({one.relative_to(HERE).parts[0] for one in HERE.rglob("test_*.py")} - ON_WINDOWS)
    return [f"not on Windows: {', '.join([*out, *NOT_ON_WINDOWS])}"]


SLOW_FIXTURES = {"page_file", "driver"}
"""What asks npm for the page, or starts browsers, is slow as well."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow: `python -m pytest` leaves it out, `-m slow` runs it alone."""
    for item in items:
        names = _names(item.path)
        names.append(f"{names[0]}::{item.name.partition('[')[0]}")
        for name in NOT_ON_WINDOWS.keys() & names if os.name == "nt" else ():
            item.add_marker(pytest.mark.skip(reason=f"on Windows: {NOT_ON_WINDOWS[name]}"))
        if not SLOW.keys().isdisjoint(names) or not SLOW_FIXTURES.isdisjoint(
            getattr(item, "fixturenames", ())
        ):
            item.add_marker(pytest.mark.slow)


def pytest_configure(config: pytest.Config) -> None:
    """Put what tests write into memory where there is such a place: disks wait for each rename.

    What servers, browsers and benches write goes there too. `--basetemp` is heeded, and only with
    it the files of failed tests are kept. Bytecode is kept even where the environment says
    otherwise: without it each command that tests start as a process would compile the whole program
    anew. Garbage is collected seldom: tests make little of it, and much that stays. Games against
    bots and settings that somebody keeps on this machine are nobody's here.
    """
    gc.set_threshold(100_000, 20, 20)
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["XDG_STATE_HOME"] = os.devnull
    # Firefox does not start without a folder for its own.
    os.environ["XDG_CONFIG_HOME"] = settings = tempfile.mkdtemp(prefix="adjudicator-tests-")
    config.add_cleanup(functools.partial(shutil.rmtree, settings, ignore_errors=True))
    if config.option.basetemp is None and os.access(MEMORY, os.W_OK):
        own, others = (tempfile.mkdtemp(prefix="adjudicator-tests-", dir=MEMORY) for _ in range(2))
        # Servers run as other users.
        Path(others).chmod(0o1777)
        config.option.basetemp, os.environ["TMPDIR"] = own, others
        for folder in (own, others):
            config.add_cleanup(functools.partial(shutil.rmtree, folder, ignore_errors=True))


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: some tests wait for servers, browsers and clocks."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """All tests stay to the end: the garbage collector need not go through them again and again."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_disks() -> Iterator[None]:
    """What tests write need not outlive a power cut; what is durable when is tested by itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        patch.setattr(os, "sync", lambda: None, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _reckoned_once() -> Iterator[None]:
    """The key of a passphrase is slow to reckon on purpose; signatures and keys of the games that
    tests copy are the same again and again."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("argon2id", "ed25519_public", "ed25519_verify", "x25519", "x25519_public"):
            patch.setattr(crypto, name, functools.lru_cache(2**13)(getattr(crypto, name)))
        yield


@pytest.fixture(scope="session", autouse=True)
def _git_without_forks() -> Iterator[None]:
    """Processes of git's are started as others are; `git/test_attacks.py` holds their limits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "Popen", Unlimited)
        yield


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A program `adjudicator` that is loaded already: for what starts it often, as git does."""
    folder = tmp_path_factory.mktemp("ready")
    with ready.start(folder, dict(os.environ)):
        yield folder / "adjudicator"


@pytest.fixture(scope="session")
def make_table() -> type[Table]:
    """The class, for tests with a table of their own."""
    return Table


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """The example's game, played to the reveal. Not to be changed."""
    return Table(tmp_path_factory.mktemp("finished")).begin().play(*EXAMPLE)


@pytest.fixture(scope="session")
def record(finished: Table) -> dict[str, bytes]:
    """The finished record's files by name. Not to be changed."""
    return finished.held()


@pytest.fixture
def offered(tmp_path: Path) -> Table:
    """A game that was offered, with two joins, of this test's own."""
    table = Table(tmp_path / "table")
    table.offer()
    return table


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A game after its genesis. Not to be changed: `table` copies it."""
    return Table(tmp_path_factory.mktemp("begun")).begin()


@pytest.fixture(scope="session")
def begun_by_three(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """The same with Carol."""
    root = tmp_path_factory.mktemp("three")
    return Table(root, ("alice", "bob", "carol")).begin()


@pytest.fixture
def table(begun: Table, tmp_path: Path) -> Table:
    """A game after its genesis, of this test's own."""
    return begun.copy(tmp_path / "table")


@pytest.fixture
def table_of_three(begun_by_three: Table, tmp_path: Path) -> Table:
    """The same with Carol."""
    return begun_by_three.copy(tmp_path / "table")


@pytest.fixture(scope="session")
def told() -> Callable[[Findings], str]:
    """All that findings say, as one text."""

    def call(found: Findings) -> str:
        lines = [found.verdict, *(f"{one.name}: {one.text}" for one in found.claims)]
        return "\n".join(lines + [text for one in found.claims for text in one.details])

    return call


@pytest.fixture(scope="session")
def example() -> tuple[Mapping[str, str], ...]:
    """The orders of the example's game."""
    return EXAMPLE
