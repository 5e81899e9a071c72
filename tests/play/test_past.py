"""A past that twins share: each sees exactly what was added to it, and making a twin copies nothing."""

import random

from hypothesis import given
from hypothesis import strategies as st

from branchline import Game
from branchline.play.past import Past


@given(st.integers(0, 2**32))
def test_twins_never_see_what_was_added_to_each_other(seed):
    rng = random.Random(seed)
    pasts, lists = [Past(range(3))], [[0, 1, 2]]
    for number in range(60):
        one = rng.randrange(len(pasts))
        what = rng.randrange(5)
        if what == 0:
            pasts.append(pasts[one].twin())
            lists.append(lists[one].copy())
        elif what == 1:
            length = rng.randrange(len(lists[one]) + 1)
            pasts[one].cut(length)
            del lists[one][length:]
        elif what == 2:
            pasts[one].extend([number, -number])
            lists[one] += [number, -number]
        else:
            pasts[one].append(number)
            lists[one].append(number)
        assert [list(past) for past in pasts] == lists
    for past, same in zip(pasts, lists, strict=True):
        assert (len(past), past[1:], past[-2:], list(reversed(past))) == (len(same), same[1:], same[-2:], same[::-1])
        assert [past[place] for place in range(-len(same), len(same))] == same + same


def test_a_twin_of_a_game_goes_its_own_way():
    state = Game("europe", 2).start(3)
    for _ in range(30):
        state.apply(state.legal[0])
    before = state.history, state.events
    twin = state.twin()
    for _ in range(10):
        twin.apply(twin.legal[-1])
    assert (state.history, state.events) == before
    other = state.twin()
    for _ in range(10):
        other.apply(other.legal[0])
        state.apply(state.legal[0])
    assert (other.history, other.events, other) == (state.history, state.events, state)
    assert twin.history[:30] == before[0][:30]
    assert twin.history != state.history
