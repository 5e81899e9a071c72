"""Complete payments: exactly what the single decisions allow, without revealing anything hidden."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from branchline.boards import load_board
from branchline.boards.facts import WILD
from branchline.play.games import Game, State, View
from branchline.play.payments import MOST, MOST_PAID, WholePayment, paid, payments


def played_out(state: State, way: WholePayment) -> dict[str, int]:
    """The cards that a payment takes when its decisions are actually made."""
    already = Counter(state.counts(state.record.paid)) + Counter(state.counts(state.record.laid))
    state = state.clone()
    for decision in way.decisions:
        before = state.clone()
        state.apply(decision)
        cards = paid(before, state)
    assert cards is not None, "the payment is complete after its last decision"
    return dict(cards - already)


def card_by_card(state: State) -> set[frozenset[tuple[str, int]]]:
    """Every payment, by trying all single decisions in the game itself."""
    already = Counter(state.counts(state.record.paid)) + Counter(state.counts(state.record.laid))
    found: set[frozenset[tuple[str, int]]] = set()
    branches = [state]
    while branches:
        here = branches.pop()
        for text in here.legal_texts:
            if text.startswith("pay "):
                after = here.clone()
                after.apply(text)
                cards = paid(here, after)
                if cards is None:
                    branches.append(after)
                else:
                    found.add(frozenset((cards - already).items()))
    return found


@pytest.mark.parametrize("board", ["europe", "london", "usa", "world"])
def test_every_way_to_pay_is_offered_once_and_takes_what_it_says(board: str) -> None:
    rng = random.Random(board)
    seen = 0
    for seed in range(6):
        state = Game(board, 3).start(seed)
        while not state.is_over:
            if any(text.startswith("pay ") for text in state.legal_texts):
                seen += 1
                ways = payments(state.view(state.seat))
                every = card_by_card(state)
                if len(every) <= MOST:
                    assert [played_out(state, way) for way in ways] == [way.cards for way in ways]
                    assert {frozenset(way.cards.items()) for way in ways} == every
                    assert len(ways) == len(every)
                else:
                    assert len(ways) == MOST
                    assert {frozenset(way.cards.items()) for way in ways} <= every
                wilds = [way.cards.get(WILD, 0) for way in ways]
                assert wilds == sorted(wilds)
                assert wilds[0] == min(dict(way).get(WILD, 0) for way in every)
            state.apply(rng.choice(state.legal))
    assert seen > 30


def test_ways_to_pay_are_only_for_who_pays() -> None:
    state = Game("europe", 2).start(4)
    while state.phase != "payment":
        claims = [text for text in state.legal_texts if text.startswith("claim ")]
        state.apply(claims[0] if claims else state.legal[0])
    other = 1 - int(state.record.seat)
    assert payments(state.view(state.seat))
    assert payments(state.view(other)) == []
    assert isinstance(state.view(None), View)
    assert payments(state.view(None)) == []


def full_hand(board: str, route: str, hand: dict[str, int]) -> View:
    """Asked to pay for a route with these cards."""
    state = Game(board, 2).start(1)
    while state.phase != "action":
        state.apply(state.legal[len(state.legal) // 2 if state.phase == "supply" else 0])
    ids = [card.id for card in state.game.board.cards]
    state.records["hands"][0, state.seat, : len(ids)] = [hand.get(card, 0) for card in ids]
    state = State(state.game, None, state.records)  # which knows what is legal now
    state.apply(f"claim {route}")
    return state.view(state.seat)


COLOURS = ("pink", "blue", "orange", "yellow", "white", "green", "black", "red")
FULL_HANDS = [
    pytest.param("usa", "atlanta-charleston", dict.fromkeys(COLOURS[:-1], 3) | {"red": 2}, {"red": 2}, id="plain"),
    pytest.param("usa", "calgary-helena", dict.fromkeys(COLOURS, 3) | {"wild": 3}, {"pink": 3, "wild": 1}, id="with wilds"),
    pytest.param("europe", "budapest-kyiv", dict.fromkeys(COLOURS, 2) | {"wild": 4, "green": 4}, {"green": 4, "wild": 2}, id="tunnel"),
]


@pytest.mark.parametrize(("board", "route", "hand", "best"), FULL_HANDS)
def test_with_a_full_hand_the_best_ways_are_offered(board: str, route: str, hand: dict[str, int], best: dict[str, int]) -> None:
    view = full_hand(board, route, hand)
    ways = payments(view)
    assert ways[0].cards == best
    assert len(ways) == min(MOST, len(card_by_card(view.imagine(0))))
    assert len({frozenset(way.cards.items()) for way in ways}) == len(ways)


def test_the_fullest_hand_is_answered_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ways there are, few are tried: those that are offered are whole, and need no wild."""
    applied: list[str] = []
    apply = State.apply
    board = load_board("world")
    hand = {card.id: 3 for card in board.cards}
    route = max((route for route in board.routes if route.pair), key=lambda route: route.length).id
    view = full_hand("world", route, hand)
    monkeypatch.setattr(State, "apply", lambda state, decision: (applied.append(decision), apply(state, decision))[1])
    ways = payments(view)
    assert 1 <= len(ways) <= MOST
    assert all(WILD not in way.cards for way in ways)
    assert len(applied) < MOST_PAID + len(board.cards)
