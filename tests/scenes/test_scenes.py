"""Every scene, on every way on which it is played."""

from __future__ import annotations

import pytest

from .play import HERE, Scene, play, read

QUICK = (
    "A clock of 2099 takes in nothing, and with the right one the game goes on",
    "A host who collects orders once a week",
    "A slip of the future alone stops the game until the host says that the clock is right",
    "A slip of the future that is read before one of now",
)
"""What is played by git, too, after every change; the others are slow by git."""


def scenes(*ways: str, quick: bool | None = None) -> list[object]:
    """All scenes on these ways; the quick ones, or the others."""
    return [
        pytest.param(scene, way, id=f"{path.stem}: {scene.name} ({way})")
        for path in sorted(HERE.glob("*.scene"))
        for scene in read(path)
        for way in scene.ways
        if way in ways and quick in (None, scene.name in QUICK)
    ]


@pytest.mark.parametrize(("scene", "way"), scenes("hand", "mail"))
def test_a_scene(scene: Scene, way: str) -> None:
    """What it says is so, and at its end nobody is accused."""
    play(scene, way)


@pytest.mark.parametrize(("scene", "way"), scenes("git", quick=True))
def test_a_quick_scene_by_git(scene: Scene, way: str) -> None:
    """The same over a repository."""
    play(scene, way)


@pytest.mark.parametrize(("scene", "way"), scenes("git", quick=False))
def test_a_scene_by_git(scene: Scene, way: str) -> None:
    """The same over a repository."""
    play(scene, way)


def test_quick_scenes_are_there() -> None:
    """One that was renamed would be slow, unnoticed."""
    assert {scene.name for path in HERE.glob("*.scene") for scene in read(path)} >= {*QUICK}
