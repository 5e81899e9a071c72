"""What can be known of the GPU's part without a GPU; that it plays the same games is shown on one by `scripts/check_gpu.py`."""

import os
import subprocess
import sys

import pytest

from branchline.batch import Batch
from branchline.boards import load_board
from branchline.cuda import GpuPlayer, NoGpuError, load_cuda
from branchline.cuda.unrolling import keep_loops

# A warp of one thread: whoever it waits for has come already.
ONE_LANE = """
import sys
import types
import numpy as np

lane = types.SimpleNamespace(
    ballot_sync=lambda everyone, mine: int(bool(mine)),
    shfl_sync=lambda everyone, mine, source: mine,
    ffs=lambda word: 1,
    syncwarp=lambda everyone: None,
    syncthreads_or=lambda mine: mine,
)
import branchline.cuda.loops as loops
from branchline.batch.playing import play
from branchline.batch.tally import TALLY
from branchline.boards import load_board
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import MASK_WORDS
from branchline.rules.state import STATE
from branchline.rules.work import WORK

loops.cuda = lane


def game(name, players, number, together):
    board, state, work, result, tally = (np.zeros(1, kind)[0] for kind in (load_board(name).records.dtype, STATE, WORK, RESULT, TALLY))
    board, mask, dice = load_board(name).records[0], np.zeros(MASK_WORDS, np.uint64), np.zeros((5, 4), np.uint64)
    keys = (np.uint64(1), np.uint64(number))
    extra = (None, None, None, None, None, None, dice, players, *keys)  # nothing to write into, random play
    if together:
        made = loops.play_together(board, state, mask, work, result, tally, *extra, True)
    else:
        made = play(board, state, None, mask, work, result, tally, *extra)
    return made, state.tobytes(), result.tobytes(), tally.tobytes()


for name, players in (("london", 2), ("europe", 3), ("world", 2), ("card-game", 2)):
    for number in range(2):
        one, other = (game(name, players, number, together) for together in (True, False))
        assert one == other, (name, players, number)
        print(name, players, number, one[0])
"""


@pytest.mark.timeout(250)
def test_the_loop_of_the_gpu_plays_the_games_of_the_cpu():
    done = subprocess.run(
        [sys.executable, "-c", ONE_LANE], env=os.environ | {"BRANCHLINE_MODE": "plain"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 8


CODE = """\
define i64 @"_ZN10branchline5rules5cards4drawE"(i64 %".1")
{
entry:
  br label %"loop"
loop:
  br i1 %".2", label %"loop", label %"end"
end:
  ret i64 0
}
define i64 @"_ZN10branchline5rules4bits5countE"(i64 %".1")
{
loop:
  br label %"loop"
}"""


def test_branches_back_are_marked_and_no_others():
    code = keep_loops(CODE)
    marked = [line for line in code.splitlines() if ", !llvm.loop !" in line]
    assert len(marked) == 1  # the way in, and a module whose loops are short, are left alone
    assert marked[0].startswith('  br i1 %".2", label %"loop", label %"end", ')
    note = marked[0].rpartition(" ")[2]
    assert f"{note} = distinct !{{{note}, !1000001}}" in code
    assert '!1000001 = !{!"llvm.loop.unroll.disable"}' in code


def has_gpu():
    try:
        load_cuda()
    except NoGpuError:
        return False
    return True


@pytest.mark.skipif(has_gpu(), reason="what is said without a GPU, on a machine that has one")
def test_without_a_gpu_it_says_so():
    with pytest.raises(NoGpuError, match="--device cpu"):
        GpuPlayer(load_board("london"), ["random", "random"])
    with pytest.raises(NoGpuError, match="CPU"):
        Batch("london", 4, device="cuda")
