"""What can be tested of the GPU's part without a GPU; on one, `scripts/check_gpu.py` shows that it plays the same games."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest

from branchline.batch import Batch
from branchline.boards import load_board
from branchline.compiling import MODE, wipe
from branchline.compiling.fallback import check_version
from branchline.cuda import GpuPlayer, NoGpuError, load_cuda
from branchline.cuda.unrolling import keep_loops
from tests.cuda.warp import LANES, TABLES


@pytest.mark.timeout(250)
def test_the_loop_of_the_gpu_plays_the_games_of_the_cpu():
    """In plain Python, by threads that wait for each other as those of a warp do."""
    env = os.environ | {"BRANCHLINE_MODE": "plain"}
    done = subprocess.run([sys.executable, "-m", "tests.cuda.warp"], env=env, capture_output=True, text=True, timeout=200, check=False)
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
    code = keep_loops(CODE, {"_ZN10branchline5rules4bits5countE"})
    marked = [line for line in code.splitlines() if ", !llvm.loop !" in line]
    assert len(marked) == 1  # the way in, and a function whose loops are to be unrolled, are left alone
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


@pytest.mark.skipif(MODE != "compiled", reason="what is said where rules are compiled, but not for a GPU")
def test_without_the_extra_it_says_what_to_type(monkeypatch):
    monkeypatch.setattr("branchline.cuda.loading.find_spec", lambda _: None)
    load_cuda.cache_clear()
    with pytest.raises(NoGpuError, match=r"a GPU needs the package numba_cuda, which is not installed: .*\[gpu\]'.*--device cpu"):
        load_cuda()


def has_compiler():
    """numba-cuda compiles without a GPU, too."""
    return MODE == "compiled" and find_spec("numba_cuda") is not None


@pytest.fixture
def small_kernels(monkeypatch):
    """The code of a small kernel, with the private parts of numba-cuda and without."""
    monkeypatch.setattr(np, "row_stack", np.vstack, raising=False)  # as `load_cuda` does
    from numba.cuda import dispatcher

    from branchline.cuda import numba_cuda_private as private

    monkeypatch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=(9, 0)))
    check_version(private.PACKAGE, private.TESTED)
    with private.short_code():
        ours = private.small_kernel((9, 0))
    return ours, private.small_kernel((9, 0))


@pytest.mark.skipif(not has_compiler(), reason="numba-cuda is not installed: pip install 'branchline[gpu]'")
def test_canary_kernels_are_short_and_know_their_board(small_kernels):
    """Each private part that `cuda/numba_cuda_private.py` relies on, by the code that comes out."""
    ours, theirs = small_kernels
    body = ours[ours.index(".entry") :].partition("\n}\n")[0]
    assert len(set(re.findall(r"\.func .*?(\w+sum_of\w+)", ours))) == 1  # called, and compiled for one size of numbers
    assert body.count("call.uni") == 2
    assert ".func" not in theirs
    assert re.search(r"add\.s64 .*, 123;", body)  # a number that the compiler knows
    loads = [len(re.findall(r"ld\.(?:global\.)?u64", code)) for code in small_kernels]
    assert loads[0] == 1  # a loop stays a loop
    assert loads[1] > 3
    assert not re.search(r"shr\.|selp", body)  # no index counts from the end
    assert re.search(r"shr\.|selp", theirs)


@pytest.mark.skipif(not has_compiler(), reason="numba-cuda is not installed: pip install 'branchline[gpu]'")
def test_canary_a_kernel_is_looked_for_before_it_is_compiled():
    from numba import cuda

    from branchline.cuda.numba_cuda_private import KeptKernels, keep

    class Found(Exception):
        pass

    class Kept(KeptKernels):
        def load_overload(self, *_):
            raise Found

    kernel = cuda.jit(lambda numbers: wipe(numbers[0]))
    keep(kernel, "a test")
    assert isinstance(kernel._cache, KeptKernels)
    kernel._cache = Kept("a test")
    with pytest.raises(Found):
        kernel.compile("void(int64[:])")


@pytest.mark.soak("the loop of whole games calls the same functions")
@pytest.mark.timeout(250)
def test_batches_of_the_gpu_are_those_of_the_cpu():
    """In plain Python, on a device that is Python too."""
    env = os.environ | {"BRANCHLINE_MODE": "plain"}
    done = subprocess.run([sys.executable, "-m", "tests.cuda.device"], env=env, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr


def test_how_kernels_are_made_can_be_imported_before_the_gpu_is_loaded():
    code = "import branchline.cuda.compiling, numpy; assert hasattr(numpy, 'row_stack')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
