"""The text form of decisions: `claim berlin-warszawa.1`, `pay wild`, `keep berlin-roma`, `supply 20` (trains), `exchange 3 for ships`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from branchline.boards import Board
from branchline.errors import NotADecision, close_names, suggestion
from branchline.rules.vocabulary import fields as f
from branchline.rules.vocabulary.decisions import BLOCKS, EXCHANGE_OF_PIECES, TRAINS


def supplies(board: Board) -> list[str]:
    fewest, most = board.record.supply - board.record.pieces[1], board.record.pieces[0]
    return [str(trains) for trains in range(fewest, most + 1)]


def exchanges(board: Board) -> list[str]:
    return [f"{number} for {piece}" for piece in ("trains", "ships") for number in range(1, board.record.pieces[0] + 1)]


NAMES: dict[f.FieldType, Callable[[Board], list[str]]] = {
    f.ROUTE: lambda board: [route.id for route in board.routes],
    f.CITY: lambda board: [city.id for city in board.cities],
    f.TICKET: lambda board: [ticket.id for ticket in board.tickets],
    f.CARD: lambda board: [card.id for card in board.cards],
    f.DECK: lambda board: list(board.decks),
    f.SPACE: lambda board: [str(space) for space in range(board.record.row)],
    TRAINS: supplies,
    EXCHANGE_OF_PIECES: exchanges,
}


@dataclass(frozen=True)
class Decision:
    """A decision in its parts: `claim berlin-warszawa.1` is of the kind `claim`, and its `route` is `berlin-warszawa.1`."""

    number: int
    text: str
    kind: str  # the first word of the text
    of: str | None = None  # what distinguishes it from others of its kind: route, city, ticket, card, deck, space, trains, exchange
    what: str | None = None  # which of them
    place: int = 0  # its place among those of its kind: a route's number, a card's …


class DecisionTable:
    """The decisions of a board, by number, by text and in parts."""

    def __init__(self, board: Board) -> None:
        starts = board.record.starts
        self.texts: list[str] = []
        self.blocks: list[int] = []
        for number, block in enumerate(BLOCKS):
            size = int(starts[number + 1] - starts[number])
            names = [block.verb] if block.of is None else [f"{block.verb} {name}" for name in NAMES[block.of](board)]
            self.texts += names[:size]
            self.blocks += [number] * size
        self._size = len(self.texts)
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    def __len__(self) -> int:
        return self._size

    def number(self, decision: int | str) -> int:
        """The number of a decision. Raises NotADecision, with the closest texts, if there is no such decision."""
        if type(decision) is int and 0 <= decision < self._size:
            return decision
        if isinstance(decision, str):
            return self._number_of_text(" ".join(decision.split()))
        if isinstance(decision, bool) or not hasattr(decision, "__index__"):
            raise NotADecision(f"{decision!r} is not a decision: give its number or its text")
        if not 0 <= decision < len(self):
            raise NotADecision(f"{decision} is not a decision: in this game they have the numbers 0 to {len(self) - 1}")
        return int(decision)

    def parts(self, decision: int | str) -> Decision:
        """A decision in its parts."""
        number = self.number(decision)
        block, text = BLOCKS[self.blocks[number]], self.texts[number]
        place = number - self.blocks.index(self.blocks[number])
        if block.of is None:
            return Decision(number, text, block.verb)
        return Decision(number, text, block.verb, block.of.name, text.removeprefix(f"{block.verb} "), place)

    def near(self, text: str) -> list[str]:
        """The texts most like this one. After a known verb, compare only the rest: any `build …` looks like any other."""
        verb, _, what = text.partition(" ")
        prefix = f"{verb.casefold()} "
        alike = [other.removeprefix(prefix) for other in self.texts if other.startswith(prefix)]
        return [prefix + name for name in close_names(what, alike, 3)] if alike and what else close_names(text, self.texts, 3)

    def _number_of_text(self, text: str) -> int:
        if text in self._numbers:
            return self._numbers[text]
        raise NotADecision(f"{text[:80]!r} is not a decision of this game{suggestion(self.near(text))}")
