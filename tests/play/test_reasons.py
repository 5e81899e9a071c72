"""Why a decision is not legal: keys, values and sentences, and whether what is said to be missing really is."""

import json
import random

import numpy as np
import pytest

from branchline.boards import load_board
from branchline.play import reasons
from branchline.play.bitsets import is_member
from branchline.play.positions import copy_of
from branchline.play.reasons import REASON_KEYS, Reason, why_not
from branchline.play.wording import Speaker, in_english
from branchline.rules import engine
from branchline.rules.sizes import ROUTE_WORDS
from tests.conftest import SOAK
from tests.random_games import random_game
from tests.table import changed, claim, give, lay, own, pile, play, stack, station, table, yard


def reason(state, decision):
    number = state.game.number(decision)
    assert number not in state.legal
    return why_not(state, number)


def without_pieces():
    state = give(table(), 0, "green green green")
    state.record.pieces[0] = 2
    return changed(state)


def without_stations():
    state = give(table(), 0, "red")
    state.record.unbuilt[0] = 0
    return changed(state)


def with_a_second_card_to_draw():
    return play(lay(table(), "wild red red red -"), "take 1")


def offered():
    return play(table(), "tickets")


def without_tickets():
    state = table()
    state.record.queue_size = 0
    return changed(state)


def at_the_world(cards="wild"):
    return give(table("world"), 0, cards)


def at_the_card_game(cards, **options):
    return give(table("card-game", **options), 0, cards)


# position, decision, key, values
CASES = [
    (table, "pay red", "choose_action", {"seat": 0}),
    (lambda: own(table(), 1, "berlin-wien"), "claim berlin-wien", "taken", {"route": "berlin-wien", "seat": 1}),
    (lambda: claim(table(), 1, "dieppe-london.1"), "claim dieppe-london.2", "twin_taken", {"route": "dieppe-london.2"}),
    (lambda: give(table(), 0, "green"), "claim berlin-wien", "needs_cards", {"route": "berlin-wien", "count": 2, "cards": ["green", "wild"]}),
    (lambda: give(table(), 0, "red red wild"), "claim amsterdam-london", "needs_cards", {"route": "amsterdam-london", "count": 1, "cards": ["wild"]}),
    (without_pieces, "claim berlin-wien", "too_few_pieces", {"route": "berlin-wien", "length": 3, "pieces": {"trains": 2}}),
    (lambda: station(table(), 1, "roma"), "build roma", "building_there", {"building": "station", "city": "roma", "seat": 1}),
    (without_stations, "build roma", "no_building_left", {"building": "station"}),
    (
        lambda: give(station(table(), 0, "roma"), 0, "red blue"),
        "build wien",
        "needs_for_building",
        {"building": "station", "city": "wien", "cost": 2, "count": 1, "cards": ["blue", "red", "wild"]},
    ),
    (at_the_world, "build lahore", "not_a_port", {"city": "lahore"}),
    (at_the_world, "build lagos", "not_reached", {"city": "lagos"}),
    (
        lambda: give(own(table("world"), 0, "casablanca-lagos"), 0, "red-harbour-train red-harbour-train red-ship"),
        "build lagos",
        "needs_for_building",
        {"building": "harbour", "city": "lagos", "count": 1, "cards": ["red-ship", "wild"]},
    ),
    (at_the_world, "exchange 6 for trains", "exchange", {"pieces": {"trains": 20, "ships": 40}, "box": {"trains": 5, "ships": 10}}),
    (lambda: at_the_card_game("red"), "place blue", "not_in_hand", {"card": "blue"}),
    (lambda: at_the_card_game("red wild"), "place wild", "wild_begins_no_row", {}),
    (lambda: yard(at_the_card_game("red red"), 0, "red", "red"), "place red", "row_in_own_yard", {"colour": "red"}),
    (lambda: yard(at_the_card_game("red red"), 1, "red", "red red"), "place red", "row_in_yard", {"colour": "red", "seat": 1}),
    (lambda: at_the_card_game("red"), "place red", "too_few_to_place", {"card": "red"}),
    (lambda: stack(table("card-game"), ""), "draw train", "deck_empty", {"deck": "train"}),
    (lambda: stack(table(), ""), "draw train", "deck_and_discards_empty", {"deck": "train"}),
    (lambda: lay(table(), "red red red red -"), "take 4", "space_empty", {"space": 4}),
    (lambda: stack(lay(table(), "red blue green black white"), ""), "take 4", "row_closed", {"space": 4}),
    (without_tickets, "tickets", "no_tickets_left", {}),
    (table, "pass", "cannot_pass", {}),
    (with_a_second_card_to_draw, "take 0", "wild_not_second", {"space": 0}),
    (lambda: play(give(table(), 0, "green green green wild"), "claim berlin-wien"), "pay red", "payment_stuck", {"card": "red"}),
    (lambda: play(at_the_card_game("red red red blue"), "place red"), "place blue", "placing_stuck", {}),
    (offered, "draw train", "finish_first", {"seat": 0, "phase": "tickets offered", "offered": offered().offer(0)[0]}),
    (with_a_second_card_to_draw, "claim berlin-wien", "finish_first", {"seat": 0, "phase": "second card"}),
]


