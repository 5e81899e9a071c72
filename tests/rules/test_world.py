"""The World: set-up, drawing, claiming, harbours, exchange, last turns: WO-1 to WO-25."""

import itertools
import random
from collections import Counter

import pytest

from branchline import Game, GameOptionError, IllegalDecision, load_board
from tests.conftest import PLAIN, SOAK
from tests.rules.test_routes import claim_payments
from tests.table import changed, claim, give, happened, lay, legal, own, play, stack, station, table

COLOURS = ("pink", "yellow", "green", "red", "black", "white")


def world(players=2, **options):
    return table("world", players, **options)


# components and set-up


@pytest.mark.parametrize("players", [1, 6])
def test_wo_1_the_world_is_for_two_to_five(players):
    with pytest.raises(GameOptionError, match="2 to 5 players"):
        Game("world", players)


def test_wo_1_wo_5_60_pieces_are_chosen_of_25_trains_and_50_ships():
    state = world(5)
    for seat in state.seats:
        assert state.pieces(seat) == {"trains": 20, "ships": 40}
        assert state.box(seat) == {"trains": 5, "ships": 10}
        assert state.record.unbuilt[seat] == 3


def test_wo_2_two_decks_of_80_trains_and_60_ships():
    cards = load_board("world").cards
    for colour in COLOURS:
        own = {card.id.removeprefix(f"{colour}-"): (card.deck, card.count, card.covers, card.harbour) for card in cards if card.colour == colour}
        assert own == {
            "train": ("train", 7, 1, False),
            "harbour-train": ("train", 4, 1, True),
            "ship": ("ship", 4, 1, True),
            "double-ship": ("ship", 6, 2, False),
        }
    assert (cards[-1].id, cards[-1].deck, cards[-1].count) == ("wild", "train", 14)
    assert Counter(card.deck for card in cards for _ in range(card.count)) == {"train": 80, "ship": 60}


def deck_of(state, card):
    return next(one.deck for one in state.game.board.cards if one.id == card)


def test_wo_3_each_is_dealt_3_trains_and_7_ships_and_3_of_each_are_laid():
    for seed in range(20):
        state = Game("world", 4).start(seed)
        for deal in happened(state, "deal"):
            assert Counter(deck_of(state, card) for card in deal["cards"]) == {"train": 3, "ship": 7}
        assert [deck_of(state, card) for card in state.row] == ["train"] * 3 + ["ship"] * 3


@pytest.mark.slow_when_plain
def test_wo_3_wo_12_the_first_row_is_cleared_when_it_shows_three_wilds():
    cleared = [state for seed in range(600) if happened(state := Game("world", 2).start(seed), "clear_row")]
    assert cleared
    for state in cleared:
        assert happened(state, "clear_row")[0]["cards"].count("wild") >= 3
        assert state.row.count("wild") < 3


def test_wo_4_five_tickets_are_dealt_and_three_kept_at_least():
    state = Game("world", 2).start(1)
    offered = state.offer(0)
    assert len(offered) == 5
    play(state, f"return {offered[0]}", f"return {offered[1]}")
    assert state.seat == 1  # the other three were forced
    while state.phase == "opening tickets":
        state.apply(state.legal[0])
    first = happened(state, "keep_tickets")[0]
    assert first == {"event": "keep_tickets", "seat": 0, "kept": offered[2:], "returned": offered[:2], "to": "bottom"}
    bottom = [state.game.board.tickets[number].id for number in state.record.queue[: state.record.queue_size][-2:]]
    assert bottom == offered[:2]


def test_wo_5_the_choice_is_secret_until_all_have_chosen():
    state = Game("world", 3).start(1)
    while state.phase == "opening tickets":
        state.apply(state.legal[0])
    assert legal(state, "supply") == [str(trains) for trains in range(10, 26)]
    before = state.view(1).record.tobytes()
    other = state.clone()
    play(state, "supply 10")
    play(other, "supply 25")
    assert state.view(1).record.tobytes() == other.view(1).record.tobytes() != before  # only that it is the next seat's choice
    play(state, "supply 25")
    assert not happened(state, "choose_supply")
    play(state, "supply 20")
    assert [(event["seat"], event["trains"], event["ships"]) for event in happened(state, "choose_supply")] == [(0, 10, 50), (1, 25, 35), (2, 20, 40)]
    assert state.box(0) == {"trains": 15, "ships": 0}


