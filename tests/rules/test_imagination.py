"""Imagined games are consistent with the view, and every consistent world can be imagined."""

import itertools
from collections import Counter

import numpy as np
import pytest

from branchline import Game
from tests.conftest import LONG, SOAK
from tests.random_games import random_game
from tests.table import all_cards, changed, give, hold, lay, move, play, stack, table

pytestmark = pytest.mark.slow_when_plain
GAMES = 30 if LONG else 8 if SOAK else 2


@pytest.mark.one_table_each
def test_imagined_games_agree_with_the_view_and_lose_nothing(game, players):
    for seed in range(GAMES):
        for state in random_game(game, players, seed):
            viewers = (*state.seats, None)
            for viewer in viewers if SOAK else [viewers[len(state.history) % len(viewers)]]:
                view = state.view(viewer)
                world = view.imagine(len(state.history))
                assert world.view(viewer) == view
                for seat in state.seats:
                    assert world.view(seat).tickets(seat) == world.tickets(seat)
                    assert None not in world.view(seat).offer(seat)
                    assert bool(world.view(seat).legal) == (seat in world.choosers)
                assert world.is_over or world.view(world.seat).legal == world.legal
                assert state.phase not in ("tunnel", "completing tickets") or len(world.legal) >= 2
                assert (world.record.deck <= world.record.deck_most).all()
                board = state.game.board.record
                assert (all_cards(world) == board.cards).all()
                assert world.record.deck.sum() == world.record.deck_size.sum()


def test_imagined_games_can_be_played_to_the_end(game, players):
    for seed in range(GAMES):
        state = Game(game, players).start(seed)
        for step in range(60):
            world = state.view(state.seat).imagine(step)
            if step % 20 == 0:
                while not world.is_over:
                    world.apply(world.legal[step % len(world.legal)])
                assert world.result["winners"]
            state.apply(state.legal[step * 5 % len(state.legal)])


def test_what_the_viewer_has_seen_stays_where_it_was():
    """Cards that another seat took openly are in every imagined hand; tickets the viewer returned are where they were put."""
    state = lay(table(players=3), "red red blue blue green")
    play(state, "take 0", "take 2")
    view = state.view(1)
    for seed in range(50):
        world = view.imagine(seed)
        assert world.hand(0).get("red", 0) >= 1
        assert world.hand(0).get("blue", 0) >= 1
    first, second = (state.game.board.tickets[number].id for number in state.record.queue[:2])
    play(state, "tickets", f"return {first}", f"return {second}")
    view = state.view(1)
    for seed in range(50):
        world = view.imagine(seed)
        bottom = [world.game.board.tickets[number].id for number in world.record.queue[: world.record.queue_size][-2:]]
        assert bottom == [first, second]


def test_what_a_reshuffled_deck_can_hold_is_remembered():
    """All discards were red, so what was drawn since is red, and so is what is left."""
    state = give(give(table(), 0, ""), 1, "")
    stack(state, "green green", "red red red red", hoard=0)
    move(state, 0, 1, "blue blue blue")
    play(state, "draw train", "draw train", "draw train", "draw train")
    assert state.hand(1) == {"blue": 3, "red": 2}
    view = state.view(0)
    for seed in range(100):
        world = view.imagine(seed)
        assert world.hand(1) == {"blue": 3, "red": 2}
        assert world.counts(world.record.deck) == {"red": 2}


def test_a_seat_that_faces_a_tunnel_can_pay_for_it():
    state = stack(give(table(players=3), 0, "red red red red"), "red green green", hoard=1)
    play(state, "claim erzurum-sochi")
    assert state.phase == "tunnel"
    for seed in range(100):
        assert set(state.view(2).imagine(seed).legal_texts) >= {"abandon"}
        assert len(state.view(2).imagine(seed).legal) >= 2


def test_a_ticket_that_the_viewer_has_followed_is_known_to_its_holder_too():
    """Seat 0 returned a ticket; now seat 1 is offered it, and both know that."""
    state = table("london", players=3)
    first, second, third = (int(number) for number in state.record.queue[:3])
    state.record.queue[3:] = -1
    state.record.queue_size = 3
    changed(state)
    names = [state.game.board.tickets[number].id for number in (first, second, third)]
    play(state, "tickets", f"return {names[0]}", "tickets")
    assert state.offer(1) == [names[2], names[0]]
    for seed in range(20):
        world = state.view(0).imagine(seed)
        assert world.offer(1)[1] == names[0]
        assert world.view(1).offer(1) == world.offer(1)
        assert set(world.view(1).legal) == set(world.legal)


