"""Bots play as they did: a change that is not meant to change their play does not. Whoever means to writes the fingerprints again:

python -m tests.bots.test_fingerprints
"""

import hashlib
import json
from pathlib import Path

import pytest

from branchline import Game
from branchline.boards.folders import available_boards
from branchline.bots import make_bot

FILE = Path(__file__).with_name("fingerprints.json")
DECISIONS = {"greedy": 10_000, "planner": 10_000, "learned": 10_000, "normal": 10_000, "search@8,planner": 12, "search@8": 12}  # at most
SEATS = 3
WITHOUT_NETWORK = ("new-york", "great-lakes")
PLAYED = [
    (board, bot) for board in available_boards() for bot in DECISIONS if not (board in WITHOUT_NETWORK and bot in ("learned", "normal", "search@8"))
]


def fingerprint(board: str, bot: str) -> str:
    """Of the decisions of a game."""
    game = Game(board, SEATS)
    state, bots = game.start(17), [make_bot(bot, seat) for seat in range(SEATS)]
    while not state.is_over and len(state.history) < DECISIONS[bot]:
        state.apply(bots[state.seat].decide(state.view(state.seat)))
    return hashlib.sha256(" ".join(game.text(decision) for decision in state.history).encode()).hexdigest()[:16]


@pytest.mark.parametrize(("board", "bot"), PLAYED)
def test_it_plays_as_it_did(board, bot):
    assert fingerprint(board, bot) == json.loads(FILE.read_text())[board][bot]


if __name__ == "__main__":
    found: dict[str, dict[str, str]] = {}
    for board, bot in PLAYED:
        found.setdefault(board, {})[bot] = fingerprint(board, bot)
    FILE.write_text(json.dumps(found, indent=1) + "\n")
