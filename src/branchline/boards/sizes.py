"""Sizes of a drawing that all boards share, in its units. Only the frame differs."""

SPACE_LENGTH = 26.0
SPACE_WIDTH = 9.0
SPACE_RADIUS = 2.5  # of its corners
GAP = 2.4  # between two spaces of a track, and between two tracks
PITCH = SPACE_LENGTH + GAP
LONGEST = 1.12 * SPACE_LENGTH  # a space may be drawn a little longer or shorter than it should
SHORTEST = 0.9 * SPACE_LENGTH
TRACK_OFFSET = (SPACE_WIDTH + GAP) / 2  # of each track of a double route from the middle between them

CITY_RADIUS = 6.0
LEAST_TRIM = CITY_RADIUS + 2.6  # from the city's centre to its first space
EDGE_TRIM = 8.0  # room for the arrow at the frame

FONT_SIZE = 12.0
LINE_HEIGHT = 1.05 * FONT_SIZE
LABEL_MARGIN = 1.0  # on both sides of the text, for its halo
OFF_OTHER_DOTS = 6.0  # closer to another city's dot, a name could be mistaken for that city's
TWO_LINES = 12  # letters from which a name is split into two lines, unless the board says otherwise
