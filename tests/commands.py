"""The `branchline` command for tests: in the tests' own process, which is already running, or in a separate one."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rich.console import Console

from branchline import cli

WIDTH = 160
PROCESS = [sys.executable, "-m", "branchline"]


def branchline(*arguments: object, stdin: str = "", cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """What the command prints and its exit code, as if it had been a process."""
    streams = {"stdin": io.StringIO(stdin), "stdout": io.StringIO(), "stderr": io.StringIO()}
    command = ["branchline", *map(str, arguments)]
    process = patch.multiple(sys, argv=command, **streams)
    with process, patch.dict(os.environ, environment), patch.dict(vars(cli.console), vars(Console(width=WIDTH))), working_in(cwd):
        code = exit_code()
    return subprocess.CompletedProcess(command, code, streams["stdout"].getvalue(), streams["stderr"].getvalue())


def exit_code() -> int:
    try:
        cli.main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@contextmanager
def working_in(folder: Path | None) -> Iterator[None]:
    """Forget what was imported from the folder afterwards: the next test may have another bot with the same name."""
    path, modules = sys.path.copy(), set(sys.modules)
    with chdir(folder or "."):
        yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if folder and folder in Path(getattr(sys.modules[name], "__file__", None) or "/").parents:
            del sys.modules[name]


def branchline_process(*arguments: object, stdin: str = "", cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a separate process, for tests of the process itself or of another mode."""
    more: dict[str, Any] = {"input": stdin, "cwd": cwd, "env": os.environ | {"COLUMNS": str(WIDTH), "NO_COLOR": "1"} | environment}
    return subprocess.run([*PROCESS, *map(str, arguments)], capture_output=True, text=True, timeout=200, check=False, **more)
