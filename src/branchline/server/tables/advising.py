"""What a seat may ask about its own game: why a decision is not legal, what it can complete, what a good player would do. Uses its view alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from branchline.play.completing import completable_with
from branchline.play.games import View
from branchline.play.patches import Json
from branchline.play.positions import copy_of
from branchline.play.reasons import Reason, why_not
from branchline.rules.vocabulary.phases import ACTION
from branchline.server.protocol.refusals import Refused
from branchline.server.tables.table import Table

COVERED = ("cards_lacking", "placing")  # of a plan with a yard


def view_of(table: Table, seat: int) -> View:
    assert table.state is not None
    return table.state.view(seat)


def why(view: View, number: int) -> Json:
    """Is a decision legal now, and if not, why? A seat that is not asked hears what would prevent it on its own turn."""
    reason = objection(view, number) if view.seat == view.viewer else objection_ahead(view, number)
    return {"legal": True} if reason is None else {"legal": False, "reason": reason.key, "values": reason.values}


def objection(view: View, number: int) -> Reason | None:
    return None if number in view.legal else why_not(view, number)


def objection_ahead(view: View, number: int) -> Reason:
    reason = objection(in_own_turn(view), number)
    return Reason("not_your_turn") if reason is None or reason.key == "choose_action" else reason


def in_own_turn(view: View) -> View:
    """The view as if its viewer had to choose an action now. It contains nothing of a decision that another seat has half made."""
    records = copy_of(view.records)
    records["seat"], records["phase"] = view.viewer, ACTION
    return View(view.game, records)


def question_for(table: Table, seat: int) -> View:
    """What the seat is asked now, as a bot in its place would be."""
    if seat not in table.questions:
        raise Refused("not_your_turn")
    return view_of(table, seat)


def completable(view: View, tickets: Sequence[str]) -> Json:
    """Which tickets a seat that chooses the ones to complete can choose besides these."""
    unknown = next((ticket for ticket in tickets if ticket not in {one.id for one in view.game.board.tickets}), None)
    if unknown is not None:
        raise Refused.because("not_a_decision", "ticket", ticket=unknown)
    return {"tickets": completable_with(view, tickets)}


def hint(explained: dict[str, Any]) -> Json:
    """An adviser's explanation, without missing parts, and without what would tell people the contents of a track pile (CG-8)."""
    plan = {name: value for name, value in explained["plan"].items() if value is not None and name not in COVERED}
    return {"decision": explained["decision"], "plan": plan}
