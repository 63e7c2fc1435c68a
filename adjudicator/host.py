"""What the host does over a record: invite, genesis, intake, adjudication, rulings.

What belongs here: the acts that need the master or the host's key, each under the lock and so
ordered that a crash between any two writes loses nothing (`docs/protocol.md`).
What it must not know: rules of games, how files travel, what is printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator import __version__, bundles, chain, engine, files, intake, opening, replay
from adjudicator.chain import Link
from adjudicator.clock import Clock
from adjudicator.engine import Clocks, Head, Made, Taken
from adjudicator.host_folder import HostFolder
from adjudicator.opening import Offer, Opening
from adjudicator.record import Record
from games.dice import Dice
from games.game import BadPosition, Game, View
from games.options import OfferRefused
from orders import canonical, names, sshsig
from orders.bundle import Bundle
from orders.documents import Invite
from orders.entries import AnyEntry, Entry, Reveal, Ruling, read_entry
from orders.errors import Missing, Refused
from orders.fields import Digest, Time, digest
from orders.keys import Signer
from orders.sealing import SealingKey, info, seal
from orders.secrets import Master


@dataclass(frozen=True, slots=True)
class Secrets:
    """A game's two secrets, 32 bytes each: the master, and the seed of the `letters` key."""

    master: bytes
    letters: bytes


def invite(
    record: Record,
    game: Game[Any, Any],
    given: Mapping[str, object],
    table: bytes | None,
    signer: Signer,
    key_path: Path,
    secrets: Secrets,
    clock: Clock,
) -> Bundle:
    """Start a record with its invite; raises Refused. `given` are the options that differ."""
    _make_way(record)
    try:
        options = game.check_options(given)
        text = game.default_table() if table is None else table
        if text is not None:
            game.read_table(text)
    except OfferRefused as error:
        raise Refused("bad-option", str(error)) from None
    shown = {
        option.name: options[option.name]
        for option in game.options
        if option.name in given or option.name in ("turn_time", "reserve_time")
    }
    master = Master(secrets.master)
    document = Invite(
        rules=game.rules,
        date=clock.now(),
        host=signer.public.line,
        sealing=master.sealing().public.hex(),
        letters=SealingKey.from_seed(secrets.letters).public.hex(),
        master=master.commitment,
        table=None if text is None else digest(text),
        sizes=engine.size_classes(game, options),
        options=shown,
    )
    data = document.render()
    signature = signer.sign(sshsig.INVITE, data)
    HostFolder(record.host).create(master.hex, secrets.letters.hex(), key_path)
    record.append(names.INVITE, data, signature, {} if text is None else {names.TABLE: text})
    return bundles.of_invite(record)


def _make_way(record: Record) -> None:
    """Raise Refused where a record or a host folder is there, but clear what a crash left of one.

    Secrets that no invite names bind nobody.
    """
    left = {names.signature(names.INVITE), names.TABLE, "master", "letters", "key"}
    left |= {files.draft_of(Path(name)).name for name in (*left, names.INVITE)}
    folders = [folder for folder in (record.root, record.host) if folder.exists()]
    for folder in folders:
        if not folder.is_dir() or any(file.name not in left for file in folder.iterdir()):
            raise Refused("exists", f"{str(folder)!a} is there already", "name another folder")
    for folder in folders:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


def start(record: Record, joins: Sequence[Bundle], signer: Signer, clock: Clock) -> Bundle:
    """Genesis: the players take their seats in the order given; raises Refused.

    A game that has begun is left as it is; its genesis is given again.
    """
    with files.locked(record.root):
        offer = opening.read_offer(record)
        _check_host(offer, signer)
        if record.last_step() is not None:
            return bundles.of_entry(record, 0)
        held: dict[str, bytes] = {}
        by_player = {}
        for bundle in joins:
            join = intake.read_join_bundle(offer, bundle)
            if join.player in by_player:
                raise Refused("malformed", f"two joins as {join.player}")
            by_player[join.player] = join
            held |= dict(bundle.files)
        opening.check_joins(offer, by_player)
        setup = opening.seat(offer, tuple(by_player))
        digests = {player: digest(held[names.join(player)]) for player in by_player}
        record.clear_joins(held)
        by = f"adjudicator {__version__}"
        data = engine.genesis(offer, setup, digests, clock.now(), by).render()
        record.append(names.entry(0), data, signer.sign(sshsig.ENTRY, data), held)
        return bundles.of_entry(record, 0)


def _check_host(offer: Offer, signer: Signer) -> None:
    if signer.public != offer.host:
        raise Refused(
            "bad-key",
            f"the key is {signer.public.fingerprint}, the invite's {offer.host.fingerprint}",
            "use the key with which the game was offered",
        )


