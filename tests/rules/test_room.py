"""There is room for further mechanisms: declarations and boards do not fill the records' fixed sizes. The figures are in docs/mechanisms.md."""

import re
from pathlib import Path

import numpy as np
import pytest

from branchline import available_boards, load_board
from branchline.rules import sizes
from branchline.rules.board import BOARD
from branchline.rules.state import STATE
from branchline.rules.vocabulary.decisions import BLOCKS
from branchline.rules.vocabulary.events import EVENTS
from branchline.rules.vocabulary.fields import CARD_ROW
from branchline.rules.vocabulary.phases import PHASES

DOCUMENTED = (Path(__file__).parents[2] / "docs" / "mechanisms.md").read_text(encoding="utf-8")


def most(field):
    """The largest number that a field of the state holds."""
    return np.iinfo(STATE[field].base).max


def test_there_is_room_for_further_blocks_of_decisions():
    assert len(BLOCKS) + 6 <= sizes.BLOCKS
    assert BOARD["starts"].shape == (sizes.BLOCKS + 1,)
    assert np.iinfo(BOARD["block_of"].base).max >= sizes.BLOCKS


def test_there_is_room_for_further_decisions(game):
    assert int(load_board(game).record.starts[-1]) + 32 <= sizes.DECISIONS
    assert np.iinfo(BOARD["starts"].base).max >= sizes.DECISIONS


def test_there_is_room_for_further_events_and_phases():
    assert max(EVENTS) + 50 < CARD_ROW
    assert max(PHASES) + 50 < most("phase")


@pytest.mark.parametrize("field", ["options", "paying_for", "phase"])
def test_small_numbers_of_the_state_have_room(field):
    assert most(field) == 127


def test_the_documented_figures_are_true():
    def row(name):
        return re.search(rf"^\| {name} \| (.*) \|$", DOCUMENTED, re.MULTILINE)[1]

    decisions = sorted(((int(load_board(game).record.starts[-1]), load_board(game).name) for game in available_boards()), reverse=True)
    used = ", ".join(f"{name.removeprefix('The ')} {number}" for number, name in decisions)
    assert row("blocks of decisions") == f"{sizes.BLOCKS} (`BLOCKS`) | {len(BLOCKS)}"
    assert row("decisions of a board") == f"{sizes.DECISIONS} (`DECISIONS`) | {used}"
    assert row("events").endswith(f"| {len(EVENTS)}")
    assert row("phases").endswith(f"| {len(PHASES)}")
    assert row("cities; routes; tickets").startswith(f"{sizes.CITIES}; {sizes.ROUTES}; {sizes.TICKETS} |")
    assert row("kinds of card; colours; decks").startswith(f"{sizes.KINDS}; {sizes.COLOURS}; {sizes.DECKS} |")
