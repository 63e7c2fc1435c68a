"""`duel`, and what `join`, `take`, `play`, `sync` and `resend` do in a duel: two play, and nobody
hosts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import click

import games
from adjudicator.cli import completing, courier, duel_look, keys, post, settings
from adjudicator.cli.here import the_duel
from adjudicator.cli.play import choose_name, confirm
from adjudicator.cli.prompt import Prompt, in_one_line, lines_of, window
from adjudicator.cli.shared import (
    AnyPath,
    GameOptionOption,
    KeyOption,
    OutOption,
    YesOption,
    agreed,
    check_out,
    is_terminal,
    like_bundle,
    now,
    reader,
    say,
    signer,
    warn,
    write_out,
)
from adjudicator.core import deadlines
from adjudicator.duel import documents as sets
from adjudicator.duel import party as parties
from adjudicator.duel import row as rows
from adjudicator.duel.documents import Documents
from adjudicator.duel.party import Party
from adjudicator.duel.row import Row
from adjudicator.mail import duel as mails
from adjudicator.mail import mailboxes
from adjudicator.mail.duel import OTHER
from adjudicator.mail.mime import Mail, check_address
from adjudicator.player.duel import SUFFIX, Home, documents, homes
from adjudicator.store.pack import Pack
from adjudicator.words import adviser
from adjudicator.words import duel as words
from adjudicator.words.screen import lines
from games.dice import Dice
from games.game import Deductions, Game, OrderError, View, Written
from orders import names
from orders.bundle import Bundle, encode
from orders.duel import DuelBlock, of_bundle
from orders.errors import TEMPORARY, Refused
from orders.fields import check_name
from orders.secrets import DuelSecret, draw_secret
from orders.typed import read_typed

LIMITS = (
    "Lies are found at the end, not always at once; compare the fingerprints of your keys once.",
    "That folder is private: without it you cannot go on, and whoever has it knows what you hide.",
)


@click.command(epilog="Example: adjudicator duel silent-ships --name ann -o offer.txt")
@click.argument("game_name", metavar="GAME", required=False, shell_complete=completing.of_game)
@click.argument("to", metavar="[ADDRESS]", required=False)
@click.option("--name", help="Your name in the game.")
@KeyOption
@GameOptionOption
@click.option("--setup", "first", metavar="LINE", help="Your orders of the setup, if any fit.")
@click.option("--table", type=AnyPath, hidden=True)
@click.option("--end", is_flag=True, help="End the duel that is here: the other does not answer.")
@click.option("--give-up", is_flag=True, help="With --end: give it up; the other wins.")
@YesOption
@OutOption
def duel(
    game_name: str | None, to: str | None, name: str | None, key: Path | None,
    options: tuple[str, ...], first: str | None,
    table: Path | None, end: bool, give_up: bool, yes: bool, out: str | None,
) -> None:  # fmt: skip
    """Offer a duel at GAME: two people play, and nobody hosts.

    The offer is a block of text for the other, who says adjudicator join; with a mail ADDRESS it is
    sent there. What they send you is taken in by take or sync; your turn is play, as in every game.
    Without a GAME, --end is about the duel that is here.
    """
    if end and game_name is not None:
        raise click.UsageError(
            f"--end ends the duel that is here, and {game_name} offers a new one: which of both?"
        )
    if give_up and not end:
        raise click.UsageError("--give-up goes with --end")
    if end:
        _end(the_duel(), key, out, gives_up=give_up, yes=yes)
        return
    if game_name is None:
        raise click.UsageError("name the game: adjudicator duel GAME")
    game = games.load(game_name)
    rows.check_game(game)
    if table is not None:
        raise Refused(
            "bad-option",
            "a duel is played by the table that comes with the game: an offer is one short block, "
            "and names the table by its digest",
            f"let somebody host it: adjudicator invite {game.id} --table FILE",
        )
    name = _name(name, yes=yes)
    if to is not None:
        _check_way(to)
    given = game.parse_options(options)
    root = Path(f"{name}{SUFFIX}")
    _check_new(root, out)
    orders = setup_orders(game, parties.setup_view(game, given, name), first)
    holder, path = keys.found(key, Path(f"{root}.key"), yes=yes)
    secret = DuelSecret(draw_secret())
    begun = parties.offer(game, name, holder, secret, given, orders, now())
    _begin(root, path, Party(begun, name, secret), out, to)


def _end(home: Home, key: Path | None, out: str | None, *, gives_up: bool, yes: bool) -> None:
    _check_out(out)
    with home.locked():
        party = home.party()
        party.notice(now())
        party.end(signer(home.key if key is None else key), now(), gives_up=gives_up)
        what = "You give it up" if gives_up else f"{party.other} does not answer"
        if not (yes or is_terminal()):
            raise click.UsageError(
                f"{what}: your side opens, which cannot be taken back. To do it: say -y too"
            )
        agreed(f"{what}: your side opens, and the duel ends for you. Really?", yes=yes)
        _keep(home, party)
        _leave(home, party, out)
        say(words.standing(party, reader()), *() if gives_up else (UNDECIDED,), to=out)


UNDECIDED = (
    "Between two nobody can prove that a message never came: without a later move of theirs it "
    "stays disputed."
)


def _name(given: str | None, *, yes: bool) -> str:
    """The name to play by; raises Refused."""
    return check_name(choose_name(given, yes=yes))


def _check_way(to: str) -> None:
    """Raise Refused unless a mail can go to that address."""
    if check_address(to) is None:
        raise Refused("bad-option", f"{to[:80]!a} is no mail address")
    if settings.get("address") is None:
        raise Refused(
            "bad-option", "your mail address is not set", "adjudicator config address ADDRESS"
        )
    if settings.get("send") is None and settings.get("mail-out") is None:
        raise Refused(
            "bad-option", "the settings name no way to send mails",
            "adjudicator config mail-out smtps://USER@HOST; or leave out the address, and send the "
            "file yourself",
        )  # fmt: skip


def join(
    bundle: Bundle, came: Mail | None, name: str | None, key: Path | None, first: str | None,
    out: str | None, *, yes: bool,
) -> None:  # fmt: skip
    """Accept the offer in a bundle, which a mail may have brought; raises Refused."""
    held = of_bundle(bundle).files
    if names.OFFER not in held:
        raise Refused("bad-bundle", "that is no offer of a duel", "take it in: adjudicator take")
    begun = Documents(documents(held, names.OFFER))
    there = begun.offered
    _check_others(there)
    offers = f"{there.game.title}, against {there.offer.player}"
    told = [offers, *(f"  {key} = {value}" for key, value in there.offer.options.items())]
    say(*told if is_terminal() else (), to=out)
    name = _name(name, yes=yes)
    root = Path(f"{name}{SUFFIX}")
    _check_new(root, out)
    view = parties.setup_view(there.game, there.offer.options, name, there.offer.player)
    orders = setup_orders(there.game, view, first)
    say(*() if is_terminal() else told, to=out)
    holder, path = keys.found(key, Path(f"{root}.key"), yes=yes)
    secret = DuelSecret(draw_secret())
    begun = parties.accept(begun, name, holder, secret, orders)
    _begin(root, path, Party(begun, name, secret), out, None, came)


def _check_others(there: Row) -> None:
    """Raise Refused for an offer of one's own, or one that one has accepted."""
    for home in homes(Path()):
        if home.id == there.id:
            own = home.player == there.offer.player
            raise Refused(
                "mismatch",
                "this offer is your own: another player must accept it"
                if own
                else f"you have accepted this offer already, in {str(home.root)!a}",
                "send it to them" if own else "adjudicator resend writes your answer again",
            )


