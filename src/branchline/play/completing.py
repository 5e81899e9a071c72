"""The tickets that a seat does best to complete with its track pile (CG-19), as its own view shows them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from branchline.play.bitsets import members
from branchline.play.calls import scratch
from branchline.play.games import View
from branchline.play.positions import Position, copy_of
from branchline.rules import engine
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import TICKET_WORDS
from branchline.rules.vocabulary.phases import COMPLETING


@dataclass(frozen=True)
class BestChoice:
    tickets: list[str]  # besides those already chosen
    bonus_cities: list[str]  # whose bonuses the seat would have, as they would then stand
    points: int  # what the seat would have in all
    decisions: list[str]  # that make the choice, without forced ones


def best_choice(view: View) -> BestChoice | None:
    """The choice with the most points; None if the viewer has no tickets to choose now."""
    if not is_asked(view):
        return None
    board, seat, best = view.game.board, view.seat, np.zeros(TICKET_WORDS, np.uint64)
    records, results = copy_of(view.records), np.zeros(1, RESULT)
    engine.best_to_complete(board.records, records, scratch.work, best)
    taken = best | records[0].chosen[seat]
    records[0].completed[seat] |= taken
    records[0].tickets[seat] &= ~taken
    engine.final_count(board.records, records, scratch.work, results)
    cities = [city.id for place, city in enumerate(board.big_cities) if int(results[0].bonus_cities[seat]) >> place & 1]
    tickets = [board.tickets[ticket].id for ticket in members(best)]
    return BestChoice(tickets, cities, int(results[0].total[seat]), unforced(view, [*(f"complete {ticket}" for ticket in tickets), "done"]))


def completable_with(view: View, tickets: Collection[str]) -> list[str]:
    """The tickets of the viewer, who has to choose now, that its pile completes together with all of these."""
    if not is_asked(view):
        return []
    held = [view.game.board.tickets[number].id for number in members(view.record.tickets[view.seat])]
    return [one for one in held if one not in tickets and are_completable(view, {*tickets, one})]


def are_completable(view: View, tickets: Collection[str]) -> bool:
    """Can the viewer complete all of these? An imagined game says so: they are chosen one after the other, in the order of the board."""
    state = view.imagine(0)
    for decision in [f"complete {ticket.id}" for ticket in view.game.board.tickets if ticket.id in tickets]:
        if not is_choosing(state, view.seat) or decision not in state.legal_texts:
            return False
        state.apply(decision)
    return True


def unforced(view: View, decisions: list[str]) -> list[str]:
    """The decisions up to the last one that the seat has to make itself."""
    state, made = view.imagine(0), 0
    while made < len(decisions) and is_choosing(state, view.seat):
        state.apply(decisions[made])
        made += 1
    return decisions[:made]


def is_asked(view: View) -> bool:
    return view.viewer == view.seat and is_choosing(view, view.viewer) and len(view.legal) > 1


def is_choosing(position: Position, seat: int | None) -> bool:
    return position.record.phase == COMPLETING and position.seat == seat
