"""The arena: the same cards for everybody on every seat, files that can be continued, correct figures."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser

import pytest

from branchline import Game, GameOptionError
from branchline.arena import Arena, ArenaError, against_many, named, results_of, rotations, round_robin, run_arena, running, workers
from branchline.arena.page import page
from branchline.arena.plan import PlannedGame, bot_seeds, chunks
from branchline.arena.playing import Played, play, play_guarded, play_quick
from branchline.arena.ratings import rate
from branchline.bots import BotError
from branchline.pages.intervals import mean_of, share_of, student, wilson
from tests.commands import branchline
from tests.conftest import SOAK, UNIX

OWN = """
import ctypes
import os
import time
from branchline.bots import make_bot


class Same:
    name = "same"

    def __init__(self, seed=0):
        self.seed, self.bot = seed, make_bot("greedy")

    def decide(self, view):
        return self.bot.decide(view)


class Crash(Same):
    def decide(self, view):
        raise RuntimeError("out of ideas")


class Cheat(Same):
    def decide(self, view):
        return 10**6


class Sleep(Same):
    def decide(self, view):
        time.sleep(30)


class Spin(Same):
    def decide(self, view):
        with open("pids.txt", "a") as file:
            file.write(f"{os.getpid()}\\n")
        while True:
            pass


class Holds(Same):
    def decide(self, view):
        with open("pids.txt", "a") as file:
            file.write(f"{os.getpid()}\\n")
        ctypes.PyDLL(None).sleep(600)  # holds the interpreter's lock: no other thread of the process runs


class Dies(Same):
    def decide(self, view):
        os._exit(3)


class Seed(Same):
    def decide(self, view):
        with open("seeds.txt", "a") as file:
            file.write(f"{view.viewer} {self.seed}\\n")
        return view.legal[0]


