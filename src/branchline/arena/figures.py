"""What the games of an arena show: figures for each line-up and bot, who finishes ahead of whom, ratings."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from itertools import permutations
from pathlib import Path
from statistics import fmean
from typing import Any

from branchline.arena.lineups import Lineup, rotations
from branchline.arena.plan import Arena, PlannedGame
from branchline.arena.playing import Played
from branchline.arena.ratings import Rating, rate
from branchline.pages.intervals import Estimate, mean_of, share_of

BARS = 24  # the most in a histogram
Seed = list[Played]  # the games of one seed, with rotated seats


@dataclass(frozen=True)
class BotFigures:
    """A bot in a line-up. If it has several seats, everything is the mean over them."""

    bot: str
    seats: int
    wins: float  # shared wins are split; per seat
    win_rate: Estimate
    points: Estimate
    margin: Estimate  # points ahead of the best other seat
    completed: float  # tickets per game
    failed: float
    seconds: float | None  # per decision; None: not measured
    faults: dict[str, int]
    histogram: list[int]  # of points, in the steps of `LineupFigures`


@dataclass(frozen=True)
class LineupFigures:
    """A line-up on a board."""

    game: str
    lineup: Lineup
    seeds: int
    games: int
    turns: float
    decisions: float
    first_step: int  # where the histograms begin
    step: int  # and how wide a bar is
    bots: list[BotFigures]


@dataclass(frozen=True)
class Results:
    """All results of an arena. `left_out` games belong to seeds that have not been played in all rotations."""

    arena: dict[str, Any]
    games: int
    left_out: int
    lineups: list[LineupFigures]
    ahead: dict[str, dict[str, Estimate]]  # bot, other bot: how often the bot finishes ahead of it
    ratings: list[Rating]
    played: list[Played] = field(repr=False)
    interrupted: bool = False  # by Ctrl-C

    def to_dict(self) -> dict[str, Any]:
        """Everything except the games themselves."""
        return {name: value for name, value in asdict(self).items() if name not in ("played", "interrupted")}

    def write_json(self, path: Path) -> None:
        path.write_text(json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def results_of(arena: Arena, games: dict[PlannedGame, Played]) -> Results:
    """The figures, over complete seeds only: missing rotations would favour a seat."""
    groups = whole_seeds(arena, games.values())
    played = sorted((one for seeds in groups.values() for seed in seeds for one in seed), key=lambda one: order(arena, one))
    steps = {name: steps_of([one for one in played if one.game == name]) for name in arena.games}
    return Results(
        arena=arena.header,
        games=len(played),
        left_out=len(games) - len(played),
        lineups=[figures_of(name, lineup, seeds, *steps[name]) for (name, lineup), seeds in groups.items() if seeds],
        ahead=ahead_of(arena, played),
        ratings=rate(arena.bots, played),
        played=played,
    )


def order(arena: Arena, one: Played) -> tuple[int, int, int, int]:
    """A fixed order, whichever game finished first; seed by seed, so that no line-up comes last as a whole."""
    return one.number, arena.games.index(one.game), arena.lineups.index(one.lineup), one.rotation


def whole_seeds(arena: Arena, games: Iterable[Played]) -> dict[tuple[str, Lineup], list[Seed]]:
    """The seeds, per line-up and board, for which all games are done."""
    found: dict[tuple[str, Lineup], dict[int, Seed]] = {(name, lineup): defaultdict(list) for name in arena.games for lineup in arena.lineups}
    for one in games:
        found[one.game, one.lineup][one.number].append(one)
    return {key: [seeds[number] for number in sorted(seeds) if len(seeds[number]) == len(rotations(key[1]))] for key, seeds in found.items()}


def figures_of(name: str, lineup: Lineup, seeds: list[Seed], first: int, step: int) -> LineupFigures:
    played = [one for seed in seeds for one in seed]
    return LineupFigures(
        game=name,
        lineup=lineup,
        seeds=len(seeds),
        games=len(played),
        turns=fmean(one.turns for one in played),
        decisions=fmean(one.decisions for one in played),
        first_step=first,
        step=step,
        bots=[bot_figures(bot, lineup.count(bot), seeds, played, first, step) for bot in dict.fromkeys(lineup)],
    )


def bot_figures(bot: str, seats: int, seeds: list[Seed], played: list[Played], first: int, step: int) -> BotFigures:
    def by_seed(value: Callable[[Played, int], float]) -> list[float]:
        return [fmean(value(one, seat) for one in seed for seat in seats_of(one, bot)) for seed in seeds]

    win_rates = by_seed(Played.won)
    bars = Counter((one.totals[seat] - first) // step for one in played for seat in seats_of(one, bot))
    return BotFigures(
        bot=bot,
        seats=seats,
        wins=fmean(win_rates) * len(played),
        win_rate=share_of([seats * rate for rate in win_rates], len(played)).divided_by(seats),
        points=mean_of(by_seed(lambda one, seat: one.totals[seat])),
        margin=mean_of(by_seed(Played.margin)),
        completed=fmean(by_seed(lambda one, seat: one.completed[seat])),
        failed=fmean(by_seed(lambda one, seat: one.failed[seat])),
        seconds=seconds_of(bot, played),
        faults=dict(Counter(fault["kind"] for one in played for fault in one.faults if fault["bot"] == bot)),
        histogram=[bars[bar] for bar in range(BARS)],
    )


def seats_of(played: Played, bot: str) -> list[int]:
    return [seat for seat, name in enumerate(played.seats) if name == bot]


def seconds_of(bot: str, played: Iterable[Played]) -> float | None:
    """Seconds per decision, over those that were timed."""
    timed = [(one.seconds[seat], one.timed[seat]) for one in played for seat in seats_of(one, bot)]
    decisions = sum(count for _, count in timed)
    return sum(seconds for seconds, _ in timed) / decisions if decisions else None


def steps_of(played: list[Played]) -> tuple[int, int]:
    """Where the histograms of a board begin, and how wide their bars are: the same for all its line-ups."""
    totals = [total for one in played for total in one.totals] or [0]
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if max(totals) // step - min(totals) // step < BARS)
    return min(totals) // step * step, step


def ahead_of(arena: Arena, played: list[Played]) -> dict[str, dict[str, Estimate]]:
    """How often a bot finishes ahead of another at the same table; a tie counts half."""
    found: dict[tuple[str, str], dict[tuple[str, int], list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in played:
        for bot, other in permutations(set(one.seats), 2):
            found[bot, other][one.game, one.number].append(ahead_in(one, bot, other))
    return {bot: {other: pooled(found[bot, other]) for other in arena.bots if (bot, other) in found} for bot in arena.bots}


def ahead_in(one: Played, bot: str, other: str) -> float:
    places = one.places()
    pairs = [(places[seat], places[rival]) for seat in seats_of(one, bot) for rival in seats_of(one, other)]
    return fmean((own < others) + 0.5 * (own == others) for own, others in pairs)


def pooled(seeds: dict[tuple[str, int], list[float]]) -> Estimate:
    return share_of([fmean(values) for values in seeds.values()], sum(map(len, seeds.values())))
