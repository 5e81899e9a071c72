"""The report: its figures agree with NumPy, its page is self-contained, and wrong input gets a clear error."""

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from rich.console import Console

from branchline import load_board
from branchline.cluster.part_names import name_of
from branchline.errors import MissingPackage
from branchline.pages.intervals import wilson
from branchline.pages.prose import Prose
from branchline.report import ReportError, make_report
from branchline.report import tables as report_tables
from branchline.report.command import run_command
from branchline.report.counting import extras
from branchline.report.counting.bars import bars, width_of
from branchline.report.counting.scores import score_summary
from branchline.report.counting.tallies import added
from branchline.report.drawing import heat
from branchline.report.drawing.groups import Groups
from branchline.report.figures import Counted, counted, figures_from, figures_of, tallies_of
from branchline.report.page import page
from branchline.report.places import Places
from branchline.report.sections.bots import bots
from branchline.report.source import Batch, open_simulation
from tests.commands import branchline
from tests.report.simulated import english_left, simulated, written
from tests.web.browsing import PHONE, WIDE, running_browser

BOTS = ["planner", "greedy", "planner", "random"]
NEAR = 5.1e-6  # figures are rounded to six digits


@pytest.fixture(scope="module")
def tables():
    """Games of Europe with added statistics and a tie, which bots seldom have."""
    found = simulated("europe", BOTS)
    generator = np.random.default_rng(7)
    rows = found[""].height
    found[""] = found[""].with_columns(
        won=pl.col("won") | (pl.col("game") == 3),
        share=pl.when(pl.col("game") == 3).then(0.25).otherwise("share").cast(pl.Float32),
        wilds_left=pl.Series(generator.poisson(2, rows).astype(np.int32)),
        hand_worth=pl.Series(generator.normal(0.5, 0.01, rows)),
        remark=pl.lit("words are not a statistic"),
    )
    return found


@pytest.fixture(scope="module")
def file(tables, tmp_path_factory):
    return written(tmp_path_factory.mktemp("report"), "europe", BOTS, tables)


@pytest.fixture(scope="module")
def figures(file):
    return figures_of(open_simulation(file))


@pytest.fixture(scope="module")
def text(figures):
    return page(figures, Places(figures.simulation.board, "en"))


def columns(tables):
    return {name: column.to_numpy() for name, column in tables[""].to_dict(as_series=True).items()}


def shares(rows, key, mask):
    """The mean share of wins over some rows of a figure's table."""
    return rows["share"].astype(float)[mask(rows, key)].mean()


@pytest.mark.parametrize(
    ("by", "mask"),
    [
        ("seat", lambda rows, key: rows["seat"] == int(key)),
        ("bot", lambda rows, key: rows["bot"] == key),
        ("order", lambda rows, key: (rows["seat"].astype(int) - rows["first_seat"]) % 4 == int(key)),
    ],
)
def test_win_rates_are_the_means_of_shares(tables, figures, by, mask):
    found = figures.win_rates.filter(by=by).rows(named=True)
    assert [one["rate"] for one in found] == pytest.approx([shares(columns(tables), one["group"], mask) for one in found], rel=NEAR)
    assert {one["fair"] for one in found} == {0.25}
    seats = 2 if by == "bot" else 1
    assert sum(one["wins"] for one in found) == pytest.approx(60)
    for one in found:
        own = seats if one["group"] == "planner" else 1
        low, high = wilson(one["rate"] * own, 60)
        assert (one["low"], one["high"]) == pytest.approx((low / own, high / own), rel=1e-4)


def test_wilsons_interval_is_the_one_in_the_books():
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(0.9, 200) == pytest.approx((0.8506, 0.9343), abs=1e-4)


def test_key_numbers_are_those_of_the_games(tables, figures):
    rows = columns(tables)
    assert figures.keys["shared"] == pytest.approx(1 / 60)
    assert figures.keys["turns"] == pytest.approx(rows["turns"].mean())
    assert figures.keys["winning_total"] == pytest.approx((rows["total"] * rows["share"].astype(float)).sum() / 60)


