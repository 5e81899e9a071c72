"""Which tickets the planner keeps, and when it takes more."""

import numpy as np

from branchline.bots.compiled.paths import leg_end, legs_of, measure
from branchline.bots.compiled.planner_track import value_of_track_tickets
from branchline.bots.compiled.plans import POINT, plan_tickets, set_prices, tickets_to_plan, turns_left
from branchline.bots.compiled.thoughts import FAR, INDEX, can
from branchline.compiling import rule
from branchline.rules.bits import ones, put
from branchline.rules.vocabulary.decisions import KEEP, RETURN
from branchline.rules.vocabulary.phases import OPENING

OFFERED, TICKETS_TURNS, TICKETS_GAIN = (INDEX[name] for name in ("offered", "tickets_turns", "tickets_gain"))


@rule
def value_of_route_tickets(board, seen, seat, subset, thoughts):
    """What a plan gains for the tickets in hand and those kept from the offer, less what those would cost."""
    set_prices(board, seen, seat, thoughts)
    tickets_to_plan(seen, seat, thoughts)
    losses = np.int64(0)
    for i in range(seen.offer_size[seat]):
        if (subset >> i) & 1:
            ticket = seen.offer[seat, i]
            put(thoughts.wanted, ticket)
            points, loss = np.int64(board.ticket_points[ticket]), np.int64(board.ticket_loss[ticket])
            losses += POINT * loss + points * (100 - thoughts.weights[OFFERED])
    return plan_tickets(board, seen, seat, thoughts) - losses


@rule
def value_of_keeping(board, seen, seat, subset, thoughts):
    if board.yards:
        return value_of_track_tickets(board, seen, seat, subset, thoughts)
    return value_of_route_tickets(board, seen, seat, subset, thoughts)


@rule
def best_choice(board, seen, seat, least, thoughts):
    """The best set of offered tickets, as bits, that fits what is already chosen."""
    made = (1 << np.int64(seen.offer_at[seat])) - 1
    best, most = np.int64(made), np.int64(-FAR)
    for subset in range(1 << np.int64(seen.offer_size[seat])):
        if subset & made == seen.kept[seat] & made and ones(np.uint64(subset)) >= least:
            value = value_of_keeping(board, seen, seat, subset, thoughts)
            if value > most:
                best, most = np.int64(subset), value
    return best


@rule(on_gpu="called")
def choose_tickets(board, seen, mask, thoughts):
    """Tries many plans, and leaves none to continue with."""
    seat = seen.seat
    thoughts.planned = 0
    ticket = np.int64(seen.offer[seat, seen.offer_at[seat]])
    if not can(board, mask, RETURN, ticket):
        return np.int64(board.starts[KEEP] + ticket)
    least = min(np.int64(board.opening_keep if seen.phase == OPENING else board.keep), np.int64(seen.offer_size[seat]))
    kept = best_choice(board, seen, seat, least, thoughts) >> np.int64(seen.offer_at[seat]) & 1
    return np.int64(board.starts[KEEP if kept else RETURN] + ticket)


@rule
def may_be_drawn(board, seen, ticket):
    """Could the ticket be in the deck, as far as the seat knows?"""
    return ticket >= board.long_tickets and seen.knows[ticket] == 0


@rule
def promise_of_tickets(board, seen, thoughts):
    """Roughly what drawing tickets gains on average, keeping the good ones. The plan's prices must be set."""
    tickets, gains = np.int64(0), np.int64(0)
    start = np.int64(-1)
    for ticket in range(board.long_tickets, board.tickets):
        if may_be_drawn(board, seen, ticket):
            price = np.int64(0)
            for leg in range(legs_of(board, ticket)):
                if leg_end(board, ticket, leg) != start:
                    start = leg_end(board, ticket, leg)
                    measure(board, start, thoughts)
                price += thoughts.distance[leg_end(board, ticket, leg + 1)]
            gain = thoughts.weights[OFFERED] * np.int64(board.ticket_points[ticket]) - price
            tickets += 1
            gains += max(gain, np.int64(0))
    return gains * board.offer // max(tickets, np.int64(1))


@rule
def wants_tickets(board, seen, thoughts):
    left = turns_left(board, seen, thoughts) - thoughts.turns
    return left >= thoughts.weights[TICKETS_TURNS] and promise_of_tickets(board, seen, thoughts) >= thoughts.weights[TICKETS_GAIN]