def test_wo_6_a_turn_is_one_of_five_actions():
    state = own(give(world(), 0, "wild wild wild wild red-train"), 0, "al-qahira-tehran.1")
    assert {text.split()[0] for text in state.legal_texts} == {"draw", "take", "claim", "tickets", "build", "exchange"}
    play(state, "exchange 1 for ships")
    assert state.seat == 1


# drawing


def test_wo_7_two_cards_from_the_row_or_either_deck():
    state = lay(world(), "red-train red-train red-train red-ship red-ship red-ship")
    assert legal(state, "draw") == ["train", "ship"]
    play(state, "draw ship")
    assert state.phase == "second card"
    assert legal(state, "draw") == ["train", "ship"]
    play(state, "draw train")
    assert [event["deck"] for event in happened(state, "draw")] == ["ship", "train"]
    assert state.seat == 1


@pytest.mark.parametrize("deck", ["train", "ship"])
def test_wo_8_the_taker_chooses_the_deck_that_fills_the_space(deck):
    state = lay(world(), "red-train red-train red-train red-ship red-ship red-ship")
    play(state, "take 4")
    assert (state.phase, state.row[4], legal(state, "fill")) == ("fill", None, ["train", "ship"])
    assert state.view(1).row[4] is None
    play(state, f"fill {deck}")
    assert deck_of(state, state.row[4]) == deck
    assert happened(state, "fill")[-1] == {"event": "fill", "space": 4, "deck": deck, "card": state.row[4]}
    assert state.phase == "second card"


def test_wo_8_the_second_card_is_replaced_too():
    state = lay(world(), "red-train red-train red-train red-ship red-ship red-ship")
    play(state, "take 0", "fill ship", "take 0", "fill train")
    assert (state.seat, state.phase) == (1, "action")


def test_wo_9_a_face_up_wild_is_the_only_card():
    state = lay(world(), "wild red-train red-train red-ship red-ship red-ship")
    play(state, "take 0", "fill ship")
    assert state.seat == 1


def test_wo_9_a_face_up_wild_is_never_the_second():
    state = lay(world(), "wild red-train red-train red-ship red-ship red-ship")
    play(state, "take 1", "fill ship")
    assert "0" not in legal(state, "take")


def test_wo_10_a_wild_drawn_blind_counts_as_one():
    state = lay(give(world(), 0, ""), "red-train red-train red-train red-ship red-ship red-ship")
    stack(state, "wild red-ship")
    play(state, "draw train")
    assert state.hand(0) == {"wild": 1}
    assert state.phase == "second card"


def test_wo_11_each_deck_is_reformed_from_its_own_discards():
    state = lay(world(), "red-train red-train red-train red-ship red-ship red-ship")
    stack(state, "red-train green-train", "black-ship black-ship pink-train")
    play(state, "draw ship")
    assert happened(state, "reshuffle") == [{"event": "reshuffle", "deck": "ship", "count": 2}]
    assert state.record.discards_size.tolist() == [1, 0]


def test_wo_11_where_the_chosen_deck_is_exhausted_the_other_fills():
    state = lay(world(), "red-train red-train red-train red-ship red-ship red-ship")
    stack(state, "green-train green-train")
    assert legal(state, "draw") == ["train"]
    play(state, "take 3")
    assert happened(state, "fill")[-1]["deck"] == "train"  # nothing to choose
    assert state.phase == "second card"


def test_wo_11_an_empty_space_is_refilled_later_from_the_trains_first():
    state = lay(world(), "- red-train red-train - red-ship red-ship")
    stack(state, "")
    state.record.seat = 1
    changed(state)
    give_back = give(state.clone(), 1, "yellow-train yellow-double-ship")
    stack(give_back, "", hoard=0)
    play(give_back, "claim al-qahira-tehran.1")
    assert [(event["space"], event["deck"]) for event in happened(give_back, "fill")] == [(0, "train")]
    give_back = give(state, 1, "green-ship green-ship")
    stack(give_back, "", hoard=0)
    play(give_back, "claim al-qahira-athina")
    assert [(event["space"], event["deck"]) for event in happened(give_back, "fill")] == [(0, "ship")]


