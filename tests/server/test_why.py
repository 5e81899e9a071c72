"""Why a decision is not legal, over HTTP: asked on your turn, and ahead of it."""

import pytest

from branchline.boards import load_board
from branchline.play.games import Game
from branchline.play.reasons import REASON_KEYS, Reason, why_not
from branchline.play.wording import in_english
from branchline.server.protocol import replies as r
from branchline.server.tables.advising import why
from tests.server.inside import Inside
from tests.server.refusing import GUEST, HOST, WATCHER, code_of, new_game, position
from tests.server.worlds import random_play
from tests.table import claim, give, play, table


def asked(inside: Inside, name, decision, key):
    response = inside.get(f"/api/tables/{name}/why", key, params={"decision": decision})
    return r.Why.model_validate(response.json()).model_dump(exclude_none=True) if response.status_code == 200 else code_of(response)


def test_every_legal_decision_is_legal_and_every_other_has_a_reason(inside, playing):
    legal = position(inside, playing)["legal"]
    for text in Game("london").decisions.texts:
        answer = asked(inside, playing, text, HOST)
        assert answer == {"legal": True} if text in legal else answer["reason"] in REASON_KEYS


def test_what_is_refused_as_illegal_has_the_reason_that_is_told_ahead(inside, playing):
    asks = position(inside, playing)
    for text in Game("london").decisions.texts:
        if text not in asks["legal"]:
            refused = inside.post(f"/api/tables/{playing}/decide", {"id": "a", "question": asks["question"], "decision": text}, HOST).json()
            told = asked(inside, playing, text, HOST)
            assert refused["message"] == f"‘{text}’ is not legal now. {in_english(load_board('london'), Reason(told['reason'], told['values']))}"


def test_who_is_not_asked_is_told_what_would_be_in_the_way():
    state = give(give(table(), 0, "green"), 1, "green")
    view = state.view(1)
    assert why(view, state.game.number("claim berlin-wien")) == {
        "legal": False,
        "reason": "needs_cards",
        "values": {"route": "berlin-wien", "count": 2, "cards": ["green", "wild"]},
    }
    assert why(view, state.game.number("draw train")) == {"legal": False, "reason": "not_your_turn", "values": {}}
    assert why(view, state.game.number("pay green"))["reason"] == "not_your_turn"


def test_who_is_not_asked_knows_nothing_of_a_payment_that_another_has_begun():
    before = give(give(table(), 0, "green green green wild wild wild"), 1, "red")
    after = play(before.clone(), "claim berlin-wien", "pay green")
    assert after.phase == "payment"
    for text in before.game.decisions.texts:
        number = before.game.number(text)
        assert why(before.view(1), number) == why(after.view(1), number)


def test_a_route_that_another_owns_is_taken_ahead_of_the_turn_too():
    state = claim(table(), 1, "berlin-wien")
    assert state.seat == 0
    assert why(state.view(1), state.game.number("claim berlin-wien"))["values"] == {"route": "berlin-wien", "seat": 1}


def test_of_choices_made_at_once_each_is_asked_for_its_own():
    state = Game("europe", 2).start(1)
    for seat in (0, 1):
        ticket = state.offer(seat)[0]
        assert why(state.view(seat), state.game.number(f"keep {ticket}")) == {"legal": True}
        assert why(state.view(seat), state.game.number("draw train")) == {
            "legal": False,
            "reason": "finish_first",
            "values": {"seat": seat, "phase": "opening tickets", "offered": ticket},
        }


def test_in_every_phase_whoever_is_asked_gets_the_rules_own_answer(game):
    looked_at = set()
    for played in random_play(game, 2, 3):
        if played.status != "playing" or played.last_entry % 13:
            continue
        for seat in played.state.seats:
            view = played.state.view(seat)
            for number in range(0, len(view.game.decisions), 7):
                answer = why(view, number)
                assert answer["legal"] == (number in view.legal)
                if seat in played.choosers and not answer["legal"]:
                    assert answer == {"legal": False, "reason": (reason := why_not(view, number)).key, "values": reason.values}
        looked_at.add(played.state.phase)
    assert len(looked_at) > 2


@pytest.mark.parametrize("decision", ["cheat", "claim", "claim nowhere-elsewhere", "17"])
def test_something_that_is_not_a_decision_is_refused_as_such(inside, playing, decision):
    assert asked(inside, playing, decision, HOST) == "not_a_decision"


@pytest.mark.parametrize("decision", ["", "x" * 101])
def test_a_decision_has_some_letters(inside, playing, decision):
    assert asked(inside, playing, decision, HOST) == "malformed"
    assert code_of(inside.get(f"/api/tables/{playing}/why", HOST)) == "malformed"


def test_only_seats_ask(inside, playing):
    assert asked(inside, playing, "draw train", None) == "no_key"
    assert asked(inside, playing, "draw train", WATCHER) == "not_seated"
    assert asked(inside, playing, "draw train", GUEST)["reason"] == "not_your_turn"


def test_asking_changes_nothing(inside):
    table_name = new_game(inside)
    before = inside.log(table_name), position(inside, table_name)
    asked(inside, table_name, "claim big-ben-waterloo", HOST)
    assert (inside.log(table_name), position(inside, table_name)) == before


def test_of_tickets_to_complete_only_those_of_the_game_are_asked_about(inside, playing):
    assert code_of(inside.get(f"/api/tables/{playing}/completable", HOST, params={"ticket": "nowhere-somewhere"})) == "not_a_decision"
    answer = inside.get(f"/api/tables/{playing}/completable", HOST)
    assert r.Completable.model_validate(answer.json()).tickets == []  # nothing is completed in London
    assert code_of(inside.get(f"/api/tables/{playing}/completable", HOST, params={"ticket": ["a"] * 100})) == "malformed"
