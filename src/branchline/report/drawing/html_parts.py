"""The pieces of a report that have its words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from branchline.pages import html_parts as parts
from branchline.pages.html_parts import Cell
from branchline.pages.prose import Prose
from branchline.report import words

Spec = dict[str, Any]


@dataclass
class Drawings:
    """The charts of a page: each leaves its place in the text, and is drawn there when the page opens."""

    specs: dict[str, Spec] = field(default_factory=dict)

    def add(self, name: str, spec: Spec) -> str:
        self.specs[name] = spec
        return f'<div class="chart" data-chart="{escape(name)}" style="min-height: {spec["height"]}px"></div>'

    def as_json(self, config: Spec, numbers: Spec) -> str:
        """Safe to put inside a script element; `numbers` says how they are written."""
        text = json.dumps({"config": config, "numbers": numbers, "charts": self.specs}, ensure_ascii=False, separators=(",", ":"))
        return text.replace("<", "\\u003c")


def section(says: Prose, name: str, content: str, said: str = "") -> str:
    about = "" if name == "method" else says(f"report.about.{name}")
    return parts.section(name, says(f"report.heading.{name}"), content, about, said)


def without(says: Prose, name: str, why: str) -> str:
    """A section that has nothing to show, and why; `why` is HTML."""
    return parts.section(name, says(f"report.heading.{name}"), f'<p class="empty">{why}</p>')


def table(says: Prose, headings: Sequence[str], rows: Sequence[Sequence[Cell]], sortable: bool = False) -> str:
    return parts.table(headings, rows, sortable, words.explained(says))
