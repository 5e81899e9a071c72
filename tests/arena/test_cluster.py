"""Arenas and ladders on a cluster: the same games, with bots that travel to the workers."""

from contextlib import closing

import pytest

from branchline.arena import ArenaError, run_arena
from branchline.arena.crews import Crew
from branchline.arena.ladder import Ladder, Limits, keep_playing
from branchline.arena.ladder.keeping import Folder
from branchline.cli.shared import compile_once
from branchline.cluster import ClusterError, ClusterOptionError
from tests.arena.test_arena import OWN, small, without_times
from tests.cluster.machines import machines
from tests.commands import branchline
from tests.conftest import SOAK


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with machines(tmp_path_factory.mktemp("cluster"), 2) as found:
        yield found


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Bots in the current directory, which is not that of any worker."""
    (tmp_path / "cluster_bots.py").write_text("from cluster_bots_beside import *\n")
    (tmp_path / "cluster_bots_beside.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.soak("a ladder plays on one below")
def test_the_games_are_those_of_one_machine(own, cluster):
    arena = small("greedy", "random", "cluster_bots:Same", games=("london", "card-game"))
    here, there = run_arena(arena, 6), run_arena(arena, 6, own / "there.jsonl", cluster=cluster.address)
    assert without_times(here.played) == without_times(there.played)
    assert here.ratings == there.ratings
    assert run_arena(arena, 8, own / "there.jsonl", cluster=cluster.address).games > there.games


@pytest.mark.soak("tests/arena/test_arena.py has such a bot")
@pytest.mark.usefixtures("own")
def test_a_bot_that_never_returns_keeps_no_worker(cluster):
    played = run_arena(small("cluster_bots:Sleep", "greedy", limit=0.1), 6, cluster=cluster.address)
    assert played.games == 6
    assert set(played.lineups[0].bots[0].faults) == {"late"}


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("bot", "error", "reason"),
    [
        ("cluster_bots:Fussy", ClusterError, r"cannot be made: ValueError: only seed 0 will do .*\(on the worker .*w\d"),
        *([("cluster_bots:Dies", ArenaError, "workers keep dying over the same task")] if SOAK else []),  # it takes a dozen of them
    ],
)
def test_what_goes_wrong_on_a_worker_is_told(tmp_path_factory, bot, error, reason):
    with machines(tmp_path_factory.mktemp("cluster"), 1) as cluster, pytest.raises(error, match=reason):
        run_arena(small("greedy", bot), 4, cluster=cluster.address)


def test_a_program_does_not_travel(own, cluster):
    (own / "bot.py").write_text("")
    told = branchline("arena", "greedy", "./bot.py", "--games", "2", "--cluster", cluster.address, cwd=own)
    assert told.returncode == 2
    assert "the bot './bot.py' is a program, which does not travel: put it in the same place on every worker" in told.stderr


def test_jobs_and_a_cluster_exclude_each_other():
    with pytest.raises(ClusterOptionError, match="leave one of them out, or write --cluster local:3"):
        Crew(3, "tcp://head:8786")


def test_a_cluster_of_other_machines_compiles_for_itself(monkeypatch):
    compiled = []
    monkeypatch.setattr("branchline.batch.warm.is_warm", lambda _: False)
    monkeypatch.setattr("branchline.batch.warm.warm_and_show", compiled.append)
    for cluster in ("tls://head:8786", "/shared/scheduler.json", "local:2", None):
        compile_once((str(cluster),), cluster)
    assert compiled == [("local:2",), ("None",)]


def test_a_ladder_plays_on_a_cluster(own, cluster):
    ladder = Ladder(("london",), 2)
    bots = ("greedy", "random", "cluster_bots:Same")
    keep_playing(own / "ladder", ladder, bots, Crew(cluster=cluster.address), Limits(rounds=3, pace=0), lambda _: None)
    with closing(Folder(own / "ladder", ladder)) as folder:
        assert (folder.standings.rounds, folder.standings.games) == (3, 6)
