"""The final count: EU-33 to EU-38, LO-15 to LO-17, G-8, G-9."""

from tests.table import empty_end, hold, own, scores, station


def test_eu_33_a_completed_ticket_adds_and_another_subtracts():
    state = own(empty_end("europe"), 0, "budapest-sarajevo", "sarajevo-sofia")
    hold(state, 0, "budapest-sofia", "smyrna-sofia")
    assert scores(state, "tickets") == [5 - 5, 0]
    assert state.result["scores"][0]["completed"] == ["budapest-sofia"]
    assert state.result["scores"][0]["failed"] == ["smyrna-sofia"]


def test_eu_33_routes_of_others_do_not_join():
    state = own(own(empty_end("europe"), 0, "budapest-sarajevo"), 1, "sarajevo-sofia")
    hold(state, 0, "budapest-sofia")
    assert scores(state, "tickets")[0] == -5


def test_eu_34_a_station_lends_one_route_of_another():
    state = own(own(empty_end("europe"), 0, "budapest-sarajevo"), 1, "sarajevo-sofia")
    station(hold(state, 0, "budapest-sofia"), 0, "sarajevo")
    assert scores(state, "tickets")[0] == 5
    assert state.result["scores"][0]["station_routes"] == {"sarajevo": "sarajevo-sofia"}


def test_eu_34_the_station_may_stand_at_either_end_of_the_lent_route():
    state = own(own(empty_end("europe"), 0, "budapest-sarajevo"), 1, "sarajevo-sofia")
    station(hold(state, 0, "budapest-sofia"), 0, "sofia")
    assert scores(state, "tickets")[0] == 5


def test_eu_34_one_lent_route_serves_all_tickets():
    state = own(own(empty_end("europe"), 0, "budapest-sarajevo", "budapest-wien.1"), 1, "sarajevo-sofia", "athina-sofia")
    station(hold(state, 0, "budapest-sofia", "sarajevo-sevastopol", "stockholm-wien"), 0, "sarajevo")
    own(state, 0, "constantinople-sofia", "constantinople-sevastopol")
    result = state.result["scores"][0]
    assert result["completed"] == ["budapest-sofia", "sarajevo-sevastopol"]
    assert result["station_routes"] == {"sarajevo": "sarajevo-sofia"}


def test_eu_34_only_one_route_a_station():
    """From Sofia, two rivals' routes lead where two tickets need to go: one station helps one of them."""
    state = own(empty_end("europe"), 1, "sarajevo-sofia", "constantinople-sofia")
    own(state, 0, "budapest-sarajevo", "constantinople-smyrna")
    station(hold(state, 0, "budapest-sofia", "smyrna-sofia"), 0, "sofia")
    assert scores(state, "tickets")[0] == 0


def test_eu_35_the_choice_worth_most_is_taken():
    """A station in Athína: over Smyrna it completes a ticket of 5, over Sarajevo one of 11."""
    state = own(empty_end("europe"), 1, "athina-sarajevo", "athina-smyrna")
    own(state, 0, "angora-smyrna", "budapest-sarajevo", "budapest-wien.1", "warszawa-wien", "warszawa-wilno")
    station(hold(state, 0, "angora-athina", "athina-wilno"), 0, "athina")
    result = state.result["scores"][0]
    assert (result["completed"], result["tickets"]) == (["athina-wilno"], 11 - 5)
    assert result["station_routes"] == {"athina": "athina-sarajevo"}


def test_eu_35_among_equals_the_choice_completing_most_tickets():
    """A station in Sofia: over Constantinople it completes one ticket of 11, over Sarajevo two of 5 and 6."""
    state = own(empty_end("europe"), 1, "constantinople-sofia", "sarajevo-sofia")
    own(state, 0, "bucuresti-sofia", "bucuresti-kyiv", "kyiv-wilno", "constantinople-smyrna", "athina-smyrna")
    own(state, 0, "budapest-sarajevo", "budapest-wien.1", "warszawa-wien", "danzig-warszawa", "danzig-riga", "petrograd-riga")
    station(hold(state, 0, "athina-wilno", "budapest-sofia", "kyiv-petrograd"), 0, "sofia")
    result = state.result["scores"][0]
    assert (result["completed"], result["tickets"]) == (["budapest-sofia", "kyiv-petrograd"], 0)
    assert result["station_routes"] == {"sofia": "sarajevo-sofia"}


def test_eu_35_a_station_that_gains_nothing_borrows_nothing():
    state = station(hold(own(empty_end("europe"), 1, "sarajevo-sofia"), 0, "budapest-sofia"), 0, "sofia", "roma")
    assert state.result["scores"][0]["station_routes"] == {"sofia": None, "roma": None}


def test_eu_36_four_points_for_each_station_not_built():
    state = station(empty_end("europe"), 0, "roma", "wien")
    assert scores(state, "stations") == [4, 12]


def test_eu_37_the_longest_path_earns_ten():
    state = own(own(empty_end("europe"), 0, "berlin-wien", "wien-zagrab"), 1, "amsterdam-essen")
    assert scores(state, "longest_path_length") == [5, 3]
    assert scores(state, "longest_path") == [10, 0]