def test_scores_have_the_mean_deviation_and_quantiles_of_the_totals(tables, figures):
    rows = columns(tables)
    for one in score_summary(figures.scores, "bot").rows(named=True):
        totals = rows["total"][rows["bot"] == one["bot"]]
        assert one["mean"] == pytest.approx(totals.mean(), rel=NEAR)
        assert one["deviation"] == pytest.approx(totals.std(ddof=1), rel=NEAR)
        quantiles = np.quantile(totals, [0.1, 0.5, 0.9], method="inverted_cdf")
        assert [one["tenth"], one["median"], one["nine_tenths"]] == quantiles.tolist()


def test_parts_are_means_over_winners_others_and_bots(tables, figures):
    rows = columns(tables)
    for one in figures.parts.rows(named=True):
        points, own = rows[one["part"]], (rows["bot"] == one["bot"]) | (one["bot"] == "")
        for name, mask in (("mean", own), ("winners", own & rows["won"]), ("others", own & ~rows["won"])):
            assert one[name] == pytest.approx(points[mask].mean(), rel=NEAR), (one, name)
    assert figures.parts["part"].unique(maintain_order=True).to_list() == ["routes", "tickets", "stations", "longest_path"]


def test_lengths_count_each_game_once(tables, figures):
    turns, games = np.unique(columns(tables)["turns"][::4], return_counts=True)
    assert figures.lengths["turns"].to_list() == turns.tolist()
    assert figures.lengths["games"].to_list() == games.tolist()


def test_histograms_leave_no_bar_out_and_nothing_uncounted(figures):
    found = bars(figures.scores, "total", "count", ["bot"])
    for (bot,), rows in found.group_by("bot"):
        assert rows["count"].sum() == 60 * BOTS.count(bot)
        assert rows["share"].sum() == pytest.approx(1, rel=1e-4)
        assert (rows["end"][:-1] == rows["start"][1:]).all()
    assert width_of(0, 39, whole=True) == 1
    assert width_of(-120, 170, whole=True) == 10
    assert width_of(0.47, 0.53, whole=False) == pytest.approx(0.002)


def holders_share(tables, rows):
    """The wins of the seats in some rows."""
    share = {(game, seat): share for game, seat, share in tables[""].select("game", "seat", "share").rows()}
    return sum(share[game, seat] for game, seat in zip(rows["game"], rows["seat"], strict=True))


def test_tickets_are_counted_with_what_they_brought(tables, figures):
    kept = tables["tickets"]
    assert figures.tickets["ticket"].to_list() == [ticket.id for ticket in load_board("europe").tickets]
    assert figures.tickets["kept"].sum() == kept.height
    rates = {one["group"]: one["rate"] for one in figures.win_rates.filter(by="seat").rows(named=True)}
    for one in figures.tickets.filter(pl.col("kept") > 0).rows(named=True):
        rows = kept.filter(ticket=one["ticket"])
        assert one["rate"] == pytest.approx(rows["completed"].mean(), rel=NEAR)
        assert one["realised"] == pytest.approx(rows["points"].mean(), rel=NEAR)
        assert one["win_share"] == pytest.approx(holders_share(tables, rows) / rows.height, rel=NEAR)
        assert one["expected"] == pytest.approx(np.mean([rates[str(seat)] for seat in rows["seat"]]), rel=1e-5)


def test_routes_are_counted_with_turn_and_victories(tables, figures):
    claims = tables["claims"]
    assert figures.routes["claims"].sum() == claims.height
    for one in figures.routes.filter(pl.col("claims") > 0).rows(named=True):
        rows = claims.filter(route=one["route"])
        assert one["rate"] == pytest.approx(rows.height / 60, rel=NEAR)
        assert one["mean_turn"] == pytest.approx(rows["turn"].mean(), rel=NEAR)
        assert one["win_share"] == pytest.approx(holders_share(tables, rows) / rows.height, rel=NEAR)


def test_a_route_that_nobody_claims_is_there_with_nought(tables, tmp_path):
    route = tables["claims"]["route"][0]
    file = written(tmp_path, "europe", BOTS, tables | {"claims": tables["claims"].filter(pl.col("route") != route)})
    one = figures_of(open_simulation(file)).routes.row(by_predicate=pl.col("route") == route, named=True)
    assert (one["claims"], one["rate"], one["mean_turn"], one["win_share"]) == (0, 0.0, None, None)