class Fussy(Same):
    def __init__(self, seed=0):
        if seed:
            raise ValueError("only seed 0 will do")
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A file of bots in the current directory, which is also a place for results."""
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    sys.modules.pop("arena_bots", None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arena_bots.py").write_text(OWN)
    return tmp_path


def small(*bots, games=("london",), players=2, **options):
    return Arena(tuple(round_robin(bots or ("greedy", "random"), players)), games, players, **options)


def without_times(played):
    return [{name: value for name, value in one.to_dict().items() if name not in ("seconds", "timed")} for one in played]


# line-ups and the plan


@pytest.mark.parametrize(
    ("lineup", "turns"),
    [
        ("ab", [(0, 1), (1, 0)]),
        ("aa", [(0, 1)]),
        ("abbb", [(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)]),
        ("abab", [(0, 1, 2, 3), (1, 2, 3, 0)]),
        ("abc", [(0, 1, 2), (1, 2, 0), (2, 0, 1)]),
    ],
)
def test_a_line_up_is_turned_into_every_distinct_order(lineup, turns):
    assert rotations(tuple(lineup)) == turns


def test_line_ups_are_made_of_bots():
    assert round_robin(["a", "b", "c"], 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert against_many(["a", "b"], 3) == [("a", "b", "b"), ("b", "a", "a")]
    assert against_many(["a", "b"], 2) == [("a", "b")]  # the other way round is its turn
    assert named(["a,b, b", "b,b,a", "b,a,a"], 3) == [("a", "b", "b"), ("b", "a", "a")]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: round_robin(["a", "b"], 4), "2 bots for 4 seats: name more bots"),
        (lambda: round_robin(["a", "a"], 2), "the bot 'a' is named twice"),
        (lambda: against_many(["a"], 2), "needs at least two bots"),
        (lambda: named(["a,b"], 3), "2 bots for 3 seats: name one for each in the line-up a,b"),
        (lambda: Arena((("greedy",),), ("london",), 2), "1 bot for 2 seats: name one for each in the line-up greedy"),
        (lambda: small("greedy", "deep"), "there is no bot 'deep'"),
        (lambda: small(players=2, games=("london", "london")), "a game is named twice"),
        (lambda: Arena((("greedy",) * 5,), ("europe", "london"), 5), "London is for 2 to 4 players"),
        (lambda: small(seed=-1), "the seed must be from 0"),
    ],
)
def test_what_cannot_be_played_is_refused_before_the_first_game(make, reason):
    with pytest.raises((BotError, GameOptionError), match=re.escape(reason)):
        make()


def test_games_are_rounded_up_to_whole_turns_and_more_games_only_add():
    arena = Arena((("greedy", "random", "random"), ("greedy",) * 3), ("europe", "london"), 3)
    planned = list(arena.plan(4))
    counts = {(game, lineup): sum((one.game, one.lineup) == (game, lineup) for one in planned) for game in arena.games for lineup in arena.lineups}
    assert set(counts.values()) == {6, 4}
    assert counts["europe", arena.lineups[0]] == 6
    assert set(planned) < set(arena.plan(7))
    assert [one.number for one in planned] == sorted(one.number for one in planned)  # seed by seed, so that all line-ups advance together


@pytest.mark.usefixtures("own")
def test_quick_games_go_in_chunks_and_slow_ones_alone():
    quick, slow = [PlannedGame("london", lineup, 0, 0) for lineup in (("greedy", "random"), ("greedy", "arena_bots:Same"))]
    assert [len(chunk) for chunk in chunks([quick] * 70 + [slow] * 2)] == [64, 1, 1, 6]


def test_a_bots_seed_follows_from_the_game_and_the_bot_not_from_its_seat():
    first, second, third = bot_seeds(("a", "b", "b"), 7)
    assert len({first, second, third}) == 3
    assert bot_seeds(("b", "a", "b"), 7) == [second, first, third]
    assert bot_seeds(("a", "b", "b"), 8)[0] != first


def test_a_bot_brings_its_dice_to_every_seat(own):
    run_arena(small("arena_bots:Seed", "greedy"), 4)
    told = {tuple(line.split()) for line in (own / "seeds.txt").read_text().splitlines()}
    assert {seat for seat, _ in told} == {"0", "1"}
    assert len({seed for _, seed in told}) == 2  # one per game seed, the same on both seats


# playing


@pytest.mark.usefixtures("own")
def test_turned_seats_have_the_same_cards():
    """If all play alike, the game is the same whoever sits where: same cards, same first seat."""
    results = run_arena(small("greedy", "arena_bots:Same", games=("europe", "card-game")), 6)
    assert len(results.played) == 12
    for one, turned in zip(results.played[::2], results.played[1::2], strict=True):
        assert one.seats == turned.seats[::-1]
        assert (one.seed, one.totals, one.winners, one.decisions) == (turned.seed, turned.totals, turned.winners, turned.decisions)
    for row in results.lineups[0].bots:
        assert row.win_rate.mean == 0.5
        assert row.margin.mean == 0


def test_the_compiled_loop_and_guarded_bots_play_the_same_games(game):
    planned = PlannedGame(game, ("greedy", "random"), 3, 1)
    arguments = (Arena((planned.lineup,), (game,), 2), planned, ["random", "greedy"], [5, 6], 77)
    (quick, one), (guarded, other) = play_quick(*arguments), play_guarded(*arguments)
    assert one == other
    assert without_times([quick]) == without_times([guarded])
    assert sum(guarded.timed) == guarded.decisions
    assert guarded.seconds[0] > 0


def test_compiled_bots_are_timed_on_every_fiftieth_seed():
    arena = small()
    timed = [play(arena, PlannedGame("london", arena.lineups[0], number, 0)) for number in (0, 1, 50)]
    assert [sum(one.timed) for one in timed] == [timed[0].decisions, 0, timed[2].decisions]
    assert [min(one.seconds) > 0 for one in timed] == [True, False, True]


def test_a_game_says_what_became_of_it():
    arena = small(seed=9)
    played = play(arena, PlannedGame("london", arena.lineups[0], 2, 1))
    result = Game("london", 2).start(played.seed)
    assert played.seed == f"{9 << 64 | 2:032x}"
    assert result.seed == 9 << 64 | 2
    assert (played.seats, played.lineup) == (["random", "greedy"], ("greedy", "random"))
    assert played.winners == [1]
    assert played.totals[1] > played.totals[0]
    assert played.turns > 20
    assert played.completed[1] >= 1


@pytest.mark.sample(1)
@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(("bot", "kind", "limit"), [("Crash", "crash", 20), ("Cheat", "illegal", 20), ("Sleep", "late", 0.02)])
def test_a_bot_that_fails_loses_its_moves_not_the_arena(bot, kind, limit):
    played = run_arena(small(f"arena_bots:{bot}", "greedy", limit=limit), 2)
    (figures,) = played.lineups
    failing, sound = figures.bots
    assert set(failing.faults) == {kind}
    assert failing.faults[kind] >= 40
    assert sound.faults == {}
    assert failing.win_rate.mean == 0.5  # greedy plays for it, and rotated seats make it even


@pytest.mark.soak("an arena whose processes cannot notice its end is stopped in the same way")
@UNIX
@pytest.mark.parametrize("jobs", [1, 2] if SOAK else [2])
def test_a_bot_that_never_returns_ends_with_its_process(own, jobs):
    games = 4 if SOAK else 2
    played = run_arena(small("arena_bots:Spin", "greedy", limit=0.1), games, jobs=jobs)
    assert played.games == games
    assert set(played.lineups[0].bots[0].faults) == {"late"}
    pids = list(map(int, (own / "pids.txt").read_text().split()))
    assert len(pids) == len(set(pids)) == games  # asked once in each game, and in a process of its own
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@UNIX
@pytest.mark.timeout(120)
@pytest.mark.parametrize("jobs", [1, 2] if SOAK else [2])
def test_an_arena_ends_even_if_its_processes_cannot_notice(own, jobs):
    arena = small("arena_bots:Holds", "greedy", limit=0.1)
    games = workers.played_by_processes(arena, iter([[planned] for planned in arena.plan(2)]), jobs, play)
    pids = own / "pids.txt"
    while not pids.exists() or pids.read_text().count("\n") < jobs:
        assert next(games) == []
    started = time.monotonic()
    games.close()
    assert time.monotonic() - started < 20
    for pid in map(int, pids.read_text().split()):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_processes_leave_ctrl_c_to_their_parent_whenever_they_start():
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it, and so would what they start
    with workers.process_pool(1) as pool:
        started = pool.submit(signal.getsignal, signal.SIGINT)
        signal.signal(signal.SIGINT, before)
        assert started.result(60) == signal.SIG_IGN


def test_one_process_or_two_the_results_are_the_same(own):
    arena = small("greedy", "random", "arena_bots:Same", games=("london", "card-game"))
    one, two = run_arena(arena, 6, jobs=1), run_arena(arena, 6, own / "two.jsonl", jobs=2)
    assert without_times(one.played) == without_times(two.played)
    assert one.ratings == two.ratings
    assert one.ahead == two.ahead
    assert (own / "two.jsonl").read_text().count("\n") == 1 + len(two.played)


def test_processes_use_one_thread_each_and_leave_the_environment_alone(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "7")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with workers.one_thread_each():
        assert (os.environ["NUMBA_NUM_THREADS"], os.environ["OMP_NUM_THREADS"]) == ("1", "1")
    assert (os.environ["NUMBA_NUM_THREADS"], os.environ.get("OMP_NUM_THREADS")) == ("7", None)


@pytest.mark.sample(1)
@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(("bot", "reason"), [("Dies", "a process of the arena died"), ("Fussy", "cannot be made: ValueError: only seed 0 will do")])
def test_a_process_that_fails_is_reported(bot, reason):
    with pytest.raises(ArenaError, match=reason):
        run_arena(small("greedy", f"arena_bots:{bot}"), 4, jobs=2)


# the results file


def test_a_cut_file_goes_on_and_nothing_is_played_twice(tmp_path, monkeypatch):
    arena, out = small(), tmp_path / "r.jsonl"
    whole = run_arena(arena, 10, out)
    content = out.read_bytes()
    out.write_bytes(content[:-200])  # the last line is cut in half, the one before perhaps missing
    kept = out.read_bytes().count(b"\n") - 1
    asked = []
    monkeypatch.setattr(running, "play", lambda arena, planned: asked.append(planned) or play(arena, planned))
    again = run_arena(arena, 10, out)
    assert 0 < len(asked) == 10 - kept < 10
    assert without_times(again.played) == without_times(whole.played)
    lines = out.read_text().splitlines()
    assert len(lines) == 11
    assert [json.loads(line)["number"] for line in lines[1:]] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_more_games_extend_a_file_and_fewer_leave_it(tmp_path):
    out = tmp_path / "r.jsonl"
    run_arena(small(), 4, out)
    before = out.read_bytes()
    assert run_arena(small(), 2, out).games == 4
    assert out.read_bytes() == before
    assert run_arena(small(), 7, out).games == 8
    assert out.read_bytes().startswith(before)


def test_a_header_cut_short_is_written_again(tmp_path):
    out = tmp_path / "r.jsonl"
    run_arena(small(), 2, out)
    whole = out.read_text().splitlines()[0]
    for beginning in ("", whole[:30]):
        out.write_text(beginning)
        run_arena(small(), 2, out)
        assert out.read_text().splitlines()[0] == whole
        assert len(out.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"seed": 2}, "its seed is 1, yours 2"),
        ({"games": ("europe",)}, "its games are london, yours europe"),
        ({"limit": 3.0}, "its limit for a decision is None, yours 3.0"),
    ],
)
def test_a_file_of_another_arena_is_refused(tmp_path, other, reason):
    out = tmp_path / "r.jsonl"
    run_arena(small(), 2, out)
    before = out.read_bytes()
    with pytest.raises(ArenaError, match=re.escape(reason)):
        run_arena(small(**other), 2, out)
    with pytest.raises(ArenaError, match="its bots are greedy, random, yours random, greedy"):
        run_arena(small("random", "greedy"), 2, out)
    assert out.read_bytes() == before


def test_results_of_other_code_are_not_added_to(tmp_path):
    out = tmp_path / "r.jsonl"
    run_arena(small(), 2, out)
    out.write_text(re.sub('"code":"[0-9a-f]+"', '"code":"0123"', out.read_text()))
    with pytest.raises(ArenaError, match="its rules and compiled bots have the fingerprint 0123, yours"):
        run_arena(small(), 2, out)


@pytest.mark.parametrize("content", ["my diary", "my diary\nmonday\n", '{"format":"branchline/1"}\n', "[1]\n"])
def test_a_file_that_is_no_arenas_is_left_alone(tmp_path, content):
    out = tmp_path / "diary.txt"
    out.write_text(content)
    with pytest.raises(ArenaError, match=r"diary\.txt"):
        run_arena(small(), 2, out)
    assert out.read_text() == content


@pytest.mark.parametrize("line", ["half a li", "{}", "[]", '{"lineup": ["greedy"], "colour": 3}'])
def test_a_broken_line_is_named(tmp_path, line):
    out = tmp_path / "r.jsonl"
    run_arena(small(), 2, out)
    out.write_text(out.read_text() + line + "\n")
    with pytest.raises(ArenaError, match=r"r\.jsonl, line 4: not "):
        run_arena(small(), 2, out)


def test_an_interrupted_arena_keeps_what_is_done_and_counts_whole_seeds_only(tmp_path, monkeypatch):
    asked, out = [], tmp_path / "r.jsonl"

    def interrupted(arena, planned):
        asked.append(planned)
        if len(asked) == 6:
            raise KeyboardInterrupt
        return play(arena, planned)

    monkeypatch.setattr(running, "play", interrupted)
    monkeypatch.setattr("branchline.arena.plan.CHUNK", 1)
    results = run_arena(small(), 10, out)
    assert out.read_text().count("\n") == 1 + 5
    assert (results.games, results.left_out) == (4, 1)
    assert run_arena(small(), 10, out).games == 10
    assert len(asked) == 6 + 5


def test_an_arena_stops_after_its_time():
    results = run_arena(small(), 1000, stop_after=0)
    assert results.games == 64  # the first chunk
    for jobs in (1, 2):
        assert run_arena(small(), 100_000, stop_after=0.01, jobs=jobs).games < 10_000


@UNIX
def test_ctrl_c_ends_the_processes_and_keeps_what_is_done(own):
    out = own / "r.jsonl"
    command = [sys.executable, "-c", "from branchline.cli import main; main()", "arena", "greedy", "arena_bots:Same", "--game", "london"]
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it, and so would what they start
    run = subprocess.Popen(
        [*command, "--games", "100000", "--jobs", "2", "--out", "r.jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    signal.signal(signal.SIGINT, before)
    try:
        while run.poll() is None and (not out.exists() or out.read_bytes().count(b"\n") < 10):
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)  # a terminal's Ctrl-C reaches every process
        told, complaints = run.communicate(timeout=60)
    finally:
        run.kill()
    assert run.returncode == 130, complaints
    assert "what is done is kept" in told
    assert "Ratings over" in told
    assert complaints == ""
    assert out.read_bytes().endswith(b"}\n")


# intervals


@pytest.mark.parametrize(("degrees", "expected"), [(1, 12.706), (10, 2.228), (11, 2.201), (15, 2.131), (30, 2.042), (100, 1.984), (10_000, 1.960)])
def test_students_quantiles_are_those_of_the_tables(degrees, expected):
    assert student(degrees) == pytest.approx(expected, abs=6e-4)


@pytest.mark.parametrize(
    ("share", "games", "low", "high"), [(1.0, 10, 0.7225, 1.0), (0.0, 10, 0.0, 0.2775), (0.5, 100, 0.4038, 0.5962), (0.2, 50, 0.1124, 0.3304)]
)
def test_wilsons_interval_is_that_of_the_textbooks(share, games, low, high):
    assert wilson(share, games) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_a_mean_has_students_interval_over_seeds():
    estimate = mean_of([1.0, 2.0, 3.0])
    assert estimate.mean == 2
    assert (estimate.low, estimate.high) == (pytest.approx(2 - 4.303 / 3**0.5), pytest.approx(2 + 4.303 / 3**0.5))
    assert (mean_of([5.0]).low, mean_of([5.0]).high) == (None, None)


def test_a_share_stays_one_and_is_never_certain():
    assert share_of([1.0, 1.0, 0.5], 6).high == 1.0
    assert share_of([1.0] * 5, 10).low == pytest.approx(0.7225, abs=1e-4)
    assert share_of([1.0], 2).low == pytest.approx(wilson(1.0, 2)[0])


def test_turned_seats_make_the_interval_honest():
    """If the cards decide, the two games of a seed are one observation: the interval is wider than for two."""
    seeds = [1.0] * 60 + [0.0] * 40
    paired, wide = share_of(seeds, 200), wilson(0.6, 200)
    assert paired.high - paired.low > 1.3 * (wide[1] - wide[0])
    # if the seat decides, every seed is even: rotating the seats takes the luck out
    narrow = share_of([0.5] * 99 + [1.0], 200)
    assert narrow.high - narrow.low < 0.03


def test_intervals_hold_the_truth_nineteen_times_in_twenty():
    dice, held = random.Random(3), 0
    for _ in range(600):
        estimate = share_of([dice.choice((0.0, 0.5, 0.5, 1.0, 1.0)) for _ in range(40)], 80)
        held += estimate.low <= 0.6 <= estimate.high
    assert 0.93 <= held / 600 <= 0.97


# figures on made-up games


def made_up(number, rotation, totals, lineup=("a", "b"), **other):
    seats = [lineup[place] for place in rotations(lineup)[rotation]]
    winners = [seat for seat, total in enumerate(totals) if total == max(totals)]
    fields = {"completed": [1] * len(totals), "failed": [0] * len(totals), "turns": 40, "decisions": 90, "seconds": [0.5] * len(totals)}
    fields |= {"timed": [10] * len(totals), "faults": []} | other
    return Played("london", lineup, number, rotation, "0", seats, winners, totals, **fields)


class MadeUp(Arena):
    """An arena whose bots do not exist."""

    def __post_init__(self):
        pass


def figures(games, lineup=("a", "b")):
    return results_of(MadeUp((lineup,), ("london",), len(lineup)), {one.planned: one for one in games})


def test_figures_of_made_up_games():
    fault = {"kind": "late", "bot": "b"}
    games = [
        made_up(0, 0, [30, 20], completed=[3, 1], faults=[fault, fault]),
        made_up(0, 1, [25, 25], completed=[0, 2], failed=[4, 0]),  # shared; a sits on seat 1
        made_up(1, 0, [10, 40], seconds=[0.0, 3.5]),
        made_up(1, 1, [0, 50], timed=[0, 0], seconds=[0.0, 0.0]),
        made_up(2, 0, [99, 0]),  # its other rotation is missing
    ]
    results = figures(games)
    (lineup,) = results.lineups
    a, b = lineup.bots
    assert (results.games, results.left_out, lineup.seeds, lineup.games) == (4, 1, 2, 4)
    assert (a.bot, a.seats, a.wins, a.win_rate.mean, b.win_rate.mean) == ("a", 1, 2.5, 0.625, 0.375)
    assert (a.points.mean, b.points.mean) == (28.75, 21.25)
    assert (a.margin.mean, b.margin.mean) == (7.5, -7.5)
    assert (a.completed, b.failed) == (1.75, 1.0)
    assert (a.seconds, b.seconds) == (pytest.approx(1.0 / 30), pytest.approx(4.5 / 30))
    assert (a.faults, b.faults) == ({}, {"late": 2})
    assert (a.win_rate.low, a.win_rate.high) == (0.0, 1.0)  # two seeds, 0.75 and 0.5, say little
    assert (lineup.first_step, lineup.step) == (0, 5)
    assert sum(a.histogram) == sum(b.histogram) == 4
    assert (a.histogram[6], a.histogram[5], a.histogram[2], a.histogram[10]) == (1, 1, 1, 1)


def test_several_seats_of_a_bot_are_averaged():
    games = [made_up(0, rotation, totals, ("a", "b", "b")) for rotation, totals in enumerate([[9, 5, 1], [5, 1, 9], [1, 9, 5]])]
    (lineup,) = figures(games, ("a", "b", "b")).lineups
    a, b = lineup.bots
    assert (a.win_rate.mean, b.win_rate.mean, b.seats) == (1.0, 0.0, 2)
    assert (a.points.mean, b.points.mean) == (9, 3)
    assert (a.margin.mean, b.margin.mean) == (4, -6)
    assert b.win_rate.high == pytest.approx(wilson(0.0, 3)[1] / 2)


def test_who_finishes_ahead_of_whom():
    results = figures(
        [made_up(0, rotation, totals, ("a", "b", "c")) for rotation, totals in enumerate([[9, 5, 5], [1, 2, 3], [7, 7, 0]])], ("a", "b", "c")
    )
    assert results.played[1].seats == ["b", "c", "a"]
    ahead = {(bot, other): share.mean for bot, row in results.ahead.items() for other, share in row.items()}
    assert ahead["a", "b"] == 1.0  # 9 to 5, 3 to 1, and 7 (on seat 1) to 0
    assert ahead["b", "a"] == 0.0
    assert ahead["b", "c"] == pytest.approx(0.5 / 3)  # level, behind, behind
    assert ("a", "a") not in ahead


def test_winners_come_first_even_with_equal_points():
    played = made_up(0, 0, [30, 30, 20])
    assert played.places() == [0, 0, 2]
    played.winners = [1]
    assert played.places() == [1, 0, 2]


# ratings


def test_ratings_put_the_stronger_first_and_are_the_same_again():
    games = [made_up(number, rotation, [40, 10] if rotation == 0 else [10, 40]) for number in range(20) for rotation in (0, 1)]
    first = rate(("a", "b"), games)
    assert [one.bot for one in first] == ["a", "b"]
    assert first[0].mu > 25 > first[1].mu
    assert first[0].ordinal == pytest.approx(first[0].mu - 3 * first[0].sigma)
    assert rate(("a", "b"), games) == first
    assert rate(("b", "a"), games) == first


def test_equal_bots_are_rated_alike_and_games_with_oneself_count_nothing():
    a, b = rate(("a", "b"), [made_up(0, 0, [5, 5])])
    assert a.mu == pytest.approx(b.mu)
    (alone,) = rate(("a",), [made_up(0, 0, [5, 9], ("a", "a"))])
    assert (alone.mu, alone.sigma) == (25, pytest.approx(25 / 3))


def test_a_bot_on_several_seats_is_rated_once():
    one, many = rate(("a", "b"), [made_up(number, 0, [9, 5, 4, 3], ("a", "b", "b", "b")) for number in range(5)])
    assert (one.bot, many.bot) == ("a", "b")
    assert one.mu > 27


# what is shown


class Tags(HTMLParser):
    """Every tag that is opened is closed."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], set()

    def handle_starttag(self, tag, _):
        self.seen.add(tag)
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_startendtag(self, tag, _):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_stands_alone():
    lineup = ("<b>a&b</b>", "b", "b")
    text = page(figures([made_up(0, rotation, [30, -20, 5], lineup, faults=[{"kind": "late", "bot": "b"}]) for rotation in range(3)], lineup))
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    assert {"svg", "path", "table", "style"} <= tags.seen
    assert not {"script", "link", "img", "iframe"} & tags.seen
    assert not re.search(r"https?:|src=|@import|url\((?!data:)", text)
    assert "default-src 'none'; script-src 'none'" in text
    assert "&lt;b&gt;a&amp;b&lt;/b&gt;" in text
    assert "<b>a&b" not in text
    assert "prefers-color-scheme: dark" in text
    assert "width=device-width" in text
    assert "Faults of b: 3 late" in text
    assert "33.3\u202f%" in text


