"""Duels: two people play, and nobody hosts (docs/play.md).

What belongs here: the chain of moves, from offer to opening, and its audit. Like `core`, this room
is pure: it knows no files, clocks or settings. What it must not know: the rules of any game, which
it reaches through `Game.duel`.
"""
