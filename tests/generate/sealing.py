"""Agreements, sealed orders and reports, letters, and keys that must be refused."""

from __future__ import annotations

from typing import Any

from generate import curve
from generate.shared import GAME

from orders import crypto, sealing, secrets
from orders.documents import Private
from orders.fields import digest


def sealed() -> dict[str, Any]:
    """All of them, for one host, one player and one game."""
    host, player = (sealing.SealingKey(bytes([n]) * 32) for n in (1, 2))
    shared = host.agree(player.public, GAME)
    own = int.from_bytes(player.public, "little")
    return {
        "agreement": {
            "game": GAME,
            "host": {"private": host.seed.hex(), "public": host.public.hex()},
            "player": {"private": player.seed.hex(), "public": player.public.hex()},
            "twins": [u.to_bytes(32, "little").hex() for u in curve.twins(own)[1:]],
            "extracted": shared.extracted.hex(),
        },
        "sealed": [_sealed(shared, *given) for given in _places()],
        "unopenable": _unopenable(shared),
        "letters": [_letter(player, *given) for given in _letters()],
        "bad-key": _bad_keys(),
    }


def _places() -> list[tuple[str, int, str, int, bytes, int]]:
    """Direction, step, player, revision, body, padded length."""
    return [
        ("order", 1, "alice", 1, b'salt = "00"\n', 64),
        ("order", 1, "bob", 1, b'salt = "00"\n', 64),
        ("order", 10_000, "alice", 99, bytes(60), 64),
        ("report", 1, "alice", 0, b'salt = "00"\n', 64),
        ("report", 7, "alice", 0, b"{}", 192),
        ("report", 7, "alice", 0, b"", 64),
    ]


def _sealed(
    shared: sealing.Shared,
    direction: str,
    step: int,
    player: str,
    revision: int,
    body: bytes,
    padded: int,
) -> dict[str, Any]:
    place = sealing.Place(direction, GAME, step, player, revision, digest(body))
    return {
        "direction": direction,
        "step": step,
        "player": player,
        "revision": revision,
        "padded": padded,
        "body": body.hex(),
        "label": place.label(padded).decode(),
        "sealed": shared.seal(place, body, padded).hex(),
    }


def _unopenable(shared: sealing.Shared) -> list[dict[str, Any]]:
    """Sealed files that must not open, though most of them decrypt, each with what is wrong."""
    place = sealing.Place("report", GAME, 7, "alice", 0, digest(b"{}"))
    key = secrets.expand(shared.extracted, place.label(64))
    good = shared.seal(place, b"{}", 64)

    def raw(padded: bytes) -> bytes:
        return crypto.chacha_seal(key, bytes(12), padded.ljust(64, b"\0"))

    wrong = [
        ("another body", raw(b"\0\0\0\2[]")),
        ("a byte after the body", raw(b"\0\0\0\2{}" + bytes(57) + b"\1")),
        ("a body that ends early", raw(b"\0\0\0\1{}")),
        ("a length beyond the end", raw(b"\0\0\0\75{}")),
        ("a length of 2^32 - 1", raw(b"\xff\xff\xff\xff{}")),
        ("a longer file", crypto.chacha_seal(key, bytes(12), b"\0\0\0\2{}".ljust(128, b"\0"))),
        ("another tag", good[:-1] + bytes([good[-1] ^ 1])),
        ("a byte less", good[:-1]),
        ("nothing", b""),
    ]
    told = {"direction": "report", "step": 7, "player": "alice", "revision": 0, "padded": 64}
    return [
        {"what": what, **told, "digest": place.digest, "sealed": sealed.hex()}
        for what, sealed in wrong
    ]


def _letters() -> list[tuple[str, int, str, bytes, int]]:
    """Use, number, player, body, padded length."""
    private = Private("alice@example.org", "07" * 16).render()
    return [
        ("letter", 1, "alice", b"text", sealing.LETTER_SIZE),
        ("private", 0, "alice", private, sealing.PRIVATE_SIZE),
        ("letter", 9_999, "host", b"a@example.org", sealing.LETTER_SIZE),
        ("receipts", 0, "host", b"", 64),
    ]


def _letter(
    key: sealing.SealingKey, use: str, number: int, player: str, body: bytes, size: int
) -> dict[str, Any]:
    info = sealing.letter_info(use, GAME, number, player)
    ephemeral = bytes([number % 251 + 3]) * 32
    padded = (len(body).to_bytes(4, "big") + body).ljust(size, b"\0")
    return {
        "use": use,
        "number": number,
        "player": player,
        "size": size,
        "body": body.hex(),
        "info": info.decode(),
        "ephemeral": ephemeral.hex(),
        "sealed": sealing.hpke_seal(ephemeral, key.public, info, padded, b"").hex(),
    }


def _bad_keys() -> list[str]:
    """X25519 public keys that nobody may seal to: of low order, and second names of keys."""
    low = [0, 1, curve.P - 1, *_montgomery_order_8()]
    second = [u + curve.P for u in range(19)]
    return [(u | top << 255).to_bytes(32, "little").hex() for u in low + second for top in (0, 1)]


def _montgomery_order_8() -> list[int]:
    """The u coordinates of the points of order 8."""
    ys = {curve.affine(curve.TORSION[number])[1] for number in (1, 3, 5, 7)}
    return sorted((1 + y) * pow(1 - y, -1, curve.P) % curve.P for y in ys)