def test_shares_of_actions_are_of_a_bots_turns_in_a_round(tables, figures):
    counts = tables["actions"]
    one = figures.actions.filter(bot="planner", round=5, action="cards").row(0, named=True)
    turns = counts.filter(bot="planner", round=5)
    assert one["count"] == turns.filter(action="cards")["count"].sum()
    assert one["share"] == pytest.approx(one["count"] / turns["count"].sum(), rel=NEAR)
    sums = figures.actions.group_by("bot", "round").agg(pl.col("share").sum())
    assert sums["share"].to_list() == pytest.approx([1] * sums.height, rel=1e-5)


def test_head_to_head_compares_all_pairs_of_seats_game_by_game(tables, figures):
    totals = tables[""]["total"].to_numpy().astype(int).reshape(-1, 4)
    for one in figures.head_to_head.rows(named=True):
        own, others = ([seat for seat, bot in enumerate(BOTS) if bot == one[name]] for name in ("bot", "other"))
        margins = np.array([totals[:, seat] - totals[:, other] for seat in own for other in others])
        assert one["rate"] == pytest.approx((margins > 0).mean() + (margins == 0).mean() / 2, rel=NEAR)
        assert one["margin"] == pytest.approx(margins.mean(), rel=NEAR)
        assert (one["low"], one["high"]) == pytest.approx(wilson(one["rate"], 60), rel=1e-4)
    assert figures.head_to_head.height == 6


def test_added_statistics_are_told_by_bot(tables, figures):
    rows = columns(tables)
    assert figures.statistics["statistic"].unique(maintain_order=True).to_list() == ["wilds_left", "hand_worth"]
    for one in figures.statistics.rows(named=True):
        values = rows[one["statistic"]][rows["bot"] == one["bot"]]
        assert (one["mean"], one["deviation"]) == pytest.approx((values.mean(), values.std(ddof=1)), rel=NEAR)
        assert (one["least"], one["most"]) == pytest.approx((values.min(), values.max()), rel=NEAR)
    assert figures.statistics_bars.group_by("statistic").agg(pl.col("count").sum())["count"].to_list() == [240, 240]


def test_a_statistic_may_be_always_the_same_or_never_there(tables, tmp_path):
    same, never = pl.lit(0.1).alias("same"), pl.lit(None, pl.Float64).alias("never")
    for further, told in (([same, never], ["same"]), ([never], None)):
        main = tables[""].drop("wilds_left", "hand_worth", "remark").with_columns(further)
        figures = figures_of(open_simulation(written(tmp_path, "europe", BOTS, {"": main})))
        assert (None if figures.statistics is None else figures.statistics["statistic"].unique().to_list()) == told
        assert ("Added statistics" in page(figures, Places(figures.simulation.board, "en"))) is (told is not None)


class Reading(HTMLParser):
    """What a page requests, the ids it has, and whether its tags are closed."""

    VOID = ("meta", "path", "circle", "rect", "use")

    def __init__(self, text):
        super().__init__()
        self.open, self.asked, self.ids, self.links, self.routes = [], [], set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)
        self._look_at(dict(attributes))

    def handle_startendtag(self, _tag, attributes):
        self._look_at(dict(attributes))

    def _look_at(self, named):
        self.asked += [named[name] for name in ("src", "href", "action", "data", "srcset") if name in named and not named[name].startswith("#")]
        self.ids.add(named.get("id"))
        self.links += [named["href"][1:]] if named.get("href", "").startswith("#") else []
        self.routes += [named["data-route"]] if "data-route" in named else []

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def check_page(text, board):
    """It requests nothing, its links lead somewhere, and it has every route of the board once."""
    reading = Reading(text)
    assert reading.open == []
    assert reading.asked == []
    assert set(reading.links) <= reading.ids
    assert sorted(reading.routes) == sorted(route.id for route in board.routes)
    style = text.split("<style>")[1].split("</style>")[0]
    assert {found[:5] for found in re.findall(r"url\(([^)]*)", style)} == {"data:"}
    assert "@import" not in style


def without_code(text):
    """A page as its reader sees it, with the texts of its charts."""
    return re.sub(r'<(script(?! type="application/json")|style)\b.*?</(script|style)>', "", text, flags=re.DOTALL)


@pytest.mark.sample(2)
def test_every_board_makes_a_page(game, tmp_path):
    bots = ["planner", "greedy"]
    figures = figures_of(open_simulation(written(tmp_path, game, bots, simulated(game, bots, games=20))))
    text = page(figures, Places(figures.simulation.board, "uk"))
    check_page(text, figures.simulation.board)
    assert (Prose("uk")("report.about.colours") in text) is (game == "card-game")
    assert (figures.colours is not None) is (game == "card-game")


