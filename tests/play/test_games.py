"""Game, State and View for Python users."""

import threading

import pytest

from branchline import Game, GameOptionError, IllegalDecision, NotADecision
from branchline.play.calls import scratch
from tests.conftest import SOAK
from tests.random_games import random_game
from tests.table import give, lay, play, stack, table


def test_decisions_have_numbers_and_texts():
    game = Game("europe", 2)
    assert game.text(0) == "claim amsterdam-bruxelles"
    assert game.number("claim  amsterdam-bruxelles ") == 0
    assert game.number(game.number("pay wild")) == game.number("pay wild")


@pytest.mark.parametrize(
    ("decision", "reason"),
    [
        ("clam berlin-wien", "did you mean 'claim berlin-wien'"),
        ("", "is not a decision of this game"),
        (-1, "the numbers 0 to 257"),
        (258, "the numbers 0 to 257"),
        (1.5, "give its number or its text"),
        (None, "give its number or its text"),
        (True, "give its number or its text"),
    ],
)
def test_what_is_no_decision_is_refused(decision, reason):
    with pytest.raises(NotADecision, match=reason):
        table().apply(decision)


@pytest.mark.parametrize(
    ("hand", "decision", "reason"),
    [
        ("red", "claim berlin-wien", "You need 3 more cards: green or locomotive"),
        ("red red wild", "claim amsterdam-london", "You need 1 more card: locomotive"),
        ("", "build roma", "For the station you need 1 more card"),
        ("red", "pay red", "First choose an action"),
        ("red", "keep berlin-roma", "First choose an action"),
        ("red", "pass", "You can pass only if"),
        ("red", "abandon", "First choose an action"),
    ],
)
def test_what_is_not_allowed_now_says_why(hand, decision, reason):
    state = give(table(), 0, hand)
    with pytest.raises(IllegalDecision, match=reason):
        state.apply(decision)


@pytest.mark.one_table_each
def test_every_illegal_decision_has_a_reason(game, players):
    for state in random_game(game, players, 3):
        if state.is_over or len(state.history) % (9 if SOAK else 35):
            continue
        for number in set(range(len(state.game.decisions))) - set(state.legal):
            with pytest.raises(IllegalDecision, match=r"is not legal now\. .{10}"):
                state.apply(number)


@pytest.mark.parametrize("seed", [-1, 2**128, "zz", 1.9, float("inf"), []])
def test_a_wrong_seed_is_refused(seed):
    with pytest.raises(GameOptionError, match="seed"):
        Game("europe", 2).start(seed)


def test_a_seed_is_a_number_or_hex_or_drawn():
    game = Game("london", 2)
    assert game.start(255) == game.start("ff")
    assert game.start() != game.start()


@pytest.mark.parametrize("players", [True, "2", 2.0, None])
def test_a_wrong_number_of_players_is_refused(players):
    with pytest.raises(GameOptionError, match="is for 2 to 4 players"):
        Game("london", players)


@pytest.mark.parametrize("name", ["atlantis", [], None, "../europe"])
def test_an_unknown_game_is_refused(name):
    with pytest.raises(GameOptionError, match=r"there is no such (board|folder)"):
        Game(name, 2)


@pytest.mark.parametrize("first_seat", [2, -1, True, 1.0, "0"])
def test_a_wrong_first_seat_is_refused(first_seat):
    with pytest.raises(GameOptionError, match="first_seat must be a seat from 0 to 1"):
        Game("europe", 2, first_seat)


@pytest.mark.parametrize("seat", [5, -1, True, 1.0])
def test_a_seat_that_is_not_there_has_no_view(seat):
    with pytest.raises(GameOptionError, match="there is no seat"):
        table().view(seat)


def test_undo_takes_back_the_cards_of_an_unfinished_payment():
    state = give(table(), 0, "yellow yellow yellow wild wild wild")
    before = state.clone()
    play(state, "claim amsterdam-essen", "pay yellow", "pay yellow")
    assert state.can_undo
    for _ in range(3):
        state.undo()
    assert state == before
    assert state.history == before.history
    assert not state.can_undo
    with pytest.raises(IllegalDecision, match="nothing can be undone"):
        state.undo()


def test_undo_stops_where_something_was_seen():
    state = lay(table(), "red blue green black white")
    play(state, "take 0")
    assert not state.can_undo


def test_undo_takes_back_a_face_up_card_before_its_space_is_filled():
    """WO-8: which deck fills the space is chosen next. Chance has not played a part yet, so what everyone saw can be undone for everyone."""
    state = table("world", 2)
    before, events = state.clone(), len(state.events)
    space = next(number for number, card in enumerate(state.row) if card != "wild")
    state.apply(f"take {space}")
    assert (state.phase, len(state.events)) == ("fill", events + 1)
    state.undo()
    assert state == before
    assert state.events == before.events
    assert state.view(1) == before.view(1)
    state.apply(f"take {space}")
    state.apply("fill ship")
    assert not state.can_undo


def test_undo_does_not_reach_into_another_seats_choice():
    state = Game("europe", 2).start(3)
    first = state.offer(0)
    state.apply(f"keep {first[0]}")
    assert state.can_undo
    for ticket in first[1:]:
        state.apply(f"keep {ticket}")
    assert state.seat == 1
    assert not state.can_undo


def test_a_log_that_is_too_small_loses_no_event(monkeypatch):
    whole = Game("europe", 5).start(11).events
    monkeypatch.setattr(scratch, "log", scratch.log[:3].copy())
    assert Game("europe", 5).start(11).events == whole


def test_a_view_lists_legal_decisions_only_for_the_seat_to_decide():
    state = table()
    assert state.view(0).legal == state.legal
    assert state.view(1).legal == []
    assert not state.view(1).mask.any()
    assert state.view(None).legal == []


def test_a_state_prints_itself():
    state = stack(give(table(), 0, "red red wild"), "blue")
    text = str(state)
    assert "seat 0: 0 points, 45 trains, 3 stations" in text
    assert "hand: red:2 wild:1" in text
    assert "hidden" in str(state.view(1))


def test_states_can_be_played_in_several_threads():
    results = {}

    def run(seed):
        *_, state = random_game("london", 3, seed)
        results[seed] = state.result

    threads = [threading.Thread(target=run, args=(seed % 3,)) for seed in range(9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    *_, alone = random_game("london", 3, 1)
    assert results[1] == alone.result


def test_the_running_count_before_the_end_names_no_winner():
    assert "winners" not in table().result
