"""The ways to play, by the name with which their seeds begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from .duels import Duels
from .files import Files
from .git import Git
from .hosted import Hosted, pair
from .sail import Scene
from .world import World

__all__ = ["SCENES", "pair"]

SCENES: Mapping[str, Callable[[World, Random], Scene]] = {
    "mail": Hosted,
    "duel": Duels,
    "files": Files,
    "git": Git,
}
