"""The soak: a line for every finished test, and a memory of what has passed, so that a stopped soak can continue.

The memory counts for exactly these sources; `BRANCHLINE_SOAK=fresh` forgets it and starts over.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

HOW = os.environ.get("BRANCHLINE_SOAK", "")
SOURCES = ("src", "tests", "examples", "scripts", "docs", "web/src", "pyproject.toml", "constraints.txt", "README.md")
IGNORED = {"__pycache__", "client"}  # compiled Python, and the built page


def source_files(root: Path) -> list[Path]:
    found = [path for name in SOURCES for path in (root / name, *(root / name).rglob("*")) if path.is_file()]
    return sorted(path for path in found if not IGNORED & set(path.relative_to(root).parts))


def source_hash(root: Path) -> str:
    """Sixteen hex digits that change with any file that a test could depend on, and with Python's version."""
    digest = hashlib.sha256(sys.version.encode())
    for path in source_files(root):
        digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


class Memory:
    """The names of the tests that have passed, one per line, in a file for these sources."""

    def __init__(self, file: Path, fresh: bool) -> None:
        self.file = file
        if fresh:
            file.unlink(missing_ok=True)
        self.before = frozenset(file.read_text(encoding="utf-8").splitlines()) if file.exists() else frozenset()

    def add(self, test: str) -> None:
        with self.file.open("a", encoding="utf-8") as file:
            file.write(f"{test}\n")


class Leaving:
    """Leaves out tests that passed before; the same ones in every worker."""

    def __init__(self, passed: frozenset[str]) -> None:
        self.passed = passed

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        done = [item for item in items if item.nodeid in self.passed]
        items[:] = [item for item in items if item.nodeid not in self.passed]
        config.hook.pytest_deselected(items=done)


class Telling:
    """Reports every finished test, and remembers those that passed."""

    def __init__(self, config: pytest.Config, memory: Memory) -> None:
        self.config, self.memory = config, memory
        self.reports: dict[str, list[pytest.TestReport]] = defaultdict(list)
        self.total = self.finished = 0

    def pytest_sessionstart(self) -> None:
        number = len(self.memory.before)
        if number:
            self.write(f"{number} test{'s have' if number > 1 else ' has'} passed before with these sources; 'make soak FRESH=1' starts over")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.total = len(session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["soaked"] = sorted(self.memory.before)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        self.total = len(ids)

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str]:
        """No dots between the lines."""
        if report.when == "call" or report.skipped:
            return report.outcome, "", ""
        return "" if report.passed else "error", "", ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        reports = self.reports[report.nodeid]
        reports.append(report)
        if report.when == "teardown":
            self.tell(report.nodeid, self.reports.pop(report.nodeid))

    def tell(self, test: str, reports: list[pytest.TestReport]) -> None:
        outcome = next((one.outcome for one in reports if not one.passed), "passed")
        self.finished += 1
        if outcome == "passed":
            self.memory.add(test)
        seconds = sum(one.duration for one in reports)
        self.write(f"{self.finished:5}/{self.total} {outcome:7} {seconds:7.1f} s  {test}")

    def write(self, line: str) -> None:
        self.config.pluginmanager.get_plugin("terminalreporter").write_line(line)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """When everything has passed before, there is nothing left to run: that is a success."""
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self.memory.before:
            session.exitstatus = pytest.ExitCode.OK


@pytest.hookimpl(trylast=True)  # the cache is there by then
def pytest_configure(config: pytest.Config) -> None:
    if not HOW:
        return
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Leaving(frozenset(config.workerinput["soaked"])))
        return
    memory = Memory(config.cache.mkdir("soak") / source_hash(config.rootpath), HOW == "fresh")
    config.pluginmanager.register(Telling(config, memory))
    config.pluginmanager.register(Leaving(memory.before))
