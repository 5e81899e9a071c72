"""Decks, discards and hands: EU-2, EU-13, EU-14, LO-2, LO-9, WO-2, WO-3, WO-11, CG-2, CG-11, G-6.

Decks are multisets: nobody ever sees a deck's order, so a draw picks at random from the counts.
"""

from branchline.compiling import rule
from branchline.rules.chance import roll
from branchline.rules.log import emit
from branchline.rules.sizes import NONE
from branchline.rules.vocabulary.events import DEAL, RESHUFFLE
from branchline.rules.vocabulary.fields import CARD_ROW


@rule
def fill_decks(board, state):
    for kind in range(board.kinds):
        state.deck[kind] = board.cards[kind]
        state.deck_most[kind] = board.cards[kind]
        state.deck_size[board.deck_of[kind]] += board.cards[kind]


@rule
def can_draw(board, state, deck):
    """CG-11: where decks are not reformed, discards leave the game."""
    return state.deck_size[deck] > 0 or (state.discards_size[deck] > 0 and board.reformed == 1)


@rule
def supplier(board, state, deck):
    """The deck itself if it can supply a card, else another that can (WO-11), else NONE."""
    if can_draw(board, state, deck):
        return deck
    for other in range(board.decks):
        if can_draw(board, state, other):
            return other
    return NONE


@rule
def reform_deck(board, state, log, deck):
    """Turn discards into the deck, as soon as a card is needed from it and not before (G-6)."""
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


@rule(on_gpu="called")
def draw_card(board, state, log, deck):
    """Take the top card off a deck; NONE if there is no card, or no deck."""
    if deck == NONE or not can_draw(board, state, deck):
        return NONE
    if state.deck_size[deck] == 0:
        reform_deck(board, state, log, deck)
    nth = roll(state, state.deck_size[deck])
    state.deck_size[deck] -= 1
    kind = -1
    while nth >= 0:
        kind += 1
        if board.decks == 1 or board.deck_of[kind] == deck:
            nth -= state.deck[kind]
    state.deck[kind] -= 1
    return kind


@rule
def draw_openly(board, state, log, deck):
    """Draw a card face up; NONE if there is none."""
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
    state.discards_size[0 if board.decks == 1 else board.deck_of[kind]] += count


@rule
def give_wilds(board, state):
    """CG-2: before the deck is shuffled, give every seat the same number of wilds, face up."""
    for seat in range(state.players):
        state.hands[seat, board.wild] += board.opening_wilds
        state.known[seat, board.wild] += board.opening_wilds
    given = board.opening_wilds * state.players
    state.deck[board.wild] -= given
    state.deck_most[board.wild] -= given
    state.deck_size[board.deck_of[board.wild]] -= given


@rule
def deal_cards(board, state, log, seat, deck, number):
    """Deal cards from a deck, as far as they go."""
    for _ in range(number):
        if can_draw(board, state, deck):
            emit(log, CARD_ROW, NONE, draw_to_hand(board, state, log, deck, seat), 1)


@rule
def deal_hand(board, state, log, seat):
    emit(log, DEAL, seat, 0, 0)
    for _ in range(board.opening_wilds):
        emit(log, CARD_ROW, NONE, board.wild, 1)
    for deck in range(board.decks):
        deal_cards(board, state, log, seat, deck, board.hand[deck])


@rule
def show(state, seat, kind, count):
    """Everybody sees the seat spend `count` cards: any of them that were known are no longer in the hand."""
    state.known[seat, kind] -= min(count, state.known[seat, kind])