def _check_new(root: Path, out: str | None) -> None:
    """Raise Refused if the folder is there, before anything is made."""
    check_out(out, like=like_bundle("duel"))
    if root.exists():
        raise Refused(
            "exists",
            f"{str(root)!a} is there already: it is your side of a duel",
            "if what it sends has not left yet: adjudicator resend; else give yourself another "
            "name: --name",
        )


def setup_orders(game: Game[Any, Any], view: View, given: str | None) -> Written:
    """Orders of the setup: those given, or typed at the prompt, or the only ones that the game
    takes. Raises Refused or OrderError."""
    if given is not None:
        _Setup(game, view).judge(lines_of(given))
        return Written(lines_of(given))
    choices = game.legal(view)
    if len(choices) == 1:
        return Written(choices[0])
    if is_terminal():
        at = Prompt(_Setup(game, view))
        at.show()
        text = at.ask()
        if text is None:
            raise click.Abort
        return Written(text)
    example = f'--setup "{in_one_line(_Setup(game, view).advice())}"'
    raise Refused("bad-option", "this game begins with orders", f"name them, as in {example}")


def _begin(
    root: Path, key: Path, party: Party, out: str | None, to: str | None, came: Mail | None = None
) -> None:
    with Home.begun(root, party.player, key, party.secret) as home:
        home.keep(party)
        if to is not None:
            home.note(OTHER, [to])
        if came is not None:
            mails.remember(home, came, first=True)
    home = Home.open(root)
    _leave(home, party, out)
    say(f"{home.root}: your side of the duel", *LIMITS, to=out)