def test_the_page_tells_its_figures(text, figures):
    check_page(text, load_board("europe"))
    best = figures.win_rates.filter(by="bot").sort("rate").row(-1, named=True)
    assert f"A seat of planner wins {100 * best['rate']:.1f}" in text
    assert "branchline simulate --game europe --players 4 --bots planner,greedy,planner,random --games 60 --seed 1 --tables claims,tickets" in text
    assert "Athína–Edinburgh" in text
    assert "hand worth" in text


def test_the_same_tables_make_the_same_page(text, file):
    figures = figures_of(open_simulation(file))
    assert page(figures, Places(figures.simulation.board, "en")) == text


def test_names_of_bots_are_text_not_html(tables, tmp_path):
    bots = ["<b>&'\".[0]", "own:Bot", "<b>&'\".[0]", "random"]
    renamed = {name: table.with_columns(bot=pl.lit(None)) if "bot" in table.columns else table for name, table in tables.items()}
    for name in ("", "actions"):
        renamed[name] = tables[name].with_columns(bot=pl.col("seat").cast(pl.Int64).replace_strict(dict(enumerate(bots)), return_dtype=pl.String))
    figures = figures_of(open_simulation(written(tmp_path, "europe", bots, renamed)))
    text = page(figures, Places(figures.simulation.board, "en"))
    check_page(text, load_board("europe"))
    assert "<b>&" not in text


def test_tables_that_were_not_written_are_asked_for(tables, tmp_path):
    figures = figures_of(open_simulation(written(tmp_path, "europe", BOTS, {"": tables[""]})))
    text = page(figures, Places(figures.simulation.board, "en"))
    assert (figures.tickets, figures.routes, figures.actions) == (None, None, None)
    assert text.count("Simulate again with <code>--tables claims,tickets</code>") == 2
    assert "This part needs the table of actions" in text


def test_a_simulation_that_is_not_done_is_said_to_be_so(tables, tmp_path):
    figures = figures_of(open_simulation(written(tmp_path, "europe", BOTS, tables, games=5000)))
    assert "Only 60 of 5,000 games are done" in page(figures, Places(figures.simulation.board, "en"))


def test_one_bot_on_all_seats_is_told_apart_by_seat(tmp_path):
    figures = figures_of(open_simulation(written(tmp_path, "london", ["greedy"] * 3, simulated("london", ["greedy"] * 3, games=1))))
    text = page(figures, Places(figures.simulation.board, "en"))
    assert (figures.by, figures.head_to_head) == ("seat", None)
    assert "The same bot has all seats" in text


def test_bots_with_a_seat_each_are_not_shown_by_seat_as_well(tables, tmp_path):
    figures = figures_of(open_simulation(written(tmp_path, "london", ["greedy", "random"], simulated("london", ["greedy", "random"], games=2))))
    text = page(figures, Places(figures.simulation.board, "en"))
    assert "By bot" in text
    assert "By seat" not in text
    (tmp_path / "several").mkdir()
    figures = figures_of(open_simulation(written(tmp_path / "several", "europe", BOTS, tables)))
    assert "By seat" in page(figures, Places(figures.simulation.board, "en"))


def test_figures_are_written_as_files(file, figures, tmp_path):
    console = Console(quiet=True)
    run_command(console, file, tmp_path / "r.html", tmp_path / "a" / "csv", tmp_path / "parquet", "pl")
    for name, table in figures.named().items():
        assert pl.read_parquet(tmp_path / "parquet" / f"{name}.parquet").equals(table)
        assert (tmp_path / "a" / "csv" / f"{name}.csv").read_text() == table.write_csv()
    assert {"win_rates", "scores", "parts", "lengths", "tickets", "routes", "actions", "head_to_head", "statistics"} <= set(figures.named())
    assert "Ateny–Edynburg" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_heat_is_in_even_steps_from_pale_to_deep_or_the_other_way():
    for line, way in ((heat.LIGHT, -1), (heat.DARK, 1)):
        points = heat.evenly(line, heat.STEPS)
        steps = [np.linalg.norm(np.subtract(one, other)) for one, other in pairwise(points)]
        assert max(steps) / min(steps) < 1.05
        assert (way * np.diff([point[0] for point in points]) > 0).all()
    assert [heat.step_of(share, 0.5) for share in (0.0, 0.049, 0.05, 0.5)] == [0, 0, 1, 9]
    assert [heat.top_of(share) for share in (0.0, 0.1, 0.101, 1.0)] == [0.1, 0.1, 0.2, 1.0]


