"""The report as one self-contained page."""

from __future__ import annotations

from html import escape

from branchline.pages import html_parts as parts
from branchline.pages.document import document
from branchline.pages.prose import Prose
from branchline.play.wording import Speaker
from branchline.report import words
from branchline.report.assets import scripts
from branchline.report.drawing.chart_look import CONFIG
from branchline.report.drawing.groups import Groups
from branchline.report.drawing.html_parts import Drawings
from branchline.report.drawing.style import style
from branchline.report.figures import Figures
from branchline.report.places import Places
from branchline.report.sections.bots import bots, statistics
from branchline.report.sections.length import length
from branchline.report.sections.method import method
from branchline.report.sections.points import points
from branchline.report.sections.routes import routes
from branchline.report.sections.tickets import colours, tickets
from branchline.report.sections.turns import turns
from branchline.report.sections.wins import wins


def page(figures: Figures, places: Places) -> str:
    drawings, says = Drawings(), Prose(places.language, figures.simulation.board)
    content = body(figures, places, drawings, says)
    charts = f'<script type="application/json" id="charts">{drawings.as_json(CONFIG, says.of_charts())}</script>\n'
    return document(title(figures, says), says("report.kind"), content, style(), places.language, scripts(), charts)


def name_of(figures: Figures, says: Prose) -> str:
    return Speaker(figures.simulation.board, says.language).game


def title(figures: Figures, says: Prose) -> str:
    simulation = figures.simulation
    return words.title(says, name_of(figures, says), simulation.players, simulation.games)


def body(figures: Figures, places: Places, drawings: Drawings, says: Prose) -> str:
    groups, has_routes = Groups.of(figures, says), bool(figures.simulation.board.routes)
    found = {
        "wins": wins(figures, groups),
        "scores": points(figures, groups, drawings),
        "length": length(figures, drawings, says),
        "tickets": tickets(figures, places, drawings, says),
        "routes": routes(figures, places, says) if has_routes else "",
        "colours": "" if has_routes else colours(figures, says),
        "turns": turns(figures, groups, drawings),
        "bots": bots(figures, groups),
        "statistics": statistics(figures, groups, drawings),
        "method": method(figures.simulation, says),
    }
    there = {name: text for name, text in found.items() if text}
    return top(figures, groups, list(there), says) + "\n".join(there.values())


def top(figures: Figures, groups: Groups, sections: list[str], says: Prose) -> str:
    simulation = figures.simulation
    rules = simulation.facts.get("rules_version", str(simulation.board.rules_version))
    facts = words.facts_line(says, simulation.players, simulation.facts.get("options", ""), simulation.facts.get("seed"), rules)
    links = "".join(f'<a href="#{name}">{says(f"report.link.{name}")}</a>' for name in sections)
    seats = "".join(seat(groups, number, bot) for number, bot in enumerate(simulation.bots))
    return (
        f'<div class="top"><h1>{escape(name_of(figures, says))}</h1><p class="facts-line">{facts}</p><p class="seats">{seats}</p>'
        f"{unfinished(figures, says)}{tiles(figures, says)}<nav>{links}</nav><noscript><p>{says('report.no_script')}</p></noscript></div>"
    )


def seat(groups: Groups, number: int, bot: str) -> str:
    """Who sits where."""
    return f'<span class="seat" style="--own: {groups.colour("seat", str(number))}"><small>{number}</small>{escape(bot)}</span>'


def unfinished(figures: Figures, says: Prose) -> str:
    simulation = figures.simulation
    if simulation.games >= simulation.asked:
        return ""
    return f'<p class="warning" role="note">{words.unfinished(says, simulation.games, simulation.asked)}</p>'


def tiles(figures: Figures, says: Prose) -> str:
    simulation = figures.simulation
    return parts.tiles(words.tiles(says, figures.keys, simulation.games, simulation.asked, simulation.players, figures.first))