# What leaves.


ANSWER, QUESTION = "your answer", "a question"


def _leave(home: Home, party: Party, out: str | None, *, answer: bool = False) -> None:
    """Send the block that now leaves, or left last: by mail, or as a file; raises Refused.

    `answer`: no decision of its player is in it.
    """
    _send(home, party, party.block(), party.block_name, out, ANSWER if answer else "")


def _send(home: Home, party: Party, block: bytes, name: str, out: str | None, what: str) -> None:
    """The same with any block, in a file of that name; `what` it is, "" for one's own move."""
    to = _address(home) if out is None else None
    if to is not None and _mails(home, party, block, to, what):
        home.note_sent(block)
        return
    target = _target(party, block, name) if out is None else out
    try:
        write_out(target, block, like=block)
    except Refused as error:
        raise Refused(error.word, error.message, _AGAIN) from None
    home.note_sent(block)
    whom = party.other or "whoever plays"
    ready = f"{what} is ready: send {target} to {whom}"
    say(ready if what else f"{target}: for {whom}; send it", to=out)


def _recover(home: Home, party: Party, *, lacks: bool) -> None:
    """Ask the other for what is not here (`lacks`: a block came that does not fit, or this side is
    from a backup), and send what they asked for; each once."""
    if (lacks or party.asking) and party.other and not home.has_sent(party.request()):
        _send(home, party, party.request(), f"{party.block_name}-asks", None, QUESTION)
    if (reply := party.reply()) is not None:
        what = "what the other lacks"
        _send(home, party, reply, f"{party.block_name}-again", None, what)
        home.keep(party)


def _mails(home: Home, party: Party, block: bytes, to: str, what: str) -> bool:
    """Mail a block; False if the settings name no way. Raises Refused."""
    if not any(settings.get(one, home.root) for one in ("send", "mail-out")):
        return False
    me = settings.get("address", home.root)
    if me is None:
        raise Refused(
            "bad-option", "your mail address is not set", "adjudicator config address ADDRESS"
        )
    ready = mails.wrap(home, party, block, me, to, now(), "" if what == ANSWER else what)
    return post.leaves(home.root, ready.key, ready.sender, ready.to, ready.data)


def _address(home: Home) -> str | None:
    """The other's mail address: the one in the settings, or from which their first mail came."""
    return settings.get("opponent", home.root) or next(iter(home.lines(OTHER)), None)


def _target(party: Party, block: bytes, name: str) -> str:
    """The file for a block; if another is there under that name, one with the duel's id."""
    path = Path(f"{name}.txt")
    held = path.read_bytes() if path.is_file() else block
    if held != block and held.startswith(like_bundle("duel")):
        return f"{name}-{party.row.id[:8]}.txt"
    return str(path)


_AGAIN = "the block is kept: adjudicator resend -o FILE writes it to another file"


def _check_out(out: str | None) -> None:
    """Raise Refused before anything happens, if there is a file already: what was sent once is not
    replaced."""
    try:
        check_out(out, like=b"")
    except Refused as error:
        raise Refused(
            error.word, error.message,
            "name another file; adjudicator resend writes the last block again",
        ) from None  # fmt: skip