def test_eu_37_it_may_pass_a_city_again_and_loop_but_uses_each_route_once():
    """A triangle Berlin–Essen–Frankfurt with a tail at Frankfurt: the trail goes round and then down the tail."""
    state = own(empty_end("europe"), 0, "berlin-essen", "berlin-frankfurt.1", "essen-frankfurt", "frankfurt-munchen")
    assert scores(state, "longest_path_length")[0] == 2 + 3 + 2 + 2


def test_eu_37_branches_are_left_out():
    """A star of three arms: the two longest count."""
    state = own(empty_end("europe"), 0, "berlin-danzig", "berlin-wien", "berlin-essen")
    assert scores(state, "longest_path_length")[0] == 4 + 3


def test_eu_37_stations_do_not_count():
    state = own(own(empty_end("europe"), 0, "budapest-sarajevo"), 1, "sarajevo-sofia")
    assert scores(station(state, 0, "sarajevo"), "longest_path_length")[0] == 3


def test_eu_37_all_who_tie_earn_it():
    state = own(own(empty_end("europe", players=3), 0, "berlin-wien"), 2, "amsterdam-essen")
    assert scores(state, "longest_path") == [10, 0, 10]


def test_eu_37_nobody_earns_it_without_a_route():
    assert scores(empty_end("europe"), "longest_path") == [0, 0]


def equalise(state):
    totals = scores(state)
    for seat in state.seats:
        state.record.points[seat] += max(totals) - totals[seat]
    assert len(set(scores(state))) == 1
    return state


def test_eu_38_most_points_win():
    state = empty_end("europe", players=3)
    state.record.points[1] = 1
    assert state.result["winners"] == [1]


def test_eu_38_first_tie_break_more_completed_tickets():
    state = own(empty_end("europe"), 1, "budapest-sarajevo", "sarajevo-sofia")
    own(state, 0, "berlin-wien", "wien-zagrab", "budapest-zagrab")  # the longer path counts only later
    hold(state, 1, "budapest-sofia")
    assert equalise(state).result["winners"] == [1]


def test_eu_38_second_tie_break_fewer_stations_built():
    state = own(empty_end("europe"), 0, "berlin-wien", "wien-zagrab")  # seat 0 has the longest path
    station(state, 0, "roma")
    assert equalise(state).result["winners"] == [1]


def test_eu_38_third_tie_break_the_longest_path_bonus():
    state = own(empty_end("europe", players=3), 1, "berlin-wien")
    assert equalise(state).result["winners"] == [1]


def test_g_9_those_who_cannot_be_told_apart_share_the_victory():
    state = own(own(empty_end("europe", players=3), 1, "berlin-wien"), 2, "amsterdam-essen")
    assert equalise(state).result["winners"] == [1, 2]


def test_g_8_scores_may_be_negative():
    state = hold(empty_end("london"), 0, "baker-street-tower-of-london")
    assert scores(state) == [-11, 0]


def test_lo_15_tickets_add_or_subtract():
    state = own(empty_end("london"), 0, "st-pauls-tower-of-london.2")
    hold(state, 0, "baker-street-trafalgar-square")
    own(hold(state, 1, "piccadilly-circus-waterloo"), 1, "trafalgar-square-waterloo", "piccadilly-circus-trafalgar-square.1")
    assert scores(state, "tickets") == [-5, 3]


def test_lo_16_a_district_whose_places_are_joined_earns_its_number():
    state = own(empty_end("london"), 0, "british-museum-covent-garden.1")
    result = state.result["scores"][0]
    assert (result["districts"], result["districts_completed"]) == (1, ["1"])


def test_lo_16_the_connection_may_run_through_other_places():
    """British Museum and Covent Garden joined by way of Piccadilly Circus and Trafalgar Square."""
    state = own(empty_end("london"), 0, "british-museum-piccadilly-circus", "piccadilly-circus-trafalgar-square.1")
    assert state.result["scores"][0]["districts_completed"] == []
    own(state, 0, "covent-garden-trafalgar-square.1")
    assert state.result["scores"][0]["districts_completed"] == ["1"]


def test_lo_16_any_number_of_players_can_earn_the_same_district():
    state = own(own(empty_end("london", 4), 0, "british-museum-covent-garden.1"), 1, "british-museum-piccadilly-circus")
    own(state, 1, "piccadilly-circus-trafalgar-square.1", "covent-garden-trafalgar-square.1")
    assert scores(state, "districts") == [1, 1, 0, 0]


def test_lo_17_most_points_win():
    state = empty_end("london", 3)
    state.record.points[2] = 3
    assert state.result["winners"] == [2]


def test_lo_17_a_tie_goes_to_more_completed_tickets():
    state = own(empty_end("london", 3), 1, "british-museum-piccadilly-circus")
    hold(state, 1, "british-museum-piccadilly-circus")
    hold(state, 2, "british-museum-st-pauls")
    assert equalise(state).result["winners"] == [1]


def test_lo_17_g_9_a_failed_ticket_breaks_no_tie():
    state = hold(empty_end("london", 3), 1, "british-museum-st-pauls")
    assert equalise(state).result["winners"] == [0, 1, 2]
