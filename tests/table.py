"""Set up the positions that rules talk about. Cards only move between places, so none is lost or created."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from branchline import Game, State
from branchline.rules.vocabulary.phases import ACTION


def table(game: str = "europe", players: int = 2, seed: int = 1, **options: Any) -> State:
    """A game after its opening, with seat 0 to act. Where pieces are chosen, everybody has 20 trains."""
    state = Game(game, players, first_seat=0, **options).start(seed)
    while state.phase in ("opening tickets", "supply"):
        state.apply("supply 20" if state.phase == "supply" else state.legal[0])
    assert (state.phase, state.seat) == ("action", 0)
    return state


def changed(state: State) -> State:
    """Call this after changing a record by hand."""
    state._mask = None
    state._undo.clear()
    return state


def kind(state: State, card: str) -> int:
    return [one.id for one in state.game.board.cards].index(card)


def kinds(state: State, cards: str) -> np.ndarray:
    counts = np.zeros(len(state.record.deck), np.int8)
    for card, count in Counter(cards.split()).items():
        counts[kind(state, card)] = count
    return counts


def sizes(state: State) -> None:
    board = state.game.board.record
    for deck in range(board.decks):
        own = board.deck_of == deck
        own[board.kinds :] = False
        state.record.deck_size[deck] = state.record.deck[own].sum()
        state.record.discards_size[deck] = state.record.discards[own].sum()


def give(state: State, seat: int, cards: str) -> State:
    """Make the seat's hand exactly these cards, from the deck; the old hand goes into the deck."""
    wanted = kinds(state, cards)
    state.record.deck += state.record.hands[seat] - wanted
    assert (state.record.deck >= 0).all(), "the deck has no such cards left"
    state.record.hands[seat] = wanted
    state.record.known[seat] = 0
    sizes(state)
    return changed(state)


def move(state: State, giver: int, taker: int, cards: str) -> State:
    """Move cards from one hand to another."""
    moved = kinds(state, cards)
    state.record.hands[giver] -= moved
    state.record.hands[taker] += moved
    assert (state.record.hands[giver] >= 0).all()
    return changed(state)


def lay(state: State, cards: str) -> State:
    """Lay the face-up row from the deck or the discards; `-` for an empty space."""
    for space, card in enumerate(cards.split()):
        if state.record.row[space] >= 0:
            state.record.deck[state.record.row[space]] += 1
        state.record.row[space] = -1 if card == "-" else kind(state, card)
        if card != "-":
            place = state.record.deck if state.record.deck[kind(state, card)] else state.record.discards
            place[kind(state, card)] -= 1
    assert (state.record.deck >= 0).all()
    assert (state.record.discards >= 0).all()
    sizes(state)
    return changed(state)


def stack(state: State, deck: str, discards: str = "", hoard: int = 1) -> State:
    """Make deck and discards exactly these cards; all others go to the hand of seat `hoard`."""
    everything = state.record.deck + state.record.discards
    state.record.deck = kinds(state, deck)
    state.record.discards = kinds(state, discards)
    rest = everything - state.record.deck - state.record.discards
    state.record.hands[hoard] += rest
    assert (state.record.hands[hoard] >= 0).all(), "there are no such cards left"
    sizes(state)
    return changed(state)


def play(state: State, *decisions: str) -> State:
    for decision in decisions:
        state.apply(decision)
    return state