@pytest.mark.parametrize("row", ["- - - - - -", "red-train red-train red-train red-ship red-ship red-ship"])
def test_wo_11_g_14_when_decks_and_discards_are_empty_the_action_is_not_available(row):
    state = lay(world(), row)
    stack(state, "")
    assert legal(state, "draw") == legal(state, "take") == []
    assert legal(state, "tickets") == [""]


def test_wo_11_g_14_a_draw_under_way_ends_with_the_last_card_of_both_decks():
    state = stack(lay(give(world(), 0, ""), "red-train red-train green-train red-ship red-ship green-ship"), "pink-train pink-ship")
    play(state, "take 0", "fill ship", "draw train")
    assert (state.phase, state.seat) == ("action", 1)
    assert legal(state, "draw") == legal(state, "take") == []
    state = stack(lay(give(world(), 0, ""), "red-train red-train green-train red-ship red-ship green-ship"), "pink-train pink-ship")
    play(state, "draw train", "take 5")  # the last ship fills the space
    assert (state.phase, state.seat, state.row[5]) == ("action", 1, "pink-ship")
    state = stack(lay(give(world(), 0, ""), "red-train red-train green-train red-ship red-ship green-ship"), "pink-ship")
    play(state, "take 0")  # and there is no second card
    assert (state.phase, state.seat, state.row[0]) == ("action", 1, "pink-ship")


def test_wo_12_three_wilds_of_six_are_cleared_to_three_of_each_deck():
    state = lay(give(world(), 0, ""), "wild wild red-train red-ship red-ship red-ship")
    stack(state, "wild pink-ship pink-ship pink-ship", "green-train green-train green-train green-train")
    play(state, "take 5", "fill train")
    assert happened(state, "clear_row")[-1]["cards"] == ["wild", "wild", "red-train", "red-ship", "red-ship", "wild"]
    laid = happened(state, "lay_row")[-1]["cards"]
    assert [deck_of(state, card) for card in laid] == ["train"] * 3 + ["ship"] * 3
    assert state.row.count("wild") < 3


def test_wo_12_a_deck_that_cannot_supply_three_is_helped_out_by_the_other():
    state = lay(give(world(), 0, ""), "wild wild red-train red-ship red-train red-train")
    stack(state, "wild", "green-train green-train green-train")
    play(state, "take 5")
    laid = happened(state, "lay_row")[-1]["cards"]
    assert Counter(deck_of(state, card) for card in laid) == {"train": 5, "ship": 1}


def test_wo_12_g_7_a_row_stays_where_three_trains_would_have_to_be_wild():
    """There are enough ships, but every train card outside hands is wild: clearing would never end."""
    state = lay(give(world(), 0, ""), "wild wild red-ship red-ship pink-ship pink-ship")
    stack(state, "wild wild green-ship green-ship white-ship")
    play(state, "take 5", "fill train")
    assert not happened(state, "clear_row")
    assert state.row.count("wild") == 3


# claiming


def test_wo_13_rails_take_trains_and_sea_routes_ships():
    state = give(world(), 0, "yellow-train green-ship")
    assert {"al-qahira-tehran.1", "al-qahira-athina"} <= set(legal(state, "claim"))
    state = give(world(), 0, "yellow-ship green-train")
    assert not {"al-qahira-tehran.1", "al-qahira-athina"} & set(legal(state, "claim"))


def test_wo_13_wilds_stand_for_either():
    assert {"al-qahira-tehran.1", "al-qahira-athina"} <= set(legal(give(world(), 0, "wild"), "claim"))


def test_wo_14_wilds_make_up_any_part_and_plain_and_harbour_cards_mix():
    state = give(world(), 0, "red-train red-harbour-train wild wild green-train")
    assert claim_payments(state, "al-qahira-djibouti.1") == {
        ("red-harbour-train", "red-train"),
        ("red-train", "wild"),
        ("red-harbour-train", "wild"),
        ("wild", "wild"),
    }


def test_wo_14_a_gray_route_takes_any_one_colour():
    state = give(world(), 0, "red-train red-harbour-train red-train green-train green-train wild")
    assert claim_payments(state, "al-qahira-casablanca") == {
        ("red-harbour-train", "red-train", "red-train"),
        ("red-train", "red-train", "wild"),
        ("red-harbour-train", "red-train", "wild"),
        ("green-train", "green-train", "wild"),
    }


