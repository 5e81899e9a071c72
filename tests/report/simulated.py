"""Tables of real games as a simulation writes them, for testing what reads them."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from branchline import load_board
from branchline.batch import Games, play_batch
from branchline.batch.compiled.tally import ACTIONS
from branchline.words import ENGLISH
from branchline.words.catalogues import own_messages

PARTS = ("routes", "tickets", "stations", "longest_path", "districts", "harbours", "bonuses")
COUNTS = {"cards": 1, "claims": 2, "abandoned": 3, "ticket_draws": 4, "builds": 5, "exchanges": 6, "places": 7, "passes": 8}  # as in tally.py
Tables = dict[str, pl.DataFrame]


def simulated(game: str, bots: list[str], games: int = 60, seed: int = 1) -> Tables:
    """The main table, and `actions`, `claims` and `tickets`."""
    board, played = load_board(game), play_batch(load_board(game), bots, games, seed, threads=1)
    return {
        "": seats_table(board, played, bots),
        "actions": actions_table(played, bots),
        "claims": claims_table(board, played, bots),
        "tickets": tickets_table(board, played, bots),
    }


def written(folder: Path, board: str, bots: list[str], tables: Tables, **more: Any) -> Path:
    """Write the tables to files; returns the main one."""
    games = tables[""]["game"].n_unique()
    facts = {"game": board, "players": len(bots), "bots": ",".join(bots), "seed": 1, "games": games, "done": games}
    facts |= {"rules_version": load_board(board).rules_version, "branchline_version": "0.2.0"} | more
    for name, table in tables.items():
        table.write_parquet(folder / f"x.{name}.parquet".replace("..", "."), metadata={key: str(value) for key, value in facts.items()})
    return folder / "x.parquet"


def members(words: np.ndarray, number: int) -> np.ndarray:
    """Sets in words as an array of booleans, one per member."""
    bits = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=-1, bitorder="little")
    return bits[..., :number].astype(bool)


def seats_table(board: Any, played: Games, bots: list[str]) -> pl.DataFrame:
    games, players = len(played.states), len(bots)
    results, states, record = played.results, played.states, board.record
    there = {"routes": board.routes, "tickets": True, "stations": record.stations, "longest_path": record.longest_points}
    there |= {"districts": board.districts, "harbours": record.harbours, "bonuses": board.big_cities}
    won = members(results["winners"][:, None].astype(np.uint64), players)
    kept = members(states["tickets"] | results["completed"], len(board.tickets))[:, :players]
    done = members(results["completed"], len(board.tickets))[:, :players]
    columns: dict[str, Any] = {
        "game": np.repeat(np.arange(games, dtype=np.int64), players),
        "seat": np.tile(np.arange(players, dtype=np.int8), games),
        "bot": bots * games,
        "first_seat": np.repeat(states["first_seat"], players),
        "turns": np.repeat(states["turn"], players),
        "decisions": np.repeat(played.decisions.astype(np.int32), players),
        "total": results["total"][:, :players].ravel(),
    }
    columns |= {part: results[part][:, :players].ravel() for part in PARTS if there[part]}
    if record.longest_points:
        columns["longest_path_length"] = results["longest_path_length"][:, :players].ravel()
    columns |= {"tickets_kept": kept.sum(2).astype(np.int16).ravel(), "tickets_completed": done.sum(2).astype(np.int16).ravel()}
    columns |= {"won": won.ravel(), "share": (won / won.sum(1, keepdims=True)).astype(np.float32).ravel()}
    columns["pieces_left"] = states["pieces"][:, :players].sum(2).astype(np.int16).ravel()
    actions = played.tallies["actions"][:, :players]
    columns |= {name: (actions == number).sum(2).astype(np.int16).ravel() for name, number in COUNTS.items() if (actions == number).any()}
    return pl.DataFrame(columns)


def actions_table(played: Games, bots: list[str]) -> pl.DataFrame:
    rows = []
    for seat, bot in enumerate(bots):
        for number, action in enumerate(ACTIONS[1:], 1):
            counts = (played.tallies["actions"][:, seat] == number).sum(0)
            rows += [(seat, bot, place + 1, action, count) for place, count in enumerate(counts.tolist()) if count]
    return pl.DataFrame(rows, schema={"seat": pl.Int8, "bot": pl.String, "round": pl.Int16, "action": pl.String, "count": pl.Int64}, orient="row")


def claims_table(board: Any, played: Games, bots: list[str]) -> pl.DataFrame:
    routes = [route.id for route in board.routes]
    owned = members(played.states["owned"], len(routes))[:, : len(bots)]
    game, seat, route = np.nonzero(owned)
    turn = played.tallies["claimed_in"][game, route]
    names = pl.Series([routes[number] for number in route], dtype=pl.String)
    return pl.DataFrame({"game": game, "seat": seat.astype(np.int8), "route": names, "turn": turn})


def tickets_table(board: Any, played: Games, bots: list[str]) -> pl.DataFrame:
    number_of = len(board.tickets)
    kept = members(played.states["tickets"] | played.results["completed"], number_of)[:, : len(bots)]
    done, in_order = (members(played.results[name], number_of) for name in ("completed", "in_order"))
    game, seat, ticket = np.nonzero(kept)
    completed = done[game, seat, ticket]
    points = [worth(board.tickets[number], *how) for number, *how in zip(ticket, completed, in_order[game, seat, ticket], strict=True)]
    names = [board.tickets[number].id for number in ticket]
    return pl.DataFrame(
        {"game": game, "seat": seat.astype(np.int8), "ticket": names, "points": np.array(points, np.int16), "completed": completed},
        schema_overrides={"ticket": pl.String},
    )


def worth(ticket: Any, completed: bool, in_order: bool) -> int:
    """What a ticket earned the seat that kept it."""
    if not completed:
        return -(ticket.points if ticket.failed is None else ticket.failed)
    return ticket.points if in_order or not ticket.is_tour else ticket.connected


def english_left(text, language, beginning):
    """The English messages whose keys begin so, and that a page in another language still says."""
    english, own = own_messages(ENGLISH), own_messages(language)
    long = {key: said for key, said in english.items() if key.startswith(beginning) and " " in said and "{" not in said and said != own[key]}
    return [said for said in long.values() if said in text]
