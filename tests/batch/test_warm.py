"""Commands compile only what they need: `replay` and `verify` do not wait for bots, nor a GPU for CPU loops."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from branchline import Game, cli
from branchline.arena.plan import Arena
from branchline.batch import warm
from branchline.compiling import MODE
from branchline.play.first_use import compile_first
from branchline.simulation import Orders, Plan, needs
from branchline.simulation import players as simulation_players
from tests.compiling.test_modes import in_mode
from tests.conftest import UNIX

GOLDEN = Path(__file__).parents[1] / "play" / "golden"


@pytest.fixture
def asked(monkeypatch):
    """What commands ask to be compiled; nothing is."""
    found = []
    monkeypatch.setattr(warm, "is_warm", lambda needs=warm.PLAY: bool(found.append(tuple(needs))))
    monkeypatch.setattr(warm, "warm_and_show", lambda _: None)
    return found


def run(*arguments):
    """A command, as from the command line, to its end or its first error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["branchline", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
    return ended.value.code


def test_replay_and_verify_wait_for_no_bots(asked, capsys):
    assert not run("replay", str(GOLDEN / "london.json"))
    run("verify", str(GOLDEN / "london.json"))
    assert asked == [warm.REPLAY] * 2
    assert "decisions and" in capsys.readouterr().out


def test_show_waits_for_nothing(asked, capsys):
    assert not run("show", "london")
    assert asked == []
    assert "London" in capsys.readouterr().out


def test_bots_are_compiled_for_those_who_play_with_them():
    assert warm.for_bots([]) == warm.RULES
    assert warm.for_bots(["normal", "mine:Bot"]) == (*warm.RULES, "bots")
    assert warm.for_bots(["easy", "search@500"]) == warm.for_bots(["master"]) == warm.PLAY


@pytest.mark.parametrize(
    ("lineup", "needed"),
    [(("greedy", "planner"), warm.RECORDED), (("easy", "greedy"), (*warm.RULES, "bots")), (("search@10", "easy"), warm.PLAY)],
)
def test_an_arena_needs_the_loop_of_policies_or_the_bots_themselves(lineup, needed):
    assert Arena((lineup,), ("london",), 2).needs == needed


def test_an_arena_of_both_needs_both():
    assert set(Arena((("greedy", "random"), ("master", "random")), ("london",), 2).needs) == {*warm.RECORDED, "playouts"}


def test_a_simulation_needs_whole_games_or_nothing_where_a_gpu_plays(monkeypatch, tmp_path):
    plan = Plan(Game("london", 2), ("random", "greedy"), 1)
    assert needs(plan, Orders(device="cpu")) == ("games",)
    assert needs(plan, Orders(device="cuda")) == ()
    for there, needed in ((True, ()), (False, ("games",))):
        monkeypatch.setattr(simulation_players, "has_gpu", lambda there=there: there)
        assert needs(plan, Orders(device="auto")) == needed
    assert needs(plan, Orders(out=tmp_path / "x.jsonl")) == ("counts", "matches")


def test_every_part_belongs_to_one_stage_and_can_be_compiled():
    assert sorted(warm.ALL) == sorted(warm.PARTS)
    assert set().union(*warm.NEEDS.values()) == set(warm.PARTS)


@pytest.mark.skipif(MODE == "plain", reason="plain rules are not compiled")
def test_what_is_missing_is_compiled_stage_by_stage_and_nothing_twice(monkeypatch, tmp_path):
    monkeypatch.setenv("BRANCHLINE_CACHE", str(tmp_path))
    warm.mark("start").parent.mkdir(parents=True)
    for part in ("turns", "bots"):
        warm.mark(part).touch()
    stages = []
    monkeypatch.setattr(warm, "compile_beside", stages.append)
    warm.warm(warm.PLAY)
    assert stages == [[["start", "counts", "views"]], [["playouts"]]]


@pytest.fixture
def nothing_compiled(monkeypatch, tmp_path):
    """A cache that is empty, and a compiler that only leaves marks; the calls of it."""
    monkeypatch.setenv("BRANCHLINE_CACHE", str(tmp_path))
    warm.mark("start").parent.mkdir(parents=True)
    compiled = []

    def compile_beside(lines):
        compiled.extend(part for line in lines for part in line)
        for line in lines:
            for part in line:
                warm.mark(part).touch()

    monkeypatch.setattr(warm, "compile_beside", compile_beside)
    compile_first.cache_clear()
    yield compiled
    compile_first.cache_clear()


@pytest.mark.skipif(MODE == "plain", reason="plain rules are not compiled")
def test_the_first_use_compiles_everything_once_and_says_so(nothing_compiled, capsys):
    compile_first("turns", "start")
    assert sorted(nothing_compiled) == sorted(warm.ALL)
    assert warm.SAID in capsys.readouterr().err
    compile_first("slots")
    assert len(nothing_compiled) == len(warm.ALL)
    assert not capsys.readouterr().err


@pytest.mark.skipif(MODE == "plain", reason="plain rules are not compiled")
def test_what_is_compiled_is_used_without_compiling_the_rest(nothing_compiled):
    for part in warm.REPLAY:
        warm.mark(part).touch()
    compile_first(*warm.REPLAY)
    assert nothing_compiled == []


@pytest.mark.skipif(MODE == "plain", reason="plain rules are not compiled")
def test_warm_compiles_what_is_asked_for_and_shows_a_bar(nothing_compiled, capsys, monkeypatch):
    assert not run("warm", "replay")
    assert sorted(nothing_compiled) == sorted(warm.REPLAY)
    monkeypatch.setenv("FORCE_COLOR", "1")  # as a terminal
    assert not run("warm")
    assert sorted(nothing_compiled) == sorted(warm.ALL)
    assert not run("warm")
    told = capsys.readouterr()
    assert "Everything is compiled already." in told.out
    assert "parts" in told.err
    assert run("warm", "batch") == 2
    assert "did you mean 'batches'?" in capsys.readouterr().err


@pytest.mark.timeout(3600)
@pytest.mark.soak("it compiles the rules again; what is asked for is tested above")
@pytest.mark.skipif(MODE == "plain", reason="nothing is compiled")
def test_a_replay_compiles_no_bot(tmp_path):
    command = ["-m", "branchline", "replay", str(GOLDEN / "london.json")]
    done: subprocess.CompletedProcess = in_mode("compiled", *command, BRANCHLINE_CACHE=str(tmp_path))
    assert done.returncode == 0, done.stderr
    compiled = {path.name.partition(".")[0] for path in tmp_path.rglob("*.nbi")}
    assert "engine" in compiled
    assert not compiled & {"policies", "playouts", "playing", "stepping"}


@pytest.mark.skipif(MODE == "plain", reason="nothing is compiled")
def compiling(tmp_path):
    """A process that has just begun to compile everything, and the numbers of those that do it."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it, and so would what they start
    run = subprocess.Popen(
        [sys.executable, "-m", "branchline.batch.warm"],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"BRANCHLINE_CACHE": str(tmp_path)},
    )
    signal.signal(signal.SIGINT, before)
    end = time.monotonic() + 150
    while len(workers := [worker.pid for worker in psutil.Process(run.pid).children() if is_at_it(worker)]) < len(warm.STAGES[0]):
        assert time.monotonic() < end
        time.sleep(0.1)
    return run, workers


def is_at_it(worker):
    return worker.cpu_times().user > 0.3  # past Python's own start


@UNIX
def test_ctrl_c_ends_compiling_without_a_word(tmp_path):
    """As at the first start of `make play`: a terminal's Ctrl-C reaches every process."""
    run, _ = compiling(tmp_path)
    os.killpg(run.pid, signal.SIGINT)
    said = run.communicate(timeout=60)[1]
    assert (run.returncode, said) == (-signal.SIGINT, "")


@UNIX
def test_compiling_ends_with_whoever_asked_for_it(tmp_path):
    """A server that is killed leaves nothing behind that keeps all cores busy for minutes."""
    run, workers = compiling(tmp_path)
    run.kill()
    run.communicate(timeout=60)
    end = time.monotonic() + 60
    while any(psutil.pid_exists(worker) for worker in workers):
        assert time.monotonic() < end
        time.sleep(0.1)
