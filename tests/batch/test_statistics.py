"""Your own statistics and compiled bots, in batches and simulations."""
# ruff: noqa: ARG001, ARG005  # all functions of a form have the same parameters

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from branchline import Game, load_board
from branchline.batch import Player, play_batch, statistic
from branchline.batch.matches import Match, game_seeds
from branchline.batch.own_bots import own_function
from branchline.batch.own_bots import seat as seated
from branchline.batch.statistics import AFTER_TURN, AT_END, StatisticError, check_names, columns, places
from branchline.bots import BotError
from branchline.compiling import MODE
from branchline.rules.sizes import SEATS
from branchline.simulation import Orders, Plan, SimulationError, load_statistics, simulate
from tests.conftest import SOAK

EXAMPLE = Path(__file__).parents[2] / "examples" / "statistics.py"
EUROPE, LONDON = load_board("europe"), load_board("london")

OWN_BOTS = """
from branchline.bots.compiled.greedy import choose_greedy
from branchline.compiling import rule


@rule
def like_greedy(board, seen, mask, thoughts, dice):
    return choose_greedy(board, seen, mask, thoughts)


@rule
def lawless(board, seen, mask, thoughts, dice):
    return 100_000


def collector(seed=0):
    return None


class Collector:
    pass
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A folder with bots, as the current directory."""
    (tmp_path / "own_bots_of_mine.py").write_text(OWN_BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    yield tmp_path
    sys.modules.pop("own_bots_of_mine", None)


@statistic(size=SEATS)
def cards_left(board, state, result, out):
    for seat in range(state.players):
        for kind in range(board.kinds):
            out[seat] += state.hands[seat, kind]


@statistic
def best(board, state, result, out):
    for seat in range(state.players):
        out[0] = max(out[0], result.total[seat])


@statistic(size=3)
def words(board, state, result, out):
    for number in range(3):
        out[number] = 10 * number + state.players


@statistic
def spread(games):
    totals = games.results["total"][:, :2]
    return totals.max(1) - totals.min(1)


@statistic
def spaces(board, games):
    return np.full((len(games.states), 2), len(board.routes))


def table_of(added, players=2, games=6):
    made = play_batch(LONDON, ["greedy"] * players, games, 1, threads=2, statistics=added)
    return {
        name: values for one, place in zip(added, places(added), strict=True) for name, values in columns(one, place, LONDON, made, players).items()
    }, made


def test_a_statistic_has_a_column_for_its_seats_its_games_or_its_numbers():
    table, made = table_of([cards_left, best, words, spread, spaces])
    assert list(table) == ["cards_left", "best", "words_0", "words_1", "words_2", "spread", "spaces"]
    assert {values.shape for values in table.values()} == {(6, 2)}
    assert (table["cards_left"] == made.states["hands"][:, :2].sum(2)).all()
    totals = made.results["total"][:, :2]
    assert (table["best"] == np.maximum(totals.max(1), 0)[:, None]).all()
    assert table["words_2"].tolist() == [[22, 22]] * 6
    assert (table["spread"] == (totals.max(1) - totals.min(1))[:, None]).all()
    assert (table["spaces"] == len(LONDON.routes)).all()


def test_the_form_follows_from_the_parameters():
    assert (cards_left.form, cards_left.size) == (AT_END, SEATS)
    assert (spread.size, words.names()) == (0, ["words_0", "words_1", "words_2"])

    @statistic
    def turns(board, state, seat, action, turn, out):
        out[0] = turn

    assert turns.form == AFTER_TURN
    with pytest.raises(StatisticError, match=r"the parameters .a, b, c.; they must be"):
        statistic(lambda a, b, c: None)
    with pytest.raises(StatisticError, match="has the size 0"):
        statistic(lambda board, state, result, out: None, size=0)


def test_every_column_has_a_name_of_its_own():
    check_names([best, words], ["total"])
    with pytest.raises(StatisticError, match="best would write a second column 'best'"):
        check_names([best, best])
    with pytest.raises(StatisticError, match="a second column 'best'"):
        check_names([best], ["best"])

    @statistic
    def total(games):
        return games.decisions

    with pytest.raises(StatisticError, match="a second column 'total'"):
        simulate(Plan(Game("london", 2), ("greedy", "random"), 1, statistics=(total,)), Orders(5))


def test_an_answer_of_the_wrong_shape_is_named():
    @statistic
    def three(games):
        return np.zeros((len(games.states), 3))

    @statistic
    def texts(games):
        return np.array(["a"] * len(games.states))

    @statistic
    def failing(games):
        return games.nothing

    for one, reason in (
        (three, r"shape \(6, 3\)"),
        (texts, "it must be numbers"),
        (failing, r"failed: AttributeError.*test_statistics.py, line \d+"),
    ):
        with pytest.raises(StatisticError, match=reason):
            table_of([one])


def test_what_does_not_compile_is_named_with_its_place():
    @statistic
    def misspelt(board, state, result, out):
        out[0] = state.hnads[0, 0]

    @statistic
    def unknown(board, state, seat, action, turn, out):
        out[0] = nothing_of_the_kind  # noqa: F821

    for one, reason in (
        (misspelt, "misspelt cannot be compiled: the record has no field 'hnads'"),
        (unknown, "unknown cannot be compiled: NameError"),
    ):
        with pytest.raises(StatisticError, match=rf"{reason}.*test_statistics.py, line \d+"):
            Player(LONDON, ["greedy"] * 2, 1, [one])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = 1\ndef broken(:\n", "mine.py, line 2: SyntaxError: invalid syntax"),
        ("x = 1\n\ny = x / 0\n", "mine.py, line 3: ZeroDivisionError: division by zero"),
        ("import no_such_library\n", "mine.py, line 1: ModuleNotFoundError"),
        ("x = 1\n", "mine.py has no function marked @statistic"),
        (
            "from branchline.batch import statistic\n\n@statistic\ndef odd(a, b, c):\n    pass\n",
            "mine.py, line 3: StatisticError: the statistic odd has the parameters",
        ),
    ],
)
def test_errors_of_a_statistics_file_have_their_line(own, text, reason):
    (own / "mine.py").write_text(text)
    with pytest.raises(StatisticError, match=reason):
        load_statistics([Path("mine.py")])


