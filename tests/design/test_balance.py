"""Balancing a board: only what is allowed changes, nothing is overwritten, and what was gained holds on games that the search has not seen."""

import json

import numpy as np
import pytest

from branchline import load_board
from branchline.boards import BoardError
from branchline.boards.loader import read_board
from branchline.design.balance.allowed import Allowed, BalanceError, knobs_of, read_allowed, setting_of
from branchline.design.balance.command import VERDICTS, Orders, check_target, write
from branchline.design.balance.goals import estimate, gain, goals_of, verdict
from branchline.design.balance.searching import Search
from branchline.design.balance.trials import Setting, Trial
from branchline.design.balance.writing import with_setting, write_board
from branchline.design.blocks import Estimates
from branchline.design.layout.beginning import begin
from branchline.design.layout.checking import problems_of
from tests.boards.outside import alone  # noqa: F401  # used by all tests
from tests.commands import branchline
from tests.design.broken import DEAR, broken_board


@pytest.fixture
def broken(tmp_path):
    return broken_board(tmp_path / "broken")


def knob_for(board, allowed, kind, subject):
    return next(knob for knob in knobs_of(board, allowed) if (knob.kind, knob.subject) == (kind, subject))


@pytest.mark.soak("it plays thousands of games")
def test_it_mends_the_ticket_on_games_that_the_search_has_not_seen(broken, tmp_path):
    out = tmp_path / "mended"
    options = ("--goal", "tickets", "--tickets", 14, "--players", 2, "--minutes", 0.3, "--check", 4000, "--out", out, "--threads", 1)
    said = branchline("board", "balance", broken, *options)
    assert said.returncode == 0, said.stderr
    found = json.loads((out / "balance.json").read_text(encoding="utf-8"))
    goal = found["goals"][0]
    assert goal["after"]["high"] < goal["before"]["low"]
    assert goal["gained"]["low"] > 1
    changed = {one["subject"]: one["after"] for one in found["changes"]}
    assert 1 <= changed[DEAR] <= 6
    assert f"ticket {DEAR}: 15 → {changed[DEAR]}" in said.stdout
    assert problems_of(out) == []
    assert {ticket.id: ticket.points for ticket in load_board(out).tickets}[DEAR] == changed[DEAR]
    assert {ticket.id: ticket.points for ticket in load_board(broken).tickets}[DEAR] == 15


@pytest.mark.soak("mends a ticket above by the same search; these goals take many more games")
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("goal", "allowed"),
    [
        ("first-player", ("--points", 3, "--setting", "pieces.trains=12-20", "--setting", "deck.0.hand=2-5")),
        ("strategies", ("--points", 3, "--tickets", 3, "--setting", "pieces.trains=12-20")),
    ],
)
def test_it_gains_for_the_other_goals_too(broken, tmp_path, goal, allowed):
    out = tmp_path / "better"
    few = ("--players", 2, "--minutes", 0.7, "--check", 50_000)
    said = branchline("board", "balance", broken, "--goal", goal, *allowed, *few, "--out", out)
    assert said.returncode == 0, said.stderr
    found = json.loads((out / "balance.json").read_text(encoding="utf-8"))
    [told] = found["goals"]
    assert (told["goal"], told["gained"]["low"] > 0) == (goal, True)  # on games that the search has not seen
    assert found["changes"]
    assert problems_of(out) == []


def test_nothing_is_overwritten_unless_forced(broken, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "notes.txt").write_text("mine", encoding="utf-8")
    options = ("--goal", "tickets", "--tickets", 1, "--minutes", 0, "--check", 64, "--players", 2)
    said = branchline("board", "balance", broken, *options, "--out", tmp_path / "there")
    assert said.returncode == 2
    assert "is not empty: name another folder, or use --force" in said.stderr


