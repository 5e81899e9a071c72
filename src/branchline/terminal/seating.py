"""Who sits at a table in the terminal: people, bots and their names."""

from __future__ import annotations

import hashlib
from itertools import islice
from pathlib import Path

from branchline.bots import Bot, BotOptionError, GuardedBot, PolicyBot, WrongNumberOfBots, begin_game, make_bot
from branchline.bots.processes.commands import is_program, program_name
from branchline.errors import RecordError
from branchline.play.games import Game, State
from branchline.play.records import read_records
from branchline.words import ENGLISH, spoken_in

Table = tuple[State, list[Bot | None], list[str]]


def seat_players(players: int, bots: list[str], hot_seat: bool) -> list[str | None]:
    """The bot on each seat, None for a person. People come first; a single bot name is used for all other seats."""
    people = players - len(bots) if hot_seat else 1
    if people < 1:
        raise BotOptionError(f"{len(bots)} bots leave no seat for a person at a table of {players}")
    if not hot_seat and len(bots) not in (1, players - 1):
        raise WrongNumberOfBots(len(bots), players - 1, "name one for all, or one for each")
    others = bots * (players - people) if len(bots) == 1 and not hot_seat else bots
    return [None] * people + list(others)


def new_table(game: Game, bots: str | None, hot_seat: bool, seed: str | None, language: str = ENGLISH) -> Table:
    names = [name.strip() for name in bots.split(",")] if bots is not None else []
    if not names and not hot_seat:
        names = ["normal"]
    state = game.start(seed)
    seated = seat_players(game.players, names, hot_seat)
    called = [seat_name(bot, seat + 1, language) for seat, bot in enumerate(seated)]
    return state, [seated_bot(state, name, seat) for seat, name in enumerate(seated)], called


def seat_name(bot: str | None, number: int, language: str) -> str:
    """`Player 1`, `Greedy 2`"""
    return spoken_in(language).say("terminal.player", number=number) if bot is None else f"{short_name(bot)} {number}"


def short_name(bot: str) -> str:
    """Of a program the name of its file, of a class its own."""
    return (program_name(bot) if is_program(bot) else bot.rpartition(":")[2]).capitalize()


def seated_bot(state: State, name: str | None, seat: int) -> Bot | None:
    """The bot on a seat, None for a person. It has other whims in every game, and the same when a game is resumed.

    Other people's bots are guarded and keep the name they were found by, so that a game can be resumed.
    """
    if name is None:
        return None
    bot = make_bot(name, int.from_bytes(hashlib.sha256(f"{state.seed} bot {seat}".encode()).digest()[:7]))
    guarded = bot if isinstance(bot, PolicyBot) else GuardedBot(bot, name=name)
    begin_game(guarded, state.game, seat)
    return guarded


def resumed_table(file: Path) -> Table:
    """An unfinished game from its record."""
    records = list(islice(read_records(file), 2))
    if len(records) != 1:
        raise RecordError(f"{file}: holds {'no game' if not records else 'several games'}; a game to resume must be alone in its file")
    state = records[0].replay()
    if state.is_over:
        raise RecordError(f"{file}: that game is over; see it with: branchline replay {file}")
    seats = records[0].seats
    bots = [seat["player"].removeprefix("bot:") if seat["player"] != "human" else None for seat in seats]
    return state, [seated_bot(state, name, seat) for seat, name in enumerate(bots)], [seat["name"] for seat in seats]


def free_file(wanted: Path) -> Path:
    """The wanted file or, if it exists, a free one with a number added to its name."""
    number = 1
    file = wanted
    while file.exists():
        number += 1
        file = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
    return file
