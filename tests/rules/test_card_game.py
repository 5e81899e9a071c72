"""The Card Game: CG-1 to CG-17, CG-20, CG-21. Completing tickets and the count: test_card_game_scoring.py."""

from collections import Counter

import pytest

from branchline import Game, GameOptionError, IllegalDecision, load_board
from tests.table import changed, give, happened, hold, lay, legal, pile, play, stack, table, yard

COLOURS = ("pink", "white", "blue", "yellow", "orange", "black", "red", "green")


def cards(players=2, **options):
    return table("card-game", players, **options)


def end_turns(state, turns):
    """Let seats draw tickets and keep none: turns that move no cards except to the track."""
    for _ in range(turns):
        play(state, "tickets")
        while state.phase == "tickets offered":
            state.apply(state.legal[-1])
    return state


# components and set-up


@pytest.mark.parametrize("players", [1, 5])
def test_cg_1_the_card_game_is_for_two_to_four(players):
    with pytest.raises(GameOptionError, match="2 to 4 players"):
        Game("card-game", players)


def test_cg_1_cards_tickets_and_big_cities():
    board = load_board("card-game")
    assert {card.id: card.count for card in board.cards} == dict.fromkeys(COLOURS, 10) | {"wild": 16}
    assert len(board.tickets) == 46
    assert {len(ticket.cards) for ticket in board.tickets} == {1, 2, 3, 4, 5}
    bonuses = {"new-york": 15, "chicago": 12, "los-angeles": 12, "dallas": 10, "miami": 8, "seattle": 8}
    assert {city.id: city.points for city in board.big_cities} == bonuses


def test_cg_2_each_gets_a_locomotive_and_seven_cards_and_five_are_laid():
    for seed in range(30):
        state = Game("card-game", 4).start(seed)
        for deal in happened(state, "deal"):
            assert len(deal["cards"]) == 8
            assert deal["cards"][0] == "wild"
        assert len(state.row) == 5
        assert state.record.deck_size[0] == 96 - 4 * 8 - 5


def test_cg_2_everybody_knows_of_the_first_locomotive():
    view = Game("card-game", 3).start(1).view(0)
    assert [view.hand(seat) for seat in (1, 2)] == [{"wild": 1}] * 2
    for seed in range(30):
        assert view.imagine(seed).hand(1).get("wild", 0) >= 1


def test_cg_3_six_tickets_are_dealt_and_one_kept_at_least():
    state = Game("card-game", 2).start(1)
    offered = state.offer(0)
    assert len(offered) == 6
    play(state, *(f"return {ticket}" for ticket in offered[:5]))
    assert state.seat == 1
    play(state, *(f"keep {ticket}" for ticket in state.offer(1)))
    first, second = happened(state, "keep_tickets")
    assert (first["kept"], first["returned"], first["to"]) == (offered[5:], offered[:5], "deck")
    assert len(second["kept"]) == 6


def test_cg_3_those_not_kept_are_shuffled_back():
    places = []
    for seed in range(60):
        state = Game("card-game", 2).start(seed)
        offered = state.offer(0)
        play(state, *(f"return {ticket}" for ticket in offered[:5]))
        while state.phase == "opening tickets":
            state.apply(state.legal[0])
        deck = [state.game.board.tickets[number].id for number in state.record.queue[: state.record.queue_size]]
        assert len(deck) == 46 - 1 - 6
        places += [deck.index(ticket) for ticket in offered[:5]]
        assert all(number == -1 for number in state.view(0).record.queue)  # nobody knows where they are
    assert min(places) < 3
    assert max(places) > 35