def test_wo_14_a_piece_of_the_right_kind_for_every_space():
    state = give(world(), 0, "yellow-train green-ship")
    state.record.pieces[0] = [0, 40]
    assert {route.sea for route in state.game.board.routes if route.id in legal(changed(state), "claim")} == {True}
    with pytest.raises(IllegalDecision, match="It takes 1 train, and you have none left"):
        state.apply("claim al-qahira-tehran.1")
    state.record.pieces[0] = [20, 0]
    assert {route.sea for route in state.game.board.routes if route.id in legal(changed(state), "claim")} == {False}


def test_wo_15_a_double_ship_covers_two_spaces_and_what_is_over_is_lost():
    state = give(world(), 0, "green-double-ship")
    assert claim_payments(state, "al-qahira-athina") == {("green-double-ship",)}


def test_wo_15_no_card_may_be_superfluous():
    """Two double ships cover three spaces, and so do a double and a single; two doubles and a single would be one card too many."""
    state = give(world(), 0, "green-double-ship green-double-ship green-ship green-ship green-ship wild")
    paid = claim_payments(state, next(route.id for route in state.game.board.routes if route.sea and (route.colour, route.length) == ("green", 3)))
    assert paid == {
        ("green-double-ship", "green-double-ship"),
        ("green-double-ship", "green-ship"),
        ("green-double-ship", "wild"),
        ("green-ship", "green-ship", "green-ship"),
        ("green-ship", "green-ship", "wild"),
    }


def covers(cards):
    return sum(2 if "double" in card else 1 for card in cards)


def minimal(cards, spaces):
    return covers(cards) >= spaces and all(covers(cards) - covers([card]) < spaces for card in cards)


def test_wo_15_payments_for_sea_routes_are_exactly_those_without_a_superfluous_card():
    board, rng = load_board("world"), random.Random(15)
    sea = {(route.colour, route.length): route.id for route in board.routes if route.sea}
    for (colour, length), route in sea.items():
        for _ in range(20 if SOAK else 1 if PLAIN else 3):
            hand = [f"{rng.choice(COLOURS) if colour == 'gray' else colour}-{rng.choice(['ship', 'double-ship'])}" for _ in range(rng.randrange(9))]
            hand = [card for card in hand + ["wild"] * rng.randrange(4) if card != "wild" or rng.random() < 0.8]
            hand = [card for card, count in Counter(hand).items() for _ in range(min(count, 4))]
            state = stack_all(world(), hand)
            sets = {tuple(sorted(some)) for size in range(1, length + 1) for some in itertools.combinations(hand, size)}
            fitting = {some for some in sets if minimal(some, length) and one_colour(some)}
            if fitting:
                assert claim_payments(state, route) == fitting
            else:
                assert route not in legal(state, "claim")


def one_colour(cards):
    return len({card.split("-")[0] for card in cards if card != "wild"}) <= 1


def stack_all(state, hand):
    """Give the seat these cards, wherever they are now."""
    give(state, 1, "")
    lay(state, "- - - - - -")
    return give(state, 0, " ".join(hand))


def test_wo_16_the_player_chooses_plain_or_harbour_cards_and_wilds():
    state = give(world(), 0, "yellow-train yellow-harbour-train wild")
    play(state, "claim al-qahira-tehran.1")
    assert legal(state, "pay") == ["yellow-train", "yellow-harbour-train", "wild"]
    play(state, "pay yellow-harbour-train")
    assert state.hand(0) == {"yellow-train": 1, "wild": 1}


def test_wo_17_points_by_length():
    points = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 8: 21}
    board = load_board("world")
    assert {length: int(board.record.route_points[length]) for length in points} == points
    state = claim(world(), 0, "anchorage-tiksi")
    assert state.points(0) == happened(state, "claim")[0]["points"] == 21
    assert state.pieces(0) == {"trains": 20, "ships": 32}


def test_wo_18_a_pair_route_costs_two_cards_a_space_of_one_colour_each():
    state = give(world(), 0, "red-train red-harbour-train green-train green-train")
    assert claim_payments(state, "lahore-tehran") == {("green-train", "green-train", "red-harbour-train", "red-train")}
    state = give(world(), 0, "red-train red-train red-train green-train")
    assert "lahore-tehran" not in legal(state, "claim")


