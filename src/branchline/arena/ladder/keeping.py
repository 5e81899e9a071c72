"""A ladder in its folder: rounds are drawn, played and kept until somebody stops it. If it is killed, it loses the games in progress and no other."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from branchline import __version__
from branchline.arena.crews import Crew, played_by
from branchline.arena.ladder.names import Names
from branchline.arena.ladder.pairing import next_lineup
from branchline.arena.ladder.samples import Samples, write_whole
from branchline.arena.ladder.standings import Standings
from branchline.arena.ledger import GamesFile
from branchline.arena.lineups import Lineup, check_distinct, rotations
from branchline.arena.plan import Arena, PlannedGame
from branchline.arena.playing import Played, play_kept
from branchline.arena.workers import ProcessDied
from branchline.batch.warm import RECORDED, for_bots
from branchline.bots import WrongNumberOfBots
from branchline.compiling.sources import play_hash
from branchline.play.records import Record

FORMAT = "branchline/ladder/1"
FILE, PAGE, SAMPLES, NAMES = "games.jsonl", "index.html", "games", "names.json"
PAGE_EVERY = 10.0  # seconds
MOST_DEATHS = 3  # of processes in a row; a ladder outlives a bot that takes its process along now and then
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Ladder:
    """What has to stay the same for a ladder to continue; bots may come and go."""

    games: tuple[str, ...]
    players: int
    seed: int = 1
    limit: float = 10.0  # seconds per decision

    @property
    def header(self) -> dict[str, Any]:
        about = {"games": list(self.games), "players": self.players, "seed": self.seed, "limit": self.limit}
        return {"format": FORMAT, "branchline": __version__, "code": play_hash(), **about}

    def arena(self, bots: tuple[str, ...]) -> Arena:
        """Plays its games. The line-ups are for checking the bots: who really plays whom is drawn round by round."""
        return Arena(tuple((bot,) * self.players for bot in bots), self.games, self.players, self.seed, self.limit)

    def needs(self, bots: tuple[str, ...]) -> tuple[str, ...]:
        """What is to be compiled for it (`batch/warm.py`)."""
        return tuple(dict.fromkeys((*RECORDED, *for_bots(list(bots)))))


def ladder_in(path: Path, new: Ladder, **asked: Any) -> Ladder:
    """The ladder of a folder as it was begun, or `new` if there is none. What somebody asks for comes first; None is what nobody asks for."""
    kept = header_in(path)
    fixed: dict[str, Any] = {name: tuple(kept[name]) if name == "games" else kept[name] for name in vars(new) if name in kept}
    return replace(new, **fixed | {name: value for name, value in asked.items() if value is not None})


def header_in(path: Path) -> dict[str, Any]:
    """Nothing if the folder has no ladder: what else is wrong with it is found when it is opened."""
    try:
        with (path / FILE).open(encoding="utf-8") as file:
            header = json.loads(file.readline())
    except (OSError, ValueError):
        return {}
    return header if isinstance(header, dict) and header.get("format") == FORMAT else {}


class Folder:
    """The files of a ladder, and what they amount to."""

    def __init__(self, path: Path, ladder: Ladder) -> None:
        path.mkdir(parents=True, exist_ok=True)
        self.path, self.ladder = path, ladder
        self.standings = Standings()
        self.began = 0  # rounds
        self.open: dict[tuple[int, str, Lineup], list[Played]] = {}  # rounds of which some games are missing
        self.samples = Samples(path / SAMPLES)
        self.names = Names(path / NAMES)
        self._file = GamesFile(path / FILE, ladder.header, "name another folder", "a ladder")
        try:
            for played in self._file.games():
                self._count(played)
        except BaseException:
            self.close()
            raise

    def add(self, played: Played, record: str) -> None:
        """First the line in the file: what is in it has been played."""
        self._file.add([played])
        self._count(played)
        self.samples.offer(f"{played.number:06d}-{played.rotation}", record)

    def _count(self, played: Played) -> None:
        self.began = max(self.began, played.number + 1)
        self.standings.add(played)
        key = (played.number, played.game, played.lineup)
        self.open.setdefault(key, []).append(played)
        if len(self.open[key]) == len(rotations(played.lineup)):
            self.standings.add_round(self.open.pop(key))

    def missing(self, bots: tuple[str, ...]) -> list[PlannedGame]:
        """The rest of rounds that were interrupted, if all their bots are still there."""
        found = []
        for (number, game, lineup), games in self.open.items():
            done = {one.rotation for one in games}
            if set(lineup) <= set(bots):
                found += [PlannedGame(game, lineup, number, turn) for turn in range(len(rotations(lineup))) if turn not in done]
        return found

    def write_page(self, bots: tuple[str, ...]) -> None:
        from branchline.arena.ladder.page import page

        write_whole(self.path / PAGE, page(self.ladder, self.standings, self.samples.shown, bots, self.names.of))

    def close(self) -> None:
        self._file.close()


@dataclass(frozen=True)
class Limits:
    """How long a ladder goes on, and how fast."""

    rounds: int | None = None
    stop_after: float | None = None  # seconds
    pace: float = 1.0  # seconds from the start of one game to that of the next in the same process, at least


class Rounds:
    """Draws one round after the other, from what is known when it begins."""

    def __init__(self, folder: Folder, bots: tuple[str, ...], limits: Limits) -> None:
        self.folder, self.bots, self.limits = folder, bots, limits
        self.playing: set[PlannedGame] = set()
        self.lost: set[PlannedGame] = set()  # games in which a process died
        self.drawn = 0
        self._began = time.monotonic()

    def games(self) -> Iterator[list[PlannedGame]]:
        yield from self._begun(planned for planned in self.folder.missing(self.bots) if planned not in self.lost)
        while not self._is_over():
            yield from self._begun(self.draw())

    def draw(self) -> list[PlannedGame]:
        """A round: one deal, with every rotation of the seats."""
        folder, ladder = self.folder, self.folder.ladder
        number = folder.began
        folder.began += 1
        self.drawn += 1
        busy = Counter(bot for planned in self.playing for bot in planned.lineup)
        lineup = next_lineup(folder.standings, self.bots, ladder.players, busy, random.Random(f"{ladder.seed}/{number}"))
        game = ladder.games[number % len(ladder.games)]
        return [PlannedGame(game, lineup, number, turn) for turn in range(len(rotations(lineup)))]

    def _begun(self, games: Iterable[PlannedGame]) -> Iterator[list[PlannedGame]]:
        for planned in games:
            self.playing.add(planned)
            yield [planned]

    def _is_over(self) -> bool:
        limits = self.limits
        is_late = limits.stop_after is not None and time.monotonic() - self._began >= limits.stop_after
        return is_late or (limits.rounds is not None and self.drawn >= limits.rounds)

    def finished(self, played: Played) -> None:
        self.playing.discard(played.planned)

    def died(self) -> None:
        """Games in progress are not tried again in this run: one of their bots may be what ended the process."""
        self.lost |= self.playing
        self.playing.clear()


def keep_playing(path: Path, ladder: Ladder, bots: tuple[str, ...], crew: Crew, limits: Limits, tell: Tell) -> None:
    """Play until the limits are reached, or Ctrl-C. Without bots, those that have played before go on."""
    if bots:
        checked_arena(ladder, bots)  # before anything is written
    with closing(Folder(path, ladder)) as folder:
        bots = bots or tuple(folder.standings.careers)
        arena = checked_arena(ladder, bots)
        folder.names.meet(bots)
        for bot in bots:
            folder.standings.meet(bot)
        if folder.standings.games:
            tell(f"{path} has {folder.standings.games:,} games already.")
        tell(f"The ladder is at {path / PAGE}. Ctrl-C stops it; the same command continues it.")
        try:
            play_rounds(folder, Rounds(folder, bots, limits), arena, crew, tell)
        finally:
            folder.write_page(bots)


def checked_arena(ladder: Ladder, bots: tuple[str, ...]) -> Arena:
    """What plays the games of these bots, if they are there and enough."""
    check_distinct(bots)
    arena = ladder.arena(bots)
    if len(bots) < ladder.players:
        raise WrongNumberOfBots(len(bots), ladder.players, "name more bots, or fewer seats (--players)")
    return arena


def play_rounds(folder: Folder, rounds: Rounds, arena: Arena, crew: Crew, tell: Tell) -> None:
    deaths, shown = 0, float("-inf")
    play = partial(play_recorded, rounds.limits.pace, {bot: folder.names.of(bot) for bot in arena.bots})
    while True:
        try:
            for finished in played_by(crew, arena, rounds.games(), play):
                for played, record in finished:
                    deaths = 0
                    folder.add(played, record)
                    rounds.finished(played)
                if time.monotonic() - shown >= PAGE_EVERY:
                    folder.write_page(rounds.bots)
                    shown = time.monotonic()
            return
        except ProcessDied:
            deaths += 1
            rounds.died()
            if deaths == MOST_DEATHS:
                raise
            tell("A process died in the middle of a game; the ladder goes on.")


class Pacer:
    """Keeps a process from playing one quick game after the other, day and night."""

    def __init__(self) -> None:
        self._latest = float("-inf")

    def wait(self, pace: float) -> None:
        time.sleep(max(0.0, self._latest + pace - time.monotonic()))
        self._latest = time.monotonic()


pacer = Pacer()  # of this process


def play_recorded(pace: float, names: Mapping[str, str], arena: Arena, planned: PlannedGame) -> tuple[Played, str]:
    """A game and its record, in a process of the ladder. The record is for everybody, so it does not say where a bot's files are."""
    pacer.wait(pace)
    played, state = play_kept(arena, planned)
    return played, Record.of(state, [{"name": names[bot], "player": f"bot:{names[bot]}"} for bot in played.seats]).to_json()