def resend(place: Path, out: str | None) -> None:
    """The block that left last, the same bytes; after a restore, or where moves are lacking, the
    question; both where only the other's end is lacking, which may have been lost. Raises
    Refused."""
    home = the_duel(place)
    with home.locked():
        party = home.party()
        asks = (party.asking or party.lacks) and party.other
        if not asks:
            _leave(home, party, out)
        if asks or (party.ended and not party.is_left):
            to = out if asks else None
            _send(home, party, party.request(), f"{party.block_name}-asks", to, QUESTION)


# What comes.


@dataclass
class _Came:
    """What is wrong with what came, and files and mails that are of no more use, once all is kept
    and answered. `lacks`: a block came that follows what is not here."""

    warnings: list[str] = field(default_factory=list)
    used: list[Path] = field(default_factory=list)
    looked_at: list[Mail] = field(default_factory=list)
    lacks: bool = False


def take(
    bundle: Bundle, mail: Mail, given: Path | None, key: Path | None, out: str | None, *,
    quoted: bool = False,
) -> int:  # fmt: skip
    """Take a block in, answer it as far as no decision is needed, and say what it tells; returns
    the exit code. Raises Refused. `quoted`: others came with it, so one's own is no fault."""
    came = of_bundle(bundle)
    if names.OFFER in came.files:
        there = Documents(documents(came.files, names.OFFER)).offered
        if there.id not in (home.id for home in homes(Path())):
            who, what = there.offer.player, there.game.title
            say(f"{who} offers a duel at {what}; to accept it: adjudicator join FILE")
            return 0
        if quoted:
            return 0
    _check_out(out)
    home = the_duel(given, came.about)
    with home.locked():
        if home.has_sent(encode(bundle)):
            if quoted:
                return 0
            raise Refused("mismatch", "this block is your own: it is for the other player")
        party = home.party()
        before = _state(party)
        try:
            party.take_block(came, now())
        except Refused as error:
            _recover(home, party, lacks=error.word == "not-yet" and bool(came.sealed))
            raise
        finally:
            _keep(home, party)
        _recover(home, party, lacks=False)
        mails.remember(home, mail, first=_is_first(home, before, party))
        return _answered(home, party, before, key, out)


def take_pack(path: Path, given: Path | None, key: Path | None, out: str | None) -> int:
    """Take in what a file of a duel has and this side lacks, then go on as after a block; returns
    the exit code. Raises Refused."""
    theirs = sets.read(Pack.open(path))
    _check_out(out)
    home = the_duel(given, theirs.id[:16])
    with home.locked():
        party = home.party()
        before = _state(party)
        try:
            party.take({one.path: one.file for one in list(theirs.files.values())[1:]}, now())
        finally:
            _keep(home, party)
        _recover(home, party, lacks=False)
        many = len(party.documents.files) - before.files
        say(f"taken from {path}: {many} document{'s' * (many != 1)}", to=out)
        return _answered(home, party, before, key, out)


def _keep(home: Home, party: Party) -> None:
    """Keep what a party holds. Orders that never left, as the row is another now or the duel has
    ended, are shown before: only then they are forgotten."""
    for one in party.dropped:
        warn(f"the duel went on without them; these orders did not leave: {one.orders!a}")
    party.dropped.clear()
    home.keep(party)


class _State(NamedTuple):
    """How many documents are here, and how many steps were heard."""

    files: int
    steps: int


def _state(party: Party) -> _State:
    heard = party.can_begin and party.made.side is not None
    return _State(len(party.documents.files), len(party.side.heard) if heard else 0)


def _is_first(home: Home, before: _State, party: Party) -> bool:
    """Whether this is the first that is known of the other's address: with their accept, or
    later."""
    return len(party.documents.files) > before.files and (
        before.files == 1 or not home.lines(OTHER)
    )


def _fetch(home: Home, party: Party) -> _Came:
    """Take in the blocks of this duel that lie beside its folder or came by mail; raises Refused
    only if nothing can be written now."""
    came = _Came()
    party.notice(now())
    _take_files(home, party, came)
    _take_mails(home, party, came)
    _keep(home, party)
    _recover(home, party, lacks=came.lacks)
    for path in came.used:
        courier.put_away(home.root, path)
    mails.looked_at(home, came.looked_at)
    return came


