"""Write the rules into the games' pages in docs/, with their worked examples, from the English rulebooks that the browser shows.

    python scripts/rules_pages.py

The rules are between two marks. Everything after the second mark (board, decisions, observation, history) is written by hand.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from branchline.boards.folders import further_boards
from branchline.play.rulebook import rulebook_of
from branchline.words import spoken_in

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from scripts.rules_examples import examples_in  # noqa: E402

RULES = ROOT / "src" / "branchline" / "words" / "en" / "rules"
DOCS = ROOT / "docs"
FIRST = "<!-- The rules are written by scripts/rules_pages.py from {folder}/. Edit them there. -->"
LAST = "<!-- The end of the rules. -->"
RULING, DEVIATION = "**Our ruling:**", "**Deviation:**"
OPTIONS = "table.option."
SHARED = "shared"
ABOUT = """**Our ruling** marks a choice we made where the printed rulebook is silent or unclear;
**Deviation** marks a rule that departs from what it says."""
ABOUT_SHARED = f"Rules whose ids begin with G apply to [every game]({SHARED}.md)."

Book = dict[str, Any]


def books() -> dict[str, Book]:
    """The rulebooks by name: `europe`, …, `shared`; the boards in boards/further bring theirs."""
    ours = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(RULES.glob("*.json"))}
    return ours | {game: rulebook_of(game) for game in further_boards()}


def folder_of(name: str) -> str:
    """Where a book is written."""
    own = further_boards().get(name)
    return (RULES if own is None else own / "words").relative_to(ROOT).as_posix()


def prefix_of(book: Book) -> str:
    """`EU`, from the id of the first rule."""
    return str(book["sections"][0]["rules"][0]["id"]).split("-")[0]


def with_links(text: str, own: str, pages: dict[str, str]) -> str:
    """Link rules of other books to their pages."""
    others = "|".join(prefix for prefix in pages if prefix != own)
    return re.sub(rf"\b({others})-\d+\b", lambda found: f"[{found[0]}]({pages[found[1]]}.md)", text)


def rule_line(rule: dict[str, Any]) -> str:
    """What is ours is marked where it begins: a ruling may be the whole rule, or follow what is printed."""
    ruling, deviation = rule.get("ruling"), rule.get("deviation")
    mark = f"{RULING} " if ruling is True else f"{DEVIATION} " if deviation else ""
    added = f" {RULING} {ruling}" if isinstance(ruling, str) else ""
    printed = f" *Printed:* {deviation['printed']} *Why:* {deviation['why']}" if deviation else ""
    return f"- {rule['id']} {mark}{rule['text']}{added}{printed}{option_of(rule)}"


def option_of(rule: dict[str, Any]) -> str:
    """The table's option that a rule is about: an option of the game by its name, another setting in words."""
    key = rule.get("option") or rule.get("deviation", {}).get("option")
    if not key:
        return ""
    return f" *Table option:* {f'`{key[len(OPTIONS) :]}`' if key.startswith(OPTIONS) else spoken_in().say(key)}."


def rules_of(name: str) -> str:
    """The generated part of a page, including its marks."""
    all_books = books()
    book = all_books[name]
    lines = [
        FIRST.format(folder=folder_of(name)),
        f"# {book['title']}",
        *book["summary"],
        *picture_of(name, "turn", f"{book['title']}, in the middle of a game"),
        "## Rules",
    ]
    lines.append(ABOUT if name == SHARED else f"{ABOUT}\n{ABOUT_SHARED}")
    examples = examples_in(book, name, picture_of(name, "example", "The example above, as the page draws it"))
    for section in book["sections"]:
        lines += [f"### {section['title']}", "\n".join(map(rule_line, section["rules"])), *examples.get(section["id"], [])]
    pages = {prefix_of(other): other_name for other_name, other in all_books.items()}
    return with_links("\n\n".join([*lines, LAST]), prefix_of(book), pages)


def picture_of(name: str, moment: str, about: str) -> list[str]:
    """A picture of the page (`make screenshots`), if there is one."""
    picture = f"pictures/{name}-wide-{moment}.jpg"
    return [f"![{about}]({picture})"] if (DOCS / picture).is_file() else []


def page(name: str, text: str) -> str:
    """A page with its rules up to date; `text` is what it was."""
    return rules_of(name) + text.partition(LAST)[2]


if __name__ == "__main__":
    for name in books():
        path = DOCS / f"{name}.md"
        path.write_text(page(name, path.read_text(encoding="utf-8")), encoding="utf-8")