def test_a_page_without_a_whole_seed_says_so():
    assert "nothing to show yet" in page(figures([made_up(0, 0, [1, 2])]))


def test_results_are_json(tmp_path):
    results = run_arena(small(), 4)
    results.write_json(tmp_path / "r.json")
    read = json.loads((tmp_path / "r.json").read_text())
    assert read["games"] == 4
    assert read["lineups"][0]["bots"][0]["win_rate"].keys() == {"mean", "low", "high"}
    assert [one["bot"] for one in read["ratings"]] == ["greedy", "random"]
    assert read["ahead"]["greedy"]["random"]["mean"] == read["lineups"][0]["bots"][0]["win_rate"]["mean"]
    assert "played" not in read


# the command


def test_the_command_shows_and_writes_and_goes_on(tmp_path):
    arguments = ("arena", "greedy", "random", "--game", "london,card-game", "--out", "r.jsonl", "--json", "r.json", "--html", "r.html")
    run = branchline(*arguments, "--games", "4", "--jobs", "1", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "london: greedy · random" in run.stdout
    assert "4 games of 2 seeds" in run.stdout
    assert "Ratings over 8 games" in run.stdout
    assert json.loads((tmp_path / "r.json").read_text())["games"] == 8
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
    run = branchline(*arguments, "--games", "6", "--jobs", "2", cwd=tmp_path)
    assert "r.jsonl has 8 games already." in run.stdout
    assert "Ratings over 12 games" in run.stdout


def test_the_command_takes_line_ups(tmp_path):
    run = branchline("arena", "--lineup", "greedy,random,random", "--players", "3", "--games", "2", "--jobs", "1", cwd=tmp_path)
    assert "3 games of 1 seed," in run.stdout
    assert "random (each of 2)" in run.stdout
    run = branchline("arena", "greedy", "random", "--against-many", "--players", "3", "--games", "1", "--jobs", "1", "--game", "london", cwd=tmp_path)
    assert "greedy · random · random" in run.stdout
    assert "random · greedy · greedy" in run.stdout
    run = branchline("arena", "greedy", "random", "--stop-after", "0", "--games", "9000", "--jobs", "1", "--game", "london", cwd=tmp_path)
    assert "Stopped after 64 games; what is done is kept." in run.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "name at least two bots"),
        (("greedy",), "1 bot for 2 seats"),
        (("greedy", "deep"), "there is no bot 'deep'"),
        (("greedy", "nowhere:Bot"), "there is no module 'nowhere'"),
        (("greedy", "greedy"), "the bot 'greedy' is named twice"),
        (("greedy", "--lineup", "greedy,random"), "not both"),
        (("--lineup", "greedy,random", "--players", "3"), "2 bots for 3 seats"),
        (("greedy", "random", "--game", "atlantis"), "there is no such board"),
        (("greedy", "random", "--game", "europe,europe"), "a game is named twice"),
        (("greedy", "random", "--seed", "-1"), "the seed must be from 0"),
        pytest.param(("greedy", "random", "--out", "no/such/r.jsonl"), "no/such/r.jsonl: No such file or directory", marks=UNIX),
        pytest.param(("greedy", "random", "--html", "no/such/r.html"), "no/such/r.html: No such file or directory", marks=UNIX),
    ],
)
def test_bad_input_gets_a_clear_error(arguments, reason, tmp_path):
    run = branchline("arena", *arguments, cwd=tmp_path)
    assert run.returncode == (1 if reason.startswith("no/such") else 2)
    assert reason in run.stderr
    assert "Traceback" not in run.stderr
    assert not list(tmp_path.iterdir())
