"""What is simulated: everything that determines the games and their tables, for any number of games, threads or chunks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from branchline import __version__
from branchline.batch.matches import game_seeds
from branchline.batch.own_bots import own_function
from branchline.batch.statistics import Statistic, check_names
from branchline.bots import WrongNumberOfBots, is_policy
from branchline.compiling import sources
from branchline.errors import BranchlineError, UsageError
from branchline.play.games import Game

TABLES = ("claims", "tickets")  # written if asked for; `seats` and `actions` always are


class SimulationError(BranchlineError):
    """A simulation cannot be run, or cannot continue."""


class SimulationOptionError(SimulationError, UsageError):
    """The options of a simulation do not fit together."""


def seat_bots(bots: str, players: int) -> list[str]:
    """One bot per seat from a list such as `greedy,random`; a single one takes all seats."""
    names = [name.strip() for name in bots.split(",")]
    for name in names:
        if not is_policy(name):
            own_function(name)
    if len(names) not in (1, players):
        raise WrongNumberOfBots(len(names), players, "name one for all seats, or one for each")
    return names * players if len(names) == 1 else names


def chosen_tables(text: str) -> tuple[str, ...]:
    """The tables in a list such as `claims,tickets`, in our order."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in TABLES:
            raise SimulationOptionError(f"there is no table {name!r}; --tables takes {' and '.join(TABLES)}; seats and actions are always written")
    return tuple(name for name in TABLES if name in names)


@dataclass(frozen=True)
class Plan:
    """The same plan gives the same games and columns."""

    game: Game
    bots: tuple[str, ...]
    seed: int
    tables: tuple[str, ...] = ()
    statistics: tuple[Statistic, ...] = ()

    def __post_init__(self) -> None:
        game_seeds(self.seed, 0)
        check_names(self.statistics)

    @property
    def players(self) -> int:
        return len(self.bots)

    @property
    def facts(self) -> dict[str, str]:
        """What files say about the plan; two runs are one simulation only if it agrees."""
        board = self.game.board
        return {
            "game": board.game,
            "board": board.name,
            "rules_version": str(board.rules_version),
            "players": str(self.players),
            "options": ",".join(self.game.options),
            "bots": ",".join(self.bots),
            "seed": str(self.seed),
            "tables": ",".join(self.tables),
            "statistics": ",".join(one.name for one in self.statistics),
            "branchline_version": __version__,
            "code": sources.play_hash(),
        } | ({"fingerprint": board.mark} if board.mark else {})

    def check(self, found: Mapping[str, str], file: Path) -> None:
        """Raise if a file holds another simulation."""
        for name, asked in self.facts.items():
            if name in found and found[name] != asked:
                raise SimulationError(
                    f"{file} holds another simulation: its {WORDS.get(name, f'{name} is')} {found[name] or 'none'}, "
                    f"yours {asked or 'none'}. Ask for the same again, name another file with --out, or start again with --force"
                )


WORDS = {
    "players": "number of players is",
    "options": "options are",
    "bots": "bots are",
    "tables": "--tables are",
    "statistics": "statistics are",
    "rules_version": "version of the rules is",
    "branchline_version": "version of Branchline is",
    "code": "rules and compiled bots have the fingerprint",
    "fingerprint": "board has the fingerprint",
}
