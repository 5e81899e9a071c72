"""G-2: a viewer sees what they may know, and not one byte more.

Twin worlds differ only in what a viewer may not know: `tests/twins.py` makes them.
"""

import random
from collections import Counter, deque

import pytest

from branchline import Record, load_board
from branchline.play.events import redact
from tests.conftest import LONG, SOAK
from tests.random_games import random_game
from tests.twins import expected_phases, in_payment, twin_world

GAMES = 40 if LONG else 6 if SOAK else 2
NOBODY = None


@pytest.mark.one_table_each
def test_g_2_views_of_twin_worlds_are_identical_in_every_phase(game, players):
    seen = Counter()
    differing = 0
    rng = random.Random(1)
    for seed in range(GAMES):
        for state in random_game(game, players, seed):
            if not SOAK and state.phase in ("action", "second card") and rng.random() < 0.8:
                continue  # the commonest phases: a sample
            viewers = (*state.seats, NOBODY)
            for viewer in viewers if SOAK else [rng.choice(viewers)]:
                if in_payment(state, state.seat) and state.seat != viewer and state.record.paid.any():
                    continue  # covered below: a payment in progress
                twin = twin_world(state, viewer, rng)
                assert twin.view(viewer).record.tobytes() == state.view(viewer).record.tobytes()
                assert str(twin.view(viewer)) == str(state.view(viewer))
                seen[state.phase] += 1
                differing += twin != state
    assert differing > 0.9 * sum(seen.values())
    assert expected_phases(state.game.board) <= set(seen)


def test_g_2_a_payment_in_progress_is_hidden_from_the_others(game, players):
    """To other viewers, nothing has happened since the seat last acted in the open."""
    checked = 0
    for seed in range(GAMES):
        before = None
        for state in random_game(game, players, seed):
            if state.phase in ("payment", "placing") and before is not None:
                for viewer in (*state.seats, NOBODY):
                    if viewer != state.seat:
                        assert state.view(viewer).record.tobytes() == before[viewer]
                        checked += 1
            elif state.phase in ("action", "tunnel"):
                before = {viewer: state.view(viewer).record.tobytes() for viewer in (*state.seats, NOBODY)}
    assert checked


@pytest.mark.one_table_each
def test_g_2_redacted_events_are_identical_in_twin_worlds(game, players):
    """Starting from twins with the same deck, make the same decisions while both allow them."""
    compared = 0
    rng = random.Random(2)
    for seed in range(GAMES):
        for turn, state in enumerate(random_game(game, players, seed)):
            if turn % 10 or state.record.paid.any() or state.is_over:
                continue
            viewer = rng.choice([*state.seats, NOBODY])
            one, other = state.clone(), twin_world(state, viewer, rng, with_deck=False)
            start = len(one.events)
            for _ in range(12):
                both = sorted(set(one.legal) & set(other.legal))
                if not both or one.is_over or other.is_over or one.seat != other.seat or one.phase != other.phase:
                    break
                decision = rng.choice(both)
                one.apply(decision)
                other.apply(decision)
                if [public(event) for event in one.events[start:]] != [public(event) for event in other.events[start:]]:
                    break  # what was hidden has come into the open
                if (one.record.queue != other.record.queue).any():
                    break  # hidden tickets were returned: the deck is no longer the same, and the viewer may draw from it
                ours = [redact(event, viewer) for event in one.events[start:]]
                theirs = [redact(event, viewer) for event in other.events[start:]]
                assert ours == theirs
                compared += len(ours)
    assert compared


def public(event):
    return redact(event, None)


HIDDEN = {"deal": {"cards"}, "draw": {"card"}, "offer_tickets": {"tickets"}, "keep_tickets": {"kept", "returned"}}


def test_g_2_redacted_records_hold_nothing_hidden(game, players):
    """A record for a seat shows nothing of other seats' deals, draws and tickets, nor of seed and decisions."""
    state = deque(random_game(game, players, 4), maxlen=1).pop()
    record = Record.of(state)
    del record.result["winners"]
    for viewer in (*state.seats, NOBODY):
        redacted = record.redacted(viewer)
        assert redacted.seed is None
        assert redacted.decisions is None
        assert all(set(score) == ({"routes"} if state.game.board.routes else set()) for score in redacted.result["scores"])
        for event in redacted.events:
            if event.get("seat") != viewer:
                assert not HIDDEN.get(event["event"], set()) & set(event)
            else:
                assert HIDDEN.get(event["event"], set()) <= set(event)


class Memory:
    """What a viewer can know about other hands, worked out independently from the redacted events alone."""

    def __init__(self, viewer, players, board):
        self.viewer = viewer
        wilds = {"wild": int(board.record.opening_wilds)} if board.record.opening_wilds else {}  # everybody begins with these
        self.known = [Counter(wilds) for _ in range(players)]  # cards that everyone has seen go to a hand
        self.seen = set()  # tickets that were ever shown to the viewer
        self.laid = Counter()

    def hear(self, event):
        event = redact(event, self.viewer)
        kind, seat = event["event"], event.get("seat")
        if kind == "take":
            self.known[seat][event["card"]] += 1
        elif kind in ("claim", "station", "harbour", "place", "tunnel_lay"):
            cards = Counter(event["cards"])
            if kind == "claim" and self.laid:
                cards -= self.laid
                self.laid = Counter()
            self.known[seat] -= cards
            if kind == "tunnel_lay":
                self.laid = cards
        elif kind == "tunnel_abandon":
            self.known[seat] += self.laid
            self.laid = Counter()
        elif kind == "offer_tickets":
            self.seen |= set(event.get("tickets", ()))


@pytest.mark.one_table_each
def test_g_2_a_view_shows_of_others_only_what_events_have_shown(game, players):
    """Another seat's hand shows exactly the cards everyone has seen go there; its tickets are only those that the viewer was shown."""
    for seed in range(GAMES):
        heard = 0
        memories = {viewer: Memory(viewer, players, load_board(game)) for viewer in (*range(players), NOBODY)}
        for state in random_game(game, players, seed):
            for event in state.events[heard:]:
                for memory in memories.values():
                    memory.hear(event)
            heard = len(state.events)
            for viewer, memory in memories.items():
                view = state.view(viewer)
                tickets = [state.game.board.tickets[number].id for number in view.record.queue if number >= 0]
                for seat in state.seats:
                    if seat != viewer:
                        assert view.hand(seat) == dict(memory.known[seat])
                        tickets += view.tickets(seat) + [ticket for ticket in view.offer(seat) if ticket]
                assert set(tickets) <= memory.seen


@pytest.mark.one_table_each
def test_g_2_a_view_holds_own_secrets_and_only_counts_of_others(game, players):
    for state in random_game(game, players, 6):
        for viewer in state.seats:
            view = state.view(viewer)
            assert view.hand(viewer) == state.hand(viewer)
            assert view.tickets(viewer) == state.tickets(viewer)
            assert not view.record.deck.any()
            assert not view.record.key.any()
            for seat in state.seats:
                size = sum(state.hand(seat).values()) + (int(state.record.paid.sum()) if seat == state.seat and seat != viewer else 0)
                assert sum(view.hand(seat).values()) + view.hidden_cards(seat) == size
                assert view.ticket_count(seat) == state.ticket_count(seat)
