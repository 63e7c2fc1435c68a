"""The host, the player and the verifier.

The names here are for bots and tools to import; everything else may move. A whole bot, which plays
its first choice (`record` is the path of its copy, `seat` that of its seat):

    >>> from pathlib import Path
    >>> from adjudicator import Record, Seat, Seated, encode, load_signer, now
    >>> own = Seated(Record(Path(record)), Seat.open(Path(seat)))
    >>> player = own.seat.player
    >>> if player in own.last.entry.awaited:
    ...     choices = own.opening.game.after(own.report().view, ()).choices
    ...     file = own.read(choices[0].text.encode())
    ...     ordered = own.order(file, load_signer(own.seat.key_path, None), now())
    ...     print(ordered.slip.player, ordered.slip.step, ordered.file.orders)
    ...     block = encode(ordered.bundle)  # bytes for the host, by mail or however
    alice 1 ('start A1',)

And a verdict:

    >>> from adjudicator import verify
    >>> verify(Record(Path(record))).verdict
    'incomplete: entry 0 awaits alice, bob until 2026-01-04T00:01:00Z'
"""

from __future__ import annotations

TYPE_CHECKING = False  # as of typing, which would be loaded before the command line hears Ctrl-C
if TYPE_CHECKING:
    from typing import Any

    from adjudicator.core.ledger import Ledger
    from adjudicator.host.host import Host
    from adjudicator.player.copy import Copy
    from adjudicator.player.seat import Seat
    from adjudicator.player.seated import Seated
    from adjudicator.store.clock import SystemClock, now
    from adjudicator.store.pack import Pack
    from adjudicator.store.record import Record
    from adjudicator.verifier.verify import Asked, verify
    from orders.bundle import decode, encode
    from orders.keys import load_signer

__version__ = "0.1.0"

__all__ = [
    "Asked", "Copy", "Host", "Ledger", "Pack", "Record", "Seat", "Seated", "SystemClock", "decode",
    "encode", "load_signer", "now", "verify",
]  # fmt: skip

_HOMES = {
    "adjudicator.core.ledger": ("Ledger",),
    "adjudicator.host.host": ("Host",),
    "adjudicator.player.copy": ("Copy",),
    "adjudicator.player.seat": ("Seat",),
    "adjudicator.player.seated": ("Seated",),
    "adjudicator.store.clock": ("SystemClock", "now"),
    "adjudicator.store.pack": ("Pack",),
    "adjudicator.store.record": ("Record",),
    "adjudicator.verifier.verify": ("Asked", "verify"),
    "orders.bundle": ("decode", "encode"),
    "orders.keys": ("load_signer",),
}


def __getattr__(name: str) -> Any:
    """Load a name when somebody asks for it, so that importing the package costs nothing."""
    import importlib

    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(home), name)
    raise AttributeError(f"adjudicator has no {name!a}; it has {', '.join(__all__)}")
