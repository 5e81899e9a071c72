"""Observations: everything in a view and nothing else, with seats as the viewer sees them (G-2)."""

import random
import re
from pathlib import Path

import numpy as np
import pytest
from scripts.observation_tables import observation_table, size_table

from branchline import Game
from branchline.batch import OBSERVATION_VERSION, Batch, layout_of, observation
from branchline.errors import GameOptionError
from branchline.play.bitsets import members
from branchline.play.observations.layout import scales_of, size_of
from branchline.rules.sizes import NONE
from branchline.rules.state import FOR_HARBOUR, FOR_STATION, MAY_DRAW_ONE, NOT_ANNOUNCED, STATE, TICKETS_OTHERWISE
from tests.conftest import LONG, SOAK
from tests.random_games import random_game
from tests.twins import expected_phases, in_payment, twin_world

GAMES = 20 if LONG else 5 if SOAK else 2
PAGE = Path(__file__).parents[2] / "docs" / "batch.md"


class Reader:
    """Reads an observation back by its layout, without sharing any code with the writer."""

    def __init__(self, game, row):
        whole = row * scales_of(game)
        assert np.abs(whole - whole.round()).max() < 1e-3
        self.layout, self.row = layout_of(game), whole.round().astype(int)

    def __contains__(self, name):
        return name in self.layout

    def __getitem__(self, name):
        field = self.layout[name]
        return self.row[field.offset : field.offset + field.size].reshape(field.shape)

    def which(self, name):
        """The place of the one 1 of a field, or NONE."""
        ones = np.flatnonzero(self[name])
        assert len(ones) <= 1
        assert set(self[name].ravel()) <= {0, 1}
        return int(ones[0]) if len(ones) else NONE

    def in_order(self, name):
        """What is at the places 1, 2, 3 … of a field, by place, without what is missing."""
        return {int(self[name][what]) - 1: int(what) for what in np.flatnonzero(self[name])}


def put_set(words, flags):
    assert set(np.unique(flags)) <= {0, 1}
    for number in np.flatnonzero(flags):
        words[number >> 6] |= np.uint64(1 << int(number & 63))


def set_of(flags):
    word = np.zeros(1, np.uint64)
    put_set(word, flags)
    return word[0]


def fill(numbers, given):
    numbers[: len(given)] = given


def read_view(game, row, viewer):
    """The whole view, rebuilt from its observation and the number of the viewer's seat alone."""
    see, view = Reader(game, row), np.zeros(1, STATE)[0]
    players = int(see["present"].sum())
    seats = [(viewer + place) % players for place in range(players)]
    absolute = lambda place: NONE if place == NONE else seats[place]  # noqa: E731
    view.viewer, view.players, view.phase = viewer, players, see.which("phase")
    view.seat, view.first_seat = absolute(see.which("deciding")), absolute(see.which("first"))
    view.decided = sum(1 << seats[place] for place in np.flatnonzero(see["decided"]))
    for name in ("turn", "passes", "to_draw", "owed"):
        view[name] = see[name]
    view.last_turns = see["last_turns"] if see["last_turns_announced"] else NOT_ANNOUNCED
    view.queue_size = see["ticket_deck_size"]
    for name in ("deck_size", "deck_most", "discards", "discards_size", "paid"):
        fill(view[name], see[name])
    view.row = NONE
    for space, cards in enumerate(see["row"]):
        view.row[space] = int(np.argmax(cards)) if cards.any() else NONE
    for place, seat in enumerate(seats):
        read_seat(see, view, place, seat)
    fill(view.hands[viewer], see["hand"])
    fill(view.drawn[viewer], see["drawn"])
    read_payment(see, view)
    read_tickets(see, view)
    if "yards" in see:
        view.second_pass = see["second_pass"]
        view.options = (0 if see["by_hand"] else TICKETS_OTHERWISE) + (MAY_DRAW_ONE if see["may_draw_one"] else 0)
        put_set(view.chosen[viewer], see["chosen"])
    if "supply" in see:
        view.supply[viewer] = see["supply"]
    return view


