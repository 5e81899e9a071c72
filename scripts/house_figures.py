"""Print the figures of docs/architecture.md (how far a change spreads) and docs/mechanisms.md for a commit, without one for the last.

    python scripts/house_figures.py [COMMIT]

Pairs of places that share lines are counted by the command `duplicates`, where there is one.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "src/branchline"
MECHANISM = "harbour"
# where it is mentioned, as docs/mechanisms.md has it; a file counts at the first place that it is in
PLACES = {
    "rules": (f"{PACKAGE}/rules", ".py"),
    "other Python in src/branchline": (PACKAGE, ".py"),
    "web/src": ("web/src", ""),
    "words": (f"{PACKAGE}/words", ""),
    "boards, without Python": (f"{PACKAGE}/boards", ""),
    "docs, README.md, CHANGELOG.md": ("docs", ""),
}
BESIDE_DOCS = ("README.md", "CHANGELOG.md")
DOCS = list(PLACES)[-1]
ITS_BOARD = "world"
OTHER_LANGUAGE = re.compile(r"/(words|i18n|rules|guides)/(pl|uk|de)(/|\.)")
IN_SCRIPT = r"/\*.*?\*/|//[^\n]*|<!--.*?-->"
COMMENTS = {".py": r'^\s*"""(?:.*?)"""|#[^\n]*', ".ts": IN_SCRIPT, ".svelte": IN_SCRIPT}
GENERATED = ("web/src/api/schema.ts", "web/src/api/vocabulary.ts", "web/src/i18n/keys.ts")


def unpacked(commit: str, folder: Path) -> None:
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


def files_in(folder: Path, *endings: str) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name.endswith(endings))


def lines_of(files: list[Path]) -> int:
    return sum(path.read_bytes().count(b"\n") for path in files)


def tests_in(files: list[Path]) -> int:
    return sum(len(re.findall(r"^\s*(?:async )?def test_", path.read_text(encoding="utf-8"), re.MULTILINE)) for path in files)


def place_of(name: str) -> str | None:
    """The place in docs/mechanisms.md that a file belongs to."""
    if name in BESIDE_DOCS:
        return DOCS
    return next((place for place, (folder, ending) in PLACES.items() if name.startswith(f"{folder}/") and name.endswith(ending)), None)


def mentions(tree: Path) -> dict[str, int]:
    """How many files in each place mention the mechanism."""
    found = [path.relative_to(tree).as_posix() for path in files_in(tree, "") if MECHANISM.encode() in path.read_bytes().lower()]
    return {place: sum(place_of(name) == place for name in found) for place in PLACES}


def edited(tree: Path) -> dict[str, int]:
    """How many files in each place name the mechanism outside comments, so that a mechanism like it is an edit there. Generated files, docs, the
    languages besides English and the boards besides the first that has it do not count: nobody writes them for the mechanism."""
    found = [path for path in files_in(tree, "") if is_written_for_it(path.relative_to(tree).as_posix()) and MECHANISM in code_of(path).lower()]
    counted = [place_of(path.relative_to(tree).as_posix()) for path in found]
    return {place: counted.count(place) for place in PLACES if counted.count(place)}


def is_written_for_it(name: str) -> bool:
    place = place_of(name)
    if place is None or place == DOCS or name in GENERATED or "/client/" in name:
        return False
    other_board = "/boards/" in name and not name.endswith(".py") and f"/boards/{ITS_BOARD}/" not in name
    return not other_board and not OTHER_LANGUAGE.search(name)


def code_of(path: Path) -> str:
    """A file without its comments and docstrings."""
    if path.suffix not in (".py", ".ts", ".svelte"):
        return path.read_bytes().decode("utf-8", "replace")
    text = path.read_text(encoding="utf-8")
    return re.sub(COMMENTS[path.suffix], "", text, flags=re.DOTALL | re.MULTILINE)


def pairs_in(tree: Path) -> int | None:
    command = shutil.which("duplicates")
    if command is None:
        return None
    told = subprocess.run([command, "--repo", str(tree), "--most", "1", "--seconds", "300"], capture_output=True, text=True, check=True).stdout
    counted = re.match(r"\d+", told)
    return int(counted[0]) if counted else 0


def figures(tree: Path) -> dict[str, str]:
    python, tests = files_in(tree / "src", ".py"), files_in(tree / "tests", ".py")
    page = [path for path in files_in(tree / "web" / "src", ".ts", ".svelte") if path.relative_to(tree).as_posix() not in GENERATED]
    pairs, lines = pairs_in(tree), sum(map(lines_of, (python, tests, page)))
    top = [path for path in (tree / PACKAGE).iterdir() if not path.name.startswith("__")]
    found, to_edit = mentions(tree), edited(tree)
    return {
        "lines of Python in src, in files": f"{lines_of(python):,} in {len(python)}",
        "lines of Python in tests, test functions": f"{lines_of(tests):,}, {tests_in(tests):,}",
        "lines of TypeScript and Svelte, in files": f"{lines_of(page):,} in {len(page)}",
        "pairs of places, per 1,000 lines": "no command duplicates" if pairs is None else f"{pairs}, {1000 * pairs / lines:.2f}",
        "modules at the top, folders": f"{sum(path.suffix == '.py' for path in top)}, {sum(path.is_dir() for path in top)}",
        f"files that mention {MECHANISM}s": str(sum(found.values())),
        **{f"  {place}": str(number) for place, number in found.items()},
        f"files to edit for {MECHANISM}s": str(sum(to_edit.values())),
        **{f"  {place} ": str(number) for place, number in to_edit.items()},
    }


def main() -> None:
    commit = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    named = subprocess.run(["git", "rev-parse", "--short", commit], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        unpacked(commit, Path(folder))
        print(f"at commit {named}")
        for name, figure in figures(Path(folder)).items():
            print(f"{name:42} {figure}")


if __name__ == "__main__":
    main()