AFTER, LOOKED = 30 * 86_400, "looked"
"""Seconds for which mails of a duel that is over are looked at, as the other may ask for moves; and
the note of the last look."""


class _Block(NamedTuple):
    """A block of this duel, and where it was found."""

    where: str
    bundle: Bundle
    block: DuelBlock


def _take_files(home: Home, party: Party, came: _Came) -> None:
    ids, left = (home.id[:16],), set()
    files = list(courier.lying(home.root.absolute().parent))
    held = [(one.path, bundle) for one in files for bundle in one.of(ids, ("duel",))]
    found = [(_Block(path.name, bundle, of_bundle(bundle)), path) for path, bundle in held]
    for one, path in sorted(found, key=lambda pair: pair[0].block.number):
        own = home.has_sent(encode(one.bundle))
        if not _is_answered(party, one.block) if own else _fault(party, one, came):
            left.add(path)
    came.used += [one.path for one in files if one.is_only(ids) and one.path not in left]


def _take_mails(home: Home, party: Party, came: _Came) -> None:
    named = settings.get("mail-in", home.root)
    if named is None or (party.ended and party.is_left and not _asks_still(home, party)):
        return
    given = post.authorities(home.root), mails.begins(party.row), words.tag(party.row)
    source = mailboxes.open_source(named, *given)
    read = []
    for mail, bundles in mails.fetch(home, party.row, source, came.warnings):
        where = f"the mail {mail.subject!a:.80}"
        read.append(([_Block(where, one, of_bundle(one)) for one in bundles], mail))
    for blocks, mail in sorted(read, key=lambda one: [it.block.number for it in one[0]]):
        before = _state(party)
        others = [one for one in blocks if not home.has_sent(encode(one.bundle))]
        faults = [_fault(party, one, came) for one in others]
        if "not-yet" not in faults:
            came.looked_at.append(mail)
        if len(party.documents.files) > before.files:
            mails.remember(home, mail, first=_is_first(home, before, party))


def _asks_still(home: Home, party: Party) -> bool:
    """Whether the other may ask still, once the duel is over. Where nobody has looked for so long,
    perhaps as a clock was wrong until now, the time for it begins anew."""
    time, last = now(), next(iter(home.lines(LOOKED)), "")
    home.note(LOOKED, [time])
    if not last or deadlines.between(last, time) > AFTER:
        party.since = time
    return deadlines.between(party.since, time) <= AFTER


def _fault(party: Party, one: _Block, came: _Came) -> str:
    """Take in a block; "", or the word of why it was not taken. Raises Refused if nothing can be
    written now."""
    row = party.row
    try:
        party.take_block(one.block, now())
    except Refused as error:
        if error.word in TEMPORARY:
            raise
        own = row.accept is not None and one.block.number and row.author_of(one.block.number)
        if error.word == "unopenable" and own == party.player:
            return "" if _is_answered(party, one.block) else "not-yet"
        came.warnings.append(f"{one.where}: {error}")
        came.lacks = came.lacks or (error.word == "not-yet" and bool(one.block.sealed))
        return error.word
    return ""


def _is_answered(party: Party, block: DuelBlock) -> bool:
    """Whether the other has answered a block of one's own."""
    row = party.row
    if not block.sealed:
        return len(row.moves) > (0 if names.ACCEPT in block.files else -1) and bool(row.accept)
    return len(row.moves) > block.number


