"""`duel`, and what `join`, `take`, `play`, `sync` and `resend` do in a duel: two play, and nobody
hosts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

import games
from adjudicator.cli import completing, courier, duel_look, keys, post, settings, shared
from adjudicator.cli.courier import LOOK, Here
from adjudicator.cli.join import choose_name
from adjudicator.cli.keys import signer
from adjudicator.cli.play import confirmed
from adjudicator.cli.prompt import Asked, Prompt, show_end, window
from adjudicator.cli.which import the_duel
from adjudicator.core.opening import in_match
from adjudicator.core.source import MemoryFiles
from adjudicator.duel import documents
from adjudicator.duel import party as parties
from adjudicator.duel import row as rows
from adjudicator.duel.documents import Documents
from adjudicator.duel.party import Party
from adjudicator.mail import duel as mails
from adjudicator.mail import mailboxes
from adjudicator.mail.duel import OTHER
from adjudicator.mail.mime import Mail, check_address
from adjudicator.player.duel import SUFFIX, DuelTable, Home, Leaving, homes
from adjudicator.player.table import TakenBundles
from adjudicator.store.clock import SystemClock
from adjudicator.store.pack import Pack
from adjudicator.words import adviser, story
from adjudicator.words import duel as words
from adjudicator.words.adviser import Advice
from adjudicator.words.form import in_one_line, lines_of
from adjudicator.words.screen import lines
from games.dice import Dice
from games.game import Game, OrderError, View, Written
from games.options import MATCH
from orders import names
from orders.bundle import Bundle, encode
from orders.duel import of_bundle
from orders.errors import Refused
from orders.fields import digest
from orders.order_file import read_typed
from orders.secrets import DuelSecret, draw_secret

LIMITS = (
    "Lies are found at the end, not always at once; compare the fingerprints of your keys once.",
    "That folder is private: without it you cannot go on, and whoever has it knows what you hide.",
)


@click.command(epilog="Example: adjudicator duel silent-ships --name ann -o offer.txt")
@click.argument("game_name", metavar="GAME", required=False, shell_complete=completing.of_game)
@click.argument("to", metavar="[ADDRESS]", required=False)
@click.option("--name", help="Your name in the game.")
@shared.KeyOption
@shared.GameOptionOption
@click.option("--setup", "first", metavar="LINE", help="Your orders of the setup, if any fit.")
@click.option("--table", type=shared.AnyPath, hidden=True)
@click.option(
    "--match", "is_match", is_flag=True,
    help="The first of two games, seats changed; without a GAME the second.",
)  # fmt: skip
@click.option("--end", is_flag=True, help="End the duel that is here: the other does not answer.")
@click.option("--give-up", is_flag=True, help="With --end: give it up; the other wins.")
@shared.YesOption
@shared.OutOption
def duel(
    game_name: str | None, to: str | None, name: str | None, key: Path | None,
    options: tuple[str, ...], first: str | None,
    table: Path | None, is_match: bool, end: bool, give_up: bool, yes: bool, out: str | None,
) -> None:  # fmt: skip
    """Offer a duel at GAME: two people play, and nobody hosts.

    The offer is a block of text for the other, who says adjudicator join; with a mail ADDRESS it is
    sent there. What they send you is taken in by take or sync; your turn is play, as in every game.
    Without a GAME, --end is about the duel that is here, and --match offers the second game of the
    match whose first you have accepted.
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
    if game_name is None and is_match:
        if name or options:
            raise click.UsageError("a second game has the players and the options of the first")
        _offer_second(key, first, out, yes=yes)
        return
    if game_name is None:
        raise click.UsageError("name the game: adjudicator duel GAME")
    game = games.load(game_name)
    rows.check_game(game)
    if table is not None:
        raise Refused(
            "bad-option",
            "a duel is played by the table that comes with the game, not by one of your own",
            f"let somebody host it: adjudicator invite {game.id} --table FILE",
        )
    if to is not None and check_address(to) is None:
        raise Refused("bad-option", f"{to[:80]!a} is no mail address")
    if to is not None and _mails_from(None) is None:
        raise Refused(
            "bad-option", "the settings name no way to send mails",
            "adjudicator config mail-out smtps://USER@HOST; or leave out the address, and send the "
            "file yourself",
        )  # fmt: skip
    given = in_match(game, game.parse_options((*["match=first"] * is_match, *options)))
    _begin(game, given, None, name, key, first, out, yes=yes, to=to)


