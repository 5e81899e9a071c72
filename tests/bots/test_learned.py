"""`learned`: a network of whole numbers; where it plays, what it says, and what it refuses (G-1, G-2)."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from branchline import Game, available_boards, load_board
from branchline.batch import Batch, observation, play_batch
from branchline.batch.matches import Match
from branchline.batch.own_bots import asks, seat
from branchline.boards import BoardError
from branchline.bots import BotOptionError, make_bot
from branchline.bots.compiled.network import ARRAYS, SIZES
from branchline.bots.compiled.policies import ask_without_network
from branchline.bots.learned import outputs_of, win_share
from branchline.bots.networks import NetworkError, check_network, fingerprint_of, has_network, network_for, read_network, using, write_network
from branchline.play.observations.layout import scales_of, size_of
from tests.compiling.test_modes import in_mode
from tests.conftest import SOAK

ROOT = Path(__file__).parents[2]
BOARDS = ("london", "card-game", "world")
DECISIONS = 100 if SOAK else 8  # in plain Python each takes some hundredths of a second
WIDTH, LAYERS = 32, 2


def made_up(game, folder, players=(2, 3), seed=1, **header):
    """A small network of chance."""
    rng, board = np.random.default_rng(seed), load_board(game)
    inputs, outputs = size_of(game), int(board.record.starts[-1]) + 1

    def some(*shape):
        return rng.integers(-127, 128, shape)

    made = (
        rng.integers(1, 4000, inputs), some(inputs, WIDTH), some(WIDTH) * 1000,
        some(LAYERS, WIDTH, WIDTH), rng.integers(1, 1 << 17, (LAYERS, WIDTH)), some(LAYERS, WIDTH) << 22,
        some(outputs, WIDTH), rng.integers(1, 1 << 17, outputs), some(outputs) << 24,
    )  # fmt: skip
    sizes = (inputs, WIDTH, LAYERS, outputs, board.players[1], 10, 10)
    told = {"game": game, "fingerprint": fingerprint_of(game), "players": list(players), **header}
    path = folder / f"{game}-{seed}.net"
    write_network(path, told, dict(zip(SIZES, sizes, strict=True)), dict(zip(ARRAYS, made, strict=True)))
    return path, dict(zip(ARRAYS, made, strict=True))


def by_hand(arrays, row):
    """The scores of a network, reckoned by NumPy in 64 bits."""
    hidden = np.clip((arrays["FIRST_BIAS"] + (row * arrays["FACTORS"]) @ arrays["FIRST"] + 512) >> 10, 0, 32767)
    for layer in range(LAYERS):
        added = ((arrays["WEIGHTS"][layer] @ hidden) * arrays["SCALES"][layer] + arrays["BIASES"][layer]) >> 24
        hidden = np.minimum(hidden + np.clip(added, 0, 32767), 32767)
    return (arrays["HEAD"] @ hidden) * arrays["HEAD_SCALES"] + arrays["HEAD_BIASES"]


@pytest.mark.parametrize("board", BOARDS)
def test_a_network_reckons_as_its_numbers_say(board, tmp_path):
    """Every score, from the observation that a batch makes; and the bot takes the legal decision with the highest."""
    path, arrays = made_up(board, tmp_path)
    state, network = Game(board, 3).start(4), read_network(path)
    with using(path):
        bot = make_bot("learned")
        for _ in range(40):
            view = state.view(state.seat)
            row = np.rint(observation(view) * scales_of(board)).astype(np.int64)
            expected = by_hand(arrays, row)
            assert (outputs_of(network, view) * 2.0**34 == expected).all()
            decision = bot.decide(view)
            assert decision == max(view.legal, key=lambda one: (expected[one], -one))
            state.apply(decision)


def prints(game, decisions):
    """The decisions of `learned` at the beginning of a game, against the same with many whims."""
    state, bots = Game(game, 2).start(11), [make_bot("learned"), make_bot("beginner", 3)]
    while not state.is_over and len(state.history) < decisions:
        state.apply(bots[state.seat].decide(state.view(state.seat)))
    return str(state.history).replace(" ", "")


def test_g_1_it_plays_the_same_plain_and_compiled():
    run = in_mode("plain", "-m", "tests.bots.test_learned", *BOARDS)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == [prints(board, DECISIONS) for board in BOARDS]


@pytest.mark.parametrize("players", [2, 4])
def test_it_plays_the_same_games_everywhere(players):
    """At a table, in a match, in whole batches, and as an opponent in a batch."""
    bots, game = ["learned", *["greedy"] * (players - 1)], Game("london", players)
    state, seated = game.start(7 << 64), [make_bot(name) for name in bots]
    while not state.is_over:
        state.apply(seated[state.seat].decide(state.view(state.seat)))
    assert Match(game, bots).play(7 << 64) == state
    played = play_batch(load_board("london"), bots, 2, 7, threads=2)
    assert played.states[0].tobytes() == state.records.tobytes()
    batch = Batch("london", 2, players, seed=7, opponents=[None, *bots[1:]])
    while not batch.finished[0]:
        batch.step(batch.ask("learned"))
    assert batch.finals[0].tobytes() == state.records.tobytes()


def test_it_explains_what_it_considered():
    state, bot = Game("usa", 2).start(3), make_bot("learned")
    for _ in range(20):
        view = state.view(state.seat)
        told = json.loads(json.dumps(bot.explain(view)))
        chances = [one["chance"] for one in told["considered"]]
        assert sum(chances) + told["others"] == pytest.approx(1)
        assert chances == sorted(chances, reverse=True)
        assert 0 <= told["value"] <= 1
        assert told["decision"] == told["considered"][0]["decision"] == view.game.text(bot.decide(view))
        state.apply(bot.decide(view))


def test_a_value_is_a_share_of_the_win():
    assert [win_share(value, 2) for value in (-1, 0, 1)] == [0, 0.5, 1]
    assert [win_share(value, 5) for value in (-0.25, 0, 1, 2)] == [0, 0.2, 1, 1]


def test_a_gpu_refuses_it():
    with pytest.raises(BotOptionError, match="the bot 'learned' thinks on the CPU"):
        asks(seat(["planner", "learned"]))
    assert asks(seat(["planner", "greedy"])) is ask_without_network


def test_a_network_for_other_rules_is_refused(tmp_path):
    path, _ = made_up("london", tmp_path, fingerprint="0123456789abcdef")
    with using(path), pytest.raises(NetworkError, match=r"was trained for other rules, decisions or observations of london \(0123456789abcdef, now"):
        Match(Game("london", 2), ["learned", "greedy"])


def test_a_board_that_nobody_has_learned_is_refused():
    with pytest.raises(NetworkError, match="the bot 'learned' has no network for new-york"):
        make_bot("learned").new_game(Game("new-york", 2), 0)
    with pytest.raises(NetworkError, match="no network for great-lakes"):
        Game("great-lakes", 2).start(1).view(0).chances()


NAMED = {
    "docs/learning.md": r"[.] ([^.]*) each come with one",
    "docs/bots.md": r"[.] ([^.]*) have one;",
    "CHANGELOG.md": r"a network for each of ([^.]*), which learned",
}


@pytest.mark.parametrize("page", NAMED)
def test_the_pages_name_the_boards_that_have_a_network(page):
    told = re.search(NAMED[page], (ROOT / page).read_text(encoding="utf-8"))
    assert told
    names = {board: load_board(board).name.removeprefix("The ") for board in available_boards()}
    assert {board for board, name in names.items() if name in told[1]} == {board for board in names if has_network(board, 2)}


def test_a_number_of_seats_it_has_not_learned_is_refused(tmp_path):
    path, _ = made_up("london", tmp_path)
    with using(path):
        for seat_it in (
            lambda: make_bot("learned").new_game(Game("london", 4), 0),
            lambda: Batch("london", 2, 4, opponents=["learned", "greedy", "greedy"]),
            lambda: play_batch(load_board("london"), ["learned"] * 4, 2, 1),
        ):
            with pytest.raises(NetworkError, match="has learned london with 2, 3 players, not with 4"):
                seat_it()


def test_what_is_not_a_network_is_refused(tmp_path, monkeypatch):
    (tmp_path / "text").write_text('{"format": 99}\n')
    with pytest.raises(NetworkError, match="is not a network of this version"):
        read_network(tmp_path / "text")
    with pytest.raises(NetworkError, match="cannot be read"):
        read_network(tmp_path / "missing")
    monkeypatch.setenv("BRANCHLINE_NETWORK", str(made_up("london", tmp_path)[0]))
    assert network_for("london").players == (2, 3)
    assert network_for("usa").players == (2, 3, 4, 5)


def test_a_network_that_was_cut_short_is_refused(tmp_path):
    """Compiled code would read beyond its end."""
    path, _ = made_up("london", tmp_path)
    path.write_bytes(path.read_bytes()[:-64])
    with pytest.raises(NetworkError, match="is incomplete: copy it again, or export it again"):
        read_network(path)


def test_a_board_with_the_network_of_another_is_refused(tmp_path):
    path, _ = made_up("usa", tmp_path)
    path.rename(tmp_path / "learned.net")
    with pytest.raises(BoardError, match=r"learned\.net: the network learned\.net plays usa, not london; or remove the file"):
        check_network(tmp_path, load_board("london"), "learned.net")


if __name__ == "__main__":
    for asked in sys.argv[1:]:
        print(prints(asked, DECISIONS))
