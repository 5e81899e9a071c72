"""Set-up: EU-1, EU-3, EU-5, LO-1, LO-3, WO-1 to WO-5, CG-1 to CG-3, G-3, G-11."""

from branchline.compiling import kept, rule
from branchline.rules.cards import deal_hand, fill_decks, give_wilds
from branchline.rules.chance import roll
from branchline.rules.log import emit
from branchline.rules.payments import end_payment
from branchline.rules.phases import legal
from branchline.rules.routes import open_routes
from branchline.rules.row import lay_row, replace_wild_row
from branchline.rules.sizes import NONE, OFFER, ROW, SEATS, TICKETS
from branchline.rules.state import NOT_ANNOUNCED, REAL
from branchline.rules.supply import hand_out_pieces
from branchline.rules.tickets import offer_opening_tickets
from branchline.rules.vocabulary.events import START


@rule
def write_blanks(state):
    """In a record of zeros, mark what is absent."""
    state.viewer = REAL
    state.last_turns = NOT_ANNOUNCED
    end_payment(state)
    for space in range(ROW):
        state.row[space] = NONE
    for place in range(TICKETS):
        state.queue[place] = NONE
    for seat in range(SEATS):
        for i in range(OFFER):
            state.offer[seat, i] = NONE


@kept(on_gpu="called")
def start(board, state, log, mask, players, key0, key1, first_seat, options):
    """Set up a game in a record of zeros; `first_seat` NONE: drawn at random (G-3). The first decision, a ticket, is never forced."""
    write_blanks(state)
    state.key[0] = key0
    state.key[1] = key1
    state.players = players
    state.options = options
    state.first_seat = roll(state, players) if first_seat == NONE else first_seat
    emit(log, START, NONE, state.first_seat, 0)
    hand_out_pieces(board, state)
    open_routes(board, state)
    fill_decks(board, state)
    give_wilds(board, state)
    for seat in range(players):
        deal_hand(board, state, log, seat)
    lay_row(board, state, log)
    replace_wild_row(board, state, log)
    offer_opening_tickets(board, state, log)
    return legal(board, state, mask)
