"""The tests' own machinery: a soak that can continue, tests that are left out and reported, and what `make` installs for them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server import running
from tests.soaking import Sources
from tests.web.browsing import BROWSERS, running_browser

ROOT = Path(__file__).parents[1]
# the second test passes once there is a file beside it, which is not one of the sources
PROJECT = {
    "tests/conftest.py": 'pytest_plugins = ["tests_of_branchline.soaking", "tests_of_branchline.left_out"]\n',
    "tests/test_some.py": """
from pathlib import Path
from tests_of_branchline.left_out import leave_out

def test_one(): pass
def test_two(): assert Path("there").exists()
def test_three(): leave_out("PostgreSQL")
""",
}


@pytest.fixture
def project(tmp_path):
    """A small project with the plugins of these tests."""
    (tmp_path / "lib" / "tests_of_branchline").mkdir(parents=True)
    for plugin in ("soaking.py", "left_out.py"):
        shutil.copy(ROOT / "tests" / plugin, tmp_path / "lib" / "tests_of_branchline")
    for name, text in PROJECT.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def run(project, *arguments, **environment):
    """pytest on that project; without the other plugins, which take longer to load than it takes to run."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("BRANCHLINE_", "PYTEST_"))}
    env = bare | {"PYTHONPATH": str(project / "lib"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | environment
    command = [sys.executable, "-m", "pytest", "-q", "--rootdir", ".", *arguments, "tests"]
    return subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, timeout=60, check=False)


def finished(ran):
    """The tests that a soak reports, with their outcomes."""
    return {name: outcome for outcome, name in re.findall(r"^ +\d+/\d+ (\w+) +[\d.]+ s  tests/test_some.py::(\w+)$", ran.stdout, re.MULTILINE)}


@pytest.mark.sample(1)
@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")], ids=["alone", "by-workers"])
def test_a_soak_tells_of_each_test_and_goes_on_with_what_has_not_passed(project, workers):
    first = run(project, *workers, BRANCHLINE_SOAK="1")
    assert first.returncode == 1
    assert finished(first) == {"test_one": "passed", "test_two": "failed", "test_three": "skipped"}
    (project / "there").touch()
    second = run(project, *workers, BRANCHLINE_SOAK="1")
    assert second.returncode == 0, second.stdout
    assert finished(second) == {"test_two": "passed", "test_three": "skipped"}
    assert "1 test has passed before" in second.stdout


def test_a_soak_with_nothing_left_to_do_has_passed(project):
    for name in ("there", "tests/test_some.py"):
        (project / name).touch()
    for expected in ({"test_one": "passed", "test_two": "passed"}, {}):
        ran = run(project, "-k", "one or two", BRANCHLINE_SOAK="1")
        assert (ran.returncode, finished(ran)) == (0, expected)


@pytest.mark.sample(2)
@pytest.mark.parametrize("change", ["fresh", "long", "a test", "a helper", "a source", "a source above the game"])
def test_a_soak_starts_over_when_asked_to_or_when_a_source_changes(project, change):
    (project / "there").touch()
    run(project, BRANCHLINE_SOAK="1")
    changed = {
        "a test": "tests/test_some.py",
        "a helper": "tests/helping.py",
        "a source": "src/rules.py",
        "a source above the game": "src/branchline/server/app.py",
    }.get(change, "somewhere/else")
    change_file(project / changed)
    again = run(project, BRANCHLINE_SOAK="fresh" if change == "fresh" else "1", BRANCHLINE_LONG="1" if change == "long" else "")
    assert finished(again) == {"test_one": "passed", "test_two": "passed", "test_three": "skipped"}


def change_file(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write("# changed\n")


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ("src/branchline/rules/tunnels.py", ["rules/test_game", "rules/test_page", "server/test_third"]),
        ("src/branchline/server/app.py", ["server/test_third"]),
        ("docs/page.md", ["rules/test_page"]),  # which reads the docs
        ("tests/rules/test_other.py", ["rules/test_page"]),  # which imports it
        ("tests/server/test_third.py", ["server/test_third"]),
    ],
)
def test_a_test_runs_again_only_for_what_it_can_notice(tmp_path, changed, again):
    texts = {
        "src/branchline/rules/tunnels.py": "",
        "src/branchline/server/app.py": "",
        "docs/page.md": "",
        "tests/rules/test_game.py": "from pathlib import Path",
        "tests/rules/test_page.py": "from tests.rules.test_other import ROOT\nDOCS = ROOT / 'docs'",
        "tests/rules/test_other.py": "ROOT = 1",
        "tests/server/test_third.py": "",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    before = Sources(tmp_path)
    change_file(tmp_path / changed)
    after = Sources(tmp_path)
    tests = ("rules/test_game", "rules/test_page", "server/test_third")
    assert [one for one in tests if before.hash_for(f"tests/{one}.py") != after.hash_for(f"tests/{one}.py")] == again


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")], ids=["alone", "by-workers"])
def test_the_last_line_says_what_was_left_out_and_how_to_get_it(project, workers):
    last = run(project, *workers).stdout.splitlines()[-1]
    assert last.startswith("LEFT OUT because PostgreSQL is missing: 1 test. To run them, install it (Debian: apt-get install postgresql")


def test_when_nothing_is_left_out_nothing_is_said(project):
    ran = run(project, "-k", "one")
    assert (ran.returncode, "LEFT OUT" in ran.stdout) == (0, False)


def test_postgresql_is_missing_where_there_is_none_or_nobody_to_run_it(monkeypatch, tmp_path):
    (tmp_path / "15" / "bin").mkdir(parents=True)
    (tmp_path / "15" / "bin" / "initdb").touch()
    monkeypatch.setattr(running, "DEBIAN", tmp_path)
    monkeypatch.setattr(running.os, "geteuid", lambda: 1000)
    assert running.has_postgres()
    monkeypatch.setattr(running.os, "geteuid", lambda: 0)
    monkeypatch.setattr(running.pwd, "getpwall", list)
    assert not running.has_postgres()
    monkeypatch.setattr(running.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(running, "DEBIAN", tmp_path / "nowhere")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not running.has_postgres()


def test_without_chromium_its_tests_are_left_out(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    with pytest.raises(pytest.skip.Exception, match="Chromium is missing: install it"), running_browser():
        pass


# what `make` installs

MAKE = shutil.which("make")
TOOLS = ("sh", "ls", "true", "echo", "touch", "find", "env", "cat")


class Machine:
    """A machine with a few tools and those that a test adds; the added ones write down how they were called."""

    def __init__(self, folder):
        self.path, self.written = folder / "bin", folder / "calls"
        self.path.mkdir()
        self.written.touch()
        for tool in TOOLS:
            (self.path / tool).symlink_to(shutil.which(tool))

    def add(self, name, does="exit 0"):
        (self.path / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {self.written}\n{does}\n')
        (self.path / name).chmod(0o755)

    def make(self, *asked):
        """The exit code, and the calls."""
        known = ["-o", ".venv/testable", f"BIN={self.path}", f"POSTGRESQL={self.path}/none"]
        self.ended = subprocess.run(
            [MAKE, *known, *asked], cwd=ROOT, env={"PATH": str(self.path)}, capture_output=True, text=True, timeout=60, check=False
        )
        return self.ended.returncode, self.written.read_text().splitlines()


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.mark.parametrize(("target", "package"), [("postgresql", "postgresql"), ("chromium", "chromium-headless-shell")])
def test_root_with_apt_installs_what_is_missing_and_a_failure_is_one(machine, target, package):
    machine.add("id", "echo 0")
    machine.add("apt-get")
    code, calls = machine.make(target)
    assert code == 0
    assert f"apt-get install -y -qq --no-install-recommends {package}" in calls
    machine.add("apt-get", "exit 100")
    assert machine.make(target)[0] != 0


def test_where_there_is_no_chromium_without_windows_the_usual_one_is_installed(machine):
    machine.add("id", "echo 0")
    machine.add("apt-get", 'for package in "$@"; do [ $package != chromium-headless-shell ] || exit 100; done')
    code, calls = machine.make("chromium")
    assert (code, calls[-1]) == (0, "apt-get install -y -qq --no-install-recommends chromium")


def test_nobody_is_asked_for_a_password(machine):
    machine.add("id", "echo 1000")
    machine.add("apt-get")
    machine.add("sudo", "exit 1")
    code, calls = machine.make("postgresql")
    assert code == 0
    assert [call for call in calls if not call.startswith("id")] == ["sudo -n true"]


def test_without_apt_playwright_is_asked_for_chromium_and_may_fail(machine):
    machine.add("id", "echo 1000")
    machine.add("playwright", "exit 1")
    code, calls = machine.make("chromium")
    assert code == 0
    assert "playwright install chromium" in calls
    assert machine.make("postgresql")[0] == 0


def test_what_is_there_is_not_installed(machine):
    for name in ("initdb", "chromium", "apt-get"):  # another browser than the first choice will do
        machine.add(name)
    for target in ("postgresql", "chromium"):
        assert machine.make(target) == (0, [])


@pytest.mark.parametrize(("asked", "handed_on"), [((), "BRANCHLINE_SOAK=1 "), (("FRESH=1", "LONG=1"), "BRANCHLINE_SOAK=fresh BRANCHLINE_LONG=1 ")])
def test_a_soak_can_be_asked_to_start_over_and_for_a_part(machine, asked, handed_on):
    machine.make("--dry-run", "soak", "ONLY=tests/play", *asked)
    last = machine.ended.stdout.splitlines()[-1]
    assert (last.startswith(handed_on), last.endswith(" tests/play")) == (True, True), last


@pytest.mark.skipif(not shutil.which("apt-get") or os.geteuid() != 0, reason="here not everything can be installed")
def test_where_everything_can_be_installed_nothing_is_left_out():
    """`make postgresql chromium` installs it."""
    assert running.has_postgres()
    assert any(map(shutil.which, BROWSERS))
