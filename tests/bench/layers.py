"""Where the time of a verification goes, by layers: what one layer calls in another counts there.

`Layers.of` runs a verification with the functions of `LAYERS` wrapped. The cost of the wrapping
itself is measured and subtracted.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from inspect import getattr_static
from typing import Any

from adjudicator.core import orders as order_of
from adjudicator.core import report
from adjudicator.core.secret import Unlocked
from adjudicator.core.source import Held
from adjudicator.store.pack import Pack
from games.game import Game
from orders import canonical, crypto, fields, order_file, sshsig, toml
from orders.sealing import Shared
from orders.secrets import Master

REST = "the rest: chain, clocks, claims"

LAYERS: Mapping[str, tuple[tuple[Any, str], ...]] = {
    "Ed25519 alone": ((crypto, "ed25519_verify"),),
    "around it: armor, SHA-512": ((sshsig, "verify"),),
    "SHA-256 digests": ((fields, "digest"),),
    "reading files": ((Held, "read"), (Held, "paths"), (Pack, "read"), (Pack, "paths")),
    "parsing documents": ((fields, "read_exact"), (order_file, "read_order_file"), (toml, "read")),
    "rendering documents": ((toml, "render"),),
    "canonical JSON": ((canonical, "dumps"), (canonical, "loads")),
    "the rules: reading orders": ((order_of, "read"), (Game, "read")),
    "the rules: adjudicating": ((Game, "adjudicate"), (Game, "awaited"), (Game, "outcome")),
    "the rules: views, positions, news": (
        (Game, "view"), (Game, "position"), (Game, "news"), (Game, "start"), (Game, "setup"),
    ),
    "reports and events told": ((report, "make"),),
    "sealing again": (
        (Shared, "seal"), (order_of, "seal"), (report, "seal"), (Unlocked, "shared"),
        (Master, "state_salt"), (Master, "report_salt"), (Master, "sealing"), (Master, "seed"),
    ),
}  # fmt: skip
"""By layer the functions and methods that make it up; of `Game` those of the game played."""


class Layers:
    """Seconds by layer, gathered while functions are wrapped."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._open: list[list[float]] = []
        self._own, self._outer = 0.0, 0.0

    @classmethod
    def of(cls, act: Callable[[], object], game: Game[Any, Any], cost: tuple[float, float]) -> Any:
        """Seconds of one run by layer, REST included; `cost` is what `wrapping` has measured."""
        layers = cls()
        layers._own, layers._outer = cost
        with layers._wrapped(game):
            layers.wrap(REST, act)()
        return layers.spent

    def wrap(self, layer: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function; its time counts for the layer, without that of other layers it calls."""
        spent, stack, now = self.spent, self._open, time.process_time
        own, outer = self._own, self._outer

        def call(*given: Any, **named: Any) -> Any:
            inner = [0.0]
            stack.append(inner)
            start = now()
            try:
                return function(*given, **named)
            finally:
                took = now() - start
                stack.pop()
                spent[layer] = spent.get(layer, 0.0) + took - inner[0] - own
                if stack:
                    stack[-1][0] += took + outer

        return call

    @contextmanager
    def _wrapped(self, game: Game[Any, Any]) -> Iterator[None]:
        """All functions of LAYERS wrapped, wherever a module has them under their name."""
        undo: list[tuple[Any, str, Any]] = []
        try:
            for layer, found in LAYERS.items():
                for owner, name in found:
                    place = type(game) if owner is Game else owner
                    real = getattr(place, name)
                    wrapped: Any = self.wrap(layer, real)
                    if isinstance(getattr_static(place, name), staticmethod):
                        wrapped = staticmethod(wrapped)
                    holders = [place] if isinstance(place, type) else _holding(name, real)
                    undo += [(holder, name, vars(holder).get(name)) for holder in holders]
                    for holder in holders:
                        setattr(holder, name, wrapped)
            yield
        finally:
            for holder, name, real in reversed(undo):
                if real is None:
                    delattr(holder, name)
                else:
                    setattr(holder, name, real)


def _holding(name: str, real: object) -> list[Any]:
    """The modules in which a function has its name: its own, and those that imported it."""
    return [module for module in list(sys.modules.values()) if vars(module).get(name) is real]


def wrapping() -> tuple[float, float]:
    """Seconds that wrapping adds to a call: those counted for its layer, and for the caller's."""
    count = 20_000
    own, whole = [], []
    for _ in range(5):
        layers = Layers()
        call = layers.wrap("inner", int)

        def many(call: Callable[[], object]) -> None:
            for _ in range(count):
                call()

        start = time.process_time()
        many(int)
        bare = time.process_time() - start
        layers.wrap("outer", many)(call)
        own.append(layers.spent["inner"] / count)
        whole.append((layers.spent["outer"] - bare) / count)
    return min(own), min(whole)
