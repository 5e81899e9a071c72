"""The pieces that pages are made of: sections, cards, legends, tables that can be sorted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

Cell = str | tuple[str, float | str | None]  # what is shown, as HTML; and what it is sorted by
COLOURS = 8  # --c0 to --c7 of page.css


def colour(number: int) -> str:
    return f"var(--c{number % COLOURS})"


def section(name: str, heading: str, content: str, about: str = "", said: str = "") -> str:
    """`said` sums up the section in a sentence."""
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


def tiles(numbers: Sequence[tuple[str, str, str]]) -> str:
    """Large numbers: the number, what it is, and a word about it."""
    drawn = "".join(f"<div><dt>{name}</dt><dd>{number}</dd><dd>{about}</dd></div>" for number, name, about in numbers)
    return f'<dl class="tiles">{drawn}</dl>'


def facts(named: Mapping[str, str]) -> str:
    return '<dl class="facts">' + "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in named.items()) + "</dl>"


def table(headings: Sequence[str], rows: Sequence[Sequence[Cell]], sortable: bool = False, explained: Mapping[str, str] | None = None) -> str:
    """One that can be sorted may be long: it scrolls in place. `explained` says more about some headings."""
    head = "".join(heading_cell(heading, sortable, (explained or {}).get(heading)) for heading in headings)
    body = "".join("<tr>" + "".join(map(cell, cells)) + "</tr>" for cells in rows)
    place, kind = ("scroll tall", ' class="sortable"') if sortable else ("scroll", "")
    return f'<div class="{place}" tabindex="0"><table{kind}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def heading_cell(heading: str, sortable: bool, more: str | None) -> str:
    if not heading:
        return "<td></td>"
    about = f' title="{escape(more)}"' if more else ""
    name = f'<button type="button">{escape(heading)}</button>' if sortable else escape(heading)
    return f'<th scope="col"{about}>{name}</th>'


def cell(content: Cell) -> str:
    if isinstance(content, str):
        return f"<td>{content}</td>"
    shown, value = content
    return f"<td>{shown}</td>" if value is None else f'<td data-value="{escape(str(value))}">{shown}</td>'


def matrix(names: Sequence[str], swatches: Mapping[str, str], shares: Callable[[str, str], tuple[float, str] | None]) -> str:
    """Everyone against everyone: a share, and what is shown of it. The further from even, the stronger the colour."""
    head = "<td></td>" + "".join(f'<th scope="col">{swatches[name]}</th>' for name in names)
    lines = "".join(f'<tr><th scope="row">{swatches[name]}</th>{"".join(matrix_cell(shares(name, other)) for other in names)}</tr>' for name in names)
    return f'<div class="scroll" tabindex="0"><table class="matrix"><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'


def matrix_cell(share: tuple[float, str] | None) -> str:
    if share is None:
        return "<td></td>"
    side = "ahead" if share[0] >= 0.5 else "behind"
    return f'<td style="background: rgb(var(--{side}) / {0.06 + 0.7 * abs(share[0] - 0.5):.2f})">{share[1]}</td>'


def details(summary: str, content: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


def leaning(difference: float | None, shown: str) -> str:
    """A difference with a tint for its side; the sign says it too."""
    side = "" if difference is None else ' class="more"' if difference > 0.005 else ' class="less"' if difference < -0.005 else ""
    return f"<span{side}>{shown}</span>"