@pytest.mark.slow_when_plain
def test_cg_3_what_the_viewer_returned_is_not_imagined_among_anothers_first_tickets():
    state = Game("card-game", 2).start(1)
    returned = state.offer(0)[:5]
    play(state, *(f"return {ticket}" for ticket in returned))
    while state.phase == "opening tickets":
        state.apply(state.legal[0])
    for seed in range(50):
        assert not set(returned) & set(state.view(0).imagine(seed).tickets(1))
    state.record.seat = 1
    changed(state)
    before = len(state.tickets(1))
    play(state, "tickets", *(f"keep {ticket}" for ticket in state.clone().offer(1)))
    while state.phase == "tickets offered":
        state.apply(state.legal[0])
    assert len(state.tickets(1)) == before + 4
    held = Counter(len(set(returned) & set(state.view(0).imagine(seed).tickets(1))) for seed in range(300))
    assert max(held) in range(1, 5)  # later it may have drawn some of them


def test_cg_4_hand_yard_and_track_pile():
    state = yard(cards(), 0, "red", "red red wild")
    assert state.yard(0) == {"red": {"red": 2, "wild": 1}}
    assert state.track(0) == {}
    assert state.view(1).yard(0) == state.yard(0)  # everyone can see it


# phase 1


def test_cg_5_one_card_of_each_row_moves_and_that_is_forced():
    state = yard(yard(cards(), 1, "red", "red red"), 1, "blue", "blue")
    end_turns(state, 1)
    assert state.seat == 1
    assert happened(state, "move_to_track") == [{"event": "move_to_track", "seat": 1, "cards": ["blue", "red"]}]
    assert (state.yard(1), state.track(1)) == ({"red": {"red": 1}}, {"blue": 1, "red": 1})


def test_cg_5_it_is_skipped_with_an_empty_yard():
    state = end_turns(cards(), 1)
    assert not happened(state, "move_to_track")


def test_cg_6_locomotives_lie_on_top_and_go_first():
    state = yard(cards(), 1, "red", "red wild wild")
    end_turns(state, 1)
    assert (state.yard(1), state.track(1)) == ({"red": {"red": 1, "wild": 1}}, {"wild": 1})
    end_turns(state, 2)
    assert (state.yard(1), state.track(1)) == ({"red": {"red": 1}}, {"wild": 2})


def test_cg_7_a_position_shows_the_own_pile_only_where_the_table_allows_it():
    hidden = pile(cards(), 0, "red red wild")
    assert "track pile: 3" in str(hidden.view(0))
    allowed = pile(cards(look_into_own_pile=True), 0, "red red wild")
    assert "track pile: red:2 wild:1" in str(allowed.view(0))
    assert "track pile: 3" in str(allowed.view(1))
    with pytest.raises(GameOptionError, match=r"Europe .* has no option look_into_own_pile"):
        Game("europe", 2, look_into_own_pile=True)


def test_cg_8_what_is_in_a_pile_follows_from_what_all_have_seen():
    state = give(cards(3), 0, "red red red")
    play(state, "place red", "done")  # the second is forced
    end_turns(state, 3)
    for viewer in (0, 1, 2, None):
        assert state.view(viewer).track(0) == {"red": 1}
        assert "track pile: 1" in str(state.view(viewer))


# phase 2: drawing


def test_cg_9_three_face_up_locomotives_do_not_clear_the_row():
    state = lay(cards(), "wild wild red red red")
    stack(state, "wild blue blue")
    play(state, "take 4", "take 3")
    assert not happened(state, "clear_row")


def test_cg_9_a_face_up_card_is_replaced_at_once():
    state = lay(cards(), "red red red red red")
    play(state, "take 2")
    assert happened(state, "fill")[-1]["space"] == 2
    assert None not in state.row
    assert state.phase == "second card"


def test_cg_10_a_face_up_locomotive_is_both_cards():
    state = lay(cards(), "wild red red red red")
    first = play(state.clone(), "take 0")
    assert first.seat == 1
    play(state, "take 1")
    assert "0" not in legal(state, "take")


def test_cg_10_a_locomotive_drawn_blind_counts_as_one():
    state = give(lay(cards(), "red red red red red"), 0, "")
    stack(state, "wild wild wild")
    play(state, "draw train")
    assert (state.phase, state.hand(0)) == ("second card", {"wild": 1})


