"""Statistics from your own file: `--statistics my_stats.py`."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from branchline.batch.statistics import Statistic, StatisticError


def load_statistics(files: list[Path]) -> tuple[Statistic, ...]:
    """All functions of the files that are marked `@statistic`, in their order."""
    return tuple(one for file in files for one in statistics_of(file))


def statistics_of(file: Path) -> list[Statistic]:
    found = [one for one in vars(run(file)).values() if isinstance(one, Statistic)]
    if not found:
        raise StatisticError(f"{file} has no function marked @statistic (from branchline.batch import statistic)")
    return list(dict.fromkeys(found))


def run(file: Path) -> ModuleType:
    """The file as a module, which can import what lies next to it."""
    if not file.is_file():
        raise StatisticError(f"there is no statistics file {file}")
    spec = importlib.util.spec_from_file_location(f"statistics_of_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise StatisticError(f"{file} is not a Python file: its name must end with .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.append(str(file.resolve().parent))  # at the end, so that no file of the user shadows a library
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise StatisticError(f"the statistics cannot be loaded: {told(error, file)}") from error
    return module


def told(error: Exception, file: Path) -> str:
    """The error, and the line of the file that led to it."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file.absolute())]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    reason = error.msg if isinstance(error, SyntaxError) else error
    return f"{file}{f', line {line}' if line else ''}: {type(error).__name__}: {reason}"
