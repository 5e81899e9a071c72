"""The complete payments that a seat can choose from, found by paying card by card in an imagined game."""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from dataclasses import dataclass

from branchline.play.games import State, View
from branchline.play.positions import Position
from branchline.rules.vocabulary.events import EVENTS
from branchline.rules.vocabulary.fields import PAYMENT

PAYING = ("payment", "tunnel")
PAID = {event.name for event in EVENTS.values() if PAYMENT in event.kinds}
MOST = 12  # with more ways to pay, the best of them: more would be a list to search
MOST_PAID = 400  # cards paid in imagined games: the fullest hands are answered in time, too


@dataclass(frozen=True)
class WholePayment:
    decisions: list[str]  # `pay red`, …, without forced ones
    cards: dict[str, int]  # everything laid from now on


def payments(view: View) -> list[WholePayment]:
    """Every different payment that the viewer can make from here or, if there are very many, the best of those found in time: those with the fewest
    wilds, then those that waste least, then those in colours of which the viewer holds little."""
    if view.phase not in PAYING or view.viewer != view.seat:
        return []
    return sorted(with_fewest_wilds(view), key=lambda way: price(view, way))[:MOST]


def with_fewest_wilds(view: View) -> list[WholePayment]:
    """All payments with no more wilds than the last of the first `MOST`, as far as they are found in time."""
    already, wild = cards_laid(view), view.game.board.cards[-1].id
    found: dict[tuple[tuple[str, int], ...], WholePayment] = {}
    numbers = itertools.count()
    # those with the fewest wilds first, and of these the longest, which are soon complete
    branches: list[tuple[int, int, int, State, WholePayment, bool]] = [(0, 0, next(numbers), view.imagine(0), WholePayment([], {}), False)]
    tried = most = 0
    while branches and (len(found) < MOST or branches[0][0] <= most):
        wilds, _, _, state, way, is_whole = heapq.heappop(branches)
        if is_whole:
            found.setdefault(tuple(sorted(way.cards.items())), way)
            most = wilds
            continue
        if tried >= MOST_PAID:
            continue
        for text in [text for text in state.legal_texts if text.startswith("pay ")]:
            tried += 1
            after = state.clone()
            after.apply(text)
            whole = paid(state, after)
            new = dict((cards_laid(after) if whole is None else whole) - already)
            longer = WholePayment([*way.decisions, text], new)
            heapq.heappush(branches, (new.get(wild, 0), -sum(new.values()), next(numbers), after, longer, whole is not None))
    return list(found.values())


def cards_laid(position: Position) -> Counter[str]:
    """What the seat in turn has laid down so far."""
    return Counter(position.counts(position.record.paid)) + Counter(position.counts(position.record.laid))


def price(view: View, way: WholePayment) -> tuple[int, int, int]:
    """What speaks against a payment, the worst first: wilds, spaces covered in all, and how many cards the viewer has of these kinds."""
    cards, wild = view.game.board.cards, view.game.board.cards[-1].id
    hand = view.hand(int(view.record.seat))
    covered = sum(card.covers * way.cards.get(card.id, 0) for card in cards)
    return way.cards.get(wild, 0), covered, sum(hand.get(kind, 0) for kind in way.cards if kind != wild)


def paid(before: State, after: State) -> Counter[str] | None:
    """The cards of a payment that has just been completed; None if it continues."""
    for event in after.events_since(before.event_count):
        if event["event"] in PAID:
            return Counter(event["cards"])
    return None