def test_cg_11_the_deck_is_never_reformed():
    state = lay(cards(), "red red red red red")
    stack(state, "blue", "pink pink pink")
    play(state, "take 0", "take 1")
    assert (state.row, state.record.deck_size[0]) == (["blue", None, "red", "red", "red"], 0)
    assert legal(state, "draw") == []
    assert not happened(state, "reshuffle")
    with pytest.raises(IllegalDecision, match="The deck is empty"):
        state.apply("draw train")


# phase 2: placing


def test_cg_12_a_row_of_two_or_more_of_one_colour_with_locomotives():
    state = give(cards(), 0, "red red red wild")
    assert legal(state, "place") == ["red"]
    play(state, "place red")
    assert (legal(state, "place"), legal(state, "done")) == (["red", "wild"], [])
    play(state, "place red")
    assert (legal(state, "place"), legal(state, "done")) == (["red", "wild"], [""])
    play(state, "place wild")  # with one locomotive no more can follow
    assert state.yard(0) == {"red": {"red": 2, "wild": 1}}
    assert happened(state, "place") == [{"event": "place", "seat": 0, "cards": ["red", "red", "wild"]}]
    assert (state.hand(0), state.seat) == ({"red": 1}, 1)


def test_cg_12_at_least_one_card_is_of_the_colour():
    state = give(cards(), 0, "wild wild wild")
    assert legal(state, "place") == []
    with pytest.raises(IllegalDecision, match="A row begins with a card of its colour"):
        state.apply("place wild")


def test_cg_12_one_card_with_locomotives_is_enough():
    state = give(cards(), 0, "red wild wild")
    play(state, "place red", "done")  # one locomotive is forced
    assert state.yard(0) == {"red": {"red": 1, "wild": 1}}


def test_cg_13_three_cards_of_three_colours_without_locomotives():
    state = give(cards(), 0, "pink blue red green wild")
    play(state, "place pink")
    assert legal(state, "place") == ["blue", "red", "wild"]  # not green: it would be the last
    play(state, "place blue")
    assert legal(state, "place") == ["red", "green"]
    play(state, "place green")
    assert state.yard(0) == {"pink": {"pink": 1}, "blue": {"blue": 1}, "green": {"green": 1}}
    assert happened(state, "place")[-1]["cards"] == ["pink", "blue", "green"]


def test_cg_13_two_single_cards_are_not_placed():
    assert legal(give(cards(), 0, "pink blue"), "place") == []
    with pytest.raises(IllegalDecision, match="neither a row of two or more cards nor three single cards"):
        give(cards(), 0, "pink blue").apply("place pink")


def test_cg_14_the_own_colour_is_blocked():
    state = yard(give(cards(), 0, "red red red red red blue blue"), 0, "red", "red red")
    assert legal(state, "place") == ["blue"]
    with pytest.raises(IllegalDecision, match="Your yard already has a row of this colour: red"):
        state.apply("place red")


def test_cg_15_robbery_by_exactly_one_more():
    state = yard(give(cards(), 0, "red red red"), 1, "red", "red wild")
    play(state, "place red")  # the others are forced: two would not do
    assert state.yard(0) == {"red": {"red": 3}}
    assert state.yard(1) == {}
    assert state.counts(state.record.discards) == {"red": 1, "wild": 1}
    names = [event["event"] for event in state.events]
    assert names[names.index("place") + 1] == "rob"
    assert happened(state, "rob") == [{"event": "rob", "seat": 0, "victim": 1, "colour": "red", "cards": ["red", "wild"]}]


def test_cg_15_as_many_are_not_enough():
    state = yard(give(cards(), 0, "red red blue blue"), 1, "red", "red wild")
    assert legal(state, "place") == ["blue"]
    with pytest.raises(IllegalDecision, match=r"seat 1 has a row of this colour \(red\). Yours would have to be longer"):
        state.apply("place red")


def test_cg_15_locomotives_count_on_both_sides():
    state = yard(give(cards(), 0, "red wild wild"), 1, "red", "red wild")
    play(state, "place red")
    assert state.yard(0) == {"red": {"red": 1, "wild": 2}}
    assert happened(state, "rob")


