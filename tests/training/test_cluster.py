"""Training with actors on a cluster: what they play is what the learner would have played, and lost workers do not matter."""

import threading
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest

from branchline.cluster import open_cluster
from branchline.training.actors import SENT, Actors, store
from branchline.training.checkpoints import FILE, load
from branchline.training.network import masked
from branchline.training.page import read_log
from branchline.training.running import LOG, Run
from tests.cluster.machines import machines
from tests.commands import branchline
from tests.training.test_training import tiny

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    with machines(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture
def cluster(small):
    torch.set_num_threads(1)
    with closing(open_cluster(small.address)) as found:
        found.client.wait_for_workers(2, timeout=60)
        yield found


@pytest.mark.soak("it starts a cluster; tests/simulation/test_cluster.py plays on one")
def test_actors_play_with_the_learners_weights(tmp_path, cluster):
    run = Run(tiny(1.0), tmp_path, cluster=cluster)
    learner = run.learner
    assert run.actors.number == 2
    with torch.no_grad():
        for weights in learner.net.parameters():
            weights.add_(torch.randn_like(weights) * 0.05)
    learner.refresh()
    for _ in range(2):  # games go on from one time to the next
        before = learner.rows.clone()
        run.play(0.5)
        assert not torch.equal(before, learner.rows)
    with torch.no_grad():
        logits, values = learner.actor(learner.rows.flatten(0, 1))
    chances = masked(logits, learner.legal.flatten(0, 1)).gather(1, learner.decisions.flatten()[:, None])[:, 0]
    assert torch.allclose(values, learner.values.flatten(), atol=1e-4)
    assert torch.allclose(chances, learner.chances.flatten(), atol=1e-4)
    assert learner.legal.flatten(0, 1).gather(1, learner.decisions.flatten()[:, None]).all()
    assert (learner.known > 0).float().mean() > 0.5


def test_shares_lie_side_by_side_for_each_number_of_seats():
    """Two actors with 3 slots for two players and 2 for three."""
    learner = SimpleNamespace(tables=SimpleNamespace(parts=[slice(0, 6), slice(6, 10)]), device="cpu")
    for name in SENT:
        setattr(learner, name, torch.zeros(1, 10))
    for place in (1, 0):
        store(learner, place, {2: 3, 3: 2}, {name: np.array([[20, 21, 22, 30, 31]], np.float32) + 100 * place for name in SENT})
    assert learner.rows.tolist() == [[20, 21, 22, 120, 121, 122, 30, 31, 130, 131]]


@pytest.mark.soak("workers are killed in tests/simulation/test_cluster.py")
def test_a_run_on_a_cluster_outlives_a_worker_and_goes_on_without_it(tmp_path, small, cluster):
    over, killed = threading.Event(), []

    def kill():
        while not killed and not over.wait(0.05):
            if any(line["what"] == "ppo" for line in read_log(tmp_path / LOG)) and small.kill_one(0):
                killed.append(True)

    killer = threading.Thread(target=kill)
    (tmp_path / LOG).touch()
    killer.start()
    try:
        Run(tiny(4.0), tmp_path, cluster=cluster).train()
    finally:
        over.set()
        killer.join()
    assert killed
    log = read_log(tmp_path / LOG)
    assert [line["what"] for line in log][:3] == ["clone", "distil", "ppo"]
    assert all(np.isfinite(line["policy"]) for line in log)
    before = load(tmp_path / FILE)
    alone = Run(tiny(before["clock"] + 0.3), tmp_path)
    alone.train()
    assert load(tmp_path / FILE)["iterations"] > before["iterations"]


@pytest.mark.soak("like the first")
def test_there_are_no_more_actors_than_slots_for_them(cluster):
    actors = Actors(cluster, tiny(1.0, slots=8), None)
    assert (actors.number, sum(actors.shares().values())) == (1, 8)


def test_win_chances_are_learned_on_one_machine(tmp_path):
    told = branchline("train", "london", "--chances", "--cluster", "local", cwd=tmp_path)
    assert told.returncode == 2
    assert "win chances are learned on one machine: leave out --cluster" in told.stderr