def _offer_second(key: Path | None, first: str | None, out: str | None, *, yes: bool) -> None:
    """Offer the second game of a match; raises Refused or OrderError."""
    found = [(home, home.party().row) for home in homes(Path())]
    begun = {row.match for _, row in found}
    mine = [
        (home, row)
        for home, row in found
        if row.match == "first" and row.accepted and row.accepted not in begun
        and row.members[1].name == home.player
    ]  # fmt: skip
    if len(mine) != 1:
        what = f"{len(mine)} duels are here" if mine else "no duel is here"
        raise Refused(
            "ambiguous" if mine else "missing",
            f"{what} of which the second game is yours to offer",
            "go to the folder with one" if mine else "who has accepted the first offers the second",
        )
    ((home, row),) = mine
    options = {**row.offer.options, MATCH.name: row.accepted}
    _begin(row.game, options, None, home.player, key or home.key, first, out, yes=yes,
           to=_address(home), place=_return(home))  # fmt: skip


def _return(home: Home) -> Path:
    """The folder of the second game of the match whose first is in that one."""
    return home.root.with_name(f"{home.root.name.removesuffix(SUFFIX)}{shared.RETURN}{SUFFIX}")


def _address(home: Home) -> str | None:
    """The other's mail address, as far as it is set or known."""
    return settings.get("opponent", home.root) or next(iter(home.lines(OTHER)), None)


def _end(home: Home, key: Path | None, out: str | None, *, gives_up: bool, yes: bool) -> None:
    shared.check_out(out, like=b"")
    with _opened(home) as table:
        party = table.party
        table.end(signer(key or home.key), gives_up=gives_up)
        what = "You give it up" if gives_up else f"{party.other} does not answer"
        shared.agreed(f"{what}: your side opens, and the duel ends for you. Really?", yes=yes)
        table.keep()
        _send(table, table.block(), out)
        shared.say(
            words.standing(party, shared.reader()), *() if gives_up else (UNDECIDED,), to=out
        )


UNDECIDED = (
    "Between two nobody can prove that a message never came: without a later move of theirs it "
    "stays disputed."
)


@contextmanager
def _opened(home: Home) -> Iterator[DuelTable]:
    """The duel, in which nobody else plays meanwhile; raises Refused."""
    with home.locked():
        yield DuelTable(home, SystemClock(), _forgets)


def _forgets(orders: Written) -> None:
    shared.warn(f"the duel went on without them; these orders did not leave: {orders.orders!a}")


def _mails_from(root: Path | None) -> str | None:
    """One's own mail address; None if the settings name no way to send mails. Raises Refused."""
    return None if settings.get("mail-out", root) is None else post.own_address(root)


def join(
    bundle: Bundle, came: Mail | None, name: str | None, key: Path | None, first: str | None,
    out: str | None, *, yes: bool,
) -> None:  # fmt: skip
    """Accept the offer in a bundle, which a mail may have brought; raises Refused."""
    held = of_bundle(bundle).files
    if names.OFFER not in held:
        raise Refused("bad-bundle", "that is no offer of a duel", "take it in: adjudicator take")
    begun = documents.read(MemoryFiles(held))
    there = begun.offered
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
    options, place = there.offer.options, None
    for home in homes(Path()):
        row = home.party().row
        if row.accepted and row.accepted == there.match:
            given = {**row.offer.options, MATCH.name: row.accepted}
            if (row.members[1].key, given) != (there.members[0].key, options):
                raise Refused(
                    "mismatch",
                    f"this is not the second game of your match in {str(home.root)!a}: another key "
                    "offers it than has accepted the first, or with other options",
                    "ask for another offer; as a game by itself you may accept it elsewhere",
                )
            name, key, place = name or home.player, key or home.key, _return(home)
    shared.say(f"{there.game.title}, against {there.offer.player}", to=out)
    shared.say(*(f"  {line}" for line in story.terms(options)), to=out)
    _begin(there.game, options, begun, name, key, first, out, yes=yes, came=came, place=place)


