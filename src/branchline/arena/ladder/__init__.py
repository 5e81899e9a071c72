"""The ladder: bots that keep playing each other, for days if you like, and what is known about them by now."""

from branchline.arena.ladder.keeping import Ladder, Limits, keep_playing, ladder_in
from branchline.arena.ladder.standings import Standings

__all__ = ["Ladder", "Limits", "Standings", "keep_playing", "ladder_in"]
