"""What signing, sealing and deriving cost, in units of V: one raw Ed25519 verification.

`python tests/bench/crypto.py [ROUNDS]` prints a line an item. Ratios hold from machine to machine,
times do not; each is the best of ROUNDS runs (15), taken in turn with V.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from orders import bundle, canonical, crypto, sealing, secrets, sshsig
from orders.fields import digest
from orders.keys import MemoryKey
from orders.public_key import read_public

COUNT = 200


def seconds(function: Callable[[], object]) -> float:
    """Seconds for one call, over one round."""
    start = time.perf_counter()
    for _ in range(COUNT):
        function()
    return (time.perf_counter() - start) / COUNT


def main(rounds: int) -> None:
    """Measure and print."""
    key = MemoryKey.from_seed(b"1" * 32)
    message = os.urandom(1000)
    armored = key.sign(sshsig.SLIP, message)
    raw = crypto.ed25519_sign(key.seed, message)
    public = Ed25519PublicKey.from_public_bytes(key.public.raw)
    master = secrets.Master(b"m" * 32)
    host, seat = master.sealing(), secrets.SeatSecret(b"s" * 32)
    game = "9c" * 32
    body = bytes(1000)
    shared = host.agree(seat.sealing().public, game)
    place = sealing.Place("order", game, 1, "alice", 1, digest(body))
    sealed = shared.seal(place, body, 1024)
    info = sealing.letter_info("letter", game, 1, "alice")
    letter = sealing.seal_letter(host.public, info, body, 2048)
    order = bundle.Bundle("order", (("orders/0001-a.sealed", sealed), ("slips/a.toml", message)))
    block = bundle.encode(order)
    ships = [{"at": f"C{n}", "hits": n, "kind": "frigate", "seen": ["a", "b"]} for n in range(12)]
    state = {"game": game, "position": {"n": 4, "ships": ships}, "salt": game, "step": 7}
    text = canonical.dumps(state)
    items: dict[str, Callable[[], object]] = {
        "SSHSIG verification, whole": lambda: sshsig.verify(
            key.public, sshsig.SLIP, message, armored
        ),
        "SSHSIG signature, whole": lambda: key.sign(sshsig.SLIP, message),
        "public key from its line, known": lambda: read_public(key.public.line),
        "public key from its line, new": lambda: read_public.__wrapped__(key.public.line),
        "agreement of host and player": lambda: host.agree(seat.sealing().public, game),
        "order or report, sealed, 1 KiB": lambda: shared.seal(place, body, 1024),
        "order or report, opened, 1 KiB": lambda: shared.open(place, sealed, 1024),
        "letter, sealed, 2 KiB": lambda: sealing.seal_letter(host.public, info, body, 2048),
        "letter, opened, 2 KiB": lambda: sealing.open_letter(host, info, letter, 2048),
        "salt": lambda: master.report_salt(7, "alice"),
        "seed of two players": lambda: master.seed([game, game], game),
        "bundle, encode 4 KB": lambda: bundle.encode(order),
        "bundle, decode 4 KB": lambda: bundle.decode(block),
        f"canonical JSON, {len(text)} bytes, write": lambda: canonical.dumps(state),
        f"canonical JSON, {len(text)} bytes, read": lambda: canonical.loads(text),
    }
    best = dict.fromkeys(items, float("inf"))
    unit = float("inf")
    for _ in range(rounds):
        unit = min(unit, seconds(lambda: public.verify(raw, message)))
        for name, function in items.items():
            best[name] = min(best[name], seconds(function))
    print(f"V = {unit * 1e6:.1f} us")
    for name, value in best.items():
        print(f"{value / unit:7.3f} V  {name}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
