"""Vectors of duels: what comes from a secret, sealed orders and a block; and whole duels.

The packs in `duels/` are finished duels of three editions of Silent Ships and of Sugar Dog, one
whose second player has not opened, one that a player claims, and two in which a player lied.
`duels.json` says what a verifier must say of each.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from adjudicator.core.source import MemoryFiles
from adjudicator.duel import chain as chains
from adjudicator.duel import written
from adjudicator.duel.chain import Chain
from adjudicator.league import duel
from adjudicator.league.demo import Plan
from adjudicator.store.pack import write
from adjudicator.verifier.verify import verify
from games.game import Written
from games.silent_ships import GAME
from games.sugar_dog import GAME as SUGAR
from orders import names, sshsig
from orders.doors import Doors
from orders.duel import Claim, open_orders, seal_orders, sealed_block
from orders.secrets import DuelSecret
from orders.signed import Signed

HERE = Path(__file__).parent / "duels"
EDITIONS = {"print": {}, "2021-09-12": {}, "2021-09-17": {}}
LATE = "2026-02-01T00:00:00Z"


@cache
def _played(edition: str) -> tuple[Chain, tuple[duel.Person, duel.Person]]:
    game = SUGAR if edition == "sugar-dog" else GAME
    options = {} if edition in ("print", "sugar-dog") else {"edition": edition}
    plan = Plan(game, ("captain", "captain"), bytes([7]) * 32, options)
    people = duel.people_of(plan)
    for _ in duel.play(*people, game, options):
        pass
    return duel.chain_of(*people), people


def _cut(chain: Chain, moves: int) -> dict[str, bytes]:
    """A duel's files as they were after so many moves."""
    kept = {names.OFFER, names.ACCEPT, *(names.move(number + 1) for number in range(moves))}
    return duel.files_of(chains.Chain(chain.id, chain.offer, chain.game, {
        path: file for path, file in chain.files.items() if path in kept
    }))  # fmt: skip


@cache
def duels() -> Mapping[str, Mapping[str, bytes]]:
    """The files of each duel, by its name."""
    made = {f"silent-ships-{edition}": duel.files_of(_played(edition)[0]) for edition in EDITIONS}
    chain, people = _played("print")
    made["unopened"] = {
        path: data
        for path, data in made["silent-ships-print"].items()
        if not path.startswith(names.opening("bob"))
    }
    by = next(one for one in people if one.name == chain.author_of(7))
    claim = Claim(by.name, chain.digests[6], LATE, by.secret.hex)
    signed = Signed.by(by.signer, sshsig.DUEL, claim.render())
    made["claimed"] = _cut(chain, 7) | signed.files(names.claim(by.name))
    made["lied"] = _lied(chain, people, "release", "ab" * 32)
    chain, people = _played("sugar-dog")
    made["sugar-dog"] = duel.files_of(chain)
    nothing = base64.b64encode(b"".join([DOOR] * 36)).decode("ascii")
    made["sugar-dog-lied"] = _lied(chain, people, "doors", nothing)
    return made


def _lied(
    chain: Chain, people: tuple[duel.Person, duel.Person], kind: str, false: str
) -> dict[str, bytes]:
    """A duel that ends with a false fact of that kind in its last move; both have claimed."""
    at = next(
        number for number in range(6, len(chain.moves))
        if any(fact.startswith(kind) for fact in chain.moves[number - 1].facts)
    )  # fmt: skip
    files = _cut(chain, at - 1)
    liar = next(one for one in people if one.name == chain.author_of(at))
    move = chain.moves[at - 1]
    facts = tuple(f"{kind} {false}" if one.startswith(kind) else one for one in move.facts)
    file = Signed.by(liar.signer, sshsig.DUEL, move._replace(facts=facts).render())
    files |= file.files(names.move(at))
    for one in people:
        claim = Claim(one.name, file.digest, LATE, one.secret.hex)
        signed = Signed.by(one.signer, sshsig.DUEL, claim.render())
        files |= signed.files(names.claim(one.name))
    return files


def vectors() -> dict[str, Any]:
    """What comes from one secret, and what a verifier says of each duel."""
    secret, words = DuelSecret(bytes(range(32))), SILENT_WORDS
    orders = Written("play frigate left\nend", {"standing": {"retreat": "ask"}})
    content = written.encode(orders, words)
    sealed = seal_orders(secret, 7, content)
    assert written.decode(open_orders(secret, 7, sealed), words) == orders
    files = {"moves/0007.toml": b"a move\n", "moves/0007.toml.sig": b"its signature\n"}
    reader = DuelSecret(bytes(range(32, 64))).sealing().public
    return {
        "secret": secret.hex,
        "commitment": secret.commitment,
        "sealing": secret.sealing().public.hex(),
        "release": {str(step): secret.release(step) for step in (1, 7, 10_000)},
        "draws": {"ab" * 32: secret.draws("ab" * 32).hex()},
        "words": list(words),
        "orders": {
            "step": 7,
            "orders": orders.orders,
            "tables": orders.tables,
            "content": content.hex(),
            "sealed": sealed,
        },
        "block": {
            "to": reader.hex(),
            "offer": "cd" * 32,
            "number": 7,
            "files": {path: data.hex() for path, data in files.items()},
            "block": sealed_block(secret, reader, "cd" * 32, 7, files).decode(),
        },
        "doors": _doors(secret),
        "duels": {name: _said(held) for name, held in duels().items()},
    }


DOOR = Doors(DuelSecret(bytes(range(32, 64)))).door("vector", taken=False)
"""A door of somebody else's."""


def _doors(secret: DuelSecret) -> dict[str, Any]:
    """Doors from a secret, and a box for somebody else's."""
    mine, (free, taken) = Doors(secret), (b"free", b"taken")
    return {
        "label": "vector",
        "free": mine.door("vector", taken=False).hex(),
        "taken": mine.door("vector", taken=True).hex(),
        "box": {
            "door": DOOR.hex(),
            "owner": bytes(range(32, 64)).hex(),
            "letters": [free.hex(), taken.hex()],
            "sealed": mine.seal(DOOR, free, taken).hex(),
        },
    }


def _said(files: Mapping[str, bytes]) -> dict[str, Any]:
    """What a verifier must compute."""
    found, chain = verify(MemoryFiles(files)), chains.read(MemoryFiles(files))
    nonce = chain.moves[0].nonce or ""
    players = chains.setup_of(chain, nonce).players
    said = {"game": found.game, "moves": len(chain.moves), "players": list(players)}
    return {**said, "code": found.code, "verdict": found.verdict}


SILENT_WORDS = tuple(GAME.duel.words)


def packs() -> dict[str, bytes]:
    """The pack of each duel, by the name of its file. Stored: deflate streams are not ours."""
    return {f"{name}.zip": write(files, stored=True) for name, files in duels().items()}


def main() -> None:
    """Write the packs."""
    HERE.mkdir(exist_ok=True)
    for name, data in packs().items():
        (HERE / name).write_bytes(data)
