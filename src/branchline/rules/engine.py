"""The entry points that Python calls. Each passes the single record of an array to a rule, and contains no rule itself.

They take arrays because Python passes an array quickly, while passing a single record takes longer than running most rules.
"""

from branchline.compiling import kept
from branchline.rules import at_once, best_tickets, imagination, phases, routes, scoring, setup, stations
from branchline.rules.views import view as write_view


@kept
def start(boards, states, log, mask, players, key0, key1, first_seat, options):
    return setup.start(boards[0], states[0], log, mask, players, key0, key1, first_seat, options)


@kept
def legal(boards, states, mask):
    return phases.legal(boards[0], states[0], mask)


@kept
def apply(boards, states, log, mask, works, decision):
    return phases.perform_all(boards[0], states[0], log, mask, works[0], decision)


@kept
def ask(boards, states, mask, seat):
    """Let this seat make its simultaneous choice now."""
    at_once.ask(states[0], seat)
    return phases.legal(boards[0], states[0], mask)


@kept
def is_at_once(states):
    return at_once.is_at_once(states[0])


@kept
def final_count(boards, states, works, results):
    scoring.final_count(boards[0], states[0], works[0], results[0])


@kept
def view(boards, states, viewer, out):
    write_view(boards[0], states[0], viewer, out[0])


@kept
def imagine(boards, states, key0, key1):
    imagination.imagine(boards[0], states[0], key0, key1)


@kept
def payable_routes(boards, states, found):
    """The routes that the deciding seat's hand can pay for."""
    state = states[0]
    routes.payable_routes(boards[0], state.hands[state.seat], found)


@kept
def best_to_complete(boards, states, works, tickets):
    """The tickets that the deciding seat does best to complete with its track pile."""
    state = states[0]
    best_tickets.best_to_complete(boards[0], state, state.seat, works[0], tickets)


@kept
def next_station_cost(boards, states):
    return stations.next_cost(boards[0], states[0])
