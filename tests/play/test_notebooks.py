"""Games, positions and records show themselves as pictures in a notebook, and a view only what its viewer may know."""

import xml.etree.ElementTree as ET

from branchline import Game, Record


def test_a_game_its_positions_and_its_record_are_pictures(game):
    state = Game(game, 2).start(5)
    state.apply(state.legal[0])
    record = Record.of(state)
    drawn = [Game(game, 2)._repr_svg_(), state._repr_svg_(), state.view(0)._repr_svg_(), state.view(None)._repr_svg_(), record._repr_svg_()]
    assert all(ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg" for svg in drawn)
    assert drawn[1] == drawn[4]
    assert record.redacted(0)._repr_svg_() is None


def test_a_view_shows_its_viewers_tickets_alone(game):
    state = Game(game, 2).start(5)
    while not state.tickets(1):
        state.apply(state.legal[-1])
    board = state.game.board
    cities = {city.id: city.name for city in board.cities}
    ticket = next(ticket for ticket in board.tickets if ticket.id == state.tickets(1)[0])
    said = squeezed(f"{' – '.join(cities[city] for city in ticket.cities)} ({ticket.points})")
    assert [said in squeezed(text_of(state.view(viewer))) for viewer in (None, 0, 1)] == [False, False, True]


def text_of(position):
    return "".join(ET.fromstring(position._repr_svg_()).itertext())


def squeezed(text):
    """Long lines are broken anywhere between two words."""
    return text.replace(" ", "")