def test_cg_15_a_single_card_of_three_is_not_more_than_any_row():
    """It takes two cards to rob a row of one, so a colour that anyone has cannot be a single card."""
    state = yard(give(cards(), 0, "pink blue red"), 1, "red", "red")
    assert legal(state, "place") == []
    state = yard(give(cards(), 0, "pink blue red green"), 1, "red", "red")
    play(state, "place pink")
    assert state.yard(0) == {"pink": {"pink": 1}, "blue": {"blue": 1}, "green": {"green": 1}}


def test_cg_15_two_cards_rob_a_row_of_one():
    state = yard(give(cards(3), 0, "red red"), 2, "red", "red")
    play(state, "place red")
    assert happened(state, "rob")[0]["victim"] == 2


def test_undo_reaches_as_far_as_nobody_has_seen():
    state = give(cards(), 0, "red red red wild")
    before = state.clone()
    play(state, "place red", "place red")
    state.undo()
    state.undo()
    assert state == before


# phase 2: tickets


def test_cg_16_four_tickets_of_which_none_need_be_kept():
    state = cards()
    held = state.tickets(0)
    play(state, "tickets")
    offered = state.offer(0)
    assert len(offered) == 4
    assert happened(state, "offer_tickets")[-1]["keep_at_least"] == 0
    play(state, *(f"return {ticket}" for ticket in offered))
    assert state.tickets(0) == held
    assert happened(state, "keep_tickets")[-1] == {"event": "keep_tickets", "seat": 0, "kept": [], "returned": offered, "to": "bottom"}
    bottom = [state.game.board.tickets[number].id for number in state.record.queue[: state.record.queue_size][-4:]]
    assert bottom == offered


def test_cg_16_what_is_left_or_none():
    state = cards()
    state.record.queue[1:] = -1
    state.record.queue_size = 1
    play(changed(state), "tickets")
    assert len(state.offer(0)) == 1
    state.apply(state.legal[0])
    with pytest.raises(IllegalDecision, match="There are no tickets left"):
        state.apply("tickets")


# the end of a pass


def test_cg_17_the_last_card_drawn_gives_everybody_one_more_turn():
    state = stack(cards(3), "blue")
    play(state, "draw train")
    assert happened(state, "last_turns") == [{"event": "last_turns", "seat": 0, "each": 1}]
    assert state.events[-1]["event"] == "last_turns"
    assert state.phase == "second card"  # still drawing
    state.apply(state.legal[0])
    end_turns(state, 3)
    assert state.is_over
    assert [event["seat"] for event in happened(state, "turn")] == [0, 1, 2, 0]


def test_cg_17_the_last_card_taken_by_a_refill():
    state = stack(lay(cards(), "red red red red red"), "blue")
    play(state, "take 0")
    assert [event["event"] for event in state.events[-3:]] == ["take", "fill", "last_turns"]
    assert state.row[0] == "blue"


def test_cg_17_where_only_one_card_can_be_taken_it_is_a_whole_draw():
    state = stack(lay(cards(), "- - red - -"), "")
    state.record.last_turns = 2
    play(changed(state), "take 2")
    assert state.seat == 1


def test_cg_17_with_no_card_left_only_placing_and_tickets_remain():
    state = give(stack(lay(cards(), "- - - - -"), "", hoard=1), 0, "")
    stack(state, "", hoard=1)
    state.record.last_turns = 2
    assert {text.split()[0] for text in changed(state).legal_texts} == {"tickets"}
    state.record.queue[:] = -1
    state.record.queue_size = 0
    assert changed(state).legal_texts == ["pass"]


@pytest.mark.parametrize("players", [2, 3])
def test_cg_20_with_two_or_three_players_the_game_ends_after_a_pass(players):
    state = last_turn(players)
    assert state.is_over
    assert not happened(state, "second_pass")
    assert [event["seat"] for event in happened(state, "complete_tickets")] == list(range(players))


def last_turn(players, seat=0):
    """The last turn of a first pass, by a seat that draws tickets and keeps none."""
    state = stack(cards(players), "")
    while state.record.seat != seat:
        end_turns(state, 1)
    state.record.last_turns = 1
    return end_turns(changed(state), 1)