def without(column):
    return lambda folder, tables: written(folder, "europe", BOTS, tables | {"": tables[""].drop(column)})


def with_claims_of(route):
    return lambda folder, tables: written(folder, "europe", BOTS, tables | {"claims": tables["claims"].with_columns(route=pl.lit(route))})


def a_text(folder, _tables):
    (folder / "x.parquet").write_text("not a table")
    return folder / "x.parquet"


def no_parts(folder, _):
    """A simulation that was killed before its first games were done."""
    (folder / "none.parquet").mkdir()
    return folder / "none.parquet"


def in_parts(folder, tables, lost=()):
    """The tables as folders of two parts, as a simulation writes them."""
    whole = written(folder, "europe", BOTS, tables)
    for path in folder.glob("x*.parquet"):
        content = pl.read_parquet(path)
        facts = {name: text for name, text in pl.read_parquet_metadata(path).items() if name != "ARROW:schema"}
        path.unlink()
        path.mkdir()
        games = content["game"] if "game" in content.columns else pl.Series([0]).new_from_index(0, content.height)
        for number, half in enumerate((content.filter(games < 30), content.filter(games >= 30))):
            if (path.name, number) not in lost:
                half.write_parquet(path / f"{30 * number:012d}-30.parquet", metadata=facts)
    return whole


CLAIMS_LOST = [("x.claims.parquet", 1)]


def half_a_file(folder, tables):
    whole = written(folder, "europe", BOTS, tables)
    whole.write_bytes(whole.read_bytes()[:-100])
    return whole


def another_seed(folder, tables):
    written(folder, "europe", BOTS, tables, seed=2)
    return written(folder, "europe", BOTS, {"": tables[""]})


def a_broken_middle(folder, tables):
    file = written(folder, "europe", BOTS, tables)
    content = bytearray(file.read_bytes())
    content[4:2000] = bytes(1996)
    file.write_bytes(content)
    return file


def without_facts(folder, tables):
    tables[""].write_parquet(folder / "x.parquet")
    return folder / "x.parquet"


def test_a_folder_of_parts_is_read_like_a_single_file(tables, figures, tmp_path):
    found = figures_of(open_simulation(in_parts(tmp_path, tables)))
    for name, table in figures.named().items():
        assert found.named()[name].equals(table), name


def in_small_parts(folder, tables, games=6):
    whole = written(folder, "europe", BOTS, {name: tables[name] for name in ("", "claims", "tickets")})
    for path in folder.glob("x*.parquet"):
        content = pl.read_parquet(path)
        facts = {name: text for name, text in pl.read_parquet_metadata(path).items() if name != "ARROW:schema"}
        path.unlink()
        path.mkdir()
        for first in range(0, 60, games):
            part = content.filter(pl.col("game").is_between(first, first + games - 1))
            part.write_parquet(path / name_of(range(first, first + games)), metadata=facts)
    return whole


def test_no_more_than_a_batch_of_games_is_looked_at_together(tables, figures, tmp_path, monkeypatch):
    """So memory does not grow with the number of games, and the figures are those of all."""
    monkeypatch.setattr(report_tables, "AT_ONCE", 13)
    looked_at, collect = [], pl.LazyFrame.collect

    def watched(frame, **how):
        found = collect(frame, **how)
        return found if "game" not in found.columns else (looked_at.append(found["game"].n_unique()), found)[1]

    monkeypatch.setattr(pl.LazyFrame, "collect", watched)
    simulation = open_simulation(in_small_parts(tmp_path, tables))
    batches = [batch.claims.select("game").collect() for batch in simulation.batches()]
    found = figures_of(simulation)
    assert max(looked_at) == 12
    assert pl.concat(batches)["game"].to_list() == tables["claims"].sort("game")["game"].to_list()
    for name, table in found.named().items():
        assert table.equals(figures.named()[name]), name