def claim(state: State, seat: int, route: str) -> State:
    """Let a seat really claim a route, with matching cards and out of turn if need be."""
    facts = next(one for one in state.game.board.routes if one.id == route)
    colour = facts.colour if facts.colour != "gray" else state.game.board.colours[0]
    deck = state.game.board.decks[facts.sea]
    card = next(one for one in state.game.board.cards if one.colour == colour and one.deck == deck)
    spaces = facts.length * (2 if facts.pair else 1)
    state.record.seat = seat
    state.record.phase = ACTION
    give(state, seat, " ".join([card.id] * -(-(spaces - facts.ferry) // card.covers) + ["wild"] * facts.ferry))
    if facts.tunnel:  # with no cards to turn up, it succeeds at once (EU-27)
        stack(state, "", hoard=(seat + 1) % len(state.seats))
    state.apply(f"claim {route}")
    while state.phase in ("payment", "tunnel"):
        state.apply(state.legal[0])
    return state


def own(state: State, seat: int, *routes: str) -> State:
    """Lay routes as at the end of a game, without the turns that led there."""
    numbers = [route.id for route in state.game.board.routes]
    for route in routes:
        number = numbers.index(route)
        state.record.owned[seat][number >> 6] |= np.uint64(1 << (number & 63))
        ends = (state.game.board.record.route_a[number], state.game.board.record.route_b[number])
        state.record.reached[seat] |= np.uint64(1 << int(ends[0]) | 1 << int(ends[1]))
        for other in state.seats:
            state.record.open_to[other][number >> 6] &= ~np.uint64(1 << (number & 63))
        state.record.pieces[seat, int(state.game.board.routes[number].sea)] -= state.game.board.routes[number].length
    return changed(state)


def station(state: State, seat: int, *cities: str) -> State:
    ids = [city.id for city in state.game.board.cities]
    for city in cities:
        state.record.built[seat] |= np.uint64(1 << ids.index(city))
        state.record.unbuilt[seat] -= 1
    return changed(state)


def hold(state: State, seat: int, *tickets: str) -> State:
    """Make the seat's tickets exactly these."""
    ids = [ticket.id for ticket in state.game.board.tickets]
    state.record.tickets[seat] = 0
    for ticket in tickets:
        number = ids.index(ticket)
        state.record.tickets[seat][number >> 6] |= np.uint64(1 << (number & 63))
        state.record.knows[number] |= np.uint8(1 << seat)
    state.record.ticket_count[seat] = len(tickets)
    return changed(state)


def yard(state: State, seat: int, colour: str, cards: str) -> State:
    """Make the seat's row of a colour exactly these cards, from the deck."""
    place = state.game.board.colours.index(colour)
    wanted = kinds(state, cards)
    wilds = int(wanted[state.game.board.record.wild])
    state.record.deck -= wanted
    assert (state.record.deck >= 0).all(), "the deck has no such cards left"
    state.record.yards[seat, place] = wanted.sum() - wilds
    state.record.yard_wilds[seat, place] = wilds
    sizes(state)
    return changed(state)


def pile(state: State, seat: int, cards: str) -> State:
    """Make the seat's track pile exactly these cards, from the deck."""
    wanted = kinds(state, cards)
    state.record.deck -= wanted
    assert (state.record.deck >= 0).all(), "the deck has no such cards left"
    state.record.track[seat] = 0
    for number, card in enumerate((*state.game.board.colours, "wild")):
        state.record.track[seat, number] = wanted[kind(state, card)]
    sizes(state)
    return changed(state)


def over(state: State) -> State:
    """The game as if it ended here."""
    state.record.phase = 6
    return changed(state)


def empty_end(game: str, players: int = 2) -> State:
    """An empty board at the end of a game: nobody holds a ticket."""
    state = table(game, players)
    for seat in state.seats:
        hold(state, seat)
    return over(state)


def scores(state: State, part: str = "total") -> list[int]:
    return [score[part] for score in state.result["scores"]]


def happened(state: State, event: str) -> list[dict]:
    return [one for one in state.events if one["event"] == event]


def legal(state: State, verb: str) -> list[str]:
    """Legal decisions of one kind, without the verb."""
    return [text.removeprefix(verb).strip() for text in state.legal_texts if text.split()[0] == verb]


def all_cards(state: State) -> np.ndarray:
    """The cards of each kind in all places together."""
    board, record = state.game.board, state.record
    cards = record.deck.astype(int) + record.discards + record.hands.sum(axis=0) + record.paid + record.laid + record.revealed
    cards += np.bincount([number for number in record.row if number >= 0], minlength=len(cards))
    for seat in state.seats:
        for heap in (state.track(seat), *state.yard(seat).values()):
            for card, count in heap.items():
                cards[[one.id for one in board.cards].index(card)] += count
    return cards
