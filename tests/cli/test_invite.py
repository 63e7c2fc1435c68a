"""`invite` from an empty home: what it prints is enough for a game, by hand or by mail. Nothing is
written before all is known, and a command that is repeated goes on."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from desks import REFEREE, Desks
from terminal import Terminal

from adjudicator.cli import invite, settings, shared
from adjudicator.core import bundles
from adjudicator.mail import pasted
from adjudicator.store.record import Record

Table = Any

PROMPT, NEVER = re.compile(r"((address|\]): |orders[^\n]*> )$"), re.compile("(?!)")
BOTH = ("ann@example.org", "bob@example.org")
OFFER = ("invite", "sugar-dog", *BOTH, "-y")


class Newcomer:
    """Somebody with an empty home at a terminal. `keys`: what they typed, each Enter counted."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.keys = 0
        root.mkdir()

    def types(self, command: str, *answers: str) -> str:
        """A command, and the answers to what it asks; all that is printed. It must succeed."""
        self.keys += sum(len(one) + 1 for one in (command, *answers))
        home = {"HOME": str(self.root), "XDG_CONFIG_HOME": str(self.root / ".config")}
        at = Terminal(self.root, *shlex.split(command)[1:], SSH_AUTH_SOCK="", **home)
        said = ""
        for one in answers:
            said += at.until_prompt(PROMPT)
            at.press(f"{one}\n")
        said += at.until_prompt(NEVER)
        assert at.code() == 0, said
        return said

    def gives(self, path: str, to: Newcomer) -> None:
        """A file goes to somebody, by whatever mail program."""
        shutil.copy(self.root / path, to.root)


def joins(host: Newcomer, mail: Path, name: str) -> Newcomer:
    """Who got an invitation joins by it, and sends the host what that wrote."""
    player = Newcomer(host.root.with_name(name))
    shutil.copy(mail, player.root / "invitation.eml")
    said = player.types("adjudicator join invitation.eml", f"{name}@example.org", name, "")
    assert f"sugar-dog-{name}-join.eml: the mail to carl@example.org, ready to send\n" in said
    return player


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_three_newcomers_by_hand(tmp_path: Path) -> None:
    """Whoever types only what was printed before hosts a game whose mails they send themselves."""
    carl = Newcomer(tmp_path / "carl")
    first = "adjudicator invite sugar-dog ann@example.org bob@example.org"
    assert carl.types("adjudicator").splitlines()[-1] == f"to host: {first}"
    said = carl.types(first, "carl@example.org", "", "")
    assert re.sub(r"SHA256:\S+", "SHA256:...", said) == (
        "Your mail address: carl@example.org\n"
        f"{carl.root}/.config/adjudicator/config.toml: address = carl@example.org\n"
        "What is this game called [sugar-dog]: \n"
        "No key of yours is here. Make one for this game, sugar-dog.key? [Y/n]: \n"
        "sugar-dog.key: your key for this game. Keep it to yourself, and back it up\n"
        "  SHA256:...\n"
        "sugar-dog: the record, public at any time\n"
        "sugar-dog.host: your secrets. Back them up: the game cannot go on without them\n"
        "sugar-dog-invite.txt: the invite, for the players\n"
        "sugar-dog-ann-invitation.eml: the mail to ann@example.org, ready to send\n"
        "sugar-dog-bob-invitation.eml: the mail to bob@example.org, ready to send\n"
        "the game begins when 2 have joined\n"
        "What they send back: save it here, then adjudicator sync\n"
        "For mails to come and go by themselves: adjudicator config mail-out sendmail:; "
        "adjudicator config mail-in imaps://USER@HOST; then the same invite again\n"
    )
    both = {}
    for name in ("ann", "bob"):
        both[name] = joins(carl, carl.root / f"sugar-dog-{name}-invitation.eml", name)
        both[name].gives(f"sugar-dog-{name}-join.eml", carl)
    said = carl.types("adjudicator sync")
    assert "2 of 2 so far\nsugar-dog-0000.txt: entry 0, for everybody\n" in said
    assert (carl.keys, both["ann"].keys) == (109, 53)
    # And so it goes on.
    for name, player in both.items():
        carl.gives("sugar-dog-0000.txt", player)
        told = player.types("adjudicator play", "start C4", "")
        sent = f"sugar-dog-{name}-0001-1.eml"
        assert f"{sent}: the mail to carl@example.org, ready to send\n" in told
        player.gives(sent, carl)
    said = carl.types("adjudicator sync")
    assert "ann: taken. For ann: sugar-dog-ann-0001-1-receipt.txt\n" in said
    assert "sugar-dog-0001-bob.txt: entry 1, for bob\n" in said


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_three_newcomers_by_mail(tmp_path: Path) -> None:
    """Once the settings that were named are made, the same command again lets the mails leave."""
    carl = Newcomer(tmp_path / "carl")
    carl.types("adjudicator")
    first = "adjudicator invite sugar-dog ann@example.org bob@example.org"
    carl.types(first, "carl@example.org", "", "")
    carl.types("adjudicator config mail-out maildir:sent")
    carl.types("adjudicator config mail-in maildir:in")
    for name in ("new", "cur", "tmp"):
        (carl.root / "in" / name).mkdir(parents=True)
    assert "2 invitations to send: adjudicator sync\n" in carl.types(first)
    carl.types("adjudicator sync")
    mails = {re.search(rb"\nTo: (\w+)@", one.read_bytes())[1].decode(): one
             for one in (carl.root / "sent/new").iterdir()}  # fmt: skip
    keys = set()
    for name, mail in mails.items():
        player = joins(carl, mail, name)
        shutil.copy(player.root / f"sugar-dog-{name}-join.eml", carl.root / "in/new")
        keys.add(player.keys)
    assert "sugar-dog: entry 0 told to 2: the game begins: " in carl.types("adjudicator sync")
    assert (carl.keys, keys) == (266, {53})


