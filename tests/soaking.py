"""The soak: a line for every finished test, and a memory of what has passed, so that a stopped soak can continue.

A test that has passed need not run again until a source changes that it can notice; `BRANCHLINE_SOAK=fresh` forgets everything and starts over.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

HOW = os.environ.get("BRANCHLINE_SOAK", "")
LONG = os.environ.get("BRANCHLINE_LONG", "")  # more of what takes longest: what has passed with less has not passed
SOURCES = ("src", "tests", "examples", "scripts", "docs", "web/src", "pyproject.toml", "constraints.txt", "README.md")
IGNORED = {"__pycache__", "client"}  # compiled Python, and the built page
READ = ("docs",)  # by people: tests do not notice a change there, except those that name the folder
# The layers that the game, its bots and all that plays many games stand without: the same holds for their tests.
UPPER = ("web/src", "src/branchline/server", "src/branchline/design")
LOWER_TESTS = ("rules", "words", "play", "bots", "batch", "compiling", "cuda", "envs", "training", "simulation", "report", "arena")


class Sources:
    """What a test could depend on, as hashes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = {
            path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for name in SOURCES
            for path in (root / name, *(root / name).rglob("*"))
            if path.is_file() and not IGNORED & set(path.relative_to(root).parts)
        }

    @cache  # noqa: B019 - there is one of these in a run
    def hash_for(self, file: str) -> str:
        """Sixteen hex digits that change with any file that this file's tests could notice, with Python's version, and with a longer soak."""
        texts = {one: (self.root / one).read_text(encoding="utf-8") for one in self.imported(file)}
        aside = READ + (UPPER if file.startswith(tuple(f"tests/{folder}/" for folder in LOWER_TESTS)) else ())
        unnoticed = tuple(f"{folder}/" for folder in aside if not names(folder, texts.values()))
        digest = hashlib.sha256(f"{sys.version}{LONG}".encode())
        for one in sorted(self.files):
            if not one.startswith(unnoticed) and (one in texts or not is_test(one)):
                digest.update(f"{one}\0{self.files[one]}".encode())
        return digest.hexdigest()[:16]

    def imported(self, file: str) -> set[str]:
        """This file of tests, and those of the tests and scripts that it imports, directly or by others."""
        found, waiting = set(), [file]
        while waiting:
            one = waiting.pop()
            if one in found or one not in self.files:
                continue
            found.add(one)
            text = (self.root / one).read_text(encoding="utf-8")
            modules = re.findall(r"^ *(?:from|import) ((?:tests|scripts)\b[.\w]*)", text, re.MULTILINE)
            waiting += [f"{module.replace('.', '/')}.py" for module in modules]
        return found


def is_test(file: str) -> bool:
    return file.startswith("tests/") and Path(file).name.startswith("test_")


def names(folder: str, texts: Any) -> bool:
    """Do these tests read this folder, or import from it? They do not without naming it."""
    name = folder.removesuffix("/src").rpartition("/")[2]
    return any(re.search(rf"\b{name}\b", text) for text in texts)


class Memory:
    """The tests that have passed, each on a line with the hash of what it could notice."""

    def __init__(self, file: Path, sources: Sources, fresh: bool) -> None:
        self.file, self.sources = file, sources
        if fresh:
            file.unlink(missing_ok=True)
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        self.before = frozenset(test for sources, _, test in (line.partition(" ") for line in lines) if sources == self.hash_for(test))

    def add(self, test: str) -> None:
        with self.file.open("a", encoding="utf-8") as file:
            file.write(f"{self.hash_for(test)} {test}\n")

    def hash_for(self, test: str) -> str:
        return self.sources.hash_for(test.partition("::")[0])


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
            self.write(f"{number} test{'s have' if number > 1 else ' has'} passed before with what they depend on; 'make soak FRESH=1' starts over")

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
    memory = Memory(config.cache.mkdir("soak") / "passed", Sources(config.rootpath), HOW == "fresh")
    config.pluginmanager.register(Telling(config, memory))
    config.pluginmanager.register(Leaving(memory.before))