def _setup_orders(game: Game[Any, Any], view: View, given: str | None) -> Written:
    """Orders of the setup: those given, or typed at the prompt, or the only ones that the game
    takes. Raises Refused or OrderError."""
    assert game.duel is not None  # noqa: S101 - `check_game` held it
    read = game.duel.read
    if given is not None:
        read(view, Written(lines_of(given)))
        return Written(lines_of(given))
    choices = game.legal(view)
    if len(choices) == 1:
        return Written(choices[0])

    def advice() -> Advice:
        return adviser.first(game, view, Dice(draw_secret()))

    if shared.is_terminal():
        known = game.deduced(view, (), None)
        at = Prompt(Asked(game, view, known, lambda text: read(view, Written(text)), advice))
        at.show()
        text = at.ask()
        if text is None:
            raise click.Abort
        return Written(text)
    example = f'add it, as in --setup "{in_one_line(advice().orders)}"'
    raise Refused("bad-option", f"say how you begin in {game.title}: only you see it", example)


def _begin(
    game: Game[Any, Any], options: Mapping[str, Any], there: Documents | None, name: str | None,
    key: Path | None, first: str | None, out: str | None, *, yes: bool,
    to: str | None = None, came: Mail | None = None, place: Path | None = None,
) -> None:  # fmt: skip
    """Begin a side: offer a duel, or accept the one that is offered `there`. `to`: the other's
    address; `came`: the mail that brought the offer; `place`: its folder, if that is not called as
    the player. Raises Refused or OrderError."""
    name = choose_name(name, yes=yes)
    root = place or Path(f"{name}{SUFFIX}")
    shared.check_out(out, like=shared.like_bundle("duel"))
    if root.exists():
        raise Refused(
            "exists",
            f"{str(root)!a} is there already: it is your side of a duel",
            "if what it sends has not left yet: adjudicator resend; else give yourself another "
            "name: --name",
        )
    other = "" if there is None else there.offered.offer.player
    orders = _setup_orders(game, parties.setup_view(game, options, name, other), first)
    holder, path = keys.found(key, Path(f"{root}.key"), yes=yes)
    secret = DuelSecret(draw_secret())
    if there is None:
        begun = parties.offer(game, name, holder, secret, options, orders, shared.now())
    else:
        begun = parties.accept(there, name, holder, secret, orders)
    party = Party(begun, name, secret)
    with Home.begun(root, name, path, secret) as home:
        home.keep(party)
        if to is not None:
            home.keep_lines(OTHER, [to])
        if came is not None:
            mails.remember(home, came, 0)
    table = DuelTable(Home.open(root), SystemClock(), _forgets, party)
    _send(table, table.block(), out)
    shared.say(f"{root}: your side of the duel", *LIMITS, to=out)


# What leaves.


def _send(table: DuelTable, block: Leaving, out: str | None) -> None:
    """Send a block: by mail if the settings name a way, and the other's address is there or their
    first mail came from it; or as a file. Raises Refused."""
    root, party = table.home.root, table.party
    to = _address(table.home)
    if out is None and to is not None and (me := _mails_from(root)) is not None:
        post.leaves(root, mails.wrap(table, block, me, to))
        table.note_sent(block.data)
        return
    target = out or f"{block.name}.txt"
    held = Path(target).read_bytes() if Path(target).is_file() else block.data
    if out is None and held != block.data and held.startswith(shared.like_bundle("duel")):
        # That is another's of the same name.
        target = f"{block.name}-{party.row.id[:8]}.txt"
    try:
        shared.write_out(target, block.data, like=block.data)
    except Refused as error:
        raise Refused(error.word, error.message, _AGAIN) from None
    table.note_sent(block.data)
    whom = party.other or "whoever plays"
    send = f"{block.what} is ready: send {target} to {whom}"
    shared.say(send if block.what else f"{target}: for {whom}; send it", to=out)


_AGAIN = "the block is kept: adjudicator resend -o FILE writes it to another file"


def resend(place: Path, out: str | None) -> None:
    """The block that left last, the same bytes; after a restore, or where moves are lacking, the
    question; both where only the other's end is lacking, which may have been lost. Raises
    Refused."""
    with _opened(the_duel(place)) as table:
        party = table.party
        asks = (party.asking or party.lacks) and party.other
        if not asks:
            _send(table, table.block(), out)
        if asks or (party.ended and not party.is_left):
            _send(table, table.question, out if asks else None)


# What comes.