# What is not written.


@pytest.fixture
def home(
    alone: Table, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Table:
    """An empty folder, and settings of nobody's."""
    user = tmp_path_factory.mktemp("user") / "settings.toml"
    monkeypatch.setattr(settings, "of_user", lambda: user)
    return alone


@pytest.mark.parametrize(
    ("words", "given", "said", "hint"),
    [
        (("ann@", BOTH[1]), {}, "'ann@' is no mail address", "write it as ann@example.org"),
        (("-a@b.org", BOTH[1]), {}, "'-a@b.org' is no mail address", "who has no @ gets a token"),
        ((*BOTH, "Bob@example.org"), {}, "'bob@example.org' is named twice", ""),
        ((*BOTH, "Dora", "--open"), {}, "everybody with the invite can join", "--reserved"),
        (BOTH, {"ADDRESS": ""}, "your mail address is not set", "config address ADDRESS"),
        (BOTH, {"OUT": "uucp:x"}, "'uucp:x'", ""),
        (BOTH[:1], {}, "Sugar Dog is for 2 to 26 players, not 1", ""),
        ((*BOTH, "-o", "no/friday"), {}, "'no' is not there", "mkdir no makes it"),
        ((*BOTH, "--address", "me@"), {}, "--address 'me@': expected a plain mail address", ""),
        ((*BOTH, "--option", "rest=x"), {}, "rest", ""),
    ],
)
def test_nothing_is_written_before_all_is_known(
    home: Table, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], given: dict[str, str],
    said: str, hint: str,
) -> None:  # fmt: skip
    """Each fault is quoted, with what to type; no key, no record and no setting is left."""
    for name, value in {"ADDRESS": REFEREE, **given}.items():
        monkeypatch.setenv(f"ADJUDICATOR_MAIL_{name}", value)
    told = home.run("invite", "sugar-dog", "-y", "--", *words) if words[0][0] == "-" else None
    told = told or home.run("invite", "sugar-dog", "-y", *words)
    assert (told.exit_code, told.stdout) == (1, "")
    line, *rest = told.stderr.splitlines()
    assert said in line
    assert hint in "".join(rest)
    assert [*home.root.iterdir()] == []
    assert not settings.of_user().exists()


