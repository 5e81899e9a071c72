"""Decks, discards and hands: EU-2, EU-13, EU-14, LO-2, LO-9, G-6.

Decks are multisets: nobody ever sees a deck's order, so a draw picks at random from the counts.
"""

from branchline.modes import rule
from branchline.rules.chance import roll
from branchline.rules.events import CARD, DEAL, RESHUFFLE, emit
from branchline.rules.sizes import NONE


@rule
def fill_decks(board, state):
    for kind in range(board.kinds):
        state.deck[kind] = board.cards[kind]
        state.deck_most[kind] = board.cards[kind]
        state.deck_size[board.deck_of[kind]] += board.cards[kind]


@rule
def can_draw(state, deck):
    return state.deck_size[deck] > 0 or state.discards_size[deck] > 0


@rule
def reform_deck(board, state, log, deck):
    """Discards become the deck, as soon as a card is needed from it and not before (G-6)."""
    emit(log, RESHUFFLE, NONE, deck, state.discards_size[deck])
    for kind in range(board.kinds):
        if board.deck_of[kind] == deck:
            state.deck[kind] = state.discards[kind]
            state.deck_most[kind] = state.discards[kind]
            state.discards[kind] = 0
            for seat in range(state.players):
                state.drawn[seat, kind] = 0
    state.deck_size[deck] = state.discards_size[deck]
    state.discards_size[deck] = 0


@rule
def draw_card(board, state, log, deck):
    """Take the top card off a deck; NONE when there is none."""
    if not can_draw(state, deck):
        return NONE
    if state.deck_size[deck] == 0:
        reform_deck(board, state, log, deck)
    nth = roll(state, state.deck_size[deck])
    state.deck_size[deck] -= 1
    kind = -1
    while nth >= 0:
        kind += 1
        if board.deck_of[kind] == deck:
            nth -= state.deck[kind]
    state.deck[kind] -= 1
    return kind


@rule
def draw_openly(board, state, log, deck):
    """Draw a card for all to see; NONE when there is none."""
    kind = draw_card(board, state, log, deck)
    if kind != NONE:
        state.deck_most[kind] -= 1
    return kind


@rule
def draw_to_hand(board, state, log, deck, seat):
    """Draw a card that only the seat sees."""
    kind = draw_card(board, state, log, deck)
    state.hands[seat, kind] += 1
    state.drawn[seat, kind] += 1
    return kind


@rule
def discard(board, state, kind, count):
    state.discards[kind] += count
    state.discards_size[board.deck_of[kind]] += count


@rule
def deal_hand(board, state, log, seat):
    emit(log, DEAL, seat, 0, 0)
    for deck in range(board.decks):
        for _ in range(board.hand[deck]):
            emit(log, CARD, NONE, draw_to_hand(board, state, log, deck, seat), 1)


@rule
def show(state, seat, kind, count):
    """Everybody sees the seat spend `count` cards: what was known of them is known no longer to be in the hand."""
    state.known[seat, kind] -= min(count, state.known[seat, kind])