def play(
    home: Home, typed: bytes | None, key: Path | None, out: str | None, *,
    check: bool = False, hint: bool = False, yes: bool = False, anyway: bool = False,
) -> int:  # fmt: skip
    """Order what is asked, or show it and ask; returns the exit code. Raises Refused or
    OrderError. `check`: only say what would be refused. `anyway`: after a restore, go on though the
    other has not said what is lost."""
    _check_out(out)
    with home.locked():
        party = home.party()
        before = _state(party)
        if anyway:
            party.ask_no_more()
        came = _fetch(home, party)
        came.warnings += courier.strays(home.root.absolute().parent)
        warn(*came.warnings)
        look = LOOK if came.warnings else 0
        if typed is not None:
            given = _read(party, typed, sign=not check, yes=yes)
            if check:
                say(f"ok: orders of {party.player} for step {party.side.step}")
                return look
            return _order(home, party, before, given, key, out) or look
        lied = _lied(party)
        made = _make(home, party, key)
        if made is not None:
            if party.side.heard:
                _show(home, party)
            _sent(home, party, before, out, made)
            return 1 if lied else look
    code = _asks(home, party, key, out, hint=hint)
    _pack_whole(home, party, before)
    return code or look


def _show(home: Home, party: Party) -> Prompt:
    """The screen."""
    until = party.due
    said = ("no deadline",) if until is None else reader().until(until)
    at = Prompt(_Asked(home, party), until=said)
    if party.prompt is not None or party.side.outcome is not None:
        at.show()
        return at
    shown, other = at.scene(), party.other
    if party.is_left:
        shown = replace(shown, title=f"{at.game.title}: {words.left(party)}.")
    elif party.player in (one.player for one in at.game.awaited(party.side.state)):
        shown = replace(shown, title=f"{at.game.title}: your orders wait for what {other} answers.")
    for line in lines(replace(shown, menu=lambda columns: ()), window()):
        say(line)
    return at


def _asks(home: Home, party: Party, key: Path | None, out: str | None, *, hint: bool) -> int:
    """Show the screen, and ask as long as orders are asked for; returns the exit code."""
    while party.can_begin and party.side.heard:
        prompt = party.prompt
        at = _show(home, party)
        if hint and prompt is not None:
            at.tell_hint()
        if prompt is None or not is_terminal():
            break
        text = at.ask()
        if text is None:
            return 0
        last = party.row.last
        with home.locked():
            party = home.party()
            if party.row.last != last or party.prompt != prompt:
                raise Refused("stale", "the duel has gone on meanwhile", "adjudicator play")
            code = _order(home, party, _state(party), Written(text), key, out)
        if code or party.prompt is None:
            return code
    say(words.standing(party, reader()))
    return 4 if words.is_late(party, reader()) else 0


def _read(party: Party, typed: bytes, *, sign: bool, yes: bool = False) -> Written:
    """Orders as a person typed them; raises Refused or OrderError. `sign`: ask before a
    resignation, unless they say `yes`."""
    if party.prompt is None:
        raise Refused("not-yet", words.standing(party, reader()))
    side = party.side
    file, above = read_typed(typed, party.row.id, side.step, party.player)
    given = Written(file.text)
    try:
        party.judge(given)
    except OrderError as error:
        # The author knows the line of their own file.
        error.line = None if error.line is None else error.line + above
        raise
    if sign:
        confirm(file, yes=yes)
    return given


def _order(
    home: Home, party: Party, before: _State, given: Written, key: Path | None, out: str | None
) -> int:
    party.order(given)
    home.keep(party)
    _tell(party, before, out)
    return _answer(home, party, _state(party), key, out)


def _answer(home: Home, party: Party, before: _State, key: Path | None, out: str | None) -> int:
    """Make the move that is due, say what it led to, and send it; returns the exit code."""
    lied, heard = _lied(party), _state(party)
    made = _make(home, party, key)
    if made is not None:
        _tell(party, heard, out)
        _sent(home, party, before, out, made)
    return 1 if lied else 0


def _lied(party: Party) -> bool:
    """Whether the other told what cannot be, and no end has left yet; says so."""
    if party.lie is None or party.ended:
        return False
    warn(f"{party.lie}: your side opens, which proves it")
    return True


def _make(home: Home, party: Party, key: Path | None) -> bool | None:
    """Make and keep the move that is due; None if none is, else whether a decision is in it."""
    decided = bool(party.pending)
    if not party.is_due or not party.go_on(signer(home.key if key is None else key), now()):
        return None
    _keep(home, party)
    return decided


