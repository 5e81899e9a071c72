"""The checks that are not tests, and the rules as plain Python: beside the tests, because these often wait."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import PLAIN

ROOT = Path(__file__).parents[1]
CHECKS = ("plain", "types", "page-types", "imports", "lint")  # as the Makefile names them, the longest first


@pytest.mark.skipif(PLAIN, reason="it is being checked")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("check", CHECKS)
def test_the_check_passes(check):
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("BRANCHLINE_SOAK", "PYTEST_", "MAKE", "MFLAGS"))}
    ran = subprocess.run(["make", "--no-print-directory", check], cwd=ROOT, env=bare, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