@pytest.mark.parametrize(("position", "decision", "key", "values"), CASES, ids=[f"{case[2]}-{number}" for number, case in enumerate(CASES)])
def test_a_reason_is_a_key_with_its_values(position, decision, key, values):
    assert reason(position(), decision) == Reason(key, values)


def test_every_key_has_a_case():
    """All but three: completing by hand and overpaying are tested below, and the server knows whose turn it is."""
    assert {case[2] for case in CASES} | {"cannot_complete", "cannot_pay", "not_your_turn"} == set(REASON_KEYS)


def test_of_what_cannot_be_paid_by_a_few_cards_the_price_is_named(monkeypatch):
    monkeypatch.setattr(reasons, "MOST_LACKING", 1)
    state = give(table(), 0, "red")
    assert reason(state, "claim amsterdam-london") == Reason("cannot_pay", {"route": "amsterdam-london", "length": 2, "colour": "gray", "ferry": 2})
    assert "2 spaces, any colour, with 2 locomotives" in in_english(state.game.board, reason(state, "claim amsterdam-london"))


def test_a_ticket_that_the_pile_does_not_complete():
    state = pile(table("card-game"), 0, "red")
    state.record.phase = 10
    ticket = state.game.board.tickets[0].id
    assert reason(changed(state), f"complete {ticket}") == Reason("cannot_complete", {"ticket": ticket})


def test_sentences_are_made_of_the_values():
    europe, world = table().game.board, table("world").game.board
    assert in_english(europe, Reason("needs_cards", {"count": 2, "cards": ["red", "blue", "wild"]})) == (
        "You need 2 more cards: red, blue, or locomotive."
    )
    assert in_english(world, Reason("exchange", {"pieces": {"trains": 1, "ships": 2}, "box": {"trains": 3, "ships": 4}})) == (
        "You cannot exchange that many. You have 1 train and 2 ships; your box has 3 trains and 4 ships."
    )
    assert in_english(europe, Reason("finish_first", {"seat": 1, "phase": "tickets offered"})) == "First choose the tickets to keep."
    assert in_english(europe, Reason("finish_first", {"seat": 1, "phase": "payment"})) == "First finish paying, or take it back."


@pytest.mark.one_table_each
def test_every_reason_in_random_games_is_known_and_can_be_sent_and_said(game, players):
    speaker = Speaker(load_board(game), "uk")
    for state in random_game(game, players, 5):
        if state.is_over or len(state.history) % (11 if SOAK else 33):
            continue
        view = state.view(state.seat)
        before = view.records.tobytes()
        for number in set(range(len(state.game.decisions))) - set(view.legal):
            why = why_not(view, number)
            assert why.key in REASON_KEYS
            assert json.loads(json.dumps(why.values)) == why.values
            assert not set("{}[]_") & set(speaker.reason(why))
        assert view.records.tobytes() == before


def payable(state, records, route):
    found = np.zeros(ROUTE_WORDS, np.uint64)
    engine.payable_routes(state.game.board.records, records, found)
    return is_member(found, route)


def with_cards(state, card, count):
    records = copy_of(state.records)
    records["hands"][0, state.seat, [one.id for one in state.game.board.cards].index(card)] += count
    return records


def test_the_cards_named_pay_for_a_route_and_one_fewer_does_not(game):
    rng = random.Random(f"lacking {game}")
    looked_at = 0
    for state in random_game(game, 3, 4):
        for number in rng.sample(range(len(state.game.board.routes)), min(3, len(state.game.board.routes))):
            if state.phase != "action" or number in state.legal:
                continue
            why = why_not(state, number)
            if why.key != "needs_cards":
                continue
            looked_at += 1
            count = why.values["count"]
            for card in (one.id for one in state.game.board.cards):
                assert payable(state, with_cards(state, card, count), number) == (card in why.values["cards"])
                assert not payable(state, with_cards(state, card, count - 1), number)
    assert looked_at > 20 or not state.game.board.routes