def test_who_returns_a_whole_offer_hides_nothing():
    """Seat 0 knows four tickets; seat 1 is offered them and returns all, in the same order."""
    state = table("card-game")
    four = [int(number) for number in state.record.queue[:4]]
    play(state, "tickets", *(f"return {state.game.board.tickets[number].id}" for number in four))
    state.record.queue[: state.record.queue_size] = np.roll(state.record.queue[: state.record.queue_size], 4)
    play(changed(state), "tickets", *(f"return {state.game.board.tickets[number].id}" for number in four))
    queue = state.view(0).record.queue[: state.record.queue_size]
    assert queue[-4:].tolist() == four


def world_of(state):
    hands = tuple(tuple(hand) for hand in state.record.hands)
    tickets = tuple(tuple(int(word) for word in held) for held in state.record.tickets)
    return hands, tuple(state.record.deck), tickets, tuple(state.record.queue), tuple(map(tuple, state.record.offer)), tuple(state.record.kept)


def test_every_deal_of_hidden_cards_is_imagined_with_its_fair_share():
    """Two hidden cards in seat 1's hand and a deck of three: count how often each pair of the five comes up."""
    state = table()
    give(state, 0, "")
    give(state, 1, "red blue")
    everything = state.record.deck.copy()
    stack(state, "red green green", hoard=0)
    assert (everything - state.record.deck == state.record.hands[0]).all()
    view = state.view(0)
    found = Counter(tuple(sorted(view.imagine(seed).hand(1).items())) for seed in range(4000))
    pool = ["red", "blue", "red", "green", "green"]
    fair = Counter(tuple(sorted(Counter(pair).items())) for pair in itertools.combinations(pool, 2))
    assert set(found) == set(fair)
    for hand, ways in fair.items():
        assert abs(found[hand] / 4000 - ways / 10) < 0.04


def test_every_lie_of_hidden_tickets_is_imagined():
    """London with four tickets out of sight: two in the other hand, two in the deck, in any order."""
    state = table("london")
    ids = [ticket.id for ticket in state.game.board.tickets]
    state.record.knows[:] = 1  # the viewer knows where all but four are
    state.record.queue[:] = -1
    state.record.queue[:2] = [2, 3]
    state.record.queue_size = 2
    hold(state, 1, ids[0], ids[1])
    state.record.opening_kept[1] = 2
    hold(state, 0, *ids[4:])
    state.record.knows[:4] = 0
    view = changed(state).view(0)
    worlds = {world_of(view.imagine(seed))[2:] for seed in range(600)}
    assert len(worlds) == 12
    assert all(sorted([*world[1][:2], *(n for n in range(4) if world[0][1][0] >> n & 1)]) == [0, 1, 2, 3] for world in worlds)


def test_every_opening_choice_of_another_is_imagined():
    """Seat 0 has chosen, and seat 1 cannot see what: it may have made any legal choice."""
    state = Game("london", 2).start(3)
    state.apply(state.legal[0])
    while state.seat == 0:
        state.apply(state.legal[0])
    view = state.view(1)
    assert {int(view.imagine(seed).record.kept[0]) for seed in range(200)} == {0b01, 0b10, 0b11}
    state = Game("europe", 2).start(3)
    while state.seat == 0:
        state.apply(state.legal[0])
    view = state.view(1)
    lawful = {mask for mask in range(16) if mask.bit_count() >= 2}
    assert {int(view.imagine(seed).record.kept[0]) for seed in range(600)} == lawful


def test_a_long_ticket_is_imagined_only_where_it_can_be():
    """At most one of another seat's tickets is long, and exactly one if it kept all four at set-up."""
    for keep_all in (True, False):
        state = Game("europe", 2).start(8)
        while state.phase == "opening tickets":
            state.apply(state.legal[0 if keep_all else -1])
        longs = Counter()
        for seed in range(200):
            world = state.view(0).imagine(seed)
            longs[sum(world.game.board.tickets[ids].long for ids in range(46) if int(world.record.tickets[1][0]) >> ids & 1)] += 1
        assert set(longs) == ({1} if keep_all else {0, 1})
