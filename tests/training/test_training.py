"""Training: a run on the CPU in a few seconds, its parts, and what comes out of it."""

import numpy as np
import pytest

from branchline import Game
from branchline.batch import Batch
from branchline.bots import make_bot
from branchline.bots.learned import outputs_of
from branchline.bots.networks import network_for, using
from branchline.training.checkpoints import FILE, CheckpointError, load, teacher_from
from branchline.training.command import export_run
from branchline.training.lessons import SEED, lessons_for, statistics_of, steps_of
from branchline.training.measuring import Exam
from branchline.training.network import net_of
from branchline.training.page import read_log, write_page
from branchline.training.running import LOG, Run
from branchline.training.settings import Settings

torch = pytest.importorskip("torch")
TINY = {
    "width": 32,
    "depth": 3,
    "slots": 96,
    "steps": 8,
    "minibatch": 256,
    "passes": 1,
    "lesson_slots": 32,
    "lesson_steps": 48,
    "distil": 0.1,
    "value_first": 1,
}


def tiny(seconds, **more):
    return Settings("london", (2, 3), seconds=seconds, **TINY | more)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The folder of a run of a second, which was measured."""
    folder = tmp_path_factory.mktemp("run")
    torch.set_num_threads(1)
    run = Run(tiny(1.0), folder, Exam(("random",), (2,), 8, 1))
    run.train(0.4)
    run.close()
    return folder


def test_a_run_imitates_plays_and_is_measured(trained):
    log = read_log(trained / LOG)
    assert [line["what"] for line in log if line["what"] != "measured"][:3] == ["clone", "distil", "ppo"]
    assert all(np.isfinite(line["policy"]) for line in log if "policy" in line)
    measured = [line for line in log if line["what"] == "measured"]
    assert measured
    assert all(0 <= line["low"] <= line["share"] <= line["high"] <= 1 for line in measured)


def test_a_run_goes_on_where_it_was_stopped(trained):
    before = load(trained / FILE)
    run = Run(tiny(before["clock"] + 0.3), trained)
    assert run.iterations == before["iterations"]
    assert all(torch.equal(now, before["net"][name]) for name, now in run.learner.net.state_dict().items())
    run.train()
    assert load(trained / FILE)["iterations"] > before["iterations"]
    assert "clone" not in [line["what"] for line in read_log(trained / LOG)][2:]


def test_a_run_of_another_shape_does_not_go_on(trained):
    with pytest.raises(CheckpointError, match="the checkpoint has width 32, not 64"):
        Run(tiny(1.0, width=64), trained)


def test_what_was_learned_is_exported_and_plays(trained, tmp_path):
    """In whole numbers nearly as in floating point."""
    saved = load(trained / FILE)
    net, path = net_of(saved), export_run(trained, tmp_path / "london.net")
    with using(path):
        network, bot, state, met, seen = network_for("london", 3), make_bot("learned"), Game("london", 3).start(1), 0, 0
        rows = Batch("london", 1, 3, pad=16, seed=0)
        rows.normalise(saved["mean"].numpy(), saved["scale"].numpy())
        while not rows.finished[0]:
            with torch.no_grad():
                logits, value = net(torch.from_numpy(rows.observe()))
            outputs = outputs_of(network, rows.state(0).view(int(rows.seats[0])))
            assert np.abs(outputs[:-1] - logits[0].numpy()).max() < 0.1
            assert outputs[-1] == pytest.approx(float(value[0]), abs=0.1)
            decision = int(rows.ask("learned")[0])
            seen, met = seen + 1, met + (decision == int(logits[0].masked_fill(~torch.from_numpy(rows.legal[0]), -1e9).argmax()))
            rows.step(np.array([decision]))
        assert met >= 0.9 * seen
        while not state.is_over:
            state.apply(bot.decide(state.view(state.seat)))
        with pytest.raises(Exception, match="has learned london with 2, 3 players, not with 4"):
            network_for("london", 4)


def test_a_teacher_of_another_size_is_imitated(trained, tmp_path):
    run = Run(tiny(0.0, width=16), tmp_path, teacher=trained / FILE)
    run.train()
    assert "distil" in [line["what"] for line in read_log(tmp_path / LOG)]


def test_a_teacher_thinks_the_same_with_other_means_and_scales(trained):
    saved = load(trained / FILE)
    mean, scale = saved["mean"], saved["scale"]
    other, rows = teacher_from(trained / FILE, (mean + 0.3, scale * 2)), torch.rand(5, len(mean))

    def seen(mean, scale):
        return torch.nn.functional.pad((rows - mean) / scale, (0, -len(mean) % 16))

    assert torch.allclose(net_of(saved)(seen(mean, scale))[0], other(seen(mean + 0.3, scale * 2))[0], atol=1e-4)


def test_lessons_are_games_of_planners_with_some_other_decisions(tmp_path):
    lessons = lessons_for("london", (2,), 16, 40, tmp_path)
    batch, strayed = Batch("london", 16, 2, seed=SEED), 0
    for labels, carried in steps_of(lessons[2]):
        assert (batch.ask("planner") == labels).all()
        strayed += int((labels != carried).sum())
        batch.step(carried)
    assert 0.02 < strayed / (16 * 40) < 0.12
    mean, scale = statistics_of(lessons)
    assert scale.min() >= 0.1
    assert mean.shape == scale.shape == (batch.observation_size,)
    assert lessons_for("london", (2,), 1, 1, tmp_path)[2]["labels"].shape == (40, 16)  # those that are kept


def test_the_page_of_curves_is_complete(trained, tmp_path):
    write_page(read_log(trained / LOG), tiny(1.0).shown(), tmp_path / "curves.html")
    page = (tmp_path / "curves.html").read_text()
    for said in ("Training: London", "Share of wins", "random, 2 seats", "Entropy", "Value error", "Decisions per second", "run-curve"):
        assert said in page


def test_imitators_play_all_seats_but_one_in_their_share_of_the_games(tmp_path):
    """Half of the games with three seats, an eighth of those with two. Nothing is learned from their decisions."""
    run = Run(tiny(0.0, imitators=0.5), tmp_path)
    learner, tables = run.learner, run.learner.tables
    others = [int(learner.theirs[part].any(1).sum()) for part in tables.parts]
    assert others == [48 // 8, 48 // 2]
    for table, part in zip(tables.tables, tables.parts, strict=True):
        seats = learner.theirs[part].sum(1)
        assert set(seats.tolist()) == {0, tables.most - 1}
        assert (learner.theirs[part][seats > 0][:, : table.players].sum(1) == table.players - 1).all()
    learner.run("play")
    own = ~torch.stack([learner.theirs.gather(1, seats.long()[:, None])[:, 0] for seats in learner.seats])
    assert torch.equal(learner.own, own)
    assert (learner.known[~own] == 0).all()
    assert own.flatten()[learner.worth_learning()].all()
    run.save()
    assert all(torch.equal(kept, run.learner.imitator.state_dict()[name]) for name, kept in load(tmp_path / FILE)["imitator"].items())


def test_the_rate_of_learning_grows_from_nothing_in_every_phase(trained, tmp_path):
    run = Run(tiny(0.0), tmp_path, start=trained / FILE)
    run.learner.run("play")
    run.learner.forget_momentum()
    before = {name: tensor.clone() for name, tensor in run.learner.net.state_dict().items()}
    run.learner.keep_to_itself()
    run.learner.learn_from(torch.arange(768), "distil", 1e-3, 1)
    assert float(run.learner.rate) == pytest.approx(1e-3 * run.learner.updates / 100)
    moved = max(float((now - before[name]).abs().max()) for name, now in run.learner.net.state_dict().items())
    assert 0 < moved < 1e-4
