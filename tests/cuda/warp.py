"""The GPU's loop, run by Python threads that wait for each other like those of a warp: the games must be those that `play` plays alone.

BRANCHLINE_MODE=plain python -m tests.cuda.warp
"""

import threading
from types import SimpleNamespace

import numpy as np

from branchline.batch.compiled.playing import play
from branchline.batch.compiled.tally import TALLY
from branchline.boards import load_board
from branchline.cuda.compiled import warps as loops
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import MASK_WORDS, NONE
from branchline.rules.state import STATE, TICKETS_OTHERWISE
from branchline.rules.work import WORK
from tests.conftest import SOAK

LANES = 4 if SOAK else 3  # the last has no game, as in the last block of a launch
TABLES = [("london", 2, 0), ("world", 2, 0), ("card-game", 3, TICKETS_OTHERWISE)]
TABLES += [("europe", 3, 0), ("card-game", 2, 0), ("card-game", 4, 0)] if SOAK else []
PATIENCE = 60  # seconds after which lanes stop waiting for one that never comes


class Warp:
    """What a kernel asks of its warp; all lanes must ask for the same thing."""

    def __init__(self):
        self._barrier, self._said, self._lane = threading.Barrier(LANES), [None] * LANES, threading.local()

    def all_say(self, what, mine):
        """What each lane says; fails if they talk about different things."""
        self._said[self._lane.number] = (what, mine)
        self._barrier.wait(PATIENCE)
        said = list(self._said)
        self._barrier.wait(PATIENCE)
        assert len({one for one, _ in said}) == 1, said
        return [one for _, one in said]

    def cuda(self):
        def ballot_sync(_, mine):
            return sum(1 << lane for lane, one in enumerate(self.all_say("ballot", bool(mine))) if one)

        return SimpleNamespace(
            ballot_sync=ballot_sync,
            shfl_sync=lambda _, mine, source: self.all_say("shfl", mine)[source],
            ffs=lambda word: (word & -word).bit_length(),
            syncwarp=lambda _: self.all_say("syncwarp", None),
            syncthreads_or=lambda mine: any(self.all_say("syncthreads", bool(mine))),
        )

    def run(self, lane_does):
        """What each lane brings back."""
        found = [None] * LANES

        def one(lane):
            self._lane.number = lane
            try:
                found[lane] = lane_does(lane)
            except BaseException:
                self._barrier.abort()
                raise

        lanes = [threading.Thread(target=one, args=(lane,)) for lane in range(LANES)]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
        assert None not in found, "a lane failed: see above"
        return found


def game(name, players, options, number, together, plays=True):
    board, mask, dice = load_board(name).records[0], np.zeros(MASK_WORDS, np.uint64), np.zeros((5, 4), np.uint64)
    state, work, result, tally = (np.zeros(1, kind)[0] for kind in (STATE, WORK, RESULT, TALLY))
    minds, telling = (None, None, None, None, dice), (tally, None, None)  # random play
    table, key = (players, NONE, options), (np.uint64(1), np.uint64(number))
    if together:
        made = loops.play_together(board, state, mask, work, result, minds, telling, table, key, plays)
    else:
        made = play(board, state, None, mask, work, result, minds, telling, table, key, None, None)
    return made, state.tobytes(), result.tobytes(), tally.tobytes()


def main():
    for table in TABLES:
        warp = Warp()
        loops.cuda = warp.cuda()
        together = warp.run(lambda lane, table=table: game(*table, lane, True, lane < LANES - 1))
        for number in range(LANES - 1):
            assert together[number] == game(*table, number, False), (table, number)
            print(*table, number, together[number][0])
        assert together[-1][0] == 0


if __name__ == "__main__":
    main()
