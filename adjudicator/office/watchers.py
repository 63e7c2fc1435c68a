"""Who watches a game gets its entries as anybody may read them, and at its end the pack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from adjudicator.core import bundles, deadlines
from adjudicator.mail.outgoing import Outgoing
from adjudicator.office.game import HostMail
from adjudicator.office.register import FORGOTTEN
from adjudicator.office.replies import Reply, write
from adjudicator.office.served import Asked, Served
from adjudicator.store import files, pack
from adjudicator.verifier.listing import kept
from adjudicator.words import story
from orders.entries import Reveal
from orders.errors import Refused

LARGEST_PACK = 3 * 2**20
"""The most bytes of a pack that a mail carries."""
MOST_WATCHERS = 50


def watch(game: HostMail, asked: Asked, served: Served) -> list[Reply | Outgoing]:
    to, held = asked.to, served.register.watchers(game.offer.digest)
    if len(held) >= MOST_WATCHERS and to.lower() not in held:
        raise Refused("illegal", f"too many watch {game.name}")
    served.register.watch(game.offer.digest, to, held.get(to.lower(), -1))
    said = game.mail(to, f"watching/{game.id}/{asked.origin}", write("watched", name=game.name))
    bundle, name = bundles.of_invite(game.record), f"{game.name}-invite"
    return [replace(said.answering(asked.mail), bundle=bundle, name=name)]


def tell(game: HostMail, served: Served, packs: Path) -> None:
    """Public entries to who watches, and at the end the pack, which is kept too."""
    host, outbox = game.begun(), served.outbox
    revealed = isinstance(host.last.entry, Reveal)
    path = packs / f"{game.record.root.name}.zip"
    if revealed and not path.exists():
        files.make_folder(path.parent)
        files.write(path, pack.write(kept(game.record)))
    register, watched = served.register, game.offer.digest
    ended = host.ledger.link(host.last.step - revealed).entry.time
    if revealed and deadlines.between(str(ended), served.clock.now()) > FORGOTTEN:
        register.forget(game.record.root.name, watched, game.id)
    last = outbox.told(game.id)
    for to, upto in register.watchers(watched).items():
        if upto >= last:
            continue
        mails = [
            one for step in range(upto + 1, last + 1)
            for one in _public(game, step, to, path)
        ]  # fmt: skip
        with outbox.act():
            served.post.put(mails)
            register.watch(watched, to, last)


def _public(game: HostMail, step: int, to: str, path: Path) -> Iterator[Outgoing]:
    """The mails about an entry to who watches."""
    host = game.begun()
    entry = host.ledger.link(step).entry
    if not isinstance(entry, Reveal):
        yield from game.public(to, step, f"watch/{game.id}/{step}/{to}")
        return
    data = files.read(path, pack.LARGEST)
    small = len(data) <= LARGEST_PACK
    words = write("pack" if small else "pack.not-attached", name=game.name,
                  outcome=story.outcome(entry))  # fmt: skip
    one = game.mail(to, f"pack/{game.id}/{to}", words)
    yield replace(one, attached=(f"{game.name}.zip", data) if small else None)
