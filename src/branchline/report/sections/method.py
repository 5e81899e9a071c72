"""How to read a report, how its figures were computed, and the command that plays the same games again."""

from __future__ import annotations

import shlex
from html import escape

from branchline.pages.html_parts import card, facts
from branchline.pages.prose import Prose
from branchline.play.wording import Speaker
from branchline.report import words
from branchline.report.drawing.html_parts import section
from branchline.report.source import Simulation


def method(simulation: Simulation, says: Prose) -> str:
    told = [(says(f"report.method.{name}"), says(f"report.method.{name}_text")) for name in words.METHOD]
    texts = "".join(f"<div><h3>{heading}</h3><p>{text}</p></div>" for heading, text in told)
    again = f"<p>{says('report.again_text')}</p><pre><code>{escape(command(simulation))}</code></pre>"
    return section(says, "method", card(f'<div class="prose">{texts}</div>') + card(again + facts(facts_of(simulation, says)), says("report.again")))


def command(simulation: Simulation) -> str:
    own = simulation.facts
    options = {
        "--game": simulation.board.game,
        "--players": str(simulation.players),
        "--bots": own.get("bots", ",".join(simulation.bots)),
        "--games": str(simulation.asked),
        "--seed": own.get("seed", ""),
        "--tables": ",".join(name for name in ("claims", "tickets") if getattr(simulation, name) is not None),
        "--out": simulation.file.name,
    }
    told = [f"{option} {shlex.quote(value)}" for option, value in options.items() if value]
    return " ".join(["branchline simulate", *told, *(f"--{name.replace('_', '-')}" for name in own.get("options", "").split(",") if name)])


def facts_of(simulation: Simulation, says: Prose) -> dict[str, str]:
    """What was simulated, and with what."""
    told = simulation.facts | {"game": Speaker(simulation.board, says.language).game, "bots": ", ".join(simulation.bots)}
    names = {fact: says(f"report.fact.{fact}") for fact in words.ABOUT} | {"branchline_version": says("common.branchline")}
    return {name: told[fact] for fact, name in names.items() if fact in told}
