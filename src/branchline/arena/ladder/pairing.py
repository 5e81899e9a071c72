"""Who plays next: the bot with the least certain rating, with others of about the same strength."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

from branchline.arena.ladder.standings import Standings
from branchline.arena.lineups import Lineup

ABOUT_THE_SAME = 25 / 3  # a difference in ratings (mu) at which a game still tells much: as large as the uncertainty to begin with
SELDOM = 0.05  # the weight of a rival who is far away: now and then everybody meets everybody


def next_lineup(standings: Standings, bots: Sequence[str], players: int, playing: Mapping[str, int], chance: random.Random) -> Lineup:
    """A table's bots. `playing`: at how many tables each is sitting already."""
    first = min(bots, key=lambda bot: (playing.get(bot, 0), -urgency(standings, bot)))
    rivals = [bot for bot in bots if bot != first]
    chosen = [first]
    while len(chosen) < players:
        weights = [interest(standings, first, rival) for rival in rivals]
        chosen.append(rivals.pop(chance.choices(range(len(rivals)), weights)[0]))
    return tuple(sorted(chosen, key=bots.index))  # who sits where is the rotations' business


def urgency(standings: Standings, bot: str) -> float:
    """How little is known about a bot. Its games count too: the rating of one that always loses stays uncertain, and it must not play for ever."""
    return standings.rating(bot).sigma / math.sqrt(1 + standings.careers[bot].games)


def interest(standings: Standings, bot: str, rival: str) -> float:
    """How much a game against a rival tells: more, the closer they are and the less is known about it."""
    one, other = standings.rating(bot), standings.rating(rival)
    closeness = math.exp(-(((one.mu - other.mu) / ABOUT_THE_SAME) ** 2) / 2)
    return other.sigma * (SELDOM + closeness)
