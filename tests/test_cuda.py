"""What can be known of the GPU's part without a GPU; that it plays the same games is shown on one by `scripts/check_gpu.py`."""

import os
import subprocess
import sys

import pytest

from branchline.batch import Batch
from branchline.batch.cuda import GpuPlayer, NoGpuError, load_cuda
from branchline.batch.cuda.unrolling import keep_loops
from branchline.boards import load_board
from tests.warp import LANES, TABLES


@pytest.mark.timeout(250)
def test_the_loop_of_the_gpu_plays_the_games_of_the_cpu():
    """In plain Python, by threads that wait for each other as those of a warp do."""
    env = os.environ | {"BRANCHLINE_MODE": "plain"}
    done = subprocess.run([sys.executable, "-m", "tests.warp"], env=env, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == (LANES - 1) * len(TABLES)


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
