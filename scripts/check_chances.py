"""Check win chances: what they say in fresh games between bots of several kinds, and what came of it.

    python scripts/check_chances.py [GAME …] [--games 1000]

Prints a table: for each board and number of seats, the mean share of the win in each tenth of chances, and the largest difference from what was said
among tenths with enough positions.
"""

import argparse

import numpy as np

from branchline.batch import Batch
from branchline.boards import available_boards, load_board
from branchline.bots.chances import chances
from branchline.play.games import Game
from branchline.training.chances import calibration
from branchline.training.mixed import Seats

SEED, ENOUGH, SLOTS = 5000, 300, 64


def told(game: str, players: int, games: int, every: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """The chances that seats are told in positions of games, and the shares of the win that came of them."""
    batch, chance, said, noted, shares, step = Batch(game, SLOTS, players, seed=SEED), np.random.default_rng(SEED), [], [], {}, 0
    seats = Seats(batch, chance)
    while (left := batch.played < -(-games // SLOTS)).any():
        if step % (every * players) == 0:
            for slot in np.flatnonzero(left):
                said.append(chances(batch.state(slot).view(int(chance.integers(players)))))
                noted.append(int(batch.numbers[slot]))
        numbers = batch.numbers.copy()
        batch.step(seats.decide())
        shares |= {int(numbers[slot]): batch.shares[slot].copy() for slot in np.flatnonzero(batch.finished)}
        seats.sit_down(batch.finished)
        step += 1
    return np.array(said), np.array([shares[number] for number in noted])


def main() -> None:
    parser = argparse.ArgumentParser(description="Check win chances")
    parser.add_argument("boards", nargs="*", default=available_boards())
    parser.add_argument("--games", type=int, default=1000)
    arguments = parser.parse_args()
    print("| game | seats | positions | largest difference | came of 0–10 %, 10–20 % … |\n| --- | --- | ---: | ---: | --- |")
    for game in arguments.boards:
        for players in range(load_board(game).players[0], load_board(game).players[1] + 1):
            said, came = told(Game(game, players).name, players, arguments.games)
            bins = calibration(said, came, players)
            gap = max((abs(one["said"] - one["came"]) for one in bins if one["positions"] >= ENOUGH), default=0.0)
            shown = " ".join(f"{100 * one['came']:.0f}" if one["positions"] >= ENOUGH else "–" for one in bins)
            print(f"| {game} | {players} | {len(said):,} | {100 * gap:.1f} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
