"""Tests that need what this machine lacks are left out, and the last lines of a run say which and how to get it."""

from __future__ import annotations

from collections import Counter
from typing import Any, NoReturn

import pytest

HOW = {
    "PostgreSQL": "install it (Debian: apt-get install postgresql, macOS: brew install postgresql)",
    "the right to make network namespaces": "run them as root on Linux, with iproute2 (Debian: apt-get install iproute2)",
    "nginx": "install it (Debian: apt-get install nginx-light, macOS: brew install nginx)",
    "Node": "install it (Debian: apt-get install nodejs, macOS: brew install node)",
    "Chromium": "install it (Debian: apt-get install chromium-headless-shell, elsewhere: .venv/bin/playwright install chromium)",
}


def leave_out(what: str) -> NoReturn:
    """Skip the test, because one of the above is missing."""
    pytest.skip(f"{what} is missing: {HOW[what]}")


def left_out(skipped: list[Any]) -> Counter[str]:
    """How many tests were skipped because of each."""
    reasons = [str(report.longrepr) for report in skipped]
    return Counter({what: sum(f"{what} is missing" in reason for reason in reasons) for what in HOW})


def pytest_unconfigure(config: pytest.Config) -> None:
    """After everything else that pytest prints."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None or hasattr(config, "workerinput"):
        return
    for what, number in left_out(terminal.stats.get("skipped", [])).items():
        if number:
            tests = f"{number} test{'s' if number > 1 else ''}"
            terminal.write_line(f"LEFT OUT because {what} is missing: {tests}. To run them, {HOW[what]} and try again.", yellow=True)