def test_wo_18_wilds_stand_for_one_or_both_of_a_pair():
    state = give(world(), 0, "red-train green-train green-train wild wild wild")
    assert claim_payments(state, "lahore-tehran") == {
        ("green-train", "green-train", "red-train", "wild"),
        ("green-train", "green-train", "wild", "wild"),
        ("green-train", "red-train", "wild", "wild"),
        ("red-train", "wild", "wild", "wild"),
        ("green-train", "wild", "wild", "wild"),
    }


def test_wo_18_pair_payments_are_exactly_those_that_fall_into_pairs():
    rng = random.Random(18)
    for spaces, route in ((1, "casablanca-marseille"), (2, "lahore-tehran"), (3, "beijing-lahore")):
        for _ in range(100 if SOAK else 4 if PLAIN else 12):
            kinds = [f"{colour}-{kind}" for colour in COLOURS[: rng.randrange(1, 4)] for kind in ("train", "harbour-train")]
            hand = [card for card, count in Counter(rng.choices([*kinds, "wild"], k=rng.randrange(2, 9))).items() for _ in range(min(count, 4))]
            state = stack_all(world(), hand)
            fitting = {tuple(sorted(some)) for some in itertools.combinations(hand, 2 * spaces) if in_pairs(some)}
            if fitting:
                assert claim_payments(state, route) == fitting
            else:
                assert route not in legal(state, "claim")


def in_pairs(cards):
    odd = sum(count % 2 for colour, count in Counter(card.split("-")[0] for card in cards).items() if colour != "wild")
    return odd <= cards.count("wild")


def test_wo_18_a_pair_route_takes_a_train_for_each_space():
    state = claim(world(), 0, "beijing-lahore")
    assert len(happened(state, "claim")[0]["cards"]) == 6
    assert state.pieces(0)["trains"] == 17
    assert state.points(0) == 4


@pytest.mark.parametrize(("players", "open_to_others"), [(2, False), (3, False), (4, True), (5, True)])
def test_wo_19_double_routes(players, open_to_others):
    state = claim(world(players), 0, "al-qahira-tehran.1")
    give(state, 1, "black-train")
    assert ("al-qahira-tehran.2" in legal(state, "claim")) == open_to_others
    state.record.seat = 0
    give(state, 0, "black-train yellow-train")
    assert not {"al-qahira-tehran.1", "al-qahira-tehran.2"} & set(legal(state, "claim"))


def test_wo_20_routes_over_the_edge_are_ordinary():
    state = claim(world(), 0, "christchurch-valparaiso")
    assert state.routes(0) == ["christchurch-valparaiso"]
    assert state.points(0) == 18


def test_wo_20_the_waypoint_joins_but_takes_no_harbour_and_is_on_no_ticket():
    board = load_board("world")
    through = [route.id for route in board.routes if "indian-ocean-waypoint" in (route.a, route.b)]
    assert len(through) >= 2
    assert not [ticket.id for ticket in board.tickets if "indian-ocean-waypoint" in ticket.cities]
    state = give(own(world(), 0, *through), 0, "wild wild wild wild")
    assert "indian-ocean-waypoint" not in legal(state, "build")
    with pytest.raises(IllegalDecision, match="is not a port city"):
        state.apply("build indian-ocean-waypoint")


def test_wo_21_four_tickets_one_kept_and_the_others_to_the_bottom():
    state = world()
    play(state, "tickets")
    offered = state.offer(0)
    assert len(offered) == 4
    play(state, f"return {offered[0]}", f"return {offered[1]}", f"return {offered[2]}")
    assert happened(state, "keep_tickets")[-1] == {"event": "keep_tickets", "seat": 0, "kept": offered[3:], "returned": offered[:3], "to": "bottom"}
    state.record.queue[2:] = -1
    state.record.queue_size = 2
    play(changed(state), "tickets")
    assert len(state.offer(1)) == 2


# harbours


HARBOUR = "red-harbour-train red-harbour-train red-ship red-ship"


def test_wo_22_only_where_the_player_owns_a_route_into_a_port():
    state = give(own(own(world(), 0, "al-qahira-tehran.1", "al-qahira-athina"), 1, "lagos-luanda.1"), 0, HARBOUR)
    assert legal(state, "build") == ["al-qahira", "athina"]  # tehran is not a port
    for city, reason in (("tehran", "not a port"), ("lagos", "need a route of your own into Lagos")):
        with pytest.raises(IllegalDecision, match=reason):
            state.apply(f"build {city}")


