"""Twin worlds: made from a state by moving hidden things about, by code that shares nothing with the rules' own views.

Hidden cards move between other hands and the deck, hidden tickets between other hands, offers and the ticket deck.
"""

import numpy as np

from branchline.play.bitsets import members
from branchline.rules.vocabulary.phases import COMPLETING, OPENING, SUPPLY
from tests.table import changed


def in_payment(state, seat):
    return state.record.seat == seat and state.phase in ("payment", "tunnel", "placing")


def hidden_cards(state, seat):
    """A seat's cards that not everybody knows, those of a payment in progress included."""
    hidden = state.record.hands[seat].astype(int) - state.record.known[seat]
    return hidden + (state.record.paid if in_payment(state, seat) else 0)


def swap_cards(state, twin, viewer, rng, with_deck):
    """Deal the hidden cards of all other seats again, together with the deck's or only among themselves."""
    others = [seat for seat in state.seats if seat != viewer]
    for seat in others:
        twin.record.hands[seat] = twin.record.known[seat]
        twin.record.drawn[seat] = rng.choices(range(5), k=len(twin.record.deck))
    if with_deck:
        twin.record.deck = 0
    for number in range(len(state.game.board.decks)):
        deal_again(state, twin, others, rng, with_deck, state.game.board.record.deck_of == number)


def deal_again(state, twin, others, rng, with_deck, own):
    """The hidden cards of one deck: everybody knows which deck a hidden card belongs to."""
    pool = [kind for seat in others for kind, count in enumerate(hidden_cards(state, seat) * own) for _ in range(count)]
    deck = [kind for kind, count in enumerate(state.record.deck * own) for _ in range(count)] if with_deck else []
    everything = pool + deck
    rng.shuffle(everything)
    for seat in others:
        size = int((hidden_cards(state, seat) * own).sum())
        dealt, everything = everything[:size], everything[size:]
        for kind in dealt:
            twin.record.hands[seat, kind] += 1
    for kind in everything:
        twin.record.deck[kind] += 1


def ticket_places(state, viewer, with_deck):
    """Every place of a ticket that the viewer does not know: (is it a long one, kind of place, where, ticket)."""
    tickets, record = state.game.board.tickets, state.record
    knows = record.knows.tolist()  # NumPy's own numbers would make this slow
    places = []
    for seat in state.seats:
        if seat != viewer:
            places += [(tickets[ticket].long, "held", seat, ticket) for ticket in members(record.tickets[seat])]
            offer = record.offer[seat, : record.offer_size[seat]].tolist()
            places += [(tickets[ticket].long, "offer", (seat, i), ticket) for i, ticket in enumerate(offer)]
    if with_deck:
        places += [(False, "queue", place, ticket) for place, ticket in enumerate(record.queue[: record.queue_size].tolist())]
    return [place for place in places if place[-1] >= 0 and (viewer is None or not knows[place[-1]] >> viewer & 1)]


def swap_tickets(state, twin, viewer, rng, with_deck):
    """Permute the hidden tickets over their places, long ones among themselves."""
    record = twin.record
    everywhere = ticket_places(state, viewer, with_deck)
    for long in (True, False):
        places = [place for place in everywhere if place[0] == long]
        tickets = [place[-1] for place in places]
        knows = state.record.knows[tickets]
        moved = rng.sample(tickets, len(tickets))
        record.knows[moved] = knows
        for _, kind, where, ticket in places:
            if kind == "held":
                record.tickets[where, ticket >> 6] &= ~np.uint64(1 << (ticket & 63))
        for (_, kind, where, _), ticket in zip(places, moved, strict=True):
            if kind == "held":
                record.tickets[where, ticket >> 6] |= np.uint64(1 << (ticket & 63))
            else:
                record[kind][where] = ticket


def twin_world(state, viewer, rng, with_deck=True):
    """Another world that differs only in what the viewer may not know."""
    twin = state.clone()
    swap_cards(state, twin, viewer, rng, with_deck)
    swap_tickets(state, twin, viewer, rng, with_deck)
    if with_deck:
        twin.record.key = rng.getrandbits(63), rng.getrandbits(63)
        twin.record.rolls = rng.getrandbits(20)
    for seat in state.seats:
        if seat != viewer and state.is_at_once and seat not in state.choosers:
            decide_again(state, twin, seat, rng)
    return changed(twin)


def decide_again(state, twin, seat, rng):
    """What a seat has chosen in secret."""
    board = state.game.board.record
    if state.record.phase == OPENING:
        twin.record.kept[seat] = (1 << int(board.opening_keep)) - 1 | rng.getrandbits(int(state.record.offer_size[seat]))
    elif state.record.phase == SUPPLY:
        twin.record.supply[seat] = rng.randrange(int(board.supply - board.pieces[1]), int(board.pieces[0]) + 1)
    elif state.record.phase == COMPLETING:
        twin.record.chosen[seat] = state.record.tickets[seat] & np.uint64(rng.getrandbits(63))


def expected_phases(board):
    """The phases in which nobody has begun to pay or place: those that the board's mechanisms bring."""
    own = {
        "tunnel": any(route.tunnel for route in board.routes),
        "supply": board.record.supply,
        "fill": len(board.decks) > 1,
        "completing tickets": board.record.yards,
    }
    return {"opening tickets", "action", "second card", "tickets offered", "over"} | {phase for phase, there in own.items() if there}