def test_a_number_that_is_none_is_left_out(tmp_path):
    @statistic
    def above_thirty(games):
        totals = games.results["total"][:, :2].astype(float)
        return np.where(totals > 30, totals, np.nan)

    plan = Plan(Game("london", 2), ("greedy", "random"), 1, statistics=(above_thirty,))
    found = [simulate(plan, Orders(games, tmp_path / "x.parquet", resume=True)).means()["above_thirty"] for games in (300, 400)]
    table = pl.read_parquet(tmp_path / "x.parquet").filter(pl.col("total") > 30, pl.col("seat") == 0)
    assert [mean[0] for mean in found] == pytest.approx([table.filter(pl.col("game") < games)["total"].mean() for games in (300, 400)])
    assert 30 < found[0][0] != found[1][0]
    few = simulate(plan, Orders(1))
    assert np.isnan(few.means()["above_thirty"][1])
    assert list(few.added_table().columns[2].cells) == ["none"]


@pytest.mark.skipif(MODE == "compiled" and not SOAK, reason="compiling a whole game takes 20 seconds: in the soak; `make plain` runs it uncompiled")
def test_the_example_and_a_bot_of_ones_own_in_a_simulation(own):
    """The docs' example, next to a bot that plays like `greedy`."""
    games = 30 if MODE == "compiled" else 1
    added = load_statistics([EXAMPLE])
    assert [one.name for one in added] == ["wilds_left", "first_long_claim", "lead"]
    plan = Plan(Game("europe", 2), ("own_bots_of_mine:like_greedy", "greedy"), 1, statistics=added)
    summary = simulate(plan, Orders(games, own / "x.parquet", threads=2))
    table = pl.read_parquet(own / "x.parquet")
    assert table["bot"].to_list()[:2] == ["own_bots_of_mine:like_greedy", "greedy"]
    match = Match(plan.game, ["greedy", "greedy"])
    for number, seed in enumerate(game_seeds(1, games)):
        rows, state = table.filter(pl.col("game") == number), match.play(seed)
        totals = [score["total"] for score in state.result["scores"]]
        assert rows["total"].to_list() == totals
        assert rows["lead"].to_list() == [total - sum(totals) / 2 for total in totals]
        assert rows["wilds_left"].to_list() == state.record.hands[:2, EUROPE.record.wild].tolist()
        assert rows["first_long_claim"].to_list() == [first_long_claim(state.events)] * 2
    assert summary.means()["wilds_left"].tolist() == pytest.approx(
        table.group_by("seat", maintain_order=True).agg(pl.col("wilds_left").mean())["wilds_left"].to_list()
    )