def read_seat(see, view, place, seat):
    for name in ("points", "ticket_count", "opening_kept", "offer_size", "unbuilt"):
        if name in see:
            view[name][seat] = see[name][place]
    for name in ("pieces", "box", "known", "unseen", "yards", "yard_wilds", "track"):
        if name in see:
            fill(view[name][seat], see[name][place])
    fill(view.hands[seat], see["known"][place])
    put_set(view.tickets[seat], see["held"][place])
    if "completed" in see:
        put_set(view.completed[seat], see["completed"][place])
    if "owned" in see:
        put_set(view.owned[seat], see["owned"][place])
        view.reached[seat] = set_of(see["reached"][place])
    if "built" in see:
        view.built[seat] = set_of(see["built"][place])


def read_payment(see, view):
    view.paying_for = view.target = view.pay_colour = NONE
    if "owned" not in see:
        return
    view.paying_for = see.which("paying_for")
    building = view.paying_for in (FOR_STATION, FOR_HARBOUR)
    view.target = see.which("pay_city" if building else "pay_route")
    assert "pay_city" not in see or see.which("pay_route" if building else "pay_city") == NONE
    view.pay_deck, view.pay_colour, view.pay_from = see.which("pay_deck"), see.which("pay_colour"), see.which("pay_from")
    view.wilds_owed = see["wilds_owed"]
    fill(view.laid, see["laid"])
    fill(view.revealed, see["revealed"])
    put_set(view.open_to[view.viewer], see["open"])


def read_tickets(see, view):
    viewer = int(view.viewer)
    view.offer, view.queue = NONE, NONE
    for i, ticket in see.in_order("offered").items():
        view.offer[viewer, i] = ticket
        view.kept[viewer] |= np.uint8(int(see["offered_kept"][ticket]) << i)
        if see.which("offered_next") == ticket:
            view.offer_at[viewer] = i
    for i, ticket in see.in_order("offered_elsewhere").items():
        offered = [seat for seat in range(view.players) if seat != viewer and view.offer_size[seat]]
        view.offer[offered[0], i] = ticket
        assert len(offered) == 1
    for place, ticket in see.in_order("in_deck").items():
        view.queue[place] = ticket
    fill(view.knows, see["located"] << viewer)
    fill(view.returned_by, see["returned"] << viewer)


@pytest.mark.one_table_each
def test_g_2_a_view_can_be_read_back_from_its_observation(game, players):
    """If two views differ, so do their observations. Not covered: which routes others may claim, because that follows from those owned."""
    phases = set()
    for seed in range(GAMES):
        for state in random_game(game, players, seed):
            phases.add(state.phase)
            for viewer in state.seats if SOAK else [len(state.history) % players]:
                view = state.view(viewer)
                read = read_view(game, observation(view), viewer)
                for seat in set(state.seats) - {viewer}:
                    read.open_to[seat] = view.record.open_to[seat]
                assert read.tobytes() == view.record.tobytes(), [name for name in STATE.names if read[name].tobytes() != view.record[name].tobytes()]
    assert expected_phases(state.game.board) <= phases


def row_of_game(batch, state):
    """What a batch observes of a game for the seat that decides: without a view in between."""
    batch.states[0], batch.seats[0] = state.record, state.seat
    return batch.observe()[0].tobytes()


@pytest.mark.one_table_each
def test_g_2_observations_of_twin_worlds_are_identical_in_every_phase(game, players):
    """Worlds that differ only in what a viewer may not know: made by hand, as for views, and imagined from the view."""
    rng, phases, differing, batch = random.Random(3), set(), 0, Batch(game, 1, players=players, seed=1)
    for seed in range(GAMES):
        for state in random_game(game, players, seed):
            viewer = rng.randrange(players)
            view = state.view(viewer)
            mine = observation(view).tobytes()
            imagined = view.imagine(rng.getrandbits(64))
            assert observation(imagined.view(viewer)).tobytes() == mine
            differing += imagined.record.hands.tobytes() != state.record.hands.tobytes()
            if not in_payment(state, state.seat) or state.seat == viewer or not state.record.paid.any():
                twin = twin_world(state, viewer, rng)
                assert observation(twin.view(viewer)).tobytes() == mine
                phases.add(state.phase)
                if viewer == state.seat:
                    assert row_of_game(batch, twin) == row_of_game(batch, imagined) == mine
            if not state.is_over:
                assert row_of_game(batch, state) == observation(state.view(state.seat)).tobytes()
    assert differing > 20
    assert expected_phases(state.game.board) <= phases


