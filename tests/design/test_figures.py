"""A board's figures: the same as counted by hand from records, with intervals that cover."""

import numpy as np
import pytest

from branchline import load_board
from branchline.design.blocks import BLOCKS, by_block, counts, means, shares
from branchline.design.figures import WHY, figures_of
from branchline.design.playing import Table
from branchline.design.sums import ENDS, Sums
from branchline.design.worths import Holdings
from tests.conftest import SOAK
from tests.design.recounting import Recount, recorded

GAMES = 16
TABLES = {"london": ["planner", "greedy", "random"], "europe": ["planner", "random", "greedy", "random"], "usa": ["greedy", "random"]}


@pytest.fixture(scope="module", params=TABLES if SOAK else ["london"])
def both(request, tmp_path_factory):
    """Our sums, and the same games counted by hand."""
    bots = TABLES[request.param]
    board = load_board(request.param)
    sums, table = Sums(board, len(bots)), Table(board, bots, threads=1)
    for first in range(0, GAMES, 8):
        sums.add(*table.play(8, 1, first))
    return sums, Recount(request.param, bots, recorded(request.param, bots, GAMES, tmp_path_factory.mktemp("records")))


def by_ticket(board, sums):
    return {ticket.id: sums[:, place].sum() for place, ticket in enumerate(board.tickets)}


def test_tickets_are_counted_as_in_the_records(both):
    sums, recount = both
    for ours, theirs in ((sums.offered, recount.offered), (sums.kept, recount.kept), (sums.completed, recount.completed)):
        assert by_ticket(sums.board, ours) == {ticket.id: theirs[ticket.id] for ticket in sums.board.tickets}
    wins = by_ticket(sums.board, sums.ticket_wins)
    assert {ticket: wins[ticket] for ticket in recount.ticket_wins} == pytest.approx(recount.ticket_wins)


def test_why_tickets_failed_is_what_playing_the_claims_forward_shows(both):
    sums, recount = both
    for place, ticket in enumerate(sums.board.tickets):
        ours = {name: sums.why[:, place, reason].sum() for name, reason in WHY.items()}
        assert ours == {name: recount.why[ticket.id, name] for name in WHY}, ticket.id
    assert sum(recount.why.values()) > 10


def test_routes_and_what_they_cut_off_are_counted_as_in_the_records(both):
    sums, recount = both
    for place, route in enumerate(sums.board.routes):
        assert sums.claims[:, place].sum() == recount.claims[route.id]
        assert sums.cuts[:, place].sum() == recount.cuts[route.id]


def test_the_course_of_games_is_the_one_in_the_records(both):
    sums, recount = both
    assert sums.games == GAMES
    assert sums.turns.sum() == recount.turns
    assert sums.lead_changes.sum() == recount.changes
    assert sums.led.sum(0).tolist() == [recount.led[tenth] for tenth in range(10)]
    assert sums.leader_won.sum(0) == pytest.approx([recount.leader_won[tenth] for tenth in range(10)])
    assert sums.order_wins.sum(0) == pytest.approx([recount.order_wins[place] for place in range(sums.players)])
    assert dict(zip(ENDS, sums.ends.sum(0), strict=True)) == {kind: recount.ends[kind] for kind in ENDS}


def test_figures_are_their_sums_divided(both):
    sums, recount = both
    found = figures_of(sums, seconds_per_turn=30)
    assert found["length"]["turns"]["value"] == pytest.approx(recount.turns / GAMES, abs=1e-6)
    assert found["length"]["minutes"]["value"] == pytest.approx(recount.turns / GAMES / 2, abs=1e-6)
    for one in found["tickets"]:
        if recount.kept[one["ticket"]]:
            assert one["kept"]["value"] == pytest.approx(recount.kept[one["ticket"]] / recount.offered[one["ticket"]], abs=1e-6)


def test_chunks_of_any_size_give_the_same_sums():
    board = load_board("london")
    table, whole, parts = Table(board, ["greedy"] * 2, threads=1), Sums(board, 2), Sums(board, 2)
    whole.add(*table.play(70, 1, 0))
    for first, games in ((0, 3), (3, 40), (43, 27)):
        parts.add(*table.play(games, 1, first))
    assert np.array_equal(whole.claims, parts.claims)
    assert whole.tickets_drawn.squares == pytest.approx(parts.tickets_drawn.squares, abs=1e-3)


