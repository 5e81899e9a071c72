"""Line-ups: which bots play together, and in which order they change seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

from branchline.bots import BotOptionError, WrongNumberOfBots

Lineup = tuple[str, ...]


def rotations(lineup: Lineup) -> list[tuple[int, ...]]:
    """For each distinct rotation of the seats, which bot of the line-up sits where. Swapping two equal bots is not a new rotation."""
    turns = [tuple((seat + turn) % len(lineup) for seat in range(len(lineup))) for turn in range(len(lineup))]
    distinct = {tuple(lineup[place] for place in turn): turn for turn in reversed(turns)}
    return [turn for turn in turns if turn in distinct.values()]


def round_robin(bots: Sequence[str], players: int) -> list[Lineup]:
    """Every combination of bots that fills the seats."""
    check_distinct(bots)
    if len(bots) < players:
        raise WrongNumberOfBots(
            len(bots),
            players,
            "name more bots, or fewer seats (--players); --against-many seats one against many of another, --lineup names who sits down",
        )
    return list(combinations(bots, players))


def against_many(bots: Sequence[str], players: int) -> list[Lineup]:
    """For each pair of bots, one of the first against the second on all other seats, and the other way round."""
    check_distinct(bots)
    if len(bots) < 2:
        raise BotOptionError("--against-many needs at least two bots")
    return without_turns((one, *[many] * (players - 1)) for one, many in permutations(bots, 2))


def named(texts: Iterable[str], players: int) -> list[Lineup]:
    """Line-ups such as `greedy,random,random`."""
    lineups = [tuple(name.strip() for name in text.split(",")) for text in texts]
    for lineup in lineups:
        if len(lineup) != players:
            raise not_full(lineup, players)
    return without_turns(lineups)


def not_full(lineup: Lineup, players: int) -> WrongNumberOfBots:
    return WrongNumberOfBots(len(lineup), players, f"name one for each in the line-up {','.join(lineup)}")


def without_turns(lineups: Iterable[Lineup]) -> list[Lineup]:
    """Each line-up once: its rotations are played anyway."""
    kept: list[Lineup] = []
    for lineup in lineups:
        turned = {lineup[turn:] + lineup[:turn] for turn in range(len(lineup))}
        if not turned & set(kept):
            kept.append(lineup)
    return kept


def check_distinct(bots: Sequence[str]) -> None:
    for bot in bots:
        if bots.count(bot) > 1:
            raise BotOptionError(f"the bot {bot!r} is named twice; name line-ups with several of one bot with --lineup, or use --against-many")
