"""Whole games as a Hypothesis state machine: what must hold in every position of every game."""

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from branchline import Game, IllegalDecision, NotADecision, Record, available_boards, load_board
from tests.conftest import SOAK
from tests.random_games import options_of
from tests.table import all_cards


class WholeGame(RuleBasedStateMachine):
    """Plays one game of any board and number of seats."""

    @initialize(data=st.data(), seed=st.integers(0, 2**128 - 1))
    def begin(self, data, seed):
        name = data.draw(st.sampled_from(available_boards()))
        least, most = load_board(name).players
        players = data.draw(st.integers(least, most))
        first = data.draw(st.none() | st.integers(0, players - 1))
        options = options_of(name, data.draw(st.integers(0, 3)))
        self.state = Game(name, players, first, **options).start(seed)

    @precondition(lambda self: not self.state.is_over)
    @rule(choice=st.integers(0, 10**6), times=st.integers(1, 60))
    def decide(self, choice, times):
        """Some decisions in a row, so that games get far."""
        for step in range(times):
            if not self.state.is_over:
                self.state.apply(self.state.legal[(choice + 7 * step) % len(self.state.legal)])

    @rule(decision=st.integers(-5, 600) | st.text(max_size=30))
    def an_illegal_decision_raises_and_changes_not_one_byte(self, decision):
        before, made = self.state.record.tobytes(), len(self.state.history)
        try:
            number = self.state.game.number(decision)
        except NotADecision:
            number = None
        if number not in self.state.legal:
            with pytest.raises((IllegalDecision, NotADecision)):
                self.state.apply(decision)
            assert self.state.record.tobytes() == before
            assert len(self.state.history) == made

    @precondition(lambda self: not self.state.is_over)
    @rule(choice=st.integers(0, 10**6))
    def a_clone_goes_its_own_way(self, choice):
        before, events = self.state.record.tobytes(), len(self.state.events)
        clone = self.state.clone()
        assert clone == self.state
        clone.apply(clone.legal[choice % len(clone.legal)])
        assert self.state.record.tobytes() == before
        assert len(self.state.events) == events
        assert clone != self.state

    @rule()
    def a_record_comes_back_as_it_went(self):
        record = Record.of(self.state)
        again = Record.from_json(record.to_json())
        assert again == record
        assert again.replay() == self.state

    @precondition(lambda self: self.state.can_undo)
    @rule()
    def undo_takes_back_one_decision(self):
        replayed = self.state.game.start(self.state.seed)
        for decision in self.state.history[:-1]:
            replayed.apply(decision)
        self.state.undo()
        assert self.state == replayed
        assert self.state.events == replayed.events

    @invariant()
    def cards_are_conserved(self):
        board, record = self.state.game.board.record, self.state.record
        assert (all_cards(self.state) == board.cards).all()
        assert record.deck.min() >= 0
        assert record.hands.min() >= 0
        assert (record.deck.sum(), record.discards.sum()) == (record.deck_size.sum(), record.discards_size.sum())

    @invariant()
    def what_is_known_of_a_hand_is_in_it(self):
        record = self.state.record
        hands = record.hands.astype(int).copy()
        if not self.state.is_over:
            hands[record.seat] += record.paid
        assert (record.known >= 0).all()
        assert (record.known <= hands).all()

    @invariant()
    def pieces_are_conserved(self):
        board, record = self.state.game.board, self.state.record
        for seat in self.state.seats:
            for deck, there in enumerate(board.record.pieces):
                spaces = sum(route.length for route in board.routes if route.id in self.state.routes(seat) and route.sea == deck)
                waiting = board.record.supply > 0 and self.state.phase in ("opening tickets", "supply")
                assert spaces + record.pieces[seat, deck] + record.box[seat, deck] == (0 if waiting else there)
            assert len(self.state.buildings(seat)) + record.unbuilt[seat] == board.record.stations + board.record.harbours

    @invariant()
    def no_route_has_two_owners_and_no_city_two_stations(self):
        owned = [route for seat in self.state.seats for route in self.state.routes(seat)]
        built = [city for seat in self.state.seats for city in self.state.buildings(seat)]
        assert len(owned) == len(set(owned))
        assert len(built) == len(set(built))

    @invariant()
    def tickets_are_in_one_place_each(self):
        record, board = self.state.record, self.state.game.board
        places = [ticket for seat in self.state.seats for ticket in (*self.state.tickets(seat), *self.state.offer(seat), *self.state.completed(seat))]
        places += [board.tickets[number].id for number in record.queue[: record.queue_size]]
        assert None not in places
        assert len(places) == len(set(places))
        assert (record.queue[record.queue_size :] == -1).all()

    @invariant()
    def points_recomputed_from_events_are_the_points_kept(self):
        points = np.zeros(len(self.state.seats), int)
        for event in self.state.events:
            if "points" in event:
                points[event["seat"]] += event["points"]
        assert points.tolist() == [self.state.points(seat) for seat in self.state.seats]

    @invariant()
    def no_colour_has_two_rows(self):
        rows = [colour for seat in self.state.seats for colour in self.state.yard(seat)]
        assert len(rows) == len(set(rows))

    @invariant()
    def whoever_is_asked_has_a_choice(self):
        assert self.state.is_over or len(self.state.legal) >= 2


WholeGame.TestCase.settings = settings(
    max_examples=400 if SOAK else 15,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
test_whole_games = WholeGame.TestCase
