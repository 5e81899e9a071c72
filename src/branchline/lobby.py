"""Who sits at a terminal table: people and bots, names, and the game between them."""

from __future__ import annotations

from pathlib import Path

from branchline.bots import Bot, BotError, make_bot
from branchline.errors import RecordError
from branchline.games import Game, State
from branchline.records import read_records

Table = tuple[State, list[Bot | None], list[str]]


def seat_players(players: int, bots: list[str], hot_seat: bool) -> list[str | None]:
    """The bot on each seat, None for a person. People come first; one bot name serves all other seats."""
    people = players - len(bots) if hot_seat else 1
    if people < 1:
        raise BotError(f"{len(bots)} bots leave no seat of {players} for a person")
    if not hot_seat and len(bots) not in (1, players - 1):
        raise BotError(f"{len(bots)} bots for {players - 1} seats: name one for all, or one for each")
    others = bots * (players - people) if len(bots) == 1 and not hot_seat else bots
    return [None] * people + list(others)


def new_table(game: str, players: int, bots: str | None, hot_seat: bool, seed: str | None) -> Table:
    names = [name.strip() for name in bots.split(",")] if bots else []
    if not names and not hot_seat:
        names = ["greedy"]
    state = Game(game, players).start(seed)
    return seated(state, seat_players(players, names, hot_seat))


def seated(state: State, bots: list[str | None]) -> Table:
    seats = [make_bot(bot, seat) if bot else None for seat, bot in enumerate(bots)]
    names = [f"{bot.capitalize() if bot else 'Player'} {seat + 1}" for seat, bot in enumerate(bots)]
    return state, seats, names


def resumed_table(file: Path) -> Table:
    """An unfinished game from its record."""
    record = next(read_records(file))
    state = record.replay()
    if state.is_over:
        raise RecordError(f"{file}: that game is over; see it with: branchline replay {file}")
    return seated(state, [seat["player"].removeprefix("bot:") if seat["player"] != "human" else None for seat in record.seats])
