"""The arena: bots against bots, with the same cards for everybody, intervals that take this into account, and ratings."""

from branchline.arena.figures import Results, results_of
from branchline.arena.lineups import against_many, named, rotations, round_robin
from branchline.arena.plan import Arena, ArenaError, PlannedGame
from branchline.arena.running import run_arena

__all__ = ["Arena", "ArenaError", "PlannedGame", "Results", "against_many", "named", "results_of", "rotations", "round_robin", "run_arena"]
