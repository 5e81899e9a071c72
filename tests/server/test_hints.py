"""Hints: what a good player would decide in your place, from what you know."""

from branchline import load_board
from branchline.boards.folders import shipped_boards
from branchline.bots import make_bot
from branchline.server.protocol import replies as r
from branchline.server.tables.advising import hint
from branchline.server.tables.thinking import ADVISER, advise, lent
from tests.server.inside import Inside
from tests.server.refusing import GUEST, HOST, WATCHER, code_of, position
from tests.server.worlds import random_play
from tests.table import table


def hinted(inside: Inside, name, key):
    response = inside.get(f"/api/tables/{name}/hint", key)
    return r.Hint.model_validate(response.json()) if response.status_code == 200 else code_of(response)


def test_who_is_asked_gets_a_legal_decision_and_its_plan(inside, playing):
    given = hinted(inside, playing, HOST)
    assert given.decision in position(inside, playing)["legal"]
    assert given.plan.routes is not None
    assert given == hinted(inside, playing, HOST), "the same question has the same answer"


def test_who_is_not_asked_gets_none(inside, playing):
    assert hinted(inside, playing, GUEST) == "not_your_turn"
    assert hinted(inside, playing, WATCHER) == "not_seated"
    assert hinted(inside, playing, None) == "no_key"


def test_a_hint_changes_nothing(inside, playing):
    before = inside.log(playing), position(inside, playing)
    hinted(inside, playing, HOST)
    assert (inside.log(playing), position(inside, playing)) == before


def test_of_choices_made_at_once_each_gets_its_own(inside):
    name = inside.new_table(HOST, game="europe", grace_seconds=86400)
    assert inside.post(f"/api/tables/{name}/join", {"name": "Guest"}, GUEST).status_code == 200
    for key in (HOST, GUEST):
        assert hinted(inside, name, key).decision in position(inside, name, key)["legal"]


def test_it_is_what_the_adviser_would_decide():
    view = table("europe", 3).view(0)
    given = advise(*lent(view))
    assert given == make_bot(ADVISER, 0).explain(view)
    assert view.game.number(given["decision"]) in view.legal


def test_in_every_phase_there_is_a_hint_as_documented():
    for game in shipped_boards():
        phases = set()
        for played in random_play(game, load_board(game).players[0], 1):
            if played.status == "playing" and played.last_entry % 5 == 0:
                seat = played.choosers[-1]
                view = played.state.view(seat)
                given = r.Hint.model_validate(hint(advise(*lent(view))))
                assert given.decision in view.legal_texts
                phases.add(view.phase)
        assert len(phases) > 2
