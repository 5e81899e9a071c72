"""The package as it is installed: what `import branchline` loads, and what is said when an extra is missing."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest
import yaml
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import branchline
from branchline.compiling.numba_private import TESTED
from branchline.errors import how_to_install

ROOT = Path(__file__).parents[1]


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)


def without(package: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command where a package is not installed."""
    return run(f"import sys; sys.modules[{package!r}] = None; sys.argv = {['branchline', *arguments]!r}; from branchline.cli import main; main()")


def test_everything_that_is_promised_is_there():
    homes = {name for names in branchline._HOMES.values() for name in names}
    assert homes | {"__version__"} == set(branchline.__all__)
    assert all(getattr(branchline, name).__module__.startswith("branchline.") for name in homes)
    with pytest.raises(AttributeError, match="has no attribute 'Gmae'"):
        _ = branchline.Gmae


def test_importing_the_package_alone_loads_neither_rules_nor_compiler():
    ended = run("import sys, branchline; print(sorted({'numba', 'numpy', 'pydantic', 'branchline.rules'} & sys.modules.keys()))")
    assert (ended.stdout.strip(), ended.stderr) == ("[]", "")


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("package", "arguments", "what", "extra"),
    [
        ("fastapi", ["serve"], "a server", "server"),
        ("sqlalchemy", ["serve"], "a server", "server"),
        ("sqlalchemy", ["admin", "tables"], "a server", "server"),
        ("websockets", ["connect", "http://127.0.0.1:9", "greedy"], "branchline connect", "connect"),
        ("polars", ["report", "games.parquet"], "a report", "report"),
        ("polars", ["board", "report", "london"], "a report on a board", "report"),
        ("fastapi", ["board", "edit", "london"], "the board editor", "server"),
    ],
)
def test_a_command_whose_extra_is_missing_says_what_to_type(package, arguments, what, extra):
    ended = without(package, *arguments)
    said = f"branchline: {what} needs the package {package}, which is not installed: {how_to_install(extra)}"
    assert (ended.returncode, ended.stderr.strip()) == (1, said)


def test_what_to_type_depends_on_where_branchline_came_from(monkeypatch, tmp_path):
    assert how_to_install("report") == f"{sys.executable} -m pip install --editable '{ROOT}[report]'"
    monkeypatch.setattr("branchline.errors.CLONE", tmp_path)  # as in a wheel, beside which there is no pyproject.toml
    assert how_to_install("report") == "pip install 'branchline[report]', or with uv: uvx --from 'branchline[report]' branchline …"


def test_the_other_commands_need_no_extra():
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('fastapi', 'sqlalchemy', 'uvicorn', 'websockets', 'structlog', 'polars', 'altair'), None)); "
    )
    ended = run(code + "sys.argv = ['branchline', 'show', 'london']; from branchline.cli import main; main()")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_citation_names_the_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == branchline.__version__


def test_workflows_test_every_python_that_the_package_accepts():
    wanted = SpecifierSet(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"])
    accepted = [f"3.{minor}" for minor in range(8, 20) if wanted.contains(f"3.{minor}")]
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))["jobs"]
    of_one_python = {"oldest-numba"}
    assert {name: job["strategy"]["matrix"]["python"] for name, job in jobs.items() if name not in of_one_python} == dict.fromkeys(
        jobs.keys() - of_one_python, accepted
    )


def test_a_workflow_tests_the_oldest_numba_that_is_accepted():
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))["jobs"]
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    assert f"numba>={TESTED[0]}" in needs
    assert any(f'"numba=={TESTED[0]}.*"' in step.get("run", "") for step in jobs["oldest-numba"]["steps"])


# folders of tests that need a server, a browser, a GPU or a cluster
ON_LINUX_ALONE = {"server", "web", "cuda", "cluster"}


def test_macos_and_windows_run_every_folder_of_tests_that_can():
    job = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))["jobs"]["games"]
    (command,) = [step["run"] for step in job["steps"] if "pytest" in step.get("run", "")]
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    named = {word for word in command.split() if word.startswith("tests/") and (ROOT / word).is_dir() and word.count("/") == 1}
    assert named == {f"tests/{folder}" for folder in folders - ON_LINUX_ALONE}
    ignored = [ROOT / path for path in re.findall(r"--ignore (\S+)", command)]
    assert all(path.exists() for path in ignored)
    assert set(ignored) >= set((ROOT / "tests").glob("*/test_cluster.py"))


def test_the_table_of_extras_is_complete():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    listed = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/api.md").read_text(encoding="utf-8").partition("## Extras")[2], re.MULTILINE)
    assert set(listed) == set(extras) - {"dev", "docs"}


def test_every_extra_was_installed_alone():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    rows = re.findall(r"^\| 3\.11\.\d+ \| (\S+) \|", (ROOT / "docs/installing.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(rows) == set(extras) - {"all", "dev", "docs"} | {"–"}


def test_the_readme_says_what_the_base_takes():
    said = re.search(r"takes about (\d+) MB", (ROOT / "README.md").read_text(encoding="utf-8"))
    measured = re.findall(r"^\| 3\.\d+\.\d+ \| – \| \d+ \| (\d+) MB", (ROOT / "docs/installing.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(measured) == 3
    assert said
    assert all(abs(int(said[1]) - int(size)) <= 5 for size in measured)


@pytest.mark.parametrize("python", ["3.11.0", "3.12.0", "3.13.0"])
def test_pinned_versions_install_on_the_first_release_of_every_python(python):
    """A system's Python is seldom the newest release of its version."""
    pinned = re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    here = {canonicalize_name(one.metadata["Name"]): one.metadata.get("Requires-Python") for one in distributions()}
    asked = {name: here[name] for name in map(canonicalize_name, pinned) if here.get(name)}
    assert len(asked) > 50
    assert [name for name, pythons in asked.items() if not SpecifierSet(pythons).contains(python)] == []
