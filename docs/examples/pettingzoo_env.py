"""The games as an environment of PettingZoo (AEC), for programs that learn: `Env("sugar-dog", 4)`.

An action is the number of a line that may come next, as `Game.after` has them; 0 ends the orders.
Lines that resign or offer an end are masked. An observation holds a few figures of what the player
sees (`observation`), which actions there are (`action_mask`), and the whole view as JSON (`view`);
`infos` have the lines of the actions. Who wins gets 1, who loses -1.
"""

import json
import string
from typing import ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Text
from pettingzoo import AECEnv

import games
from games.dice import Dice
from games.game import Written

ACTIONS, LINES, STEPS, NAMES = 400, 40, 500, string.ascii_lowercase


def cell(text):
    """Column and row of a cell such as C4, from 1; twice 0 for none."""
    letters = text.rstrip(string.digits)
    return (sum(26**at * (ord(one) - 64) for at, one in enumerate(letters[::-1])),
            int(text[len(letters):] or 0))  # fmt: skip


def sugar_dog(view, me, players):
    own = view.get(me, {})
    told = [cell(view.get("contacts", {}).get(one, "")) for one in players]
    sunk = [view.get(one, {}).get("sunk", False) for one in players]
    counts = view.get("n", 0), own.get("left", 0), len(own.get("torpedoes", ()))
    return *counts, *cell(own.get("sub") or ""), *sum(told, ()), *sunk


def silent_ships(view, me, players):
    ships = [line.split() for line in view.get("board", ())]
    up = [[one[1:3] == [who, how] for one in ships].count(True)
          for who in players for how in ("up", "down")]  # fmt: skip
    piles = [view.get(one, {}).get(pile, 0) for one in players for pile in ("deck", "sunk", "hand")]
    return view.get("idle", 0), *up, *(len(one) if isinstance(one, list) else one for one in piles)


def submarine_warfare(view, me, players):
    sides = [view.get(one, {}) for one in players]
    own = [(one.get("row", 0), one.get("points", 0), one.get("ap", 0)) for one in sides]
    fleet = [(len(one.get("subs", ())), len(one.get("mines", ()))) for one in sides]
    return view.get("round", 0), view.get("rings", 0), *sum(own, ()), *sum(fleet, ())


FEATURES = {
    "sugar-dog": sugar_dog, "silent-ships": silent_ships, "submarine-warfare": submarine_warfare,
}  # fmt: skip


class Env(AECEnv):
    metadata: ClassVar = {"name": "sealed_orders_v1", "is_parallelizable": False}

    def __init__(self, game, players=2, options=None):
        super().__init__()
        self.game, self.options, self.render_mode = games.load(game), options or {}, None
        self.possible_agents = list(NAMES[:players])
        self.features = FEATURES.get(game, lambda *given: ())
        self.reset(0)
        size = len(self.figures(self.possible_agents[0]))
        self.observation_spaces = {one: Dict({
            "observation": Box(-1e6, 1e6, (size,), np.float32),
            "action_mask": Box(0, 1, (ACTIONS,), np.int8),
            "view": Text(2**16, charset=string.printable),
        }) for one in self.possible_agents}  # fmt: skip
        self.action_spaces = dict.fromkeys(self.possible_agents, Discrete(ACTIONS))

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        self.seed = np.random.default_rng(seed).bytes(32)
        self.agents, self.steps = self.possible_agents[:], 0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {one: {"lines": []} for one in self.agents}
        self.state_now = self.game.start(self.game.setup(self.agents, self.options))
        self.ask()

    def ask(self):
        """Go on with who is awaited."""
        self.waits, self.orders, self.lines = self.game.awaited(self.state_now), {}, []
        if self.waits:
            self.offer(self.waits[0].player)

    def offer(self, agent):
        """Offer the lines that may come next, without those that give the game away."""
        self.agent_selection = agent
        after = self.game.after(self.game.view(self.state_now, agent), self.lines)
        verbs, kept = self.game.verbs, []
        for one in after.choices[: 0 if after.complete and len(self.lines) >= LINES else None]:
            verb = verbs.get(one.verb or one.text.split()[0])
            kept += [] if verb and verb.role in ("beside", "give-up") else [one.text]
        self.mask = np.zeros(ACTIONS, np.int8)
        self.mask[1 : 1 + len(kept)], self.mask[0] = 1, after.complete
        self.infos[agent] = {"lines": ["", *kept][:ACTIONS]}

    def figures(self, agent):
        """What the player sees, as a few numbers; their own come first."""
        at = self.possible_agents.index(agent)
        seats = self.possible_agents[at:] + self.possible_agents[:at]
        found = self.features(self.game.view(self.state_now, agent).shown, agent, seats)
        return np.array((agent == self.agent_selection, *found), np.float32)

    def observe(self, agent):
        mine = agent == self.agent_selection and not self.terminations[agent]
        shown = json.dumps(self.game.view(self.state_now, agent).shown, sort_keys=True)
        return {"observation": self.figures(agent), "view": shown,
                "action_mask": self.mask if mine else np.zeros(ACTIONS, np.int8)}  # fmt: skip

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not self.mask[action]:
            raise ValueError(f"action {action} is masked for {agent}")
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if action:
            self.lines.append(self.infos[agent]["lines"][action])
            self.offer(agent)
        else:
            view, written = self.game.view(self.state_now, agent), Written("\n".join(self.lines))
            self.orders[agent], self.lines = self.game.read(view, written), []
            if len(self.orders) < len(self.waits):
                self.offer(self.waits[len(self.orders)].player)
            else:
                self.adjudicate()
        self._accumulate_rewards()

    def adjudicate(self):
        """The step, once all orders are there; who won at its end."""
        self.steps += 1
        self.state_now = self.game.adjudicate(self.state_now, self.orders, Dice(self.seed)).state
        ended = self.game.outcome(self.state_now)
        if ended is not None and ended.winner is not None:
            self.rewards = {one: 1.0 if one == ended.winner else -1.0 for one in self.agents}
        self.terminations = dict.fromkeys(self.agents, ended is not None)
        self.truncations = dict.fromkeys(self.agents, ended is None and self.steps >= STEPS)
        self.ask()
