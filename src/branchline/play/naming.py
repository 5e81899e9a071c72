"""The text form of decisions: `claim berlin-warszawa.1`, `pay wild`, `keep berlin-roma`, `supply 20` (trains), `exchange 3 for ships`."""

from __future__ import annotations

from difflib import get_close_matches

from branchline.boards import Board
from branchline.errors import NotADecision
from branchline.rules import decisions

VERBS = {
    decisions.CLAIM: "claim",
    decisions.BUILD: "build",
    decisions.KEEP: "keep",
    decisions.RETURN: "return",
    decisions.PAY: "pay",
    decisions.DRAW: "draw",
    decisions.TAKE: "take",
    decisions.DRAW_TICKETS: "tickets",
    decisions.ABANDON: "abandon",
    decisions.PASS: "pass",
    decisions.FILL: "fill",
    decisions.SUPPLY: "supply",
    decisions.EXCHANGE: "exchange",
    decisions.PLACE: "place",
    decisions.COMPLETE: "complete",
    decisions.DONE: "done",
}


class DecisionTable:
    """The decisions of a board, by number and by text."""

    def __init__(self, board: Board) -> None:
        names = {
            decisions.CLAIM: [route.id for route in board.routes],
            decisions.BUILD: [city.id for city in board.cities],
            decisions.KEEP: [ticket.id for ticket in board.tickets],
            decisions.RETURN: [ticket.id for ticket in board.tickets],
            decisions.PAY: [card.id for card in board.cards],
            decisions.DRAW: list(board.decks),
            decisions.TAKE: [str(space) for space in range(board.record.row)],
        }
        names |= {
            decisions.FILL: list(board.decks),
            decisions.SUPPLY: [str(trains) for trains in range(board.record.supply - board.record.pieces[1], board.record.pieces[0] + 1)],
            decisions.EXCHANGE: [f"{number} for {piece}" for piece in ("trains", "ships") for number in range(1, board.record.pieces[0] + 1)],
            decisions.PLACE: [card.id for card in board.cards],
            decisions.COMPLETE: [ticket.id for ticket in board.tickets],
        }
        starts = board.record.starts
        self.texts: list[str] = []
        self.blocks: list[int] = []
        for block, verb in VERBS.items():
            for what in range(starts[block + 1] - starts[block]):
                self.texts.append(f"{verb} {names[block][what]}" if block in names else verb)
                self.blocks.append(block)
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    def __len__(self) -> int:
        return len(self.texts)

    def number(self, decision: int | str) -> int:
        """The number of a decision, checked; raises NotADecision with the nearest texts."""
        if isinstance(decision, str):
            return self._number_of_text(" ".join(decision.split()))
        if isinstance(decision, bool) or not hasattr(decision, "__index__"):
            raise NotADecision(f"{decision!r} is not a decision: give its number or its text")
        if not 0 <= decision < len(self):
            raise NotADecision(f"{decision} is not a decision: the table of this game has the numbers 0 to {len(self) - 1}")
        return int(decision)

    def _number_of_text(self, text: str) -> int:
        if text in self._numbers:
            return self._numbers[text]
        near = get_close_matches(text, self.texts, n=3, cutoff=0.6)
        hint = f"; did you mean {' or '.join(repr(other) for other in near)}?" if near else ""
        raise NotADecision(f"{text[:80]!r} is not a decision of this game{hint}")
