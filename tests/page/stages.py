"""Brings a page to each stage of a game and names it: a duel, a game by mail, and one against the
computer. Whoever plays against the page plays at a desk, as the game's bot would."""

from __future__ import annotations

from collections.abc import Iterator

from page.test_playing import SHOWN, Player

TURNS = 6
"""So many orders are given by the page before it resigns."""


class Walker:
    """Somebody at the page; each of their stages is named once."""

    def __init__(self, player: Player) -> None:
        self.player, self.tab = player, player.tab
        self.seen: set[str] = set()

    def has(self, selector: str) -> bool:
        """Whether such an element is there."""
        return bool(self.tab.eval("document.querySelector(given.at) !== null", at=selector))

    def at(self, stage: str) -> Iterator[str]:
        """The stage, the first time."""
        if stage not in self.seen:
            self.seen.add(stage)
            self.player.wait("!Page.state.busy")
            yield stage

    def orders(self, turn: int) -> Iterator[str]:
        """Plan what the bot would order, and send it; after some turns resign."""
        player = self.player
        player.planned()
        asked = self.tab.text(".clock b")
        yield from self.at("decide" if asked == "Your turn" else asked)
        if turn >= TURNS:
            player.resigns()
            return
        player.advised()
        yield from self.at("planned" if asked == "Your turn" else f"{asked}, planned")
        player.sent()
        player.wait(f"document.querySelector('dialog.ask') || {SHOWN}[0] !== before[0]")
        if self.has("dialog.ask"):
            player.tap("dialog.ask .row button")


def alone(player: Player, game: str, seed: int = 3) -> Iterator[str]:
    """A game against the computer."""
    walker = Walker(player)
    player.against(game, "random", seed)
    turn = 0
    while not walker.has(".won"):
        with player.shown_anew():
            yield from walker.orders(turn)
        turn += 1
    player.verified()
    yield "over"
