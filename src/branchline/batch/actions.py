"""Counts of what a seat did over its turns, by the names that tables and reports give them."""

from branchline.batch.compiled.tally import ABANDONED, BUILT, CLAIMED, DREW_CARDS, DREW_TICKETS, EXCHANGED, PASSED, PLACED
from branchline.rules.vocabulary.decisions import ABANDON, BUILD, CLAIM, DRAW, DRAW_TICKETS, EXCHANGE, PASS, PLACE

# the action, and the decisions without which a board cannot have it
COUNTS = {
    "cards": (DREW_CARDS, DRAW),
    "claims": (CLAIMED, CLAIM),
    "abandoned": (ABANDONED, ABANDON),
    "ticket_draws": (DREW_TICKETS, DRAW_TICKETS),
    "builds": (BUILT, BUILD),
    "exchanges": (EXCHANGED, EXCHANGE),
    "places": (PLACED, PLACE),
    "passes": (PASSED, PASS),
}
