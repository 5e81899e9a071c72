"""How much a record can hold: the maximum over all boards, so that a board is just data and a new one needs no recompiling."""

SEATS = 5
CITIES = 48  # below 64: a set of cities is one word
ROUTE_WORDS = 3
ROUTES = 64 * ROUTE_WORDS
TICKET_WORDS = 2
TICKETS = 80
TOURS = 8
TOUR_CITIES = 6
KINDS = 25  # kinds of card: 6 colours in 4 kinds, and wilds
COLOURS = 8
GRAY = COLOURS  # the colour of a route that takes any one colour
ALIKE = 2  # kinds of card of one colour in one deck
DECKS = 2
ROW = 6
OFFER = 6  # tickets offered at once
PIECES = 2  # kinds of piece, one per deck: trains and ships
LENGTHS = 10  # route lengths 0 to 9
DISTRICTS = 8
BIG_CITIES = 8
TIE_BREAKS = 4
BLOCKS = 24  # blocks of the decision table; vocabulary/decisions.py declares 16 of them
MASK_WORDS = 7
DECISIONS = 64 * MASK_WORDS
TRAIL = 64  # routes one seat can own: each takes at least a piece, and nobody has more than 60
STATIONS = 3  # stations or harbours of a seat
HARBOUR_STEPS = 4  # points of a harbour named by 0, 1, 2, or 3 or more tickets

NONE = -1  # nobody, nothing, nowhere