@pytest.mark.parametrize(
    ("out", "reason"),
    [
        ("broken", "is the board itself: name another folder"),
        (".", "holds the folder of the board: name a folder beside it"),
        ("broken/better", "lies in the folder of the board: name a folder beside it"),
        ("link", "holds the folder of the board: name a folder beside it"),
        ("notes.txt", "is a file: name a folder"),
        ("letters", "holds to_mother.txt, which is not part of a board and would be lost: name another folder"),
        ("edited", "holds .branchline/games.db, which is not part of a board and would be lost: name another folder"),
    ],
)
def test_force_replaces_a_board_and_nothing_else(broken, tmp_path, out, reason):
    for file in ("notes.txt", "letters/to_mother.txt", "edited/board.toml", "edited/.branchline/games.db"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("mine", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(BalanceError, match=reason):
        check_target(Orders(tmp_path / out, 0, 64, force=True), broken)


def written(broken, out, force=False, found=None):
    board = load_board(broken)
    setting = Setting(broken, board, (2,), (), seed=1)
    write(setting, {knob_for(board, Allowed(tickets=14), "ticket", DEAR): 3}, found or {}, Orders(out, 0, 64, force))


def test_force_leaves_nothing_but_the_new_board(broken, tmp_path):
    written(broken, tmp_path / "new" / "mended")
    (tmp_path / "new" / "mended" / "names.csv").write_text("of an earlier board", encoding="utf-8")
    written(broken, tmp_path / "new" / "mended", force=True)
    assert problems_of(tmp_path / "new" / "mended") == []
    assert not (tmp_path / "new" / "mended" / "names.csv").exists()
    assert [one.name for one in (tmp_path / "new").iterdir()] == ["mended"]


def test_a_board_that_cannot_be_written_leaves_the_target_as_it_was(broken, tmp_path):
    begin(tmp_path / "mended")
    before = {one.name: one.read_bytes() for one in (tmp_path / "mended").iterdir() if one.is_file()}
    with pytest.raises(TypeError):
        written(broken, tmp_path / "mended", force=True, found={"cannot be written": object()})
    assert {one.name: one.read_bytes() for one in (tmp_path / "mended").iterdir() if one.is_file()} == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["broken", "mended"]


def test_what_the_editor_keeps_for_itself_is_not_copied(broken, tmp_path):
    (broken / ".branchline").mkdir()
    for file in (".branchline/code", ".branchline/games.db", "games.db", "notes.md", "background.webp"):
        (broken / file).write_text("secret", encoding="utf-8")
    written(broken, tmp_path / "new")
    there = {one.relative_to(tmp_path / "new").as_posix() for one in (tmp_path / "new").rglob("*")}
    assert not {one for one in there if "branchline" in one or one.endswith(".db")}
    assert {"notes.md", "background.webp", "planner.toml", "balance.json"} <= there


@pytest.mark.parametrize(("low", "high", "said"), [(0.4, 0.9, "reached"), (0.8, 1.1, "not shown"), (1.1, 1.4, "missed")])
def test_a_goal_is_reached_only_with_its_whole_interval(broken, low, high, said):
    goal = goals_of(load_board(broken), ["tickets=1"])[0]
    assert verdict(goal, Estimates(*map(np.array, ((low + high) / 2, low, high)))) == said
    assert VERDICTS[said]


def test_a_number_outside_its_range_moves_into_it_or_stays(broken):
    board = load_board(broken)
    knob = knob_for(board, Allowed(settings={"pieces.trains": (15, 18)}), "setting", "pieces.trains")
    assert (knob.now, knob.choices) == (12, (12, 15, 16, 17, 18))


def test_a_stopped_search_keeps_the_best_so_far(broken):
    board = load_board(broken)
    setting = Setting(broken, board, (2,), tuple(goals_of(board, ["tickets=0.1"])), seed=1, threads=1, rungs=(64, 256))
    search = Search(setting, knobs_of(board, Allowed(tickets=14)))
    seen = []
    for progress in search.run(seconds=60):
        seen.append(progress)
        if progress.kept:
            break  # as Ctrl-C does
    assert seen[0].changes == {}
    assert search.best.changes == seen[-1].changes != {}
    assert seen[-1].measures["tickets"] < seen[0].measures["tickets"]


def test_every_variant_plays_the_same_deals_and_better_is_better(broken):
    """What it takes for a gain: the first player's share changes with the number of trains, and an unchanged board gains exactly nothing."""
    board = load_board(broken)
    setting = Setting(broken, board, (2,), tuple(goals_of(board, ["first-player", "tickets"])), seed=1, threads=1, rungs=(2048,))
    knob = knob_for(board, Allowed(tickets=14), "ticket", DEAR)
    base, same, better = (Trial(setting, changes, 1) for changes in ({}, {}, {knob: 3}))
    nothing = gain(setting.goals, base.on(0), same.on(0))
    assert float(nothing.mean) == float(nothing.low) == float(nothing.high) == 0
    assert float(gain(setting.goals[1:], base.on(0), better.on(0)).low) > 0
    assert float(estimate(setting.goals[1], better.on(0)).mean) < float(estimate(setting.goals[1], base.on(0)).mean)


def test_rungs_are_the_same_games_as_at_once(broken):
    board = load_board(broken)
    goals = tuple(goals_of(board, ["tickets", "strategies"]))
    parts, whole = (Trial(Setting(broken, board, (2,), goals, 1, 1, rungs), {}, 1) for rungs in ((64, 160), (160,)))
    for key, sums in whole.on(0).items():
        assert sums.games == parts.on(1)[key].games
    assert np.array_equal(whole.on(0)["games", 2].claims, parts.on(1)["games", 2].claims)
    assert np.array_equal(whole.on(0)["styles", 2].wins, parts.on(1)["styles", 2].wins)


def test_only_what_is_allowed_changes(tmp_path):
    begin(tmp_path / "baltic")
    board = load_board(tmp_path / "baltic")
    allowed = Allowed(
        tickets=2, lengths=1, colours=True, points=1, keep=("berlin-oslo",), settings={"deck.0.hand": (3, 6), "end.longest_path": (0, 9)}
    )
    knobs = {(knob.kind, knob.subject): knob for knob in knobs_of(board, allowed)}
    assert ("ticket", "berlin-oslo") not in knobs
    assert knobs["ticket", "tallinn-turku"].choices == (1, 2, 3, 4, 5)
    assert knobs["length", "berlin-gdansk.1"].choices == (2, 3, 4)
    assert ("length", "berlin-gdansk.2") not in knobs  # goes with the other track
    assert "gray" in knobs["colour", "berlin-gdansk.2"].choices
    assert knobs["setting", "routes.points.4"].choices == (6, 7, 8)
    changes = {knobs["ticket", "tallinn-turku"]: 5, knobs["length", "berlin-gdansk.1"]: 4, knobs["colour", "berlin-gdansk.2"]: "gray"}
    changes |= {knobs["setting", "routes.points.4"]: 8, knobs["setting", "deck.0.hand"]: 6, knobs["setting", "end.longest_path"]: 0}
    write_board(tmp_path / "baltic", tmp_path / "new", board, changes, "new", "New")
    new = read_board(tmp_path / "new")
    assert (new.game, new.name) == ("new", "New")
    assert {one.id: one.points for one in new.tickets} == {one.id: one.points for one in board.tickets} | {"tallinn-turku": 5}
    lengths = {one.id: one.length for one in board.routes} | {"berlin-gdansk.1": 4, "berlin-gdansk.2": 4}
    assert {one.id: one.length for one in new.routes} == lengths
    assert {one.id: one.colour for one in new.routes} == {one.id: one.colour for one in board.routes} | {"berlin-gdansk.2": "gray"}
    assert (setting_of(new, "routes.points.4"), setting_of(new, "routes.points.3"), setting_of(new, "deck.0.hand")) == (8, 4, 6)
    assert "# cards that everyone is dealt" in (tmp_path / "new" / "board.toml").read_text(encoding="utf-8")
    assert problems_of(tmp_path / "new") == []


def test_totals_that_no_longer_hold_are_left_out(broken, tmp_path):
    board = load_board(broken)
    with (broken / "board.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n[totals]\nticket_points = {sum(ticket.points for ticket in board.tickets)}\n")
    write_board(broken, tmp_path / "new", board, {knob_for(board, Allowed(tickets=14), "ticket", DEAR): 3})
    assert read_board(tmp_path / "new").tickets


def test_a_setting_is_found_in_its_table():
    text = "[pieces]\ntrains = 20 # each\n[end]\ntrains_left = 20\n[routes]\npoints = { 1 = 1, 11 = 4 }\n"
    assert with_setting(text, "pieces.trains", 18) == text.replace("trains = 20", "trains = 18")
    assert with_setting(text, "routes.points.1", 3) == text.replace("{ 1 = 1,", "{ 1 = 3,")
    with pytest.raises(BalanceError, match="cannot be found"):
        with_setting(text, "routes.points.7", 3)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--goal", "tickets"), "nothing may be changed: allow something with --tickets"),
        (("--tickets", 2), "name a goal: --goal first-player or --goal tickets"),
        (("--goal", "fun", "--tickets", 2), "there is no goal 'fun': choose from first-player, tickets, strategies"),
        (("--goal", "tickets=none", "--tickets", 2), "the limit is a number above 0"),
        (("--goal", "tickets", "--setting", "pieces.trains"), "--setting is NAME=FROM-TO"),
        (("--goal", "tickets", "--setting", "pieces.wings=1-2"), "pieces.wings is not a number in board.toml"),
        (("--goal", "tickets", "--tickets", 2, "--keep", "nowhere"), "there is no ticket or route 'nowhere' to keep"),
    ],
)
def test_wrong_wishes_are_refused_with_what_to_do(broken, options, reason):
    said = branchline("board", "balance", broken, *options)
    assert said.returncode == 2
    assert reason in said.stderr


def test_the_boards_folder_can_say_what_is_allowed(broken):
    (broken / "balance.toml").write_text('tickets = 3\nkeep = ["hyde-park-st-pauls"]\n[settings]\n"pieces.trains" = [9, 17]\n', encoding="utf-8")
    allowed = read_allowed(broken)
    assert allowed == Allowed(tickets=3, keep=("hyde-park-st-pauls",), settings={"pieces.trains": (9, 17)})
    (broken / "balance.toml").write_text("tickets = true\n", encoding="utf-8")
    with pytest.raises(BoardError, match=r"broken/balance\.toml, line 1: tickets is True; it should be a whole number"):
        read_allowed(broken)