def test_cg_20_with_four_there_is_a_second_pass():
    state = last_turn(4)
    assert not state.is_over
    assert happened(state, "second_pass")


@pytest.mark.parametrize("seat", range(4))
def test_cg_21_it_begins_to_the_left_of_who_took_the_last_turn(seat):
    state = last_turn(4, seat)
    assert state.seat == (seat + 1) % 4
    assert happened(state, "turn")[-1]["seat"] == (seat + 1) % 4


def test_cg_21_all_cards_but_hands_are_shuffled_and_dealt_again():
    state = cards(4, complete_tickets_for_me=True)
    for giver in state.seats:
        give(state, giver, "red wild")
    lay(state, "blue blue - - -")
    yard(pile(state, 1, "green green wild"), 2, "pink", "pink wild")
    hold(state, 1, "dallas-miami", "boston-miami")  # green, and red paid with the wild; the other stays unfinished
    stack(state, "", "white white", hoard=3)
    hands = [sum(state.hand(seat).values()) for seat in state.seats]
    state.record.last_turns = 1
    end_turns(changed(state), 1)
    assert state.completed(1) == ["dallas-miami"]
    assert state.tickets(1) == ["boston-miami"]
    second = happened(state, "second_pass")[0]
    assert second["deck"] == 2 + 3 + 2 + 2  # row, track piles, yards, discards
    assert [len(event["cards"]) for event in happened(state, "deal")[-4:]] == [2, 3, 2, 2]  # one at a time, beginning with seat 1
    assert [sum(state.hand(seat).values()) for seat in state.seats] == [size + dealt for size, dealt in zip(hands, (2, 3, 2, 2), strict=True)]
    assert state.row == [None] * 5
    assert (state.yard(2), state.track(1)) == ({}, {})


def short_second_pass(first, left, **options):
    """The cards dealt to each seat in turn, from `first` on, where this many cards are left for a second pass."""
    state = cards(4, **options)
    while state.record.seat != (first - 1) % 4:
        end_turns(state, 1)
    lay(state, "- - - - -")
    for seat in state.seats:
        give(state, seat, "")
    stack(state, "", " ".join(["white"] * left), hoard=3)
    state.record.last_turns = 1
    end_turns(changed(state), 1)
    assert state.seat == first
    dealt = [len(event["cards"]) for event in happened(state, "deal")[-4:]]
    return dealt[first:] + dealt[:first]


@pytest.mark.parametrize("first", range(4))
def test_cg_21_cards_are_dealt_one_at_a_time_beginning_with_the_player_who_goes_on(first):
    assert short_second_pass(first, 10) == [3, 3, 2, 2]
    assert short_second_pass(first, 5) == [2, 1, 1, 1]


def test_cg_21_version_1_dealt_to_one_seat_after_the_other():
    assert short_second_pass(0, 10, rules_version=1) == [4, 4, 2, 0]


def test_cg_21_a_deal_that_empties_the_deck_begins_the_last_turns_at_once():
    short = cards(4)
    lay(short, "blue blue - - -")
    stack(short, "", hoard=3)
    short.record.last_turns = 1
    end_turns(changed(short), 1)
    assert happened(short, "last_turns")[-1] == {"event": "last_turns", "each": 1}
    assert short.record.last_turns == 4
    end_turns(short, 4)
    assert short.is_over


def test_cg_21_a_second_pass_can_be_imagined_by_everybody():
    state = last_turn(4)
    for viewer in (*state.seats, None):
        view = state.view(viewer)
        assert view.imagine(3).view(viewer) == view


def test_cg_21_after_the_second_pass_the_game_ends():
    state = last_turn(4)
    for _ in range(400):
        if state.is_over:
            break
        if state.record.deck_size[0] > 0:
            stack(state, "", hoard=int(state.record.seat))
            state.record.last_turns = 4
            changed(state)
        end_turns(state, 1)
    assert state.is_over
    assert len(happened(state, "second_pass")) == 1
    assert len(happened(state, "complete_tickets")) == 8
