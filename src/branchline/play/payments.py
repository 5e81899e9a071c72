"""The complete payments that a seat can choose from, found by paying card by card in an imagined game."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from branchline.play.games import State, View

PAYING = ("payment", "tunnel")
PAID = ("claim", "tunnel_lay", "station", "harbour")  # the events that end a payment, each with its cards
MOST = 12  # with more ways to pay, paying card by card is easier


@dataclass(frozen=True)
class WholePayment:
    decisions: list[str]  # `pay red`, …, without forced ones
    cards: dict[str, int]  # everything laid from now on


def payments(view: View) -> list[WholePayment]:
    """Every different payment that the viewer can make from here; empty if there are too many to read."""
    if view.phase not in PAYING or view.viewer != view.seat:
        return []
    already = Counter(view.counts(view.record.paid)) + Counter(view.counts(view.record.laid))
    found: dict[tuple[tuple[str, int], ...], WholePayment] = {}
    branches: list[tuple[State, list[str]]] = [(view.imagine(0), [])]
    while branches and len(found) <= MOST:
        state, decisions = branches.pop()
        for text in reversed([text for text in state.legal_texts if text.startswith("pay ")]):
            after = state.clone()
            after.apply(text)
            cards = paid(state, after)
            if cards is None:
                branches.append((after, [*decisions, text]))
            else:
                new = dict(cards - already)
                found.setdefault(tuple(sorted(new.items())), WholePayment([*decisions, text], new))
    return list(found.values()) if len(found) <= MOST else []


def paid(before: State, after: State) -> Counter[str] | None:
    """The cards of a payment that has just been completed; None if it continues."""
    for event in after.events_since(before.event_count):
        if event["event"] in PAID:
            return Counter(event["cards"])
    return None