def test_sums_of_many_games_do_not_wrap(figures):
    """Counts of polars have 32 bits. A billion games of four seats have more rows."""
    simulation, many = figures.simulation, 10**9
    found = counted(simulation)
    assert {str(kind) for table in found.tallies.values() for kind in table.dtypes if kind.is_integer()} <= {"Int64", "Int32", "Int16", "Int8"}
    tallies = tallies_of(simulation)
    twice = {}
    for name, table in found.tallies.items():
        more = table.with_columns(pl.col(column) * many for column in table.columns if column not in tallies[name].by)
        twice[name] = added(more, more, tallies[name].by)
    huge = figures_from(replace(simulation, games=2 * many * simulation.games), Counted(twice, found.spreads))
    for name in ("scores", "lengths", "routes"):
        count = {"scores": "count", "lengths": "games", "routes": "claims"}[name]
        assert huge.named()[name][count].sum() == 2 * many * figures.named()[name][count].sum(), name
    for name, rate in (("win_rates", "rate"), ("head_to_head", "margin"), ("parts", "mean"), ("tickets", "realised"), ("actions", "share")):
        assert huge.named()[name][rate].to_list() == figures.named()[name][rate].to_list(), name


def test_a_part_with_fewer_games_than_its_name_says_is_found(tables, tmp_path):
    file = in_small_parts(tmp_path, tables)
    part = file / name_of(range(6, 12))
    facts = {name: text for name, text in pl.read_parquet_metadata(part).items() if name != "ARROW:schema"}
    pl.read_parquet(part).head(20).write_parquet(part, metadata=facts)
    with pytest.raises(ReportError, match=r"has 236 rows, and 60 games of 4 seats should have 240: .*--resume"):
        figures_of(open_simulation(file))


