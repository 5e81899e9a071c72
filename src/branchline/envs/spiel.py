"""The games for OpenSpiel, in two forms for each board.

`branchline_BOARD` draws the seed of the game first, by four chance nodes of 256 outcomes each; everything else follows from it. OpenSpiel's own
sampled-stochastic games keep a generator instead, but it cannot save or copy that of a game in Python.

`branchline_BOARD_explicit` has a chance node before every decision that rolls dice, too. A draw has far too many outcomes to list (the deal alone
has more than 10^20), so a chance node has `outcomes` equally likely ones, each a random draw from the true distribution; other histories draw
others. Decks have no order, so nothing is decided before it is drawn. The exception is the ticket deck, whose order is settled by the deal, as at
a real table.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pyspiel

from branchline.batch.observations import observation
from branchline.boards import available_boards, load_board
from branchline.envs.spaces import rewards_of
from branchline.play.games import Game, State, View
from branchline.play.information import as_json, fields_of
from branchline.play.observations.layout import size_of

SAMPLED, EXPLICIT = "", "_explicit"
DEALS = 4  # chance nodes before the deal
OUTCOMES = 256  # of a chance node
LONGEST = 20_000  # actions; a random game has a few hundred, but nobody is forced to finish
RECALL = 256  # bits of the tensor that tell histories apart


def game_type(game: str, form: str) -> Any:
    board = load_board(game)
    return pyspiel.GameType(
        short_name=f"branchline_{game.replace('-', '_')}{form}",
        long_name=f"Branchline: {board.name}{', explicit chance' if form else ''}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=board.players[0],
        max_num_players=board.players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"players": board.players[0], "outcomes": OUTCOMES},
    )


class SpielGame(pyspiel.Game):
    """A board for a number of players; every chance node has this number of outcomes."""

    board: str
    form: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.rules = Game(self.board, int(given.get("players", load_board(self.board).players[0])))
        self.outcomes = int(given.get("outcomes", OUTCOMES))
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.rules.decisions),
            max_chance_outcomes=self.outcomes,
            num_players=self.rules.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(game_type(self.board, self.form), info, given)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return LONGEST if self.form == EXPLICIT else DEALS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise ValueError(f"there are no observation parameters, but {params} were given")
        return Observer(self.rules, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SpielState(pyspiel.State):
    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.state: State | None = None  # until the deal
        self._rules, self._outcomes, self._form = game.rules, game.outcomes, game.form
        self._drawn: list[int] = []  # outcomes of chance nodes
        self._waiting: int | None = None  # the decision that a chance node belongs to

    @property
    def dealt(self) -> State:
        assert self.state is not None, "the game has not been dealt: the first nodes are chance nodes"
        return self.state

    def current_player(self) -> int:
        if self.state is None or self._waiting is not None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.state.seat
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def is_terminal(self) -> bool:
        return self.state is not None and self._waiting is None and self.state.is_over

    def _legal_actions(self, player: int) -> list[int]:
        return self.dealt.legal if player == self.dealt.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(outcome, 1 / self._outcomes) for outcome in range(self._outcomes)]

    def _apply_action(self, action: int) -> None:
        if self.state is None:
            self._deal(action)
        elif self._waiting is not None:
            self._roll(action)
        elif self._form == EXPLICIT:
            self._decide(action)
        else:
            self.state.apply(action)

    def _deal(self, outcome: int) -> None:
        self._drawn.append(outcome)
        if len(self._drawn) == DEALS:
            self.state = self._rules.start(self._key())

    def _key(self) -> int:
        """128 bits that follow from all outcomes so far."""
        return int.from_bytes(hashlib.blake2b(repr(self._drawn).encode(), digest_size=16).digest(), "big")

    def _decide(self, action: int) -> None:
        """Carry out a decision, unless it rolls dice: then chance comes first."""
        after = self.dealt.twin()
        after.apply(action)
        if after.record.rolls != self.dealt.record.rolls:
            self._waiting = action
        else:
            self.state = after

    def _roll(self, outcome: int) -> None:
        self._drawn.append(outcome)
        key, state, decision = self._key(), self.dealt, self._waiting
        assert decision is not None
        state.records["key"][0] = (key >> 64, key & (1 << 64) - 1)
        self._waiting = None
        state.apply(decision)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"outcome {action}" if player == pyspiel.PlayerId.CHANCE else self._rules.text(action)

    def returns(self) -> list[float]:
        return [0.0] * self._rules.players if self.state is None else rewards_of(self.state)

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """A game that this player cannot tell from this one: what is hidden is dealt again. `sampler` gives numbers from 0 to 1."""
        resampled = self.clone()
        resampled.state = self.dealt.view(player).imagine(int(sampler() * (1 << 53)))
        return resampled  # type: ignore[no-any-return]

    def __str__(self) -> str:
        waiting = "" if self._waiting is None else f"\nchance, for {self._rules.text(self._waiting)}"
        return f"not dealt yet, {len(self._drawn)} outcomes" if self.state is None else f"{self.state}{waiting}"


class Observer:
    """What a player sees; with perfect recall also what it has seen before."""

    def __init__(self, rules: Game, kind: Any) -> None:
        self._recalls = kind.perfect_recall
        size = size_of(rules.name)
        self.tensor = np.zeros(size + RECALL * self._recalls, np.float32)
        self.dict = {"observation": self.tensor[:size]}
        if self._recalls:
            self.dict["recall"] = self.tensor[size:]

    def set_from(self, state: SpielState, player: int) -> None:
        """The observation, and 256 bits of a digest of the information state: different histories have different ones."""
        self.tensor.fill(0)
        if state.state is None or player < 0:
            return
        view = state.state.view(player)
        self.dict["observation"][:] = observation(view)
        if self._recalls:
            digest = hashlib.blake2b(view.information_bytes, digest_size=RECALL // 8).digest()
            self.dict["recall"][:] = np.unpackbits(np.frombuffer(digest, np.uint8))

    def string_from(self, state: SpielState, player: int) -> str:
        if state.state is None:
            return "not dealt yet"
        view = state.state.view(player)
        return view.information_text if self._recalls else observation_text(view)


def observation_text(view: View) -> str:
    """What the viewer knows now, without the past."""
    return as_json(fields_of(view))


def register_open_spiel() -> list[str]:
    """Make all boards known to `pyspiel.load_game`, in both forms; returns their names. Once is enough."""
    known, names = set(pyspiel.registered_names()), []
    for game in available_boards():
        for form in (SAMPLED, EXPLICIT):
            kind = game_type(game, form)
            names.append(kind.short_name)
            if kind.short_name not in known:
                # a class, as OpenSpiel's own games are: it outlives Python's end, when OpenSpiel lets go of it
                pyspiel.register_game(kind, type(f"SpielGame_{kind.short_name}", (SpielGame,), {"board": game, "form": form}))
    return names
