"""Which files are compiled, by their folders, and where the compiled code is kept.

A folder is compiled or it is not: the rules, and every folder named `compiled`. This folder, which compiles them, counts as well.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

PACKAGE = Path(__file__).parent.parent
COMPILED = ("compiling/*.py", "rules/**/*.py", "**/compiled/**/*.py")
# what else decides how bots play: their other code, and what was tuned or learned for each board
BOTS = ("bots/*.py", "boards/**/planner.toml", "boards/**/levels.toml", "boards/**/learned.net")
WAY_VARIABLE, WAYS = "BRANCHLINE_NUMBA", ("private", "public")  # see fallback.py


def compiled_files() -> list[Path]:
    return sorted({path for pattern in COMPILED for path in PACKAGE.glob(pattern)})


def hash_of(files: list[Path]) -> str:
    """Sixteen hex digits that change with any line of any of the files."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def source_hash() -> str:
    """Changes with whatever is compiled."""
    return hash_of(compiled_files())


def play_hash() -> str:
    """Changes with whatever is compiled and whatever else decides how bots play: the same game only comes out again if neither has changed."""
    return hash_of(sorted({*compiled_files(), *(path for pattern in BOTS for path in PACKAGE.glob(pattern))}))


def cache_folder() -> Path:
    """Where compiled code is kept. Numba itself does not notice a change in a *called* function's file, so the folder is named by all of them.

    Code compiled on request by the public interface is kept apart, so that tests can show it does not come from the other way.
    """
    base = os.environ.get("BRANCHLINE_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    apart = "-public" if os.environ.get(WAY_VARIABLE) == "public" else ""
    return Path(base) / "branchline" / f"{source_hash()}{apart}"
