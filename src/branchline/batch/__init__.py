"""Many games at once, on all cores of a CPU; `cuda` does the same on a GPU."""

from typing import TYPE_CHECKING

from branchline.loading import on_first_use

if TYPE_CHECKING:
    from branchline.batch.batches import Batch
    from branchline.batch.games import Games, Player, play_batch
    from branchline.batch.observations import observation
    from branchline.batch.rewards import Rewards
    from branchline.batch.statistics import Statistic, statistic
    from branchline.play.observations.layout import OBSERVATION_VERSION, Field, bounds_of, layout_of, size_of

_HOMES = {
    "branchline.batch.batches": ("Batch",),
    "branchline.batch.games": ("Games", "Player", "play_batch"),
    "branchline.batch.observations": ("observation",),
    "branchline.batch.rewards": ("Rewards",),
    "branchline.batch.statistics": ("Statistic", "statistic"),
    "branchline.play.observations.layout": ("OBSERVATION_VERSION", "Field", "bounds_of", "layout_of", "size_of"),
}
__all__ = [
    "OBSERVATION_VERSION",
    "Batch",
    "Field",
    "Games",
    "Player",
    "Rewards",
    "Statistic",
    "bounds_of",
    "layout_of",
    "observation",
    "play_batch",
    "size_of",
    "statistic",
]

__getattr__ = on_first_use(globals(), _HOMES)
