"""Complete payments: exactly what the single decisions allow, without revealing anything hidden."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from branchline.play.games import Game, State, View
from branchline.play.payments import MOST, WholePayment, paid, payments


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
                    assert ways == []
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