def test_a_batch_observes_what_its_seats_view(game, players):
    batch = Batch(game, 5, players=players, seed=3, threads=2)
    for step in range(120 if SOAK else 60):
        rows, others = batch.observe(), batch.observe_seat(step % players)
        for slot in range(5):
            state = batch.state(slot)
            assert rows[slot].tobytes() == observation(state.view(state.seat)).tobytes()
            assert others[slot].tobytes() == observation(state.view(step % players)).tobytes()
        batch.step(batch.sample())


def test_the_layout_covers_every_number_once(game):
    layout = list(layout_of(game).values())
    assert [field.offset for field in layout] == np.cumsum([0, *(field.size for field in layout)])[:-1].tolist()
    assert len({field.name for field in layout}) == len(layout)
    row = observation(Game(game, 2).start(1).view(0))
    assert (len(row), row.dtype) == (size_of(game), np.float32)
    assert all(field.of(row).shape == field.shape for field in layout)
    assert layout[0].of(np.stack([row, row])).shape == (2, *layout[0].shape)


def test_every_number_of_an_observation_is_written(game, players):
    """Whatever the array held before is overwritten."""
    batch = Batch(game, 3, players=players, seed=1)
    for _ in range(30):
        batch.step(batch.sample())
    rows = np.full((3, batch.observation_size), np.nan, np.float32)
    assert not np.isnan(batch.observe(out=rows)).any()
    assert rows.tobytes() == batch.observe().tobytes()


def test_numbers_are_between_about_0_and_1(game, players):
    batch = Batch(game, 20, players=players, seed=4)
    for _ in range(300):
        batch.step(batch.sample())
        assert np.abs(batch.observe()).max() <= 6  # turns, in long games of random players
    assert np.quantile(np.abs(batch.observe()), 0.99) <= 1


def joined_cities(state, seat):
    """Groups of cities that the seat's routes join, by merging sets."""
    groups = [{city.id} for city in state.game.board.cities]
    for route in state.game.board.routes:
        if route.id in state.routes(seat):
            a, b = (next(group for group in groups if city in group) for city in (route.a, route.b))
            if a is not b:
                groups.remove(b)
                a |= b
    return groups


@pytest.mark.parametrize("board", ["europe", "london", "usa", "world"])
def test_joined_tickets_are_those_whose_cities_the_viewers_routes_join(board):
    found = 0
    for turn, state in enumerate(random_game(board, 2, 5)):
        if turn % 20 == 0 or state.is_over:
            for viewer in state.seats:
                flags = layout_of(board)["joined"].of(observation(state.view(viewer)))
                groups = joined_cities(state, viewer)
                joined = [any(set(ticket.cities) <= group for group in groups) for ticket in state.game.board.tickets]
                assert flags.astype(bool).tolist() == joined
                found += sum(joined)
    assert found


def test_a_ticket_held_and_joined_counts_at_the_end():
    state = next(reversed(list(random_game("london", 2, 1))))
    for seat in state.seats:
        row = observation(state.view(seat))
        joined = layout_of("london")["joined"].of(row) * layout_of("london")["held"].of(row)[0]
        assert np.flatnonzero(joined).tolist() == members(state.counted().completed[seat])


def test_an_observation_is_made_for_a_seat():
    with pytest.raises(GameOptionError, match="made for a seat"):
        observation(Game("london", 2).start(1).view(None))


def test_a_ticket_returned_is_known_in_the_deck():
    """A readable example: one of two opening tickets goes to the bottom of the deck."""
    state = Game("london", 2, first_seat=0).start(1)
    own = state.offer(0)
    for _ in range(2):
        state.apply(f"keep {own[0]}" if f"keep {own[0]}" in state.legal_texts else f"return {own[1]}")
    while state.phase == "opening tickets":
        state.apply(state.legal[0])
    see = Reader("london", observation(state.view(0)))
    number = [ticket.id for ticket in state.game.board.tickets].index(own[1])
    assert see["in_deck"][number] == see["ticket_deck_size"]
    assert see["returned"][number] == see["located"][number] == 1
    assert see["held"][0].sum() == see["ticket_count"][0] == 1


def test_docs_have_the_layout_of_every_game():
    text = PAGE.read_text(encoding="utf-8")
    assert observation_table() in text
    assert size_table() in text
    assert int(re.search(r"`OBSERVATION_VERSION` is (\d+)", text).group(1)) == OBSERVATION_VERSION