@dataclass(frozen=True, slots=True)
class Advanced:
    """What `advance` did: the bundles of the entries that are to go out, oldest first."""

    steps: tuple[int, ...]
    bundles: tuple[Bundle, ...]


class Host:
    """A game under way, seen by its host. Reads the record afresh; holds no state of its own."""

    def __init__(self, record: Record, signer: Signer, clock: Clock) -> None:
        self.record = record
        self.clock = clock
        self.signer = signer
        self.folder = HostFolder(record.host)
        self.opening: Opening = opening.read_opening(record)
        _check_host(self.opening.offer, signer)
        self.master = self.folder.master()
        if self.master.commitment != self.opening.offer.invite.master:
            raise Refused("bad-key", "the master in the host's folder is not this game's")
        self.sealing = self.master.sealing()

    def submit(self, bundle: Bundle) -> Bundle:
        """Take in an order bundle; the receipt that answers it. Raises Refused.

        The very same bytes get the same receipt again.
        """
        with files.locked(self.record.root):
            sent = intake.read_order_bundle(self.opening, bundle)
            known = self.folder.receipt(digest(sent.slip_data))
            if known is None:
                link = self.link()
                waiting = self.folder.waiting(link.entry.step + 1)
                # A clock set back must not make what came later seem to have come first.
                came = [order.received for order in waiting.values()]
                time = max([self.clock.now(), link.entry.time, *came])
                before = waiting.get(sent.slip.player)
                last = 0 if before is None else before.slip.revision
                status = intake.judge(self.opening, self.sealing, link, self._view, sent, last)
                receipt = intake.receipt(
                    self.opening, sent.slip, digest(sent.slip_data), status, time
                ).render()
                signature = self.signer.sign(sshsig.RECEIPT, receipt)
                known = self.folder.keep(sent, receipt, signature, accepted=status == "accepted")
            return bundles.of_receipt(sent.slip.step, sent.slip.player, sent.slip.revision, *known)

    def _view(self, player: str) -> View:
        return self.opening.game.view(self.head().state, player)

    def advance(self, *, late: bool = False) -> Advanced:
        """Adjudicate if all are in, or with `late` once the deadline has passed.

        After the end the reveal as well. Raises Refused `not-yet` where someone is awaited still.
        """
        with files.locked(self.record.root):
            self._clear()
            link = self.link()
            if isinstance(link.entry, Reveal):
                raise Refused("over", "the game is over and revealed")
            steps = []
            if not link.over:
                link = self._adjudicate(link, late=late)
                steps.append(link.entry.step)
            if link.over:
                steps.append(self._reveal(link))
            return self._sent(steps)

    def unsent(self) -> Advanced:
        """Entries that stand but were not handed out, as after a crash between the two."""
        last, sent = self.record.last_step() or 0, self.folder.sent()
        return self._sent(range(sent + 1, last + 1) if sent >= 0 else ())

    def rule(self, ruling: Ruling, until: Time | None) -> Advanced:
        """Append a ruling; one that abandons the game is followed by the reveal. Raises Refused."""
        with files.locked(self.record.root):
            self._clear()
            link = self.link()
            if isinstance(link.entry, Reveal):
                raise Refused("over", "the game is over and revealed")
            if link.over:
                # Only the reveal may follow `over`, as everyone checks.
                raise Refused("over", "the game is over", "adjudicator advance reveals it")
            head = self.head()
            base = head
            if ruling.annuls is not None:
                if not 1 <= ruling.annuls <= head.step:
                    raise Refused("bad-option", f"there is no entry {ruling.annuls} to annul")
                base = self._replayed(ruling.annuls - 1)
            if head.step == 0 and not ruling.abandons:
                raise Refused("bad-option", "before the first step only --abandon can be ruled")
            time = max(self.clock.now(), link.entry.time)
            made = engine.rule(self.opening, self.master, head, base, ruling, time, until)
            cut = engine.rule(self.opening, self.master, head, base, ruling, time, None)
            for player, prompt in cut.draft.awaited.items():
                if made.draft.awaited[player].until < prompt.until:
                    raise Refused("bad-option", f"a ruling cuts no deadline: {prompt.until}")
            link = self._append(made, {})
            steps = [link.entry.step]
            if link.over:
                steps.append(self._reveal(link))
            return self._sent(steps)

    def entry(self, step: int) -> AnyEntry:
        """An entry of the host's own record."""
        return read_entry(self.record.read(names.entry(step)))

    def link(self) -> Link:
        """The last entry as it stands in the host's own record."""
        return chain.standing(self.opening, self.record, self.record.last_step() or 0)

    def head(self) -> Head:
        """The position now: from the copy of the last state, or made again from the record."""
        link = self.link()
        if not isinstance(link.entry, Entry):
            return self._replayed() if link.entry.step else engine.begin(self.opening)
        copy = self.folder.state()
        if digest(copy) == link.entry.state:
            try:
                position = canonical.loads(copy)["position"]
                state = self.opening.game.state(self.opening.setup, position)
            except (Refused, BadPosition):
                return self._replayed()
            return Head(link.entry.step, link.digest, link.entry.time, link.clocks, state)
        return self._replayed()

    def _replayed(self, step: int | None = None) -> Head:
        """The game as that entry (or the last before the reveal) left it, made from the record."""
        again = self._replay()
        faults = [p.fault for p in again.play(self._links()[1:]) if p.made is None]
        if faults and faults[-1] is not None and again.heads[-1] is None:
            raise faults[-1]
        return again.head(len(again.heads) - 1 if step is None else step)

    def _replay(self) -> replay.Replay:
        return replay.Replay(self.opening, self.master, self.record, opened=False)

    def _links(self) -> list[Link]:
        """Every entry of the record, checked."""
        return chain.walk(self.opening, self.record, self.record.last_step() or 0)

    def report(self, step: int, player: str) -> bytes:
        """What that entry told that player, as its report holds it; raises Refused."""
        entry = self.entry(step)
        told = entry.reports[player].digest if isinstance(entry, Entry) else ""
        kept = self.folder.report(player)
        if digest(kept) == told:
            return kept
        for played in self._replay().play(self._links()[1 : step + 1]):
            if played.step == step and played.made is not None:
                return played.made.reports[player]
        raise Missing(names.report(step, player))

    def _clear(self) -> None:
        step = self.record.last_step() or 0
        if step:
            self.folder.note_press(getattr(self.entry(step), "press", ()))
        self.record.clear_step(step + 1, self.opening.players)
        self.folder.clear(step)

    def _adjudicate(self, link: Link, *, late: bool) -> Link:
        step = link.entry.step + 1
        waiting = self.folder.waiting(step)
        time = max([self.clock.now(), link.entry.time, *(w.received for w in waiting.values())])
        for player, prompt in link.clocks.awaited.items():
            if player in waiting:
                continue
            if time < prompt.until:
                raise Refused("not-yet", f"step {step} waits for {player} until {prompt.until}")
            if not late:
                raise Refused(
                    "not-yet",
                    f"step {step} waits for {player}, overdue since {prompt.until}",
                    "adjudicator advance --late goes on without",
                )
        head = self.head()
        taken = {}
        held: dict[str, bytes] = {}
        for player, order in waiting.items():
            view = self.opening.game.view(head.state, player)
            orders = intake.read_orders(self.opening, self.sealing, order.slip, order.sealed, view)
            taken[player] = Taken(order.digest, order.received, orders)
            held |= order.files
        nonces = {player: order.slip.nonce or "" for player, order in waiting.items()}
        if step > 1:
            nonces = intake.nonces(self.record)
        dice = Dice(engine.seed(self.master, self.opening, nonces))
        press = self.folder.press()
        made = engine.adjudicate(self.opening, self.master, dice, head, taken, time, press)
        return self._append(made, held)

    def _append(self, made: Made, held: dict[str, bytes]) -> Link:
        sealed: dict[str, Digest] = {}
        step = made.draft.step
        for player, report in made.reports.items():
            content = seal(
                bytes.fromhex(self.opening.joins[player].sealing),
                info("report", self.opening.id, step, player),
                report,
                self.opening.offer.invite.sizes.report,
            )
            held[names.report(step, player)] = content
            sealed[player] = digest(content)
        entry = made.entry(sealed)
        data = entry.render()
        # The state goes first: without its entry it has the wrong digest and is not used.
        self.folder.keep_state(made.state_file)
        for player, report in made.reports.items():
            if self.opening.joins[player].mail == "open":
                self.folder.keep_report(player, report)
        signature = self.signer.sign(sshsig.ENTRY, data)
        self.record.append(names.entry(step), data, signature, held)
        self.folder.clear(step)
        self.folder.note_press(entry.press)
        return Link(data, digest(data), entry, Clocks(entry.awaited, entry.reserve))

    def _reveal(self, link: Link) -> int:
        head = self.head()
        time = max(self.clock.now(), link.entry.time)
        entry = engine.reveal(self.opening, self.master, head, time)
        held = replay.opened_orders(self.opening, self.master, self.record, link.entry.step)
        data = entry.render()
        signature = self.signer.sign(sshsig.ENTRY, data)
        self.record.append(names.entry(entry.step), data, signature, held)
        return entry.step

    def _sent(self, steps: Sequence[int]) -> Advanced:
        out = tuple(bundles.of_entry(self.record, step) for step in steps)
        return Advanced(tuple(steps), out)
