"""The histogram of lengths when a few games never end by themselves."""

from types import SimpleNamespace

import polars as pl
import pytest

from branchline.pages.prose import Prose
from branchline.report.drawing.html_parts import Drawings
from branchline.report.sections.length import last_drawn, length


def lengths(*pairs):
    return pl.DataFrame({"turns": [turns for turns, _ in pairs], "games": [games for _, games in pairs]}, {"turns": pl.Int64, "games": pl.Int64})


USUAL = [(turns, 10) for turns in range(80, 121)]


def mean_of(found):
    return float((found["turns"] * found["games"]).sum() / found["games"].sum())


def drawn(found, language="en"):
    drawings = Drawings()
    text = length(SimpleNamespace(lengths=found, keys={"turns": mean_of(found)}), drawings, Prose(language))
    bars = next(rows for rows in drawings.specs["length"]["datasets"].values() if "share" in rows[0])
    return bars, text


def test_a_few_games_up_to_the_turn_limit_leave_the_others_their_bars():
    found = lengths(*USUAL, (1250, 8))
    bars, text = drawn(found)
    assert len(bars) > 20
    assert max(one["end"] for one in bars) < 130
    assert sum(one["share"] for one in bars) == pytest.approx(1, abs=1e-5)
    assert bars[-1]["share"] == pytest.approx(8 / 418, rel=1e-4)
    assert bars[-1]["start"] > bars[-2]["end"]
    assert "The last bar stands for all games of more than 120 turns: 1.9\u202f% of them, the longest with 1,250." in text


def test_usual_games_are_all_drawn():
    found = lengths(*USUAL)
    bars, text = drawn(found)
    assert last_drawn(found) == 120
    assert bars[-1]["end"] > 120
    assert "The last bar" not in text


def test_the_mark_at_the_mean_is_never_in_the_last_bar():
    found = lengths((10, 90), (1000, 10))
    bars, text = drawn(found)
    assert [one["share"] for one in bars] == pytest.approx([0.9, 0.1])
    assert bars[0]["end"] < mean_of(found) < bars[1]["start"]
    assert "more than 10 turns: 10.0\u202f%" in text