def take(
    bundle: Bundle, mail: Mail, given: Path | None, key: Path | None, out: str | None, *,
    quoted: bool = False,
) -> int:  # fmt: skip
    """Take a block in, answer it as far as no decision is needed, and say what it tells; returns
    the exit code. Raises Refused. `quoted`: others came with it, so one's own is no fault."""
    came = of_bundle(bundle)
    if names.OFFER in came.files:
        there = documents.read(MemoryFiles(came.files)).offered
        if there.id not in (home.id for home in homes(Path())):
            who, what = there.offer.player, there.game.title
            shared.say(f"{who} offers a duel at {what}; to accept it: adjudicator join FILE")
            return 0
        if quoted:
            return 0
    shared.check_out(out, like=b"")
    with _opened(the_duel(given, came.about)) as table:
        if table.has_sent(encode(bundle)):
            if quoted:
                return 0
            raise Refused("mismatch", "this block is your own: it is for the other player")
        before = table.here
        try:
            table.take_one(came)
        except Refused:
            _recover(table)
            raise
        _recover(table)
        if table.here > before:
            mails.remember(table.home, mail, before)
        return _go_on(table, key, out)


def take_pack(path: Path, given: Path | None, key: Path | None, out: str | None) -> int:
    """Take in what a file of a duel has and this side lacks, then go on as after a block; returns
    the exit code. Raises Refused."""
    theirs = Pack.open(path)
    like = digest(theirs.read(names.OFFER))[:16]
    shared.check_out(out, like=b"")
    with _opened(the_duel(given, like)) as table:
        many = table.take_pack(theirs)
        _recover(table)
        shared.say(f"taken from {path}: {many} document{'s' * (many != 1)}", to=out)
        return _go_on(table, key, out)


def _recover(table: DuelTable) -> None:
    """Ask the other for what is not here, and send what they asked for."""
    for block in table.due():
        _send(table, block, None)


def _fetch(table: DuelTable, here: Here) -> TakenBundles:
    """Take in the blocks of this duel that lie beside its folder or came by mail; raises Refused
    only if nothing can be written now. `here`: what lies beside its folder.

    Files are put away, and mails count as looked at, once all is kept and the other has what they
    asked for.
    """
    home, taken, ids = table.home, TakenBundles(), (table.home.id[:16],)
    table.party.notice(shared.now())
    came = list(courier.beside(here, lambda one: courier.about(one) in ids))
    table.take([(one.path.name, it) for one in came for it in one.mine], taken)
    looked_at: list[Mail] = []
    named = settings.get("mail-in", home.root)
    if named is not None and table.listens():
        row, ca = table.party.row, post.authorities(home.root)
        box = mailboxes.open_source(named, ca, row.offer.time, words.tag(row))
        looked_at = mails.fetch(table, box, taken)
    table.keep()
    _recover(table)
    courier.clear(home.root, ids, came, table.has)
    mails.looked_at(home, looked_at)
    return taken


def advice(home: Home) -> dict[str, Any]:
    """What the captain would write, for programs; raises Refused."""
    with _opened(home) as table:
        return adviser.in_duel(table.party).plain()


def play(
    home: Home, typed: bytes | None, key: Path | None, out: str | None, *,
    check: bool = False, hint: bool = False, yes: bool = False, anyway: bool = False,
) -> int:  # fmt: skip
    """Order what is asked, or show it and ask; returns the exit code. Raises Refused or
    OrderError. `check`: only say what would be refused. `anyway`: after a restore, go on though the
    other has not said what is lost."""
    shared.check_out(out, like=b"")
    with _opened(home) as table:
        party = table.party
        if anyway:
            party.ask_no_more()
        folder = home.root.absolute().parent
        here = courier.look(folder)
        taken = _fetch(table, here)
        taken.warnings += courier.strays(folder, here)[0]
        shared.warn(*taken.warnings)
        look = LOOK if taken.warnings else 0
        if typed is not None:
            given = _read(party, typed, sign=not check, yes=yes)
            if check:
                shared.say(f"ok: orders of {party.player} for step {party.side.step}")
                return look
            table.order(given)
        if typed is not None or party.is_due:
            return _go_on(table, key, out, shows=typed is None) or look
    code = _asks(table, key, out, hint=hint)
    _pack_whole(table)
    return code or look


_BELOW = 4
"""Lines that tell below an end what it means, and where the file is."""