def test_an_address_is_asked_for_once(home: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a terminal, and kept; one that is none is refused, and nothing is written."""
    home.key("host.key")
    monkeypatch.setattr(shared, "is_terminal", lambda: True)
    offer = ("invite", "sugar-dog", *BOTH, "--key", "host.key", "-o", "friday")
    refused = home.run(*offer, given=b"carl\n")
    assert "address 'carl': expected your mail address" in refused.stderr
    assert sorted(one.name for one in home.root.iterdir()) == ["host.key", "host.key.pub"]
    assert home.run(*offer, given=b"carl@example.org\n").exit_code == 0
    assert settings.held(settings.of_user()) == {"address": "carl@example.org"}
    assert b"\r\nFrom: carl@example.org\r\n" in draft(home, "friday-ann")
    # The second game does not ask for it; a folder is looked at where it is typed too.
    assert home.run(*offer[:-1], "sunday", given=b"").exit_code == 0
    before = held(home)
    told = home.run(*offer[:-2], given=b"no/monday\n")
    assert (told.exit_code, "'no' is not there" in told.stderr, held(home)) == (1, True, before)


# By hand.


@pytest.fixture
def host(home: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """The same, where an own address is set, and no way by which mails come or go."""
    monkeypatch.setenv("ADJUDICATOR_MAIL_ADDRESS", REFEREE)
    return home


def draft(host: Table, name: str) -> bytes:
    """The invitation that lies in the host's folder under that name."""
    return bytes((host.root / f"{name}-invitation.eml").read_bytes())


def held(host: Table) -> dict[str, bytes]:
    """All files in the host's folder, below it too."""
    found = (one for one in host.root.rglob("*") if one.is_file())
    return {one.relative_to(host.root).as_posix(): one.read_bytes() for one in found}


def token(mail: bytes) -> str | None:
    (bundle,) = pasted.read(mail).bundles
    return bundles.token_in(bundle)


def test_the_same_command_goes_on_with_the_same_game(host: Table) -> None:
    """No second key, no second game, not another byte; what was lost is written once more."""
    host.run(*OFFER)
    before = held(host)
    again = host.ok(*OFFER)
    assert held(host) == before
    assert again.startswith("sugar-dog: offered before, and not begun; it goes on\n")
    assert "sugar-dog-ann-invitation.eml: the mail to ann@example.org, made before\n" in again
    (host.root / "sugar-dog-ann-invitation.eml").unlink()
    host.ok(*OFFER)
    assert token(draft(host, "sugar-dog-ann")) == token(before["sugar-dog-ann-invitation.eml"])
    assert held(host).keys() == before.keys()


def test_it_goes_on_where_it_was_ended(host: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """After any act of the first command the second one does the rest."""
    for number, act in enumerate(("_set", "_make_tokens")):
        offer = (*OFFER, "Dora", "--key", "host.key", "-o", f"game{number}")
        (host.root / "host.key").exists() or host.key("host.key")
        with monkeypatch.context() as patch:
            patch.setattr(invite, act, lambda *_, **__: sys.exit(9))
            assert host.run(*offer).exit_code == 9
        host.ok(*offer)
        assert held(host)[f"game{number}.host/seats"] == b"3\n"
        assert len(held(host)[f"game{number}.host/tokens"].splitlines()) == 3


@pytest.mark.parametrize(
    ("words", "differs"),
    [
        (("--option", "turn_time=1d"), "turn_time"),
        (("--option", "press=public", "--option", "absence=7d"), "absence, press"),
        (("--address", "other@example.org"), "address"),
        (("--open",), "reserved seats"),
        (("--name", "sunday"), "name"),
        (("--players", "3"), "who is invited"),
        (("dora@example.org",), "who is invited"),
        (("--key", "other.key"), "key"),
    ],
)  # fmt: skip
def test_what_differs_is_named(host: Table, words: tuple[str, ...], differs: str) -> None:
    """Nobody's game is changed by another command, nor a second one begun by mistake."""
    host.run(*OFFER)
    host.key("other.key")
    before = held(host)
    told = host.fails("exists", *OFFER, *words, "-o", "sugar-dog")
    assert f"'sugar-dog' is offered already, and differs: {differs} [exists]" in told
    assert "adjudicator invite --more WHO -g sugar-dog; for another game: -o FOLDER" in told
    assert held(host) == before


def test_other_people_are_another_game(host: Table) -> None:
    """Where nobody says which folder: those with none in common, and those whose game has begun."""
    host.run(*OFFER)
    differs = "'sugar-dog' is offered already, and differs: who is invited"
    assert differs in host.fails("exists", "invite", "sugar-dog", BOTH[0], "eve@example.org", "-y")
    other = ("invite", "sugar-dog", "dora@example.org", "eve@example.org", "-y", "--key")
    host.run(*other, "sugar-dog.key")
    host.run(*other, "sugar-dog.key")
    assert sorted(one.parent.name for one in host.root.glob("*/invite.toml")) == [
        "sugar-dog", "sugar-dog-2",
    ]  # fmt: skip
    mate = ("invite", "silent-ships", "-y", "--key", "sugar-dog.key")
    host.ok(*mate)
    assert host.ok(*mate).startswith("silent-ships: offered before, and not begun; it goes on\n")


def test_another_name_is_another_game(host: Table) -> None:
    """Where everybody may join and nobody says which folder: the same command goes on with it. One
    without a name goes on with the first, and when that is gone, not with the second."""
    host.key("host.key")
    offer = ("invite", "sugar-dog", "-y", "--key", "host.key")
    host.ok(*offer)
    second = host.ok(*offer, "--name", "second")
    assert "second-invite.txt: the invite, for the players\n" in second
    goes_on = ": offered before, and not begun; it goes on\n"
    assert host.ok(*offer, "--name", "second").startswith(f"sugar-dog-2{goes_on}")
    assert host.ok(*offer).startswith(f"sugar-dog{goes_on}")
    (host.root / "sugar-dog" / "invite.toml").unlink()
    assert host.ok(*offer).startswith("sugar-dog-3: the record")


def test_a_game_that_has_begun_is_not_offered_again(table: Table) -> None:
    """Not by its folder's name, and not by its default one."""
    offer = ("invite", "sugar-dog", "--key", "host.key", "--option", "first=alice")
    offer += ("--option", "absence=30d", "-o", "friday")
    assert "'friday' is there already" in table.fails("exists", *offer)
    assert Record(table.root / "friday").last_step() == 0


def test_two_of_one_name(host: Table) -> None:
    """Each has a file of their own; a third game of this name has too."""
    people = ("ann@example.org", "ann@example.com", "-y", "--name", "friday", "-o")
    host.run("invite", "sugar-dog", *people, "one")
    host.run("invite", "sugar-dog", *people, "two", "--key", "one.key")
    mails = {path.name: path.read_bytes() for path in host.root.glob("*-invitation.eml")}
    assert "friday-ann-example-com-invitation.eml" in mails
    assert len(mails) == len({token(mail) for mail in mails.values()}) == 4


def test_a_draft_of_which_something_was_made_is_kept(host: Table) -> None:
    """Its author may have added a word; `--more` writes it no second time either."""
    host.run(*OFFER)
    path = host.root / "sugar-dog-ann-invitation.eml"
    path.write_bytes(path.read_bytes().replace(b"You are invited", b"Dear Ann, you are invited"))
    before = held(host)
    told = host.ok("invite", "--more", BOTH[0])
    assert "sugar-dog-ann-invitation.eml: the mail to ann@example.org, made before\n" in told
    assert held(host) == before


def test_a_list_that_is_refused_changes_nothing(host: Table) -> None:
    """What a game that is here would be changed by is looked at first, all of it."""
    host.run(*OFFER)
    before = held(host)
    for wrong in ("dora@", "eve@example.org"):
        more = ("--more", "Eve@example.org", "--more", wrong)
        host.fails("bad-option", "invite", "--players", "3", *more)
        assert held(host) == before


# By which way it goes on.


def test_what_is_not_set_is_named_as_long_as_it_lacks(home: Table) -> None:
    """By hand until mails can come and go; once mails wait or have left, a setting that is gone is
    an error, and `status` names it too."""
    carl = Desks(home, MAIL_ADDRESS=REFEREE)
    carl.run(*OFFER)
    by_hand = "What they send back: save it here, then adjudicator sync"
    out, box = "adjudicator config mail-out sendmail:", "adjudicator config mail-in imaps://"
    for command in ("sync", "status"):
        for given, lacks in (
            ({}, (out, box)), ({"MAIL_IN": "maildir:box"}, (out,)),
            ({"MAIL_OUT": "maildir:out"}, (box,)),
        ):  # fmt: skip
            *_, told, ways = carl.run(command, **given).stdout.splitlines()
            assert told == by_hand
            assert tuple(one for one in (out, box) if one in ways) == lacks
    both = {"MAIL_IN": "maildir:box", "MAIL_OUT": "maildir:out"}
    carl.maildir()
    said = carl.run(*OFFER, **both).stdout
    assert "2 invitations to send: adjudicator sync\n" in said
    assert by_hand not in said
    # They wait, and something is gone.
    for given, lacks in (
        ({}, f"no way to send mails is set: {out}"),
        ({"MAIL_OUT": "maildir:out"}, f"no mailbox is set: {box}USER@HOST"),
        (
            {**both, "MAIL_ADDRESS": ""},
            "your mail address is not set: adjudicator config address ADDRESS",
        ),
    ):
        told = carl.run("status", code=3, **given).stdout
        assert told.startswith(f"1 needs a hand:\n  {lacks}\n")
        assert told.count(lacks) == 1
        assert carl.run("status", "-g", "sugar-dog", **given).stdout.endswith(f"{lacks}\n")
        what, hint = lacks.split(": ", 1)
        told = carl.run("sync", code=1, **given)
        assert (told.stdout, told.stderr) == ("", f"error: {what} [bad-option]\nhint: {hint}\n")
    assert "save it here" not in carl.run("status", **both).stdout
    carl.run("sync", **both)
    assert len([*(home.root / "out/new").iterdir()]) == 2
    # Nobody is invited twice by the same command, and `--more` is another mail.
    said = carl.run(*OFFER, **both).stdout
    assert "invited before: ann@example.org, bob@example.org\n" in said
    assert "to send: " not in said
    assert "1 invitation to send" in carl.run("invite", "--more", BOTH[0], **both).stdout
    assert carl.run("sync", code=1).stderr.startswith("error: no way to send mails is set")


def test_an_overview_names_it_too(home: Table) -> None:
    """Where several games are here, above them."""
    carl = Desks(home)
    carl.maildir()
    for name in ("one", "two"):
        carl.run(*OFFER, "-o", name, *(("--key", "one.key") if name == "two" else ()))
    lines = carl.run("status", code=3, MAIL_OUT="").stdout
    assert "4 mails to send: adjudicator sync" in lines
    assert "no way to send mails is set: adjudicator config mail-out sendmail:" in lines
    assert "no way" not in carl.run("status", code=3).stdout


def test_a_game_under_way_is_not_told_otherwise(by_mail: Desks) -> None:
    """A setting that is gone lets nothing be written as files, until the game is over."""
    lacks = "no way to send mails is set"
    told = by_mail.sync(code=1, MAIL_OUT="", more=("--late",))
    assert (told.stdout, lacks in told.stderr) == ("", True)
    assert lacks in by_mail.run("status", code=3, MAIL_OUT="").stdout
    assert "no mailbox is set" in by_mail.run("status", code=3, MAIL_IN="").stdout
    assert lacks not in by_mail.run("status").stdout
    by_mail.run("rule", "-y", "--end", "--reason", "enough")
    assert lacks in by_mail.sync(code=1, MAIL_OUT="").stderr
    by_mail.serve()
    by_mail.sync(MAIL_OUT="")
    assert lacks not in by_mail.run("status", MAIL_OUT="").stdout
    assert not list(by_mail.root.glob("friday-0*"))


def test_other_games_go_on_meanwhile(home: Table) -> None:
    """What the mailbox lacks is told, and stops no game that needs none."""
    carl = Desks(home)
    carl.run(*OFFER)
    carl.run("invite", "sugar-dog", "--key", "sugar-dog.key", "-o", "other", MAIL_IN="")
    told = carl.run("sync", code=1, MAIL_IN="")
    assert told.stderr.startswith("error: no mailbox is set [bad-option]\n")
    assert "other: 0 joined\n" in told.stdout


def test_a_maildir_that_is_not_there_is_named(home: Table) -> None:
    """As the settings name it, from this folder on or from the root."""
    carl = Desks(home)
    carl.run(*OFFER)
    told = carl.run("sync", code=1).stderr
    assert "error: the mailbox: maildir:box: No such file or directory\n" in told
