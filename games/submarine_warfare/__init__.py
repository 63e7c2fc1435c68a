"""Submarine Warfare (`RULES.md`): hidden submarines with special actions, on points and damage."""

from games.submarine_warfare.game import SubmarineWarfare

GAME = SubmarineWarfare()
