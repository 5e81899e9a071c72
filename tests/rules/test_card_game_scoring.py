"""Completing tickets with cards, bonuses and the winner: CG-18, CG-19, CG-22 to CG-24."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from branchline import Game, GameOptionError, IllegalDecision, Record, load_board
from branchline.bots import make_bot
from branchline.bots.levels import LEVELS
from branchline.compiling import kept
from branchline.play.completing import best_choice, completable_with
from branchline.rules.best_tickets import best_to_complete, choose_best
from branchline.rules.state import STATE
from branchline.rules.work import WORK
from tests.conftest import PLAIN, SOAK
from tests.rules.test_card_game import cards, end_turns
from tests.table import changed, give, happened, hold, lay, legal, over, pile, play, scores, table, yard

PILES = 30_000 if SOAK else 120 if PLAIN else 2_000


def finish(state):
    """The last turn of the pass."""
    state.record.last_turns = 1
    return end_turns(changed(state), 1)


def for_me(players=2):
    """A table that completes tickets for its players."""
    return cards(players, complete_tickets_for_me=True)


def test_cg_18_a_ticket_needs_exactly_its_cards_and_locomotives_stand_for_any():
    state = hold(pile(for_me(), 0, "black yellow wild pink"), 0, "chicago-seattle")  # black, yellow, yellow
    finish(state)
    assert happened(state, "complete_tickets")[0] == {
        "event": "complete_tickets",
        "seat": 0,
        "tickets": [{"ticket": "chicago-seattle", "cards": ["yellow", "wild", "black"]}],
    }
    assert state.track(0) == {"pink": 1}


def test_cg_18_each_card_serves_one_ticket():
    state = hold(pile(for_me(), 0, "yellow blue"), 0, "chicago-new-york.1", "chicago-montreal")  # yellow; yellow and blue
    assert finish(state).completed(0) == ["chicago-montreal"]


def test_cg_18_hand_and_yard_do_not_count():
    state = hold(pile(yard(give(for_me(), 0, "yellow blue"), 0, "blue", "blue"), 0, "yellow"), 0, "chicago-montreal")
    assert finish(state).completed(0) == []


def test_cg_19_for_me_the_highest_value_is_taken():
    state = hold(pile(for_me(), 0, "yellow green"), 0, "chicago-new-york.1", "chicago-dallas", "chicago-santa-fe")
    assert finish(state).completed(0) == ["chicago-santa-fe"]


def test_cg_19_for_me_among_equals_the_most_tickets():
    state = hold(pile(for_me(), 0, "wild wild"), 0, "chicago-miami", "chicago-new-york.1", "chicago-new-york.2", "miami-new-york")  # 5 + 5, or 10
    assert finish(state).completed(0) == ["chicago-new-york.1", "chicago-new-york.2"]


def test_cg_19_a_player_chooses_which_tickets_to_complete():
    state = pile(cards(), 0, "wild wild")
    finish(hold(state, 0, "chicago-new-york.1", "chicago-new-york.2", "miami-new-york", "miami-seattle"))
    assert (state.phase, state.seat) == ("completing tickets", 0)
    assert legal(state, "complete") == ["chicago-new-york.1", "chicago-new-york.2", "miami-new-york"]
    with pytest.raises(IllegalDecision, match="its cards are not in your track pile"):
        state.apply("complete miami-seattle")
    play(state, "complete chicago-new-york.1")
    assert legal(state, "complete") == ["chicago-new-york.2"]
    state.undo()
    play(state, "complete miami-new-york")
    assert state.completed(0) == ["miami-new-york"]


def test_cg_19_version_1_completed_tickets_for_everyone_unless_the_table_chose_by_hand():
    held = ("kansas-city-new-york", "dallas-washington")
    state = finish(hold(pile(cards(rules_version=1), 0, "green wild"), 0, *held))
    assert state.completed(0) == ["dallas-washington"]  # the higher value, without asking
    state = finish(hold(pile(cards(rules_version=1, choose_tickets_by_hand=True), 0, "green wild"), 0, *held))
    assert state.phase == "completing tickets"


def test_cg_19_choices_are_secret_until_the_last_is_made():
    state = cards(3)
    for seat in state.seats:
        hold(pile(state, seat, "yellow blue"), seat, "chicago-new-york.1" if seat else "chicago-montreal")
    finish(state)
    other = state.clone()
    play(state, "complete chicago-montreal")
    play(other, "done")
    assert state.seat == other.seat == 1
    assert state.view(2).record.tobytes() == other.view(2).record.tobytes()
    assert not happened(state, "complete_tickets")
    play(state, "complete chicago-new-york.1")
    play(state, "done")
    assert [len(event["tickets"]) for event in happened(state, "complete_tickets")] == [1, 1, 0]


def test_cg_19_the_option_is_recorded_and_only_for_games_with_piles():
    game = Game("card-game", 2, complete_tickets_for_me=True, look_into_own_pile=True)
    record = Record.from_json(Record.of(game.start(1)).to_json())
    assert record.options == {"complete_tickets_for_me": True, "look_into_own_pile": True}
    assert record.replay().game == game
    with pytest.raises(GameOptionError, match="has no option complete_tickets_for_me: it has no options of its own"):
        Game("london", 2, complete_tickets_for_me=True)
    with pytest.raises(GameOptionError, match="has no option choose_tickets_by_hand: its options are complete_tickets_for_me, may_draw_one"):
        Game("card-game", 2, choose_tickets_by_hand=True)
    with pytest.raises(GameOptionError, match="true or false"):
        Game("card-game", 2, complete_tickets_for_me=1)


def asked(*held, heap="green wild", players=2):
    """The first seat is asked which of these tickets it completes."""
    state = finish(hold(pile(cards(players), 0, heap), 0, *held))
    assert (state.phase, state.seat) == ("completing tickets", 0)
    return state


def test_cg_19_the_best_choice_counts_bonuses_and_what_unfinished_tickets_cost():
    best = best_choice(asked("kansas-city-new-york", "dallas-washington").view(0))
    assert (best.tickets, best.bonus_cities, best.points) == (["kansas-city-new-york"], ["new-york"], 9 - 10 + 15)  # not 10 - 9 + 10


def test_cg_19_bonuses_stand_as_completed_tickets_of_others_make_them():
    state = hold(pile(cards(3), 0, "green wild"), 0, "kansas-city-new-york", "dallas-washington")
    finish(done(state, 1, "new-york-portland", "miami-new-york"))
    best = best_choice(state.view(0))
    assert (best.tickets, best.bonus_cities, best.points) == (["dallas-washington"], ["dallas"], 10 - 9 + 10)


def test_cg_19_what_is_already_chosen_counts():
    state = play(asked("dallas-washington", "kansas-city-new-york", "chicago-new-york.1", heap="green wild yellow"), "complete chicago-new-york.1")
    assert best_choice(state.view(0)).tickets == ["dallas-washington"]  # New York's bonus is won already


def test_cg_19_the_best_choice_is_only_for_the_seat_that_is_asked():
    state = asked("kansas-city-new-york", "dallas-washington")
    assert best_choice(state.view(1)) is None
    assert best_choice(state.view(0)).decisions == ["complete kansas-city-new-york"]  # nothing else fits, so the rest is forced
    assert best_choice(table("europe").view(0)) is None


def fits_by_hand(board, heap, tickets):
    """CG-18: the cards of all these tickets are in the pile; locomotives stand for those that are missing."""
    needed = board.record.ticket_cards[tickets].astype(int).sum(axis=0)
    return np.maximum(needed - heap[:8], 0).sum() <= heap[8]


def test_cg_18_tickets_can_be_completed_besides_others_while_the_pile_has_the_cards_of_all():
    rng, board = random.Random(18), load_board("card-game")
    names, kinds = [ticket.id for ticket in board.tickets], [card.id for card in board.cards]
    compared = 0
    while compared < (1_000 if SOAK else 10 if PLAIN else 60):
        held = rng.sample(range(46), 7)
        heap = np.bincount([rng.randrange(9) for _ in range(rng.randrange(4, 16))], minlength=9)
        text = " ".join(kind for kind, count in zip(kinds, heap, strict=True) for _ in range(count))
        state = finish(hold(pile(cards(), 0, text), 0, *(names[ticket] for ticket in held)))
        if (state.phase, state.seat) != ("completing tickets", 0):
            continue  # no ticket can be completed, or only one way is left
        chosen = [ticket for ticket in held if rng.random() < 0.3]
        fitting = [ticket for ticket in held if ticket not in chosen and fits_by_hand(board, heap, [*chosen, ticket])]
        assert completable_with(state.view(0), [names[ticket] for ticket in chosen]) == [names[ticket] for ticket in sorted(fitting)]
        compared += 1


def test_cg_19_what_can_be_completed_is_told_to_the_seat_that_is_asked_only():
    state = asked("kansas-city-new-york", "dallas-washington", "chicago-new-york.1", heap="green wild yellow")
    assert completable_with(state.view(0), []) == ["chicago-new-york.1", "dallas-washington", "kansas-city-new-york"]
    assert completable_with(state.view(0), ["dallas-washington"]) == ["chicago-new-york.1"]
    assert completable_with(state.view(1), []) == []
    play(state, "complete dallas-washington")
    assert completable_with(state.view(0), ["dallas-washington"]) == []  # tickets are chosen in the order of the list


@pytest.mark.parametrize("bot", ["greedy", "planner", "search@20"])
def test_cg_19_bots_complete_the_best_choice(bot):
    state = asked("kansas-city-new-york", "dallas-washington")
    while state.phase == "completing tickets":
        state.apply(make_bot(bot, 1).decide(state.view(state.seat)))
    assert state.completed(0) == ["kansas-city-new-york"]
    assert scores(hold(state, 1))[0] == 14


def test_g_5_a_player_may_stop_after_one_card_where_the_table_allows_it():
    state = cards(may_draw_one=True)
    play(state, "draw train")
    assert "done" in state.legal_texts
    play(state, "done")
    assert state.seat == 1
    assert len(happened(state, "draw")) == 1
    state = play(cards(), "draw train")
    with pytest.raises(IllegalDecision):
        state.apply("done")


def test_cg_22_completed_tickets_less_those_unfinished():
    state = hold(pile(for_me(), 0, "yellow blue"), 0, "chicago-montreal", "miami-seattle")
    hold(finish(state), 1)
    assert scores(state, "tickets") == [7 - 22, 0]
    score = state.result["scores"][0]
    assert (score["completed"], score["failed"]) == (["chicago-montreal"], ["miami-seattle"])
    assert "routes" not in score


def done(state, seat, *tickets):
    """Tickets completed and set aside."""
    ids = [ticket.id for ticket in state.game.board.tickets]
    state.record.completed[seat] = [sum(1 << ids.index(ticket) for ticket in tickets), 0]
    return changed(state)


def counted(players=3):
    state = cards(players)
    for seat in state.seats:
        hold(state, seat)
    return over(state)


def test_cg_23_most_completed_tickets_naming_a_big_city_earn_its_bonus():
    state = done(done(counted(), 0, "dallas-miami", "el-paso-miami"), 1, "chicago-miami")
    assert [score["bonus_cities"] for score in state.result["scores"]] == [["dallas", "miami"], ["chicago"], []]
    assert scores(state, "bonuses") == [10 + 8, 12, 0]


def test_cg_23_all_who_tie_earn_it():
    state = done(done(counted(), 0, "chicago-miami"), 1, "el-paso-miami")
    assert scores(state, "bonuses") == [12 + 8, 8, 0]


def test_cg_23_nobody_earns_a_city_that_no_completed_ticket_names():
    state = hold(counted(), 0, "new-york-seattle")
    assert scores(state, "bonuses") == [0, 0, 0]


def test_cg_24_most_points_wins():
    state = done(counted(), 2, "chicago-miami")
    assert state.result["winners"] == [2]


def test_cg_24_ties_go_to_more_completed_tickets_then_to_more_bonus_cards():
    state = done(done(counted(2), 0, "denver-seattle"), 1, "dallas-raleigh")  # 10 + 8 Seattle; 8 + 10 Dallas
    assert scores(state) == [18, 18]
    assert state.result["winners"] == [0, 1]  # one ticket and one bonus each: G-9
    # two seats tie for Chicago and New York, with the same totals
    state = done(done(counted(2), 0, "chicago-new-york.1", "chicago-new-york.2"), 1, "chicago-santa-fe")
    hold(state, 1)
    totals = scores(state)
    hold(state, 0, *smaller(state, totals[0] - totals[1]))
    assert scores(state)[0] == scores(state)[1]
    assert state.result["winners"] == [0]  # more tickets
    state = done(done(counted(2), 0, "dallas-miami"), 1, "las-vegas-new-york")  # 9 + 10 + 8; 19 + 15 - 7
    hold(state, 1, "charleston-chicago")
    assert scores(state) == [27, 27]
    assert state.result["winners"] == [0]  # a ticket each, but two bonus cards to one


def smaller(state, difference):
    """Tickets that make up a difference when left unfinished."""
    if difference == 0:
        return []
    for ticket in sorted(state.game.board.tickets, key=lambda one: -one.points):
        if ticket.points <= difference and not ticket.id.startswith("chicago"):
            rest = difference - ticket.points
            if rest == 0 or rest >= 6:
                return [ticket.id, *[other for other in smaller(state, rest) if other != ticket.id]]
    raise AssertionError


# the best choice of tickets against brute force over all subsets


@kept
def best_tickets(boards, states, works):
    choose_best(boards[0], states[0], 0, works[0])


def brute_force(board, heap, tickets):
    """All subsets: the best points, then the most tickets."""
    best = (0, 0)
    needs = board.record.ticket_cards[tickets].astype(int)
    worth = [board.tickets[ticket].points for ticket in tickets]
    for chosen in range(1 << len(tickets)):
        some = [place for place in range(len(tickets)) if chosen >> place & 1]
        if np.maximum(needs[some].sum(axis=0) - heap[:8], 0).sum() <= heap[8]:
            best = max(best, (sum(worth[place] for place in some), len(some)))
    return best


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(4))
def test_cg_19_the_best_choice_equals_brute_force_over_all_subsets(part):
    board, rng = load_board("card-game"), random.Random(19 + part)
    deck = [place for place in range(8) for _ in range(10)] + [8] * 16
    partial = 0
    for _ in range(PILES // 4):
        states = np.zeros(1, STATE)
        tickets = rng.sample(range(46), rng.randrange(1, 9 if SOAK else 8))
        heap = np.bincount(rng.sample(deck, rng.randrange(1, 22)), minlength=9)
        states[0].track[0] = heap
        states[0].tickets[0] = [sum(1 << ticket for ticket in tickets), 0]
        best_tickets(board.records, states, np.zeros(1, WORK))
        chosen = [ticket for ticket in tickets if int(states[0].chosen[0][0]) >> ticket & 1]
        assert (sum(board.tickets[ticket].points for ticket in chosen), len(chosen)) == brute_force(board, heap, tickets)
        assert (states[0].track[0] == heap).all()
        partial += 0 < len(chosen) < len(tickets)
    assert partial > PILES / 16


@kept
def most_points(boards, states, works, tickets):
    best_to_complete(boards[0], states[0], 0, works[0], tickets)


def points_with(board, chosen, held, aside, rival):
    """CG-22, CG-23, counted from the sentences: the points if these tickets are completed, with what is already set aside."""
    done = {*chosen, *aside}
    total = sum(board.tickets[ticket].points * (1 if ticket in done else -1) for ticket in {*held, *aside})
    for city in board.big_cities:
        mine, other = (sum(city.id in (board.tickets[ticket].a, board.tickets[ticket].b) for ticket in some) for some in (done, rival))
        total += city.points if mine > 0 and mine >= other else 0
    return total


def most_by_brute_force(board, heap, held, aside, rival):
    best = (-(10**6), 0)
    needs = board.record.ticket_cards[held].astype(int)
    for chosen in range(1 << len(held)):
        some = [place for place in range(len(held)) if chosen >> place & 1]
        if np.maximum(needs[some].sum(axis=0) - heap[:8], 0).sum() <= heap[8]:
            best = max(best, (points_with(board, [held[place] for place in some], held, aside, rival), len(some)))
    return best


def random_holdings(rng):
    """Tickets in hand, set aside by the seat, and set aside by a rival; and a pile."""
    tickets = rng.sample(range(46), 46)
    cuts = [rng.randrange(1, 8), rng.choice((0, 0, 1, 3)), rng.choice((0, 0, 2, 6, 12))]
    held, aside, rival = (tickets[sum(cuts[:place]) : sum(cuts[: place + 1])] for place in range(3))
    deck = [place for place in range(8) for _ in range(10)] + [8] * 16
    return held, aside, rival, np.bincount(rng.sample(deck, rng.randrange(1, 22)), minlength=9)


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(4))
def test_cg_19_cg_23_the_best_choice_with_bonuses_equals_brute_force_and_is_never_worse_than_the_highest_value(part):
    board, rng = load_board("card-game"), random.Random(23 + part)
    better = 0
    for _ in range(PILES // 4):
        held, aside, rival, heap = random_holdings(rng)
        states, best = np.zeros(1, STATE), np.zeros(2, np.uint64)
        states[0].players, states[0].track[0] = 2, heap
        states[0].tickets[0, 0], states[0].completed[:2, 0] = (
            sum(1 << ticket for ticket in held),
            [sum(1 << ticket for ticket in some) for some in (aside, rival)],
        )
        most_points(board.records, states, np.zeros(1, WORK), best)
        assert (states[0].track[0] == heap).all()
        best_tickets(board.records, states, np.zeros(1, WORK))
        chosen, by_value = ([ticket for ticket in held if int(word) >> ticket & 1] for word in (best[0], states[0].chosen[0, 0]))
        points = points_with(board, chosen, held, aside, rival)
        assert (points, len(chosen)) == most_by_brute_force(board, heap, held, aside, rival)
        better += points > points_with(board, by_value, held, aside, rival)
    assert better > PILES / 100


def emptied(state):
    """All cards are in the deck."""
    for seat in state.seats:
        give(state, seat, "")
    return lay(state, "- - - - -")


@pytest.mark.parametrize("bot", ["greedy", "planner", "learned", "search@20", *LEVELS])
@pytest.mark.slow_when_plain
def test_cg_19_bots_complete_for_the_most_points(bot):
    board, rng, asked, decider = load_board("card-game"), random.Random(19), 0, make_bot(bot, 1)
    while asked < (2_000 if SOAK else 100):
        held, aside, rival, heap = random_holdings(rng)
        names = [ticket.id for ticket in board.tickets]
        words = " ".join(" ".join([card] * int(count)) for card, count in zip((*board.colours, "wild"), heap, strict=True))
        state = hold(pile(emptied(cards()), 0, words), 0, *(names[ticket] for ticket in held))
        for seat, some in enumerate((aside, rival)):
            done(state, seat, *(names[ticket] for ticket in some))
        finish(hold(state, 1))
        if state.phase != "completing tickets":
            continue
        asked += 1
        while state.phase == "completing tickets":
            state.apply(decider.decide(state.view(state.seat)))
        chosen = {names.index(ticket) for ticket in state.completed(0)} - set(aside)
        assert points_with(board, [*chosen], held, aside, rival) == most_by_brute_force(board, heap, held, aside, rival)[0]


@pytest.mark.slow_when_plain
def test_cg_19_hard_piles_are_completed_as_they_always_were():
    """Piles from random games that took up to nine million steps to search with the first prices alone; the choices are what that search found."""
    board = load_board("card-game")
    piles = json.loads((Path(__file__).parent / "hard_piles.json").read_text())
    for hard in piles:
        states = np.zeros(1, STATE)
        states[0].track[0] = hard["pile"]
        states[0].tickets[0] = [int(hard["held"], 16), 0]
        best_tickets(board.records, states, np.zeros(1, WORK))
        assert hex(states[0].chosen[0][0]) == hard["chosen"]
        assert states[0].track[0].tolist() == hard["pile"]
