"""Two simulations compared: differences are those of the games, with intervals that cover, and pages show every column."""

import shutil

import numpy as np
import polars as pl
import pytest
from rich.console import Console

from branchline import Game
from branchline.cluster.part_names import name_of
from branchline.design.layout.beginning import begin
from branchline.report import ReportOptionError, make_report, tables
from branchline.report.counting.comparing import Moments, Pair, comparison, difference, of_shares, summed
from branchline.report.source import open_simulation
from branchline.report.tables import parts_of
from branchline.report.versus import compare
from branchline.simulation import Orders, Plan, simulate
from tests.boards.outside import only
from tests.commands import branchline
from tests.web.browsing import CUT, running_browser

GAMES = 60


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Some games of planners, and the same deals of greedy bots; the same with another seed, and with another seat."""
    folder = tmp_path_factory.mktemp("compared")
    for name, bots, seed in (
        ("a", ("planner", "random"), 1),
        ("b", ("greedy", "random"), 1),
        ("elsewhere", ("greedy", "random"), 2),
        ("crowded", ("greedy",) * 3, 1),
    ):
        plan = Plan(Game("london", players=len(bots)), bots=bots, seed=seed, tables=("claims", "tickets"))
        simulate(plan, Orders(games=GAMES, out=folder / f"{name}.parquet"))
    return folder


def compared(folder, one, other):
    files = folder / f"{one}.parquet", folder / f"{other}.parquet"
    return compare(Console(quiet=True), files, folder / "page.html", None, None, "en")


def test_differences_are_those_of_the_games_one_by_one(folder):
    found = {row["figure"]: row for row in compared(folder, "a", "b")["comparison"].rows(named=True)}
    a, b = (pl.read_parquet(folder / f"{name}.parquet") for name in "ab")
    apart = b["total"].to_numpy().astype(float).reshape(GAMES, 2).mean(1) - a["total"].to_numpy().astype(float).reshape(GAMES, 2).mean(1)
    spread = 2.001 * apart.std(ddof=1) / GAMES**0.5
    assert found["mean_total"]["difference"] == pytest.approx(apart.mean(), rel=1e-5)
    assert found["mean_total"]["high"] - found["mean_total"]["difference"] == pytest.approx(spread, rel=1e-3)


def test_shares_of_routes_are_counted_game_by_game(folder):
    found = {row["route"]: row for row in compared(folder, "a", "b")["compared_routes"].rows(named=True)}
    claims = [pl.read_parquet(folder / f"{name}.claims.parquet") for name in "ab"]
    for route, row in found.items():
        a, b = (np.isin(np.arange(GAMES), table.filter(pl.col("route") == route)["game"].to_numpy()).astype(float) for table in claims)
        assert row["difference"] == pytest.approx((b - a).mean(), abs=1e-5)
        assert row["high"] - row["difference"] == pytest.approx(1.95996 * (b - a).std() / GAMES**0.5, rel=1e-3, abs=1e-6)


def test_the_page_is_in_the_terms_of_both_boards(folder):
    files = folder / "a.parquet", folder / "b.parquet"
    compare(Console(quiet=True), files, folder / "polish.html", None, None, "pl")
    text = (folder / "polish.html").read_text(encoding="utf-8")
    assert "Utworzone połączenia" in text
    assert "tras" not in text.lower()


def test_the_same_games_do_not_differ(folder):
    assert compared(folder, "a", "a")["comparison"]["difference"].abs().max() == 0


def test_other_seeds_are_not_paired(folder):
    assert Pair(*(open_simulation(folder / f"{name}.parquet") for name in ("a", "b"))).paired
    pair = Pair(*(open_simulation(folder / f"{name}.parquet") for name in ("b", "elsewhere")))
    assert not pair.paired
    found = comparison(summed(pair))
    assert (found["high"] >= found["low"]).all()


@pytest.mark.parametrize("paired", [True, False])
def test_intervals_of_differences_cover_the_truth(paired):
    """Pairs share what the deal brings; where they are not paired, they have nothing in common."""
    generator, hits = np.random.default_rng(3), 0
    for _ in range(500):
        deal = generator.normal(0, 5, 80)
        other = deal if paired else generator.normal(0, 5, 80)
        a, b = deal + generator.normal(0, 1, 80), other + 2 + generator.normal(0, 1, 80)
        found = difference(Moments().add(a), Moments().add(b), Moments().add(b - a) if paired else None)
        hits += found["low"] <= 2 <= found["high"]
    assert 0.92 <= hits / 500 <= 0.98


def test_intervals_of_shares_cover_the_truth():
    generator, hits = np.random.default_rng(4), 0
    for _ in range(500):
        chance = generator.random(400)
        one, other = chance < 0.3, (chance + generator.normal(0, 0.1, 400)) < 0.3
        truth = np.mean((np.random.default_rng(5).random(100_000) + np.random.default_rng(6).normal(0, 0.1, 100_000)) < 0.3) - 0.3
        found = of_shares(int(one.sum()), int(other.sum()), int((one & other).sum()), 400, 400)
        hits += found["low"] <= truth <= found["high"]
    assert 0.92 <= hits / 500 <= 0.98


def test_moments_of_batches_are_those_of_all():
    values = np.random.default_rng(8).normal(1e6, 1, (1000, 2))
    found = Moments()
    for part in np.split(values, [1, 10, 10, 700]):
        found.add(part)
    assert found.number == 1000
    assert found.mean == pytest.approx(values.mean(0), rel=1e-14)
    assert found.variance == pytest.approx(values.var(0, ddof=1), rel=1e-9)


def test_simulations_in_other_chunks_are_compared_game_by_game(folder, tmp_path, monkeypatch):
    """Some games are missing in one of them."""
    whole = compared(folder, "a", "b")
    files = tmp_path / "a.parquet", tmp_path / "b.parquet"
    for file, chunk in zip(files, (7, 16), strict=True):
        for table in ("", ".claims", ".tickets"):
            source, aim = (place / f"{file.stem}{table}.parquet" for place in (folder, tmp_path))
            split(source, aim, chunk)
    monkeypatch.setattr(tables, "AT_ONCE", 20)
    found = compare(Console(quiet=True), files, tmp_path / "page.html", None, None, "en")
    for name, table in whole.items():
        assert found[name].equals(table), name
    missing = [f"a{table}.parquet/{name_of(range(7, 14))}" for table in ("", ".claims", ".tickets")]
    for part in missing:
        (tmp_path / part).unlink()
    found = compare(Console(quiet=True), files, tmp_path / "page.html", None, None, "en")
    rows = [pl.read_parquet(folder / f"{name}.parquet").filter(~pl.col("game").is_between(7, 13)) for name in "ab"]
    means = [table["total"].cast(pl.Float64).mean() for table in rows]
    row = found["comparison"].row(by_predicate=pl.col("figure") == "mean_total", named=True)
    assert (row["a"], row["b"]) == pytest.approx(means, rel=1e-5)


def split(source, aim, chunk):
    """A table again, in parts of other sizes."""
    rows, facts = pl.read_parquet(source), pl.read_parquet_metadata(parts_of(source)[0])
    aim.mkdir()
    for first in range(0, GAMES, chunk):
        games = range(first, min(first + chunk, GAMES))
        part = rows.filter(pl.col("game").is_between(games.start, games.stop - 1))
        part.write_parquet(aim / name_of(games), metadata={name: text for name, text in facts.items() if not name.startswith("ARROW")})


def test_games_of_other_numbers_of_players_are_refused(folder):
    with pytest.raises(ReportOptionError, match="compare games with the same number of players"):
        compared(folder, "b", "crowded")


def test_no_column_is_cut_on_a_screen_of_1200_pixels(folder):
    make_report(Console(quiet=True), folder / "a.parquet", folder / "one.html", None, None, "en")
    compared(folder, "a", "b")
    with running_browser() as browser:
        shown = browser.new_context(viewport={"width": 1200, "height": 800}).new_page()
        for page in ("one.html", "page.html"):
            shown.goto((folder / page).as_uri())
            assert shown.evaluate(CUT) == 0, page


def test_a_copy_of_a_board_under_its_name_is_told_apart_by_its_fingerprint(tmp_path):
    begin(tmp_path / "x1")
    shutil.copytree(tmp_path / "x1", tmp_path / "x2")
    settings = tmp_path / "x2" / "board.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("trains = 14", "trains = 12"), encoding="utf-8")
    for board in ("x1", "x2"):
        with only(tmp_path / board):
            plan = Plan(Game("x1", players=2), bots=("greedy", "greedy"), seed=1)
            simulate(plan, Orders(games=GAMES, out=tmp_path / f"{board}.parquet"))
    files = [tmp_path / "x1.parquet", tmp_path / "x2.parquet"]
    for boards in (["x1", "x2"], ["x2", "x1"]):
        with only():
            named = [one for board in boards for one in ("--boards", str(tmp_path / board))]
            told = branchline("report", *files, *named, "--out", str(tmp_path / "page.html"))
        assert told.returncode == 0, told.stderr
        assert (tmp_path / "page.html").is_file()
    with only():
        told = branchline("report", *files, "--boards", str(tmp_path / "x1"), "--out", str(tmp_path / "page.html"))
    assert "was made on another version of the board x1" in told.stderr
