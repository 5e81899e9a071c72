"""Which words the page of a board's report has besides its findings: messages of `words/`, by parts of their keys."""

from __future__ import annotations

from branchline.pages.prose import Prose

ENDS = ("pieces", "deck", "passed", "limit")
METHOD = ("intervals", "bots", "worth", "failing", "limits")
# the columns of tables
TICKET = ("ticket", "printed", "offered", "kept", "completed", "brought", "worth", "fair", "blocked", "out_of_turns", "spent", "hopeless")
ROUTE = ("route", "spaces", "claimed", "turn", "owners", "worth", "beside", "cuts")
STYLE = ("style", "wins", "spaces", "tickets", "cuts")
EXPLAINED = {
    "ticket": ("offered", "kept", "completed", "brought", "worth", "fair", "blocked", "out_of_turns", "spent", "hopeless"),
    "route": ("claimed", "turn", "worth", "beside", "cuts"),
    "style": ("cuts",),
}


def headings(says: Prose, what: str, columns: tuple[str, ...]) -> list[str]:
    return [says(f"board_report.{what}.{column}") for column in columns]


def explained(says: Prose, what: str) -> dict[str, str]:
    """More about some headings of a table about tickets, routes or styles."""
    return {says(f"board_report.{what}.{column}"): says(f"board_report.more.{what}.{column}") for column in EXPLAINED[what]}
