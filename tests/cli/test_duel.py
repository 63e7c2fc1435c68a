"""A duel at the command line: offered, joined, played by two bots line by line, verified."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from pathlib import Path

import click
import pytest
from commands import Table
from duel.commanders import Person, Submariner, by_mail
from duel.people import played

from adjudicator.cli import duel, prompt, shared
from adjudicator.duel.party import Party
from adjudicator.mail.mime import read_mail
from adjudicator.player.duel import DuelTable, Home
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import PrivateFolder
from adjudicator.words import adviser
from adjudicator.words.screen import Window
from games.game import Written
from orders.bundle import Bundle, decode, encode


@pytest.fixture
def two(tmp_path: Path) -> tuple[Person, Person]:
    """A duel that was offered and joined; Ben begins, so Ann's first move is an answer."""
    ann = Person(tmp_path / "ann", "ann", "captain")
    ben = Person(tmp_path / "ben", "ben", "wild")
    offer = ("duel", "silent-ships", "--name", "ann", "--key", "key", "--option", "first=ben")
    ann.ok(*offer, "-o", "../offer.txt")
    told = ben.ok("join", "../offer.txt", "--name", "ben", "--key", "key")
    assert "Silent Ships, against ann" in told
    return ann, ben


def test_a_whole_duel(two: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes what came and plays what is asked; at the end the file is there and is true, and
    `play` shows all that was hidden, in one window."""
    ann, ben = two
    played_out(ann, ben)
    monkeypatch.setattr(prompt, "window", lambda: Window(80, 24))
    said = ann.ok("play").splitlines()
    assert re.match(r"(You|ben) won\. .*(ships|country|flag ship|turn)", said[0])
    assert re.search(r"\nben: hand \d.* from the top", "\n".join(said))
    assert said[-1].startswith("Both have opened: ")
    assert len(said) < 24
    looked_at(ann)
    told = ann.ok("verify", "silent-ships-ann.zip", ben.root / "ben.duel")
    assert told.count("\nTRUE: ") == 1


def played_out(ann: Person, ben: Person) -> None:
    """To the end, each by what the other wrote; both files are there and are true."""
    sender, reader = ben, ann
    for _ in range(300):
        reader.ok("take", sender.block)
        while reader.think():
            pass
        sender, reader = reader, sender
        if all(one.home.party().ended and one.home.party().is_left for one in (ann, ben)):
            break
    for one in (ann, ben):
        assert "Both have opened" in one.ok("status")
        assert "and neither lied" in one.ok("verify", f"{one.game}-{one.name}.zip")
        assert "and neither lied" in one.ok("verify", f"{one.name}.duel")


@pytest.mark.slow
def test_a_whole_duel_of_sugar_dog(tmp_path: Path) -> None:
    """The same in a game that begins with orders: an offer or an answer without them is none."""
    ann, ben = (Submariner(tmp_path / name, name, "mate") for name in ("ann", "ben"))
    offer = ("duel", "sugar-dog", "--name", "ann", "--key", "key", "-o", "../offer.txt")
    told = ann.fails("bad-option", *offer)
    assert re.search(r'as in --setup "start [A-F][1-6]"$', told.strip())
    assert "A1 to F6" in ann.fails("illegal", *offer, "--setup", "start g7")
    ann.fails("malformed", *offer, "--setup", "start b2", "--option", "missed=silent")
    ann.ok(*offer, "--setup", "start b2", "--option", "first=ben", "--option", "quiet=6")
    answer = ("join", "../offer.txt", "--name", "ben", "--key", "key")
    assert 'as in --setup "start ' in ben.run(*answer).stderr
    assert "Sugar Dog, against ann" in ben.ok(*answer, "--setup", "start e5")
    played_out(ann, ben)
    told = ann.ok("log")
    assert "Your submarine starts in B2." in told
    assert "E5" in ann.ok("show", "1", "--as", "ben")
    ben.ok("replay", "--as", "ann")


def looked_at(ann: Person) -> None:
    """A finished duel's folder and pack show both sides; the folder its owner's first."""
    last = len(ann.home.party().side.heard)
    told = ann.ok("log").splitlines()
    assert told[0] == "   1  setup"
    assert told[-1].strip() in ann.ok("show")
    assert f"After step {last}:" in ann.ok("show", str(last), "-g", "ann.duel")
    assert ann.ok("show", "-g", "ann.duel").startswith("Silent Ships:\n")
    assert "As ann sees it:" in ann.ok("show", "2", "--deduced")
    pack = ("-g", "silent-ships-ann.zip")
    assert "As ben sees it:" in ann.ok("show", *pack, "2", "--as", "ben")
    assert ann.ok("log", *pack, "--as", "ann") == ann.ok("log")
    views = {one: json.loads(ann.ok("show", "3", "--json", "--as", one)) for one in ("ann", "ben")}
    assert views["ann"]["views"]["ann"] == ann.home.party().side.heard[2].view.shown
    assert views["ann"]["views"] != views["ben"]["views"]
    steps = json.loads(ann.ok("replay", "--json", "--as", "ben"))
    assert [one["step"] for one in steps] == list(range(1, last + 1))
    assert f"Step {last} of {last}, as ann saw it: " in ann.ok("replay", last)
    ann.fails("missing", "show", last + 1)
    ann.fails("no-board", "log", "--as", "all")
    ann.ok("show", "--svg", "board.svg")
    again = ann.ok("pack", "-o", "again.zip")
    assert "and neither lied" in again
    both = (ann.root / "again.zip", ann.root / "silent-ships-ann.zip")
    assert both[0].read_bytes() == both[1].read_bytes()
    (ann.root / "again.zip").unlink()
    # That of another duel is not replaced.
    with zipfile.ZipFile(both[1], "w") as other:
        other.writestr("offer.toml", "")
    assert ann.ok("pack").startswith(f"silent-ships-ann-{ann.home.id[:8]}.zip: ")
    (ann.root / f"silent-ships-ann-{ann.home.id[:8]}.zip").rename(both[1])


def test_what_does_not_fit_is_refused(two: tuple[Person, Person]) -> None:
    """Orders before it is one's turn, an end at once, and somebody else's block."""
    ann, ben = two
    ben.fails("not-yet", "play", "end")
    ben.fails("not-yet", "log")
    ann.ok("take", ben.block)
    ann.fails("no-board", "show", "--as", "ben")
    ann.fails("no-board", "replay", "--as", "ben")
    ann.ok("pack", "-o", "open.zip")
    ann.fails("no-board", "log", "-g", "open.zip")
    ben.ok("take", ann.block)
    ben.fails("malformed", "play", "sail away")
    told = ann.fails("not-yet", "duel", "--end", "-y")
    assert "ben has time for the move still, 3 d" in told
    assert "the next move is yours" in ben.fails("not-yet", "duel", "--end", "-y")
    assert ann.run("duel", "--give-up").exit_code == 2
    ann.fails("exists", "duel", "silent-ships", "--name", "ann", "--key", "key", "-o", "other.txt")
    ann.fails("unknown-rules", "duel", "submarine-warfare", "--name", "zoe", "--key", "key")
    assert ben.ok("status").splitlines()[-1].startswith("Your turn, until ")


def test_a_side_is_there_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever stops its beginning, the same command begins it."""
    ann = Person(tmp_path / "ann", "ann", "captain")
    offer = ("duel", "silent-ships", "--name", "ann", "--key", "key")
    for of, name in ((Home, "keep"), (PrivateFolder, "keep_lines")):
        with monkeypatch.context() as patch:
            patch.setattr(of, name, lambda *_: stop())
            assert ann.run(*offer, "ben@example.org" if of is PrivateFolder else "-y").exit_code
        assert not [*ann.root.glob("*.duel")]
    ann.ok(*offer)
    assert ann.home.party().row.id
    assert "adjudicator resend" in ann.fails("exists", *offer)
    assert [path.name for path in ann.root.glob("ann.duel*")] == ["ann.duel"]


def test_what_was_sent_is_not_replaced(two: tuple[Person, Person]) -> None:
    """`-o` refuses a file that is there before anything happens; `resend` writes the same bytes."""
    ann, ben = two
    (ann.root / "mine.txt").write_text("mine")
    offer = (ann.root / "../offer.txt").read_bytes()
    ann.fails("exists", "take", ben.block, "-o", "../offer.txt")
    ann.fails("exists", "take", ben.block, "-o", "mine.txt")
    assert (ann.root / "../offer.txt").read_bytes() == offer
    assert not ann.home.party().row.begun
    sent = ben.block.read_bytes()
    ben.ok("resend")
    ben.ok("resend", "-o", "again.txt")
    assert {ben.block.read_bytes(), (ben.root / "again.txt").read_bytes()} == {sent}
    ann.ok("take", ben.block)
    ben.block.write_text("mine")
    assert "resend -o FILE" in ben.fails("exists", "resend")
    assert ben.block.read_text() == "mine"
    assert ben.run("resend", "ann").exit_code == 2


def test_a_side_is_backed_up(
    two: tuple[Person, Person], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere, with its key: the same side goes on, and brings later moves back from a pack."""
    ann, ben = two
    phrase = tmp_path / "phrase"
    phrase.write_text("four or five words")
    monkeypatch.setenv("ADJUDICATOR_PASSPHRASE_FILE", str(phrase))
    ann.ok("backup", "-o", "../ann.safe")
    other = Person(tmp_path / "other", "ann", "captain")
    told = other.ok("restore", "../ann.safe", "-o", ".")
    assert "the program asks for them" in told
    assert "ann.duel" in other.fails("exists", "restore", "../ann.safe", "-o", ".")
    assert other.home.secret == ann.home.secret
    (ann.root / "key").unlink()
    # Ann may have begun with somebody whom this backup does not know.
    assert "may play with somebody else" in other.fails("not-yet", "take", ben.block)
    assert "nobody had accepted your offer by then" in other.ok("status")
    other.ok("play", "--anyway")
    other.ok("take", ben.block)
    # Who begins is drawn: the third move waits for Ann's orders if it is she.
    while other.think():
        pass
    assert other.home.party().row.begun
    other.ok("pack", "-o", "../now.zip")
    told = ann.ok("take", "../now.zip")
    assert "taken from ../now.zip: " in told
    assert ann.home.party().documents.files == other.home.party().documents.files


def carried(giver: Person, taker: Person) -> None:
    """The blocks that lie in one's folder are handed to the other."""
    for path in giver.root.glob(f"{giver.game}-{giver.name}-*.txt"):
        (taker.root / path.name).write_bytes(path.read_bytes())


def test_sync_takes_in_what_lies_there(two: tuple[Person, Person]) -> None:
    """Used blocks are put away, one's own once it is answered; an answer without a decision is made
    and said to be ready; a second sync finds nothing to do."""
    ann, ben = two
    carried(ben, ann)
    said = ann.ok("sync")
    assert "your answer is ready: send silent-ships-ann-0001.txt to ben" in said.splitlines()
    assert sorted(path.name for path in ann.root.glob("*.txt")) == ["silent-ships-ann-0001.txt"]
    assert (ann.root / "ann.duel.done" / "silent-ships-ben-0000.txt").exists()
    first = (ann.root / "silent-ships-ann-0001.txt").read_bytes()
    again = ann.ok("sync")
    assert "ready" not in again
    assert ann.ok("sync", "-q") == ""
    (ann.root / "silent-ships-ann-0001.txt").unlink()
    ann.ok("resend")
    assert (ann.root / "silent-ships-ann-0001.txt").read_bytes() == first
    carried(ann, ben)
    ben.ok("sync")
    assert not (ben.root / "silent-ships-ann-0001.txt").exists()


def test_sync_and_files_that_do_not_fit(tmp_path: Path) -> None:
    """A damaged block and a third person's answer are told, and stay; all else is taken in."""
    ann, ben, zoe = (Person(tmp_path / name, name, "captain") for name in ("ann", "ben", "zoe"))
    ann.ok("duel", "silent-ships", "--name", "ann", "--key", "key", "-o", "../offer.txt")
    for one in (ben, zoe):
        one.ok("join", "../offer.txt", "--name", one.name, "--key", "key")
    ann.ok("take", ben.block)
    carried(zoe, ann)
    (ann.root / "broken.txt").write_bytes(ben.block.read_bytes()[:-90])
    ann.root.joinpath("notes.txt").write_text("call Ben")
    told = ann.run("sync")
    assert told.exit_code == 3
    assert "the offer was accepted by ben already" in told.stderr
    assert "broken.txt" in told.stderr
    assert (ann.root / "silent-ships-zoe-0000.txt").exists()
    assert "the offer was accepted by ben already" in ann.fails("superseded", "take", zoe.block)


def test_an_old_folder_asks(two: tuple[Person, Person]) -> None:
    """Where moves of one's own are lost, the answer to them does not fit: a question is written,
    once, and what the other's program answers, each time, brings all back."""
    sender, reader = two[::-1]
    old: Table | None = None
    mine = ""
    for number in range(6):
        if number == 2:
            shutil.copytree(reader.root, reader.root.with_name("old"))
            old, mine = Table(reader.root.with_name("old")), f"{reader.name}.duel"
        reader.ok("take", sender.block)
        while reader.think():
            pass
        sender, reader = reader, sender
    assert old is not None
    other = next(one for one in two if one.name != mine.partition(".")[0])
    told = old.run("take", other.block)
    assert (told.exit_code, "has not come" in told.stderr) == (4, True)
    (asks,) = old.root.glob("*-asks.txt")
    assert f"a question is ready: send {asks.name} to {other.name}" in told.stdout
    assert old.run("take", other.block).stdout == ""
    told = other.ok("take", asks)
    (again,) = other.root.glob("*-again.txt")
    assert f"what the other lacks is ready: send {again.name}" in told
    assert again.name in other.ok("take", asks)
    old.ok("take", again)
    theirs, ours = other.home.party(), Home.open(old.root / mine).party()
    assert ours.documents.files == theirs.documents.files
    old.ok("status")


def test_an_end_that_was_lost_is_asked_for(two: tuple[Person, Person]) -> None:
    """Both have ended, and one of the two ends came to nobody: who lacks it asks."""
    ann, ben = two
    ann.ok("take", ben.block)
    carried(ann, ben)
    ben.ok("sync")
    ann.ok("duel", "--end", "--give-up", "-y")
    ann.ok("resend")
    own, asks = (ann.root / f"{ann.home.party().block_name}{what}.txt" for what in ("", "-asks"))
    ben.ok("take", own)
    assert "Both have opened" in ben.ok("status")
    assert "resend asks" in ann.ok("status")
    assert "what the other lacks is ready" in ben.ok("take", asks)
    assert "Both have opened" in ann.ok("take", next(ben.root.glob("*-again.txt")))
    asks.unlink()
    ann.ok("resend")
    assert not asks.exists()


def test_an_offer_that_comes_again_brings_all_back(two: tuple[Person, Person]) -> None:
    """An old disk knows no accept, so it can ask nothing; it offers again, as it is told."""
    ann, ben = two
    shutil.copytree(ann.root / "ann.duel", ann.root / "old")
    ann.ok("take", ben.block)
    carried(ann, ben)
    ben.ok("sync")
    held = ann.home.party().documents.files
    shutil.rmtree(ann.root / "ann.duel")
    (ann.root / "old").rename(ann.root / "ann.duel")
    assert "adjudicator resend sends it again" in ann.ok("status")
    ann.ok("resend", "-o", "offer-again.txt")
    assert "what the other lacks is ready" in ben.ok("take", ann.root / "offer-again.txt")
    ann.ok("take", next(ben.root.glob("*-again.txt")))
    assert ann.home.party().documents.files == held


def test_a_restored_side_asks_first(
    two: tuple[Person, Person], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It orders nothing before the other has said what is lost, or its player says so; the same
    question is written again by resend."""
    ann, ben = two
    phrase = tmp_path / "phrase"
    phrase.write_text("four or five words")
    monkeypatch.setenv("ADJUDICATOR_PASSPHRASE_FILE", str(phrase))
    ann.ok("take", ben.block)
    ann.ok("backup", "-o", "../ann.safe")
    carried(ann, ben)
    ben.ok("sync")
    while ben.think():
        pass
    ann.ok("take", ben.block)
    while ann.think():
        pass
    held = ann.home.party().documents.files
    other = Person(tmp_path / "other", "ann", "captain")
    other.ok("restore", "../ann.safe", "-o", ".")
    told = other.ok("play")
    assert "ben is asked which moves came after move 1" in told
    (asks,) = other.root.glob("*-asks.txt")
    said = asks.read_bytes()
    asks.unlink()
    other.ok("resend")
    assert asks.read_bytes() == said
    (ben.root / "asked by ann").write_bytes(b"Hi Ben, I lost my disk.\n" + said)
    assert "what the other lacks is ready" in ben.ok("sync")
    assert not (ben.root / "asked by ann").exists()
    shutil.copy(next(ben.root.glob("*-again.txt")), other.root)
    other.ok("sync")
    party = other.home.party()
    # Its own last move is not with the other, so it is made anew: by the same orders the same.
    assert not party.asking
    assert set(party.documents.files) <= set(held)
    assert len(party.row.moves) >= 2
    alone = Person(tmp_path / "alone", "ann", "captain")
    alone.ok("restore", "../ann.safe", "-o", ".")
    alone.ok("play", "--anyway")
    assert alone.ok("status").splitlines()[-1].startswith("ben's move")


def test_own_offers_and_blocks_are_told_apart(two: tuple[Person, Person]) -> None:
    """Nobody joins their own offer, joins twice, or takes in what they wrote."""
    ann, ben = two
    joins = ("join", "../offer.txt", "--name", "zoe", "--key", "key")
    assert "your own" in ann.fails("mismatch", *joins)
    assert "accepted this offer already" in ben.fails("mismatch", *joins)
    assert "your own" in ben.fails("mismatch", "take", ben.block)
    assert "your own" in ann.fails("mismatch", "take", "../offer.txt")
    other = Person(ann.root.parent / "other", "ben", "captain")
    (other.root / "key").write_bytes((ann.root / "key").read_bytes())
    told = other.run("join", "../offer.txt", "--name", "ben", "--key", "key")
    assert told.exit_code == 1
    assert "name and key must be another's than the offer's" in told.stderr
    assert not (other.root / "ben.duel").exists()


def test_status_lists_duels_beside_games(two: tuple[Person, Person]) -> None:
    """A line each; with one alone its keys and what to do; a pack says what it proves."""
    ann, ben = two
    assert ann.ok("status").splitlines()[-1].startswith("Nobody has accepted your offer yet;")
    ann.ok("take", ben.block)
    said = ann.ok("status").splitlines()
    assert said[0] == "Silent Ships, ann against ben: move 1"
    assert said[1].startswith("ann SHA256:")
    assert re.search(r"^ben's move, until \w+ \d+ \w+ \d\d:\d\d \(in ", said[2])
    told = json.loads(ann.ok("status", "--json"))
    assert (told["player"], told["players"], told["move"]) == ("ann", ["ann", "ben"], 1)
    ann.ok("duel", "silent-ships", "--name", "amy", "--key", "key", "-o", "amy.txt")
    ann.ok("invite", "sugar-dog", "--key", "key", "-o", "friday")
    said = ann.ok("status").splitlines()
    assert [line.partition(":")[0] for line in said] == ["ann.duel", "amy.duel", "friday"]
    told = json.loads(ann.ok("status", "--json"))["games"]
    assert [one["name"] for one in told] == ["ann.duel", "amy.duel", "friday"]
    assert (told[0]["move"], told[0]["yours"]) == (1, False)
    assert said[1].startswith("amy.duel: Silent Ships, a duel: Nobody has accepted your offer yet;")
    assert "Silent Ships, ann against ben" in ann.ok("status", "-g", "ann.duel")
    told = ann.run("log")
    assert told.exit_code == 2
    assert "say which, -g friday or -g amy.duel or -g ann.duel" in told.stderr
    ann.ok("pack", "-g", "ann.duel", "-o", "duel.zip")
    said = ann.ok("status", "-g", "duel.zip").splitlines()
    assert said[-1] == "NOT YET: not opened by ann and ben. Nothing is false so far."
    assert json.loads(ann.ok("status", "-g", "duel.zip", "--json"))["move"] == 1


def test_the_others_time_is_over(two: tuple[Person, Person]) -> None:
    """Looking says so, names the ways out, and ends with 4; an end then opens one's side."""
    ann, ben = two
    ann.ok("take", ben.block)
    while ann.think():
        pass
    ann.time = ben.time = "2099-01-01T00:00:00Z"
    looked = ann.run("play")
    assert looked.exit_code == 4
    last = looked.stdout.splitlines()[-1]
    assert last.startswith("NO NEWS since move 1, and ben's time ended ")
    assert last.endswith("or end it: adjudicator duel --end")
    # It cannot be taken back, so it is asked, or said: nothing is signed before.
    told = ann.run("duel", "--end")
    assert (told.exit_code, "add -y" in told.stderr) == (2, True)
    assert not ann.home.party().ends
    said = ann.ok("duel", "--end", "-y", "-o", "end.txt")
    assert "end.txt: for ben; send it" in said
    assert "stays disputed" in said
    assert "You have ended the duel, and your side is open" in ann.ok("status")
    assert "you have ended this duel already" in ann.fails("stale", "duel", "--end", "-y")
    told = ann.run("verify", "ann.duel")
    assert (told.exit_code, "disputed" in told.stdout) == (3, True)
    # Ben's program opens too, which says nothing that can be untrue.
    (ben.root / "end.eml").write_bytes((ann.root / "end.txt").read_bytes())
    told = ben.ok("sync")
    assert "Both have opened" in told
    assert ben.home.party().ended
    assert "silent-ships-ben.zip" in told
    ann.ok("take", ben.block)
    told = ann.run("verify", "ann.duel", ben.root / "ben.duel")
    assert (told.exit_code, "LIED" in told.stdout.upper().replace("NEITHER LIED", "")) == (3, False)
    (ann.root / "names.txt").write_text(f"ann.duel\n{ben.root / 'ben.duel'}\n", "ascii")
    listed = ann.run("verify", "--list", "names.txt")
    line, count = listed.stdout.splitlines()
    assert line.startswith(f"ann.duel and {ben.root / 'ben.duel'}: TRUE, BUT LOOK (1): disputed")
    assert (listed.exit_code, count) == (3, "1 record of 1 game: 1 to look at")


def test_who_gives_up_loses(two: tuple[Person, Person]) -> None:
    """At any time, on their word; the other is told, and opens by the next command."""
    ann, ben = two
    ann.ok("take", ben.block)
    ben.ok("take", ann.block)
    assert ben.run("duel", "--end", "--give-up").exit_code == 2
    assert "You gave it up" in ben.ok("duel", "--end", "--give-up", "-y", "-o", "up.txt")
    party = ann.home.party()
    assert not party.ends
    (ann.root / "up").write_bytes((ben.root / "up.txt").read_bytes())
    told = ann.ok("play")
    assert "ben gave it up" in told
    assert ann.home.party().ended
    judged = ann.run("verify", "ann.duel")
    assert judged.exit_code == 3
    assert "ben gave it up" in judged.stdout
    ben.ok("take", ann.block)
    assert "Both have opened: ben gave it up" in ben.ok("status")
    assert "ann's" not in ben.ok("status", "--json")


def test_an_end_of_another_duel(tmp_path: Path) -> None:
    """It opens nothing here, and is refused in words; so is a document of an earlier release."""
    ann, ben, zoe = (Person(tmp_path / name, name, "captain") for name in ("ann", "ben", "zoe"))
    for number in (1, 2):
        one = (ben, zoe)[number - 1]
        offer = ("duel", "silent-ships", "--name", f"ann{number}", "--key", "key")
        ann.ok(*offer, "--option", f"first={one.name}", "-o", f"../offer{number}.txt")
        one.ok("join", f"../offer{number}.txt", "--name", one.name, "--key", "key")
        ann.ok("take", one.block, "-g", f"ann{number}.duel")
    first = next(ann.root.glob("*-ann1-0001.txt"))
    ben.ok("take", first)
    ben.ok("duel", "--end", "--give-up", "-y", "-o", "end.txt")
    told = ann.fails("missing", "take", ben.root / "end.txt", "-g", "ann2.duel")
    assert "no duel of yours is here that this belongs to" in told
    assert not Home.open(ann.root / "ann2.duel").party().ends
    old = (tmp_path / "offer1.txt").read_bytes()
    bundle = decode(old)
    files = tuple((path, data.replace(b"duel-offer/4", b"duel-offer/3"))
                  for path, data in bundle.files)  # fmt: skip
    (zoe.root / "old.txt").write_bytes(encode(Bundle("duel", files)))
    for command in ("join", "take"):
        zoe.fails("old-release", command, "old.txt")


def test_an_offer_that_cannot_be_played(tmp_path: Path) -> None:
    """A turn time below an hour is refused in words; who is first must play. No key is left."""
    ann, ben = (Person(tmp_path / name, name, "captain") for name in ("ann", "ben"))
    offer = ("duel", "silent-ships", "--name", "ann", "--key", "key")
    for time in ("0d", "1s", "59m"):
        told = ann.fails("bad-option", *offer, "--option", f"turn_time={time}")
        assert "an hour at least" in told
    ann.ok(*offer, "--option", "first=zoe", "-o", "../offer.txt")
    (ben.root / "key").unlink()
    (ben.root / "key.pub").unlink()
    told = ben.run("join", "../offer.txt", "--name", "ben", "-y")
    assert (told.exit_code, "zoe" in told.stderr) == (1, True)
    assert list(ben.root.iterdir()) == []


def test_a_duel_by_mail(tmp_path: Path) -> None:
    """The offer is mailed, joined from the mail, and answered by sync; addresses are learned, and
    nothing is sent twice."""
    ann, ben = by_mail(tmp_path)
    said = ann.ok("duel", "silent-ships", "ben@example.org", "--name", "ann", "--key", "key")
    assert said.splitlines()[0] == "sent to ben@example.org"
    (offer,) = (ben.root / "inbox/new").iterdir()
    assert b"adjudicator join FILE" in offer.read_bytes()
    assert "sent to ann@example.org" in ben.ok("join", offer, "--name", "ben", "--key", "key")
    for _ in range(4):
        for one in (ann, ben):
            one.ok("sync")
            while one.think():
                pass
    moves = max(len(one.home.party().row.moves) for one in (ann, ben))
    assert moves > 3
    sent = [path.read_text().partition("Subject: ")[2].split("\n")[0] for path in mails(ann, ben)]
    assert len(set(sent)) == len(sent) >= 2 + moves
    assert not [*ann.root.glob("*.txt"), *ben.root.glob("*.txt")]
    last = max((ann, ben), key=lambda one: len(one.home.party().row.moves))
    assert "sent" not in last.ok("sync")
    for one, other in ((ann, ben), (ben, ann)):
        seen = {str(read_mail(path.read_bytes()).message_id) for path in mails(one)}
        # All but the offer, which came by join, and one that may have come since.
        assert len(seen.difference(one.home.lines("seen"))) <= 1 + (one is ben)
        ids = {str(read_mail(path.read_bytes()).message_id) for path in mails(other)}
        for path in mails(one):
            # Each answers the last of the thread, which one of the two wrote.
            answered = read_mail(path.read_bytes()).references
            assert not answered if path == offer else answered[-1] in ids | seen
    before = set(mails(ann, ben))
    last.ok("resend")
    (again,) = {*mails(ann, ben)} - before
    first = max(before, key=lambda path: len(read_mail(path.read_bytes()).references))
    assert read_mail(again.read_bytes()).references[-1] == read_mail(first.read_bytes()).message_id


def test_what_is_lost_comes_back_by_mail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A side from a backup mails its question, the other's sync mails the answer, and the duel goes
    on where it was."""
    ann, ben = by_mail(tmp_path)
    phrase = tmp_path / "phrase"
    phrase.write_text("four or five words")
    monkeypatch.setenv("ADJUDICATOR_PASSPHRASE_FILE", str(phrase))
    offer = ("duel", "silent-ships", "ben@example.org", "--name", "ann", "--key", "key")
    ann.ok(*offer, "--option", "first=ben")
    shutil.copy(mails(ben)[0], ben.root / "offer.eml")
    ben.ok("join", "offer.eml", "--name", "ben", "--key", "key")
    ann.ok("sync")
    ann.ok("backup", "-o", "../ann.safe")
    for one in (ben, ann, ben, ann):
        one.ok("sync")
        while one.think():
            pass
    moves = len(ben.home.party().row.moves)
    assert moves > 1
    other = Person(tmp_path / "other", "ann", "captain")
    other.settings = ann.settings
    other.ok("restore", "../ann.safe", "-o", ".")
    # The mailbox has lost what came since.
    for path in mails(ann):
        path.unlink()
    before = set(mails(ben))
    assert "ben is asked which moves came after move 1" in other.ok("sync")
    (question,) = set(mails(ben)) - before
    assert "a question" in read_mail(question.read_bytes()).subject
    assert set(mails(ben)) - before == {question}
    ben.ok("sync")
    assert "what the other lacks" in read_mail(mails(ann)[-1].read_bytes()).subject
    other.ok("sync")
    party = other.home.party()
    assert not party.asking
    assert len(party.row.moves) >= moves
    assert not [*other.root.glob("*.txt"), *ben.root.glob("*.txt")]


def test_a_mail_counts_as_looked_at_once_all_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stops between the two loses nothing: the next sync takes the mail in again."""
    ann, ben = by_mail(tmp_path)
    offer = ("duel", "silent-ships", "ben@example.org", "--name", "ann", "--key", "key")
    ann.ok(*offer, "--option", "first=ben")
    shutil.copy(mails(ben)[0], ben.root / "offer.eml")
    ben.ok("join", "offer.eml", "--name", "ben", "--key", "key")
    with monkeypatch.context() as patch:
        patch.setattr(Home, "keep", lambda *_: stop())
        assert ann.run("sync").exit_code
    assert not ann.home.party().row.begun
    ann.ok("sync")
    assert ann.home.party().row.begun


def mails(*people: Person) -> list[Path]:
    """The mails that came."""
    return [path for one in people for path in (one.root / "inbox/new").iterdir()]


def test_a_turn_at_the_prompt(two: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch) -> None:
    """As in every game: the board, words that tell, lines planned and taken back, a plan that is
    kept; then what to send."""
    ann, ben = two
    ann.ok("take", ben.block)
    carried(ann, ben)
    lines = first_turn(ben)
    typed = ["?", "goal", "news", "news all", "hint", *lines, "undo", "quit"]
    monkeypatch.setattr(shared, "is_terminal", lambda: True)
    monkeypatch.setattr(prompt.Prompt, "_read", lambda self: typed.pop(0))
    said = ben.ok("play")
    for part in (
        "Silent Ships: your turn, ben.",
        "until ",
        "undo, undo all",
        "Goal: ",
        "You draw ",
        "hint: ",
        f"planned: {'; '.join(lines)}.",
        f"taken back: {lines[-1]}.",
        "Nothing is sent. The plan is kept. Go on: adjudicator play",
    ):
        assert part in " ".join(said.split())
    assert "note TEXT" not in said
    typed[:] = ["sail away", lines[-1], ""]
    told = ben.run("play")
    assert (told.exit_code, typed) == (0, [])
    assert told.stderr.startswith("error: ")
    assert f"planned: {'; '.join(lines)}." in " ".join(told.stdout.split())
    assert told.stdout.splitlines()[-1] == "silent-ships-ben-0002.txt: for ann; send it"
    assert ben.home.party().row.moves[1].orders
    assert "ann's move, until " in ben.ok("play").splitlines()[-1]


def first_turn(ben: Person) -> list[str]:
    """The lines of the first turn, in which no ship is near another's."""
    ben.ok("sync")
    return adviser.in_duel(ben.home.party()).orders.strip().split("\n")


def test_a_board_comes_with_the_first_report(tmp_path: Path) -> None:
    """Who waits for it sees whose move it is, and no screen that asks again how to begin."""
    ann, ben = (Submariner(tmp_path / name, name, "mate") for name in ("ann", "ben"))
    offer = ("duel", "sugar-dog", "--name", "ann", "--key", "key", "--setup", "start b2")
    ann.ok(*offer, "--option", "first=ann", "-o", "../offer.txt")
    assert "nothing to end" in ann.fails("not-yet", "duel", "--end", "--yes")
    assert ann.run("duel", "sugar-dog", "--end").exit_code == 2
    ben.ok("join", "../offer.txt", "--name", "ben", "--key", "key", "--setup", "start e5")
    (ann.root / ben.block.name).write_bytes(ben.block.read_bytes())
    for said in (ann.ok("play"), ann.ok("play")):
        assert said.startswith("ben's move, until ")
        assert "with it comes the first board" in said
        assert "start" not in said
    (ben.root / ann.block.name).write_bytes(ann.block.read_bytes())
    assert "ann is to move" in ben.ok("play")


def test_whoever_looks_last_has_the_file_too(tmp_path: Path) -> None:
    """play takes in the other's opening, and writes the whole duel as sync does."""
    ann, ben = (Submariner(tmp_path / name, name, "mate") for name in ("ann", "ben"))
    offer = ("duel", "sugar-dog", "--name", "ann", "--key", "key", "--setup", "start b2")
    ann.ok(*offer, "--option", "first=ann", "-o", "../offer.txt")
    ben.ok("join", "../offer.txt", "--name", "ben", "--key", "key", "--setup", "start c2")
    ann.ok("take", ben.block)
    ben.ok("take", ann.block)
    ann.ok("take", ben.block)
    ann.ok("play", "fire e")
    for one, other in ((ben, ann), (ann, ben), (ben, ann)):
        carried(other, one)
        said = one.ok("play")
    assert "sugar-dog-ben.zip: 4 moves. TRUE: ann won, and neither lied." in said
    assert "sugar-dog-ben.zip" not in ben.ok("play")


def test_options_that_no_duel_has(tmp_path: Path) -> None:
    """Refused where they are typed, with the way to play so: a host."""
    ann = Person(tmp_path / "ann", "ann", "captain")
    offer = ("duel", "silent-ships", "--name", "ann", "--key", "key")
    (ann.root / "mine.toml").write_text("")
    assert "adjudicator invite" in ann.fails("bad-option", *offer, "--table", "mine.toml")
    for option, why in (
        ("reserve_time=1d", "option reserve_time is not for a duel"),
        ("missed=end", "option missed is not for a duel: it is 'resign'"),
        ("sails=3", "'sails' is no option of silent-ships"),
        ("stalemate=many", "stalemate"),
    ):
        told = ann.run(*offer, "--option", option)
        assert told.exit_code in (1, 2)
        assert why in told.stderr
    assert [path.name for path in ann.root.glob("*.duel")] == []


def test_two_moves_for_one_turn(two: tuple[Person, Person]) -> None:
    """As after a restore: both are kept, whoever made them is shown what was answered, and neither
    is a lie; a pack brings the other row with it."""
    ann, ben = two
    ann.ok("take", ben.block)
    ben.ok("take", ann.block)
    shutil.copytree(ben.root, ben.root.with_name("twin"))
    twin = Table(ben.root.with_name("twin"))
    ben.ok("play", "end")
    side = Home.open(twin.root / "ben.duel").party().side
    line = next(one.text for one in side.game.after(side.view, ()).choices if "play" in one.text)
    twin.ok("play", f"{line}; end")
    ann.ok("take", ben.block)
    row = ann.home.party().row.digests
    told = ann.ok("take", twin.root / ben.block.name)
    (again,) = ann.root.glob("*-again.txt")
    assert f"what the other lacks is ready: send {again.name} to ben" in told
    party = ann.home.party()
    assert party.row.digests[: len(row)] == row
    assert len(party.documents.moves) == len(party.row.moves) + 1
    judged = ann.run("verify", "ann.duel")
    assert (judged.exit_code, "lied" in judged.stdout) == (4, False)
    twin.ok("take", again)
    assert set(row) <= set(Home.open(twin.root / "ben.duel").party().documents.moves)
    ann.ok("pack", "-o", "all.zip")
    told = ben.ok("take", ann.root / "all.zip")
    assert "taken from " in told
    assert ben.home.party().documents.files == party.documents.files


def test_orders_that_never_left_are_shown(
    two: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before they are forgotten: whoever stops the program there is shown them again."""
    ann, ben = two
    ann.ok("take", ben.block)
    ben.ok("take", ann.block)
    party = ben.home.party()
    party.order(Written("end"))
    ben.home.keep(party)
    kept = "these orders did not leave: 'end'"
    with monkeypatch.context() as stopped:
        stopped.setattr(Home, "keep", lambda home, party: stop())
        told = ben.run("duel", "--end", "--give-up", "-y")
    assert kept in told.stderr
    assert told.exit_code != 0
    assert kept in ben.run("duel", "--end", "--give-up", "-y").stderr
    assert (ben.home.party().pending, ben.home.party().dropped) == ([], [])
    assert kept not in ben.run("sync").stderr


def stop() -> None:
    """As Ctrl-C does."""
    raise click.Abort


def test_orders_that_wait_for_an_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The screen says so, and lists no lines, until the other has told what is asked."""
    whole = played("waits")
    moves = len(whole.row.moves)
    for number in range(1, moves):
        name = whole.row.author_of(number)
        one = next(one for one in whole.people if one.name == name)
        party = Party(whole.short(number), name, one.secret)
        if name in (asked.player for asked in party.row.game.awaited(party.side.state)):
            break
    home = Home(tmp_path, name, tmp_path, one.secret)
    duel._show(DuelTable(home, SystemClock(), print, party))
    said = capsys.readouterr().out
    other = party.other
    assert said.startswith(f"Silent Ships: your orders wait for what {other} answers.")
    assert "resign" not in said
