"""A view in the words of the protocol. It is made of the seat's view and nothing else."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from branchline.boards.shown import board_facts
from branchline.bots.processes.messages import Seen
from branchline.play.games import Game, View
from branchline.play.shown import own_facts, seat_facts, shown_position, shown_so_far

SHOWN_OTHERWISE = ("hand", "own_pile", "pile")  # what people are shown of hands and piles; bots get `known` and `track`


def seen(view: View) -> Seen:
    assert view.viewer is not None
    shown = shown_position(view, (), True) | shown_so_far(view, view.viewer)
    return Seen.model_validate(shown | {"seat": view.viewer, "seats": [seat_seen(view, seat) for seat in view.seats]})


def seat_seen(view: View, seat: int) -> dict[str, Any]:
    facts = seat_facts(view, seat) | (own_facts(view, seat) if seat == view.viewer else {})
    piles = {"track": view.track(seat)} if view.game.board.numbers["yards"] else {}
    return {name: value for name, value in facts.items() if name not in SHOWN_OTHERWISE} | {"known": view.hand(seat)} | piles


@lru_cache(maxsize=16)
def facts_of(game: Game) -> dict[str, Any]:
    """The facts of a game's board. Whoever gets them must not change them."""
    return board_facts(game.board) | {"decisions": game.decisions.texts}
