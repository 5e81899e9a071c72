"""What tickets should be worth: the spaces of the shortest way between their cities, as on almost every printed ticket."""

from __future__ import annotations

from branchline.design.editor.document import Document
from branchline.design.layout.checking import distances

LEAST, MOST = 1, 100  # that a ticket can be worth


def suggested_values(document: Document) -> dict[str, int]:
    """The value of a ticket between any two joined cities, by their ids in alphabetical order with a space between."""
    found: dict[str, int] = {}
    for city in document.cities:
        for other, spaces in distances(document.routes, city.id).items():
            if city.id < other:
                found[f"{city.id} {other}"] = min(max(spaces, LEAST), MOST)
    return found
