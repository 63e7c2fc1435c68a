"""Sugar Dog (`RULES.md`): the smallest of the games, and the example of a game's folder."""

from games.sugar_dog.game import SugarDog

GAME = SugarDog()