def _sent(home: Home, party: Party, before: _State, out: str | None, decided: bool) -> None:
    """Say whose the next move is, and send what was made."""
    say(words.standing(party, reader()), to=out)
    _leave(home, party, out, answer=not decided)
    _pack_whole(home, party, before)


def _pack_whole(home: Home, party: Party, before: _State) -> None:
    """Write the whole duel as one file, once both have opened."""
    if party.ended and party.is_left and len(party.documents.files) > before.files:
        duel_look.pack(home.root, None)


def _tell(party: Party, before: _State, out: str | None) -> None:
    """The news since then."""
    if party.can_begin and party.made.side is not None:
        game = party.row.game
        for report in party.side.heard[before.steps :]:
            say(*(game.news(event) for event in report.events), to=out)


def sync(home: Home, key: Path | None, *, quiet: bool) -> int:
    """Take in what came, answer it where no decision is needed, and send what has not left; returns
    the exit code. Raises Refused."""
    with home.locked():
        party = home.party()
        before = _state(party)
        came = _fetch(home, party)
        warn(*came.warnings)
        code = _answered(home, party, before, key, None, quiet=quiet)
        if not home.has_sent(party.block()):
            # It was made, and did not leave.
            _leave(home, party, None)
        return code or (LOOK if came.warnings else 0)


def _answered(
    home: Home, party: Party, before: _State, key: Path | None, out: str | None, *,
    quiet: bool = False,
) -> int:  # fmt: skip
    """Say what came, make and send the answer; the exit code."""
    came = len(party.documents.files)
    _tell(party, before, out)
    code = _answer(home, party, before, key, out)
    if len(party.documents.files) == came:
        if came > before.files or not quiet:
            say(words.standing(party, reader()), to=out)
        _pack_whole(home, party, before)
    return code


LOOK = 3
"""The exit code: done, but a person must look."""


# At the prompt.


class _Setup:
    """Who chooses how they begin, before the other is known."""

    heard: Sequence[Sequence[Mapping[str, Any]]] = ()
    plan: Sequence[str] = ()
    first = True

    def __init__(self, game: Game[Any, Any], view: View) -> None:
        self.game, self.view = game, view
        self.known = game.deduced(view, (), None)

    def keep_plan(self, lines: Sequence[str]) -> None:
        """Nothing is kept: there is no duel yet."""

    def judge(self, text: str) -> None:
        """See Asked."""
        assert self.game.duel is not None  # noqa: S101 - `check_game` held it
        self.game.duel.read(self.view, Written(text))

    def sentence(self, event: Mapping[str, Any]) -> str:
        """See Asked."""
        return self.game.news(event)

    def history(self) -> Sequence[str]:
        """See Asked."""
        return ()

    def advice(self) -> Written:
        """See Asked."""
        return adviser.first(self.game, self.view, Dice(draw_secret()))


class _Asked:
    """A player of a duel."""

    def __init__(self, home: Home, party: Party) -> None:
        self.home, self.party = home, party
        self.side = party.side
        self.game, self.view = party.row.game, party.side.view
        self.since, begun = words.since_my_last(party.side)
        self.first = not begun

    @cached_property
    def known(self) -> Deductions:
        """See Asked."""
        return words.worked_out(self.side)[-1]

    @property
    def heard(self) -> Sequence[Sequence[Mapping[str, Any]]]:
        """See Asked."""
        return [one.events for one in self.side.heard[self.since - 1 :]]

    @property
    def plan(self) -> Sequence[str]:
        """See Asked."""
        return self.home.plan(self.side.step)

    def keep_plan(self, lines: Sequence[str]) -> None:
        """See Asked."""
        self.home.keep_plan(self.side.step, lines)

    def judge(self, text: str) -> None:
        """See Asked."""
        self.party.judge(Written(text))

    def sentence(self, event: Mapping[str, Any]) -> str:
        """See Asked."""
        return self.game.news(event)

    def history(self) -> Sequence[str]:
        """See Asked."""
        return list(self._history())

    def _history(self) -> Iterator[str]:
        for heard in self.side.heard:
            yield from (self.game.news(event) for event in heard.events)

    def advice(self) -> Written:
        """See Asked."""
        return adviser.in_duel(self.party)