@pytest.mark.parametrize("number", [1, 2, 6, 25, 46])
def test_quantiles_of_statistics_are_those_of_all_values(number):
    values = pl.DataFrame({"bot": "b", "value": np.random.default_rng(number).normal(3, 1, number)})
    halves = [extras.spread_of(Batch(values.slice(*half).lazy()), "value") for half in ((0, number // 3), (number // 3, None))]
    found = extras.extras({"value": halves[0].add(halves[1])}).row(0, named=True)
    value = values["value"]
    assert found["median"] == pytest.approx(value.median(), rel=NEAR)
    assert (found["tenth"], found["nine_tenths"]) == pytest.approx((value.quantile(0.1), value.quantile(0.9)), rel=NEAR)
    assert found["deviation"] == (None if number == 1 else pytest.approx(value.std(), rel=NEAR))


def test_values_that_are_all_different_are_counted_in_small_steps(monkeypatch):
    monkeypatch.setattr(extras, "DIFFERENT", 1000)
    values = pl.DataFrame({"bot": "b", "value": np.random.default_rng(1).normal(0, 1, 20_000)})
    spread = extras.spread_of(Batch(values.head(500).lazy()), "value")
    for first in range(500, 20_000, 1500):
        spread = spread.add(extras.spread_of(Batch(values.slice(first, 1500).lazy()), "value"))
    found = extras.extras({"value": spread}).row(0, named=True)
    assert spread.values.height <= 1000
    assert spread.values["count"].sum() == found["seats"] == 20_000
    assert (found["tenth"], found["median"]) == pytest.approx((values["value"].quantile(0.1), values["value"].median()), abs=8 / 500)
    assert (found["least"], found["most"]) == pytest.approx((values["value"].min(), values["value"].max()), rel=NEAR)


def test_nothing_is_written_among_the_parts(tables, tmp_path):
    file = in_parts(tmp_path, tables)
    before = sorted(tmp_path.rglob("*"))
    for out, csv, parquet in ((file / "r.html", None, None), (tmp_path / "r.html", file, None), (tmp_path / "r.html", None, file)):
        with pytest.raises(ReportError, match="name another"):
            make_report(Console(quiet=True), file, out, csv, parquet, "en")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_chunk_that_was_not_finished_does_not_count(tables, figures, tmp_path):
    found = figures_of(open_simulation(in_parts(tmp_path, tables, [("x.parquet", 1)])))
    assert found.simulation.games == 30
    assert found.routes["claims"].sum() == tables["claims"].filter(pl.col("game") < 30).height < figures.routes["claims"].sum()


@pytest.mark.parametrize(
    ("spoilt", "reason"),
    [
        (lambda folder, _: folder / "none.parquet", "there is no file .*none.parquet$"),
        (no_parts, "there are no games in .*none.parquet"),
        (
            lambda folder, tables: in_parts(folder, tables, [("x.claims.parquet", 1)]),
            r"there is no file .*x.claims.parquet.*000030-30.parquet: .*--resume",
        ),
        (a_text, "is not a Parquet table"),
        (half_a_file, "or is broken"),
        (without("share"), "no column share"),
        (without(["won", "total"]), "no column total, won"),
        (without_facts, "does not say which game"),
        (lambda folder, tables: written(folder, "europe", BOTS, tables, game="atlantis"), "there is no such board"),
        (lambda folder, tables: written(folder, "europe", BOTS, tables | {"": tables[""].clear()}), "there are no games"),
        (another_seed, "x.actions.parquet is from another simulation .*: its seed is 2, not 1"),
        (a_broken_middle, "cannot be read"),
        (with_claims_of("atlantis-utopia"), "no route 'atlantis-utopia'"),
    ],
)
def test_bad_input_is_said_to_be_so(tables, tmp_path, spoilt, reason):
    with pytest.raises(ReportError, match=reason):
        make_report(Console(quiet=True), spoilt(tmp_path, tables), tmp_path / "r.html", None, None, "en")


def test_what_a_report_is_made_of_is_not_overwritten(file, tmp_path):
    for out, folder in ((file, None), (tmp_path / "r.html", file.parent)):
        with pytest.raises(ReportError, match="name another"):
            make_report(Console(quiet=True), file, out, None, folder, "en")
    with pytest.raises(ReportError, match="--language is one of en, pl, uk, de, not 'fr'"):
        make_report(Console(quiet=True), file, tmp_path / "r.html", None, None, "fr")


def test_a_missing_package_is_named(file, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("branchline.report.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingPackage, match=r"which is not installed: .*\[report\]'"):
        make_report(Console(quiet=True), file, tmp_path / "r.html", None, None, "en")


def test_the_command_makes_a_report_of_what_simulate_writes(tmp_path):
    made = branchline(
        "simulate",
        "usa",
        "--players",
        "2",
        "--games",
        "20",
        "--bots",
        "greedy,random",
        "--tables",
        "claims,tickets",
        "--out",
        "x.parquet",
        cwd=tmp_path,
    )
    assert made.returncode == 0, made.stderr
    run = branchline("report", "x.parquet", "--csv", "figures", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["Written:", "report.html", "Written:", "figures"]
    check_page((tmp_path / "report.html").read_text(encoding="utf-8"), load_board("usa"))
    wrong = branchline("report", "x.parquet", "--out", "no/where.html", cwd=tmp_path)
    assert (wrong.returncode, wrong.stderr) == (1, f"branchline: {Path('no/where.html')}: No such file or directory\n")


def test_the_options_of_a_table_are_told(tmp_path):
    asked = ("card-game", "--players", "2", "--games", "8", "--bots", "greedy", "--complete-tickets-for-me", "--out", "x.parquet")
    assert branchline("simulate", *asked, cwd=tmp_path).returncode == 0
    assert branchline("report", "x.parquet", cwd=tmp_path).returncode == 0
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "2 players · tickets completed for the players · seed 1" in text
    assert "--seed 1 --out x.parquet --complete-tickets-for-me" in text


def test_every_link_of_the_navigation_leads_to_a_section_of_its_name(tmp_path):
    for game, name in (("card-game", "Colours"), ("london", "Routes")):
        assert branchline("simulate", game, "--players", "2", "--games", "4", "--out", f"{game}.parquet", cwd=tmp_path).returncode == 0
        assert branchline("report", f"{game}.parquet", cwd=tmp_path).returncode == 0
        text = (tmp_path / "report.html").read_text(encoding="utf-8")
        links = re.findall(r'<a href="#([\w-]+)">', text.partition("<nav>")[2].partition("</nav>")[0])
        assert links == re.findall(r'<section id="([\w-]+)">', text)
        assert f">{name}</a>" in text
        assert f"<h2>{name}</h2>" in text


def test_of_bots_that_always_win_the_one_with_the_greatest_margin_is_told(figures):
    always = figures.head_to_head.with_columns(
        rate=pl.lit(1.0), margin=pl.when(pl.col("bot") == "planner", pl.col("other") == "random").then(90.0).otherwise(5.0)
    )
    told = bots(replace(figures, head_to_head=always), Groups(Prose(), "bot", figures.simulation.bots))
    assert "planner has more points than random in 100.0" in told


def test_in_a_chart_a_tour_is_named_by_its_ends():
    board = load_board("world")
    places = Places(board, "pl")
    tour, pair = (next(ticket for ticket in board.tickets if ticket.is_tour == is_tour) for is_tour in (True, False))
    assert places.ticket_in_short(tour.id) == f"{places.city(tour.cities[0])}–…–{places.city(tour.cities[-1])}"
    assert places.ticket_in_short(pair.id) == places.ticket(pair.id)


# words of a chart that overlap; the same word twice is one with a halo
COVERED = """(charts) => charts.flatMap((chart) => {
  const words = [...chart.querySelectorAll('svg text')].map((one) => [one.textContent, one.getBoundingClientRect()])
  const cover = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3
  const pairs = words.flatMap((one, i) => words.slice(i + 1).map((other) => [one, other]))
  return pairs.filter(([one, other]) => one[0] !== other[0] && cover(one[1], other[1])).map((pair) => pair.map(([word]) => word))
})"""


def test_the_page_opens_offline_in_a_browser(text, tmp_path):
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    seen = []
    with running_browser() as browser:
        for size, theme in ((WIDE, "light"), (PHONE, "dark")):
            context = browser.new_context(viewport=size, color_scheme=theme, offline=True, reduced_motion="reduce")
            opened = context.new_page()
            opened.on("console", lambda message: seen.append(message.text))
            opened.on("pageerror", lambda error: seen.append(str(error)))
            opened.on("request", lambda request: seen.append(request.url) if not request.url.startswith(("file:", "data:")) else None)
            opened.goto((tmp_path / "report.html").as_uri())
            opened.wait_for_selector("html[data-drawn=yes]")
            look_at(opened)
            context.close()
    assert seen == []


def look_at(opened):
    """Every chart is drawn and no wider than the page; tables can be sorted; a route has a tip."""
    drawn = "(place) => place.querySelectorAll('svg path, svg line').length > 5"
    assert opened.eval_on_selector_all("[data-chart]", f"(places) => places.filter({drawn}).length") == 10
    assert opened.locator("#wins .line .dot").count() == 4 + 3 + 4  # by order of play, by bot, by seat
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert opened.eval_on_selector_all("[data-chart]", COVERED) == []
    assert opened.locator(".board .route").count() == len(load_board("europe").routes)
    opened.click("#tickets th:nth-child(3) button")
    rates = opened.eval_on_selector_all("#tickets .sortable tbody tr", "(rows) => rows.map((row) => Number(row.cells[2].dataset.value))")
    assert rates == sorted(rates, reverse=True)
    space = opened.locator("[data-route=amsterdam-essen] path").first
    space.scroll_into_view_if_needed()
    opened.wait_for_timeout(100)  # scrolling hides a tip
    space.hover(force=True)  # without waiting for frames that a busy browser may not draw
    assert opened.locator(".tip").inner_text().startswith("Amsterdam–Essen")


@pytest.mark.parametrize("language", ["pl", "uk"])
def test_the_whole_page_is_in_its_language(figures, language):
    text = page(figures, Places(figures.simulation.board, language))
    assert f'<html lang="{language}">' in text
    assert english_left(text, language, "report.") == []


def test_the_page_is_in_the_terms_of_its_board(tmp_path):
    """In the Polish World people make connections; they build no routes."""
    figures = figures_of(open_simulation(written(tmp_path, "world", ["greedy"] * 2, simulated("world", ["greedy"] * 2, games=20))))
    text = page(figures, Places(figures.simulation.board, "pl"))
    assert "tworzy połączenie" in text
    assert re.findall(r"(?i)\btras\w*|zbudowan[aey]\b", without_code(text)) == []


def test_numbers_are_written_as_the_language_does():
    assert Prose("uk").percent(0.1234) == "12,3\u202f%"
    assert Prose("pl").signed(-1234.5) == "−1\u00a0234,5"
    assert Prose().tidy(0.01234) == "0.0123"
    assert Prose("pl").interval("1", "2") == "od 1 do 2"
