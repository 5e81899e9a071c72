"""The documentation is tested: every Python example, every command's options, every rule id, and the picture of the architecture."""

import ast
import contextlib
import io
import pkgutil
import re
import tomllib
from pathlib import Path

import pytest
from scripts.rules_pages import books
from scripts.rules_pages import page as rules_page

import branchline
from branchline import Game, available_boards
from branchline.boards.examples import examples_of

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = [
    pytest.param(code, id=f"{page.name}-{number}")
    for page in PAGES
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_examples_run(code):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "example", "exec"), {"__name__": "example"})
    assert printed.getvalue()


def test_the_readmes_example_is_about_ten_lines():
    code = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 11


FILES = {"branchline.db", "branchline.db.key", "branchline.service", "branchline.env"}


def test_whatever_of_the_package_is_named_exists():
    """`branchline.play.counting.explained_count` is there, on every page but the one about what has moved."""
    pages = [page.read_text(encoding="utf-8") for page in PAGES if page.name != "upgrading.md"]
    names = {name for text in pages for name in re.findall(r"(?<![\w/.-])branchline(?:\.[A-Za-z_]\w*)+(?![/\w])", text)} - FILES
    assert len(names) > 60
    assert {name for name in names if not is_there(name)} == set()


def is_there(name):
    """A module, or something in one."""
    try:
        pkgutil.resolve_name(name)
    except (AttributeError, ImportError):
        return False
    return True


def test_links_lead_somewhere():
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def picture_rows():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    boxes = re.search(r"```\n(.*?)```", text, re.DOTALL).group(1)
    rows = []
    for line in boxes.splitlines():
        cells = re.match(r"\s+│ (.*?)\s*│$", line)
        if cells:
            words = re.split(r"\s{2,}", cells.group(1))
            rows.append([word for word in words if re.fullmatch("[a-z]+", word)])
    return rows


def modules():
    """Folders and modules at the top of the package; `__main__` only runs it."""
    package = Path(branchline.__file__).parent
    top = {path.stem for path in package.glob("*.py") if not path.stem.startswith("__")}
    return top | {path.parent.name for path in package.glob("*/__init__.py")}


def test_the_picture_of_the_architecture_is_true():
    """Every module appears in it once, and its rows are the layers that import-linter enforces."""
    rows = picture_rows()
    assert sorted(name for row in rows for name in row) == sorted(modules())
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][0]
    layers = [[name.strip().removeprefix("branchline.") for name in re.split("[|:]", layer)] for layer in contract["layers"]]
    assert [sorted(row) for row in rows] == [sorted(layer) for layer in layers]


def layers_of_modules():
    """How high each folder is; what builds on what inside one row has a contract of its own."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    inside = [layer.replace("branchline.", "").split(" | ") for layer in contracts[1]["layers"]]
    rows = [one for row in picture_rows() for one in (inside if set(row) == {name for layer in inside for name in layer} else [row])]
    return {name: -number for number, row in enumerate(rows) for name in row}


def named_modules(path):
    """Modules of the package that are written as strings, which import-linter does not see."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"branchline(\.\w+)+(:\w+)?", node.value):
            yield node.value.partition(":")[0]


def test_only_three_places_reach_upwards_and_the_page_names_them():
    package, heights = Path(branchline.__file__).parent, layers_of_modules()
    found = set()
    for path in package.glob("*/**/*.py"):
        place = path.relative_to(package)
        found |= {(place.as_posix(), name) for name in named_modules(path) if heights[name.split(".")[1]] > heights[place.parts[0]]}
    assert found == {
        ("play/first_use.py", "branchline.batch.warm"),
        ("play/views.py", "branchline.bots.chances"),
        ("batch/batches.py", "branchline.cuda"),
    }
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert all(f"`{place}`" in text for place, _ in found)


def test_every_file_of_the_rulebook_is_in_the_table():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for path in (Path(branchline.__file__).parent / "rules").glob("*.py"):
        assert path.name == "__init__.py" or f"`{path.name}`" in text


@pytest.mark.parametrize(
    ("page", "prefix", "last"),
    [
        ("europe.md", "EU", 38),
        ("london.md", "LO", 17),
        ("usa.md", "US", 6),
        ("world.md", "WO", 31),
        ("card-game.md", "CG", 24),
        ("new-york.md", "NY", 7),
        ("great-lakes.md", "GL", 8),
        ("shared.md", "G", 14),
    ],
)
def test_every_rule_is_on_its_games_page(page, prefix, last):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert [int(number) for number in re.findall(rf"^- {prefix}-(\d+) ", text, re.MULTILINE)] == list(range(1, last + 1))


@pytest.mark.parametrize("book", books())
def test_the_rules_on_a_page_are_those_of_the_catalogue(book):
    """If this fails: `python scripts/rules_pages.py`."""
    text = (ROOT / "docs" / f"{book}.md").read_text(encoding="utf-8")
    assert rules_page(book, text) == text


@pytest.mark.parametrize("board", available_boards())
def test_every_worked_example_is_told_in_its_section(board):
    book = books()[board]
    parts = re.split("^### ", (ROOT / "docs" / f"{board}.md").read_text(encoding="utf-8").partition("<!-- The end")[0], flags=re.MULTILINE)
    told = {part.splitlines()[0]: part for part in parts}
    titles = {section["id"]: section["title"] for section in book["sections"]}
    for example in examples_of(board):
        part = told[titles[example["section"]]].partition(f"**Example: {book['examples'][example['id']]['title']}**")[2].partition("**Example")[0]
        assert len(re.findall("^1. .*[.!]$", part, re.MULTILINE)) == len(example["steps"])


@pytest.mark.parametrize("board", available_boards())
def test_every_game_has_a_page_with_its_decision_table(board):
    text = (ROOT / "docs" / f"{board}.md").read_text(encoding="utf-8")
    assert re.findall("^## (.*)$", text, re.MULTILINE) == ["Rules", "Board", "Decisions", "Observation", "Version history"]
    decisions = Game(board, 2).decisions
    for first, last, texts in re.findall(r"^\| (\d+)(?:–(\d+))? \| (`.*`) \|$", text, re.MULTILINE):
        named = re.findall("`(.*?)`", texts)
        assert [decisions.texts[int(number)] for number in (first, last) if number] == named


def test_every_rule_id_has_a_test_that_names_it():
    names = " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    ids = [rule for page in PAGES for rule in re.findall(r"^- ([A-Z]{1,2})-([0-9]+) ", page.read_text(encoding="utf-8"), re.MULTILINE)]
    assert len(ids) == len(set(ids)) >= 145
    for prefix, number in ids:
        assert re.search(rf"def test_([a-z0-9_]*_)?{prefix.lower()}_{number}_", names), f"{prefix}-{number}"


def test_the_servers_page_has_every_refusal_and_file():
    from branchline.play.reasons import REASON_KEYS
    from branchline.server.protocol.refusals import REFUSALS

    text = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    for code in (*REFUSALS, *REASON_KEYS):
        assert f"`{code}`" in text, code
    for path in (Path(branchline.__file__).parent / "server").rglob("*.py"):
        assert path.name == "__init__.py" or "migrations" in path.parts or f"`{path.name}`" in text, path.name