def first_long_claim(events):
    turn, lengths = 0, {route.id: route.length for route in EUROPE.routes}
    for event in events:
        turn += event["event"] == "turn"
        if event["event"] in ("claim", "tunnel_abandon") and lengths[event["route"]] >= 6:
            return turn
    return 0


def test_bots_of_ones_own_have_numbers_after_the_built_in_ones(own):
    seating = seated(["own_bots_of_mine:like_greedy", "random", "own_bots_of_mine:lawless", "own_bots_of_mine:like_greedy"])
    assert seating.policies.tolist() == [4, 0, 5, 4]
    assert seated(["greedy", "random"]).ask is None


@pytest.mark.parametrize("name", ["search", "search@100", "hard", "own_bots_of_mine:Collector", "own_bots_of_mine:collector"])
def test_only_compiled_bots_play_in_a_batch(own, name):
    with pytest.raises(BotError, match="is not compiled; simulations take random, greedy, planner, learned and your own functions marked @rule"):
        own_function(name)


def test_a_bot_that_nobody_knows_is_named():
    with pytest.raises(BotError, match="there is no bot 'deep' among the compiled ones"):
        own_function("deep")


def test_records_are_of_built_in_bots(own):
    plan = Plan(Game("london", 2), ("own_bots_of_mine:like_greedy", "greedy"), 1)
    with pytest.raises(BotError, match="records are made of games between built-in bots"):
        simulate(plan, Orders(5, own / "x.jsonl"))
    with pytest.raises(SimulationError, match="not into records"):
        simulate(Plan(Game("london", 2), ("greedy", "greedy"), 1, statistics=(best,)), Orders(5, own / "x.jsonl"))


def test_an_illegal_answer_ends_the_simulation(own):
    """In plain Python, where nothing needs to be compiled."""
    command = "from branchline.cli import main; main()"
    told = subprocess.run(
        [sys.executable, "-c", command, "simulate", "london", "--players", "2", "--games", "1", "--bots", "own_bots_of_mine:lawless,random"],
        capture_output=True,
        text=True,
        timeout=200,
        cwd=own,
        env=os.environ | {"BRANCHLINE_MODE": "plain"},
        check=False,
    )
    assert told.returncode == 1
    assert "the bot 'own_bots_of_mine:lawless' answered" in told.stderr
    assert "times with a decision that is not legal" in told.stderr


def test_who_writes_beyond_the_size_is_told():
    @statistic
    def for_each_seat(board, state, result, out):  # one number was promised
        for seat in range(state.players):
            out[seat] = 7

    with pytest.raises(StatisticError, match=r"for_each_seat writes beyond its size of 1: .*size="):
        play_batch(LONDON, ["random"] * 3, 4, 1, statistics=[for_each_seat])


def test_two_parameters_must_be_the_board_and_the_games():
    with pytest.raises(StatisticError, match=r"has the parameters \(board, result\); they must be"):
        statistic(lambda board, result: 0)
