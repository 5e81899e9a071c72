"""Every phase: what the game waits for. Numbers never change, because states hold them; a new phase gets the next one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Phase:
    name: str
    meaning: str


PHASES: dict[int, Phase] = {}  # by number


def phase(number: int, name: str, meaning: str) -> int:
    """Declare a phase. The rules know it by its number."""
    assert number not in PHASES, f"two phases have the number {number}"
    PHASES[number] = Phase(name, meaning)
    return number


OPENING = phase(0, "opening tickets", "a seat keeps or returns the next of its first tickets")
ACTION = phase(1, "action", "a seat chooses what to do with its turn")
SECOND_CARD = phase(2, "second card", "a seat draws its second card")
PAYMENT = phase(3, "payment", "a seat pays the next card")
TUNNEL = phase(4, "tunnel", "a seat adds the cards that a tunnel asks for, or abandons it")
TICKETS_OFFERED = phase(5, "tickets offered", "a seat keeps or returns the next offered ticket")
OVER = phase(6, "over", "the game is over")
SUPPLY = phase(7, "supply", "a seat chooses the pieces it begins with")
FILL = phase(8, "fill", "a seat chooses the deck that fills the space it took a card from")
PLACING = phase(9, "placing", "a seat places the next card in its yard")
COMPLETING = phase(10, "completing tickets", "a seat chooses the tickets it completes with its track pile")
MOVING = phase(11, "moving to the track", "cards move from a seat's yard to its track pile; there is no choice, so the engine goes on by itself")
