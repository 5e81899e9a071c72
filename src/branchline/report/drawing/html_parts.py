"""The pieces that pages are made of: sections, cards, legends, tables that can be sorted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from branchline.report import words

Cell = str | tuple[str, float | str | None]  # what is shown, as HTML; and what it is sorted by
Spec = dict[str, Any]


@dataclass
class Drawings:
    """The charts of a page: each leaves its place in the text, and is drawn there when the page opens."""

    specs: dict[str, Spec] = field(default_factory=dict)

    def add(self, name: str, spec: Spec) -> str:
        self.specs[name] = spec
        return f'<div class="chart" data-chart="{escape(name)}" style="min-height: {spec["height"]}px"></div>'

    def as_json(self, config: Spec) -> str:
        """Fit to stand inside a script element."""
        text = json.dumps({"config": config, "charts": self.specs}, ensure_ascii=False, separators=(",", ":"))
        return text.replace("<", "\\u003c")


def section(name: str, content: str, said: str = "") -> str:
    """`said` is what the section comes to, in a sentence."""
    heading, about = words.SECTIONS[name]
    lead = f'<p class="lead">{said}</p>' if said else ""
    note = f'<p class="about">{about}</p>' if about else ""
    return f'<section id="{name}"><h2>{heading}</h2>{lead}{note}{content}</section>'


def card(content: str, heading: str = "", note: str = "", kind: str = "") -> str:
    head = f"<h3>{escape(heading)}</h3>" if heading else ""
    foot = f'<p class="note">{note}</p>' if note else ""
    return f'<div class="card {kind}">{head}{content}{foot}</div>'


def row(*cards: str, kind: str = "") -> str:
    return f'<div class="row {kind}">{"".join(cards)}</div>'


def swatch(name: str, colour: str) -> str:
    return f'<span class="swatch" style="--own: {colour}">{escape(name)}</span>'


def legend(names: list[str], colours: list[str]) -> str:
    return '<p class="legend">' + "".join(swatch(name, colour) for name, colour in zip(names, colours, strict=True)) + "</p>"


def without(name: str, why: str) -> str:
    """A section that has nothing to show, and why; `why` is HTML."""
    return f'<section id="{name}"><h2>{words.SECTIONS[name][0]}</h2><p class="empty">{why}</p></section>'


def table(headings: Sequence[str], rows: Sequence[Sequence[Cell]], sortable: bool = False) -> str:
    """One that can be sorted may be long: it scrolls in its place."""
    head = "".join(heading_cell(heading, sortable) for heading in headings)
    body = "".join("<tr>" + "".join(map(cell, cells)) + "</tr>" for cells in rows)
    place, kind = ("scroll tall", ' class="sortable"') if sortable else ("scroll", "")
    return f'<div class="{place}" tabindex="0"><table{kind}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def heading_cell(heading: str, sortable: bool) -> str:
    if not heading:
        return "<td></td>"
    about = f' title="{escape(words.EXPLAINED[heading])}"' if heading in words.EXPLAINED else ""
    name = f'<button type="button">{escape(heading)}</button>' if sortable else escape(heading)
    return f'<th scope="col"{about}>{name}</th>'


def cell(content: Cell) -> str:
    if isinstance(content, str):
        return f"<td>{content}</td>"
    shown, value = content
    return f"<td>{shown}</td>" if value is None else f'<td data-value="{escape(str(value))}">{shown}</td>'


def details(summary: str, content: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


def leaning(difference: float | None, shown: str) -> str:
    """A difference with a tint for its side; the sign says it too."""
    side = "" if difference is None else ' class="more"' if difference > 0.005 else ' class="less"' if difference < -0.005 else ""
    return f"<span{side}>{shown}</span>"