def _show(table: DuelTable) -> Prompt:
    """The screen."""
    home, party, side = table.home, table.party, table.party.side
    said = ("no deadline",) if party.due is None else shared.reader().until(party.due)
    since, begun = words.since_my_last(side)
    asked = Asked(
        side.game, side.view, words.worked_out(side)[-1],
        lambda text: party.judge(Written(text)), lambda: adviser.in_duel(party),
        [one.events for one in side.heard[since - 1 :]], first=not begun,
        history=lambda: [side.game.news(event) for one in side.heard for event in one.events],
        folder=home, step=side.step,
    )  # fmt: skip
    at = Prompt(asked, until=said)
    if (state := words.whole(party)) is not None:
        last = side.heard[-1]
        show_end(side.game, last.view, last.events, state, words.ending(party), more=_BELOW)
        return at
    if party.prompt is not None or party.side.outcome is not None:
        at.show()
        return at
    shown, other = at.scene(), party.other
    if party.is_left:
        shown = replace(shown, title=f"{at.game.title}: {words.left(party)}.")
    elif party.player in (one.player for one in at.game.awaited(party.side.state)):
        shown = replace(shown, title=f"{at.game.title}: your orders wait for what {other} answers.")
    for line in lines(replace(shown, menu=lambda columns: ()), window()):
        shared.say(line)
    return at


def _asks(table: DuelTable, key: Path | None, out: str | None, *, hint: bool) -> int:
    """Show the screen, and ask as long as orders are asked for; returns the exit code."""
    party = table.party
    while party.can_begin and party.side.heard:
        prompt = party.prompt
        at = _show(table)
        if hint and prompt is not None:
            at.hint()
        if prompt is None or not shared.is_terminal():
            break
        text = at.ask()
        if text is None:
            return 0
        last = party.row.last
        with _opened(table.home) as table:
            party = table.party
            if party.row.last != last or party.prompt != prompt:
                raise Refused("stale", "the duel has gone on meanwhile", "adjudicator play")
            table.order(Written(text))
            code = _go_on(table, key, out, quiet=True)
        if code or party.prompt is None:
            return code
    shared.say(words.standing(party, shared.reader()))
    return 4 if words.is_late(party, shared.reader()) else 0


def _read(party: Party, typed: bytes, *, sign: bool, yes: bool = False) -> Written:
    """Orders as a person typed them; raises Refused or OrderError. `sign`: ask before a
    resignation, unless they say `yes`."""
    if party.prompt is None:
        raise Refused("not-yet", words.standing(party, shared.reader()))
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
        confirmed(file, yes=yes)
    return given


def sync(home: Home, key: Path | None, here: Here, *, quiet: bool) -> int:
    """Take in what came, answer it where no decision is needed, and send what has not left; returns
    the exit code. Raises Refused."""
    with _opened(home) as table:
        taken = _fetch(table, here)
        shared.warn(*taken.warnings)
        code = _go_on(table, key, None, quiet=quiet)
        if not table.has_sent(table.block().data):
            # It was made, and did not leave.
            _send(table, table.block(), None)
        return code or (LOOK if taken.warnings else 0)


def _go_on(
    table: DuelTable, key: Path | None, out: str | None, *, quiet: bool = False, shows: bool = False
) -> int:
    """Tell what came, make and send what is due, and say whose the next move is; returns the exit
    code. `quiet`: say nothing if nothing is new. `shows`: tell it by the board."""
    party = table.party
    lied, decided = party.lie is not None and not party.ended, bool(party.pending)
    if not shows:
        shared.say(*table.heard(), to=out)
    if lied:
        shared.warn(f"{party.lie}: your side opens, which proves it")
    made = party.is_due and table.go_on(signer(key or table.home.key))
    if shows and party.side.heard:
        _show(table)
    elif made:
        shared.say(*table.heard(), to=out)
    if made or table.new or not quiet:
        shared.say(words.standing(party, shared.reader()), to=out)
    if made:
        _send(table, table.block(answer=not decided), out)
    _pack_whole(table)
    return 1 if lied else 0


def _pack_whole(table: DuelTable) -> None:
    """Write the whole duel as one file, once both have opened and something of it is new."""
    if table.party.ended and table.party.is_left and table.new:
        duel_look.pack(table.home.root, None)
