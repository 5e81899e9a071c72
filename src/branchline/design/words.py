"""The sentences about findings, in every language: what is wrong, and what to do. They are messages of `words/`; here are their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from branchline.boards import Board
from branchline.pages.prose import Prose
from branchline.report.places import Places
from branchline.words import ENGLISH

LEAST = 1  # points that a ticket can be printed with
Figures = dict[str, Any]
Values = dict[str, Any]


def is_about(kind: str) -> str:
    """What a finding of this kind is about: a ticket, a route, a style of play, or the whole board."""
    about = kind.partition("_")[0]
    return "route" if kind == "bottleneck" else about if about in ("ticket", "route", "style") else "board"


def style_key(style: str) -> str:
    """As it stands in keys of messages."""
    return style.replace(" ", "_")


def figure_key(figure: str) -> str:
    """The same of a figure in which two boards may differ."""
    return figure.replace(" ", "_").replace("-", "_")


class Sentences:
    """Speaks one language about the findings of a board."""

    def __init__(self, board: Board, language: str = ENGLISH) -> None:
        self._names, self._says = Places(board, language), Prose(language, board)

    def told(self, finding: Figures) -> tuple[str, str]:
        """The sentence about a finding, and what to do."""
        kind = finding["kind"]
        values = self._usual_values(finding) | (OF_KIND[kind](self, finding) if kind in OF_KIND else {})
        text = [self._says(f"finding.{kind}", **values)]
        if others := [number for number in finding["players"] if number != finding["worst_with"]]:
            text.append(self._says("finding.also_with", numbers=self._says.listed([str(number) for number in others])))
        return " ".join(text), self._says(f"advice.{SAME_ADVICE.get(kind, kind)}", **values)

    def _usual_values(self, finding: Figures) -> Values:
        """The number of players, the figure with its interval, and what it is about."""
        form = FORMS.get(finding["kind"], Sentences.percent)
        bounds = sorted((finding["low"], finding["high"]), key=abs)
        low, high = (form(self, bound) for bound in bounds)
        return {"players": finding["worst_with"], "value": form(self, finding["value"]), "low": low, "high": high} | self._names_of(finding)

    def _names_of(self, finding: Figures) -> Values:
        subject = finding["subject"]
        match is_about(finding["kind"]):
            case "ticket":
                return {"name": self._names.ticket(subject)}
            case "route":
                return {"name": self._names.route(subject)}
            case "style":
                style = style_key(subject)
                return {"style": style, "name": self._says(f"style.{style}"), "about": self._says(f"style_text.{style}")}
        return {}

    # numbers

    def percent(self, share: float, digits: int = 1) -> str:
        return self._says.percent(share, digits)

    def difference(self, share: float) -> str:
        """Of shares, in percentage points; the sentence says in which direction."""
        return self.amount(100 * share)

    def amount(self, value: float) -> str:
        return self._says.decimal(abs(value))

    # what kinds of findings say besides

    def side(self, finding: Figures) -> Values:
        facts = finding["facts"]
        return {"side": "more" if facts["side"] > 0 else "less", "total": self.percent(facts["fair"] + finding["value"])}

    def ticket_value(self, finding: Figures) -> Values:
        facts = finding["facts"]
        value, kept, completed = facts["suggested"], *(self.percent(facts[name]["value"], 0) for name in ("kept", "completed"))
        is_known = value["value"] is not None and value["low"] is not None
        suggested, least, most = (max(round(value[name]), LEAST) if is_known else "none" for name in ("value", "low", "high"))
        if is_known and round(value["value"]) < LEAST:
            suggested = "nothing"
        return {"suggested": suggested, "least": least, "most": most, "printed": facts["printed"], "kept": kept, "completed": completed}

    def why(self, finding: Figures) -> Values:
        shares = {name: share["value"] or 0.0 for name, share in finding["facts"]["why"].items()}
        most = max(shares, key=lambda name: shares[name])
        return {"why": most, "share": self.percent(shares[most], 0)}

    def dead_route(self, finding: Figures) -> Values:
        return {name: finding["facts"][name] for name in ("length", "tickets")}

    def claimed(self, finding: Figures) -> Values:
        return {"claimed": self.percent(finding["facts"]["claimed"]["value"])}


# how the figure of a kind is written, if not as a share
FORMS: dict[str, Callable[[Sentences, float], str]] = {
    **dict.fromkeys(("first_player", "route_decides", "style_wins", "style_loses"), Sentences.difference),
    **dict.fromkeys(("ticket_too_much", "ticket_too_little"), Sentences.amount),
    "bottleneck": lambda says, per_game: says.amount(100 * per_game),
}
OF_KIND: dict[str, Callable[[Sentences, Figures], Values]] = {
    "first_player": Sentences.side,
    "ticket_too_much": Sentences.ticket_value,
    "ticket_too_little": Sentences.ticket_value,
    "ticket_fails": Sentences.why,
    "route_dead": Sentences.dead_route,
    "route_decides": Sentences.claimed,
}
SAME_ADVICE = {"ticket_too_much": "ticket_value", "ticket_too_little": "ticket_value"}
