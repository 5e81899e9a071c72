"""The games for Gymnasium: one seat learns, bots play the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium

from branchline.bots import Bot, begin_game, make_bot
from branchline.envs.rendering import METADATA, Screen
from branchline.envs.spaces import LOST, Array, Decisions, Observation, checked_illegal, mask_of, observation_space, observed, rewards_of, started
from branchline.errors import GameOptionError, GameOver, IllegalDecision
from branchline.play.games import Game, State

BOT_SEEDS = 1 << 62


class SeatEnv(gymnasium.Env[Observation, int]):
    """One seat of a game. `opponents` are bots for the others, in their order: names, or anything with `name` and `decide`; one for all will do.

    `seat` is the learner's, or None for another in each game. An illegal action loses the game at once: Gymnasium expects that every action can be
    taken. With `illegal="raise"` it raises IllegalDecision and changes nothing.
    """

    metadata = METADATA

    def __init__(
        self,
        game: str,
        players: int = 2,
        opponents: Sequence[str | Bot] = ("planner",),
        *,
        seat: int | None = None,
        illegal: str = "lose",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = Game(game, players, **options)
        if seat is not None and seat not in range(players):
            raise GameOptionError(f"seat must be from 0 to {players - 1}, or None for another in each game, not {seat!r}")
        self.seat, self.illegal = seat, checked_illegal(illegal)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.game)
        self.action_space = Decisions(len(self.game.decisions))
        self._named = spread(opponents, players - 1)
        self._screen = Screen(render_mode)
        self._state: State | None = None
        self._own = 0 if seat is None else seat
        self._bots: dict[int, Bot] = {}
        self._lost = False  # by an illegal action

    @property
    def game_state(self) -> State:
        """The game itself, with nothing hidden."""
        return started(self._state)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin a game, and play it up to the learner's first decision."""
        super().reset(seed=seed, options=options)
        self._lost = False
        self._own = int(self.np_random.integers(self.game.players)) if self.seat is None else self.seat
        self._state = self.game.start(int(self.np_random.integers(1 << 63)))
        others = [other for other in self._state.seats if other != self._own]
        self._bots = {other: self._seated(bot, other) for other, bot in zip(others, self._named, strict=True)}
        self._others_play()
        return self._told()

    def _seated(self, bot: str | Bot, seat: int) -> Bot:
        made = make_bot(bot, int(self.np_random.integers(BOT_SEEDS))) if isinstance(bot, str) else bot
        begin_game(made, self.game, seat)
        return made

    def _others_play(self) -> None:
        """Until the learner is asked, or the game is over."""
        state = self.game_state
        while not state.is_over and (asked := self._asked(state)) != self._own:
            state.apply(self._bots[asked].decide(state.view(asked)), asked)

    def _asked(self, state: State) -> int:
        """Whose decision it is: with simultaneous choices, the learner's first."""
        return self._own if self._own in state.choosers else state.choosers[0]

    def _told(self) -> tuple[Observation, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        seen = observed(self.game_state.view(self._own))
        return seen, {"seat": self._own, "action_mask": seen["action_mask"]}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out the learner's decision, and play up to its next."""
        state = self.game_state
        if self._lost:
            raise GameOver("the game ended with an illegal action: call reset() to begin another")
        try:
            state.apply(action, self._own)
        except IllegalDecision as error:
            if self.illegal == "raise" or state.is_over:
                raise
            return self._lose(error)
        self._others_play()
        seen, info = self._told()
        if state.is_over:
            info["result"] = state.result
        return seen, rewards_of(state)[self._own], state.is_over, False, info

    def _lose(self, error: IllegalDecision) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        self._lost = True
        seen, info = self._told()
        return seen, LOST, True, False, info | {"illegal": str(error)}

    def action_masks(self) -> Array:
        """The legal decisions as true and false, as Stable-Baselines3's MaskablePPO asks for them."""
        return mask_of(self.game_state.view(self._own), len(self.game.decisions)).astype(bool)

    def render(self) -> Any:
        """The game as the learner sees it."""
        return self._screen.render(self.game_state.view(self._own))

    def close(self) -> None:
        self._screen.close()


def spread(opponents: Sequence[str | Bot], seats: int) -> list[str | Bot]:
    """A bot for each of the other seats."""
    named: list[str | Bot] = [opponents] if isinstance(opponents, str) else list(opponents)
    if len(named) not in (1, seats):
        raise GameOptionError(f"there are {len(named)} opponents for {seats} seats: name one for all of them, or one for each")
    return named * seats if len(named) == 1 else named