def test_wo_22_at_most_one_in_a_city_and_three_a_game():
    state = give(own(own(world(), 0, "al-qahira-athina"), 1, "al-qahira-djibouti.1"), 0, HARBOUR)
    play(state, "build athina")
    assert state.buildings(0) == ["athina"]
    assert happened(state, "harbour")[-1] == {"event": "harbour", "seat": 0, "city": "athina", "cards": HARBOUR.split()}
    give(state, 1, HARBOUR)
    assert legal(state, "build") == ["al-qahira"]
    state = give(station(own(world(), 0, "al-qahira-athina", "lagos-luanda.1", "casablanca-lagos"), 0, "athina", "lagos", "luanda"), 0, HARBOUR)
    assert legal(state, "build") == []
    with pytest.raises(IllegalDecision, match="You have no harbour left"):
        state.apply("build casablanca")


def harbour_payments(hand):
    state = give(own(world(), 0, "al-qahira-athina"), 0, hand)
    if "athina" not in legal(state, "build"):
        return set()
    state.apply("build athina")
    found = set()

    def follow(state):
        if state.phase != "payment":
            found.add(tuple(sorted(happened(state, "harbour")[-1]["cards"])))
            return
        for decision in state.legal:
            after = state.clone()
            after.apply(decision)
            follow(after)

    follow(state)
    return found


def test_wo_23_two_trains_and_two_ships_of_one_colour_with_the_symbol():
    assert harbour_payments(HARBOUR) == {tuple(sorted(HARBOUR.split()))}
    assert harbour_payments("red-harbour-train red-harbour-train red-ship green-ship") == set()
    assert harbour_payments("red-harbour-train red-harbour-train red-harbour-train red-ship") == set()
    assert harbour_payments("red-train red-harbour-train red-ship red-ship") == set()
    assert harbour_payments("red-harbour-train red-harbour-train red-ship red-double-ship") == set()


def test_wo_23_wilds_replace_any_even_all():
    assert harbour_payments("wild wild wild wild") == {("wild",) * 4}
    assert harbour_payments("red-harbour-train red-ship red-ship red-ship wild") == {("red-harbour-train", "red-ship", "red-ship", "wild")}
    assert harbour_payments("red-ship red-ship green-harbour-train wild wild wild") == {
        ("red-ship", "red-ship", "wild", "wild"),
        ("red-ship", "wild", "wild", "wild"),
        ("green-harbour-train", "wild", "wild", "wild"),
    }


# exchange


def test_wo_24_one_for_one_as_far_as_the_box_holds_and_a_point_each():
    state = world()
    assert legal(state, "exchange") == [f"{n} for trains" for n in range(1, 6)] + [f"{n} for ships" for n in range(1, 11)]
    play(state, "exchange 3 for trains")
    assert state.pieces(0) == {"trains": 23, "ships": 37}
    assert state.box(0) == {"trains": 2, "ships": 13}
    assert happened(state, "exchange") == [{"event": "exchange", "seat": 0, "trains": 3, "ships": -3, "points": -3}]
    assert (state.points(0), state.seat) == (-3, 1)
    with pytest.raises(IllegalDecision, match="your box has 5 trains and 10 ships"):
        state.apply("exchange 6 for trains")


def test_wo_24_exchange_is_limited_by_what_there_is_to_give():
    state = world()
    state.record.pieces[0] = [2, 1]
    assert legal(changed(state), "exchange") == ["1 for trains", "1 for ships", "2 for ships"]


# last turns


def test_wo_25_six_pieces_together_announce_two_more_turns_for_everybody():
    state = world(3)
    state.record.pieces[0] = [3, 4]
    give(changed(state), 0, "yellow-train")
    play(state, "claim al-qahira-tehran.1")
    assert happened(state, "last_turns") == [{"event": "last_turns", "seat": 0, "each": 2}]
    turns = 0
    while not state.is_over:
        if state.phase == "action":
            turns += 1
        state.apply(next(number for number in state.legal if not state.game.text(number).startswith(("claim", "build"))))
    assert turns == 6
    assert [event["seat"] for event in happened(state, "turn")][-6:] == [1, 2, 0, 1, 2, 0]


def test_wo_25_seven_pieces_do_not():
    state = world()
    state.record.pieces[0] = [4, 4]
    give(changed(state), 0, "yellow-train")
    play(state, "claim al-qahira-tehran.1")
    assert not happened(state, "last_turns")