def covered(estimates, truth):
    return (estimates.low <= truth) & (truth <= estimates.high)


def test_intervals_of_ratios_cover_the_truth():
    """Points per ticket, where both vary from game to game and belong together: 95 in 100 intervals hold the true ratio."""
    generator, hits = np.random.default_rng(1), 0
    for _ in range(400):
        number = generator.poisson(2, 320)
        hits += bool(covered(means(by_block(number * 3.0 + generator.normal(0, 2, 320) * number, 0)[:, None], by_block(number, 0)[:, None]), 3.0)[0])
    assert 0.92 <= hits / 400 <= 0.98


def test_intervals_of_shares_cover_the_truth_in_real_games():
    """Who begins wins: 120 times 256 games of random bots, and the truth from all of them and more."""
    board = load_board("london")
    table, sums = Table(board, ["random"] * 3, threads=1), []
    for number in range(120):
        one = Sums(board, 3)
        one.add(*table.play(256, 1, 256 * number))
        sums.append(one)
    truth = sum(one.order_wins.sum(0) for one in sums) / (120 * 256)
    hits = sum(covered(shares(one.order_wins, one.in_block[:, None]), truth).sum() for one in sums)
    assert 0.92 <= hits / 360 <= 0.98


def test_intervals_of_worths_cover_the_truth():
    """Seats hold tickets that are worth 0, 1, … points, and bring some others along; ours finds what each is worth on its own."""
    generator, truth, hits = np.random.default_rng(2), np.arange(6.0), []
    for _ in range(150):
        held = generator.random((640, 4, 6)) < 0.3
        held[:, :, 1] |= held[:, :, 0] & (generator.random((640, 4)) < 0.5)
        results = (held @ truth)[:, :, None] + generator.normal(0, 8, (640, 1, 1)) + generator.normal(0, 5, (640, 4, 1))
        holdings = Holdings(6, 1)
        holdings.add(held, results, 0)
        hits.append(covered(holdings.worth(), truth[:, None]))
    assert 0.92 <= np.mean(hits) <= 0.98


def test_what_nobody_does_has_an_interval_all_the_same():
    none = shares(np.zeros((BLOCKS, 1)), np.full((BLOCKS, 1), 10.0))
    assert none.mean[0] == none.low[0] == 0
    assert 0.005 < none.high[0] < 0.02


def test_intervals_of_rare_things_stay_possible_and_cover_the_truth():
    """Shares near none and near all, and counts near none: no interval reaches beyond, and 95 in 100 hold the truth."""
    generator, hits = np.random.default_rng(3), dict.fromkeys(("rare", "usual", "count"), 0)
    games = by_block(np.ones(320), 0)[:, None]
    for _ in range(400):
        rare, usual, count = generator.random(320) < 0.01, generator.random(320) < 0.99, generator.poisson(0.02, 320)
        found = {
            "rare": (shares(by_block(rare, 0)[:, None], games), 0.01),
            "usual": (shares(by_block(usual, 0)[:, None], games), 0.99),
            "count": (counts(by_block(count, 0)[:, None], games), 0.02),
        }
        for name, (one, truth) in found.items():
            assert 0 <= one.low[0] <= one.mean[0] <= one.high[0]
            assert one.low[0] > 0 or one.mean[0] < 0.05
            assert name == "count" or one.high[0] <= 1
            hits[name] += bool(covered(one, truth)[0])
    assert all(number / 400 >= 0.9 for number in hits.values()), hits


def test_shared_victories_are_a_share_and_tickets_cut_off_are_not_negative():
    """A few shared games in some blocks: the interval once went below none."""
    board = load_board("london")
    sums = Sums(board, 2)
    sums.in_block[:] = 10
    sums.totals[3, 2], sums.totals[9, 2] = 2, 1
    sums.cuts[5, 0], sums.claims[:, 0] = 3, 4
    found = figures_of(sums, seconds_per_turn=30)
    for one in (found["points"]["shared"], found["routes"][0]["cuts"], found["routes"][1]["cuts"]):
        assert 0 <= one["low"] <= one["value"] < one["high"] < 0.1
    assert found["points"]["shared"]["low"] > 0
