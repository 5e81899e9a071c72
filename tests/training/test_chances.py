"""Learning win chances from games between bots of several kinds."""

import numpy as np
import pytest

from branchline import Game
from branchline.batch import observation
from branchline.bots.chances import chances
from branchline.bots.learned import chances_of, outputs_of
from branchline.bots.networks import read_network
from branchline.play.observations.layout import layout_of, scales_of
from branchline.training.mixed import gather

torch = pytest.importorskip("torch")
from branchline.training.chances import Chances, Fit, calibration  # noqa: E402


@pytest.fixture(scope="module")
def learned():
    torch.set_num_threads(1)
    positions = gather("london", 2, 24, 2, 4, 1, 1).joined(gather("london", 3, 24, 1, 4, 2, 1))
    told = Chances("london", positions, Fit(width=32, epochs=2))
    losses = told.learn(positions)
    return positions, told, losses


def test_positions_are_seen_by_one_seat_and_have_the_shares_of_all(learned):
    positions, _, _ = learned
    present = layout_of("london")["present"].of(positions.rows)
    assert positions.shares.sum(1) == pytest.approx(np.ones(len(present)))
    assert (positions.shares[present == 0] == 0).all()
    assert set(present.sum(1).tolist()) == {2, 3}
    deciding = layout_of("london")["deciding"].of(positions.rows)
    assert 0.2 < deciding[:, 0].mean() < 0.7  # not only who decides looks


def test_it_learns_and_its_export_tells_the_same_chances(learned, tmp_path):
    positions, told, losses = learned
    assert losses[-1] < np.log(3)
    told.export(positions, tmp_path / "chances.net", (2, 3))
    network, state = read_network(tmp_path / "chances.net"), Game("london", 3).start(4)
    for _ in range(30):
        view = state.view(1)
        row = np.rint(observation(view) * scales_of("london")).astype(np.int16)[None]
        assert chances_of(outputs_of(network, view)[:3] * network.header["factors"]["3"]) == pytest.approx(told.of(row)[0, :3], abs=0.02)
        state.apply(state.legal[0])
    assert sum(chances(view)) == pytest.approx(1)


def test_calibration_compares_what_was_said_with_what_came():
    said = np.array([[0.25, 0.75], [0.25, 0.75], [0.95, 0.05], [0.95, 0.05]])
    came = np.array([[0, 1], [1, 0], [1, 0], [1, 0]], np.float32)
    found = {round(one["said"], 2): (one["positions"], one["came"]) for one in calibration(said, came, 2)}
    assert found == {0.05: (2, 0.0), 0.25: (2, 0.5), 0.75: (2, 0.5), 0.95: (2, 1.0)}
