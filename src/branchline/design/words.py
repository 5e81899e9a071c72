"""Every sentence of a board's report. Plain words: designers know their game, not statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from branchline.pages.numbers import decimal, percent

if TYPE_CHECKING:
    from branchline.design.findings import Finding
    from branchline.report.places import Places

Figures = dict[str, Any]

KIND = "Board report"
REASONS = {
    "out_of_turns": "the game ended before it was done",
    "blocked": "a rival’s claim cut it off",
    "spent": "its holder had laid too many pieces elsewhere",
    "hopeless": "nobody has the pieces for it",
}
ENDS = {"pieces": "few pieces left", "deck": "the deck ran out", "passed": "everyone passed", "limit": "the most turns were played"}
STYLES = {
    "balanced": "the board’s planner as it is",
    "short routes": "more and smaller claims",
    "long routes": "fewer and larger claims",
    "tickets": "draws more tickets, and until later",
    "blocking": "first claims what would join two parts of a rival’s network",
}
NOTHING = "Nothing stands out. More games may find smaller faults."


def told(finding: Finding, names: Places) -> tuple[str, str]:
    """The sentence about a finding, and what to do."""
    return SENTENCES[finding.kind](finding, names)


def also_with(numbers: list[int]) -> str:
    return f" The same with {listed([str(number) for number in numbers])} players." if numbers else ""


def listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def shares(estimate: Figures) -> str:
    return f"{percent(estimate['value'])} ({percent(estimate['low'])} to {percent(estimate['high'])})"


def in_points(estimate: Figures) -> str:
    """A difference of shares, in percentage points."""
    value, low, high = (abs(100 * estimate[name]) for name in ("value", "low", "high"))
    return f"{decimal(value)} percentage points ({decimal(min(low, high))} to {decimal(max(low, high))})"


def amount(estimate: Figures, unit: str = "points") -> str:
    value, low, high = (abs(estimate[name]) for name in ("value", "low", "high"))
    return f"{decimal(value)} {unit} ({decimal(min(low, high))} to {decimal(max(low, high))})"


def first_player(one: Finding, names: Places) -> tuple[str, str]:  # noqa: ARG001  # all sentences take the same
    more = "more" if one.facts["side"] > 0 else "less"
    share = percent(one.facts["fair"] + one.estimate["value"])
    text = f"Whoever begins wins {share} of the games with {one.players} players: {in_points(one.estimate)} {more} than a fair share."
    advice = "Look at what the first turns offer, such as short routes with many points, or let the last player begin with more cards."
    return (
        text,
        advice if more == "more" else "Look at what comes to those who wait: give the first player a card more, or fewer cards to the others.",
    )


def ticket_too_much(one: Finding, names: Places) -> tuple[str, str]:
    worth = f"with {one.players} players drawing it is worth {amount(one.estimate)} more than drawing the average ticket"
    text = f"The ticket {names.ticket(one.subject)} pays too much: {worth}."
    return text, value_advice(one)


def ticket_too_little(one: Finding, names: Places) -> tuple[str, str]:
    worth = f"with {one.players} players drawing it is worth {amount(one.estimate)} less than drawing the average ticket"
    text = f"The ticket {names.ticket(one.subject)} pays too little: {worth}."
    return text, value_advice(one)


def value_advice(one: Finding) -> str:
    value = one.facts["suggested"]
    if value["value"] is None or value["low"] is None:
        kept, done = (percent(one.facts[name]["value"], 0) for name in ("kept", "completed"))
        return f"It is kept {kept} and then completed {done} of the time: other points will not mend that. Make its way shorter, or replace it."
    low, high = max(round(value["low"]), 1), max(round(value["high"]), 1)
    return f"Print {max(round(value['value']), 1)} instead of {one.facts['printed']} points ({low} to {high})."


def ticket_fails(one: Finding, names: Places) -> tuple[str, str]:
    why = {name: share["value"] or 0.0 for name, share in one.facts["why"].items()}
    most = max(why, key=lambda name: why[name])
    text = f"The ticket {names.ticket(one.subject)} is completed only {shares(one.estimate)} of the times it is kept, with {one.players} players."
    reason = f"Mostly because {REASONS[most]} ({percent(why[most], 0)} of the failures)."
    cures = {"blocked": "Add a second way, or a twin track.", "hopeless": "Make its way shorter, or give players more pieces."}
    return f"{text} {reason}", cures.get(most, "Make its way shorter, or replace it by a nearer one.")


def ticket_refused(one: Finding, names: Places) -> tuple[str, str]:
    text = (
        f"Hardly anybody keeps the ticket {names.ticket(one.subject)}: {shares(one.estimate)} of the times it is offered, with {one.players} players."
    )
    return text, "Make its way shorter, print more points, or replace it."


def route_dead(one: Finding, names: Places) -> tuple[str, str]:
    tickets = one.facts["tickets"]
    on = "It is on no ticket’s shortest way." if not tickets else f"It is on the shortest way of {tickets} {'ticket' if tickets == 1 else 'tickets'}."
    often = f"it is claimed in {shares(one.estimate)} of the games"
    text = f"Nobody wants the route {names.route(one.subject)} ({one.facts['length']} spaces): {often}. {on}"
    return text, "Make it shorter or gray, add a ticket that leads over it, or remove it."


def route_decides(one: Finding, names: Places) -> tuple[str, str]:
    text = (
        f"The route {names.route(one.subject)} decides games: with {one.players} players its owner wins {in_points(one.estimate)} more often than "
        f"owners of other routes with as many points. It is claimed in {percent(one.facts['claimed']['value'])} of the games."
    )
    return text, "Give it fewer points or a twin track, or offer another way with the same worth."


def bottleneck(one: Finding, names: Places) -> tuple[str, str]:
    per = amount({name: 100 * one.estimate[name] for name in ("value", "low", "high")}, "tickets")
    text = f"{names.route(one.subject)} is a bottleneck: in 100 games with {one.players} players, claiming it cuts off {per} of rivals."
    return text, "Make it a double route, or add a way round it."


def decided_early(one: Finding, names: Places) -> tuple[str, str]:  # noqa: ARG001
    text = f"Games are decided early: whoever leads at half-time wins {shares(one.estimate)} of the games with {one.players} players."
    return text, "Let more points come at the end: tickets with more points, or a bonus for the longest path."


def lead_is_nothing(one: Finding, names: Places) -> tuple[str, str]:  # noqa: ARG001
    text = f"Leading does not help: with {one.players} players, whoever leads at half-time wins {shares(one.estimate)}, less than is fair."
    return text, "Early points may cost too much later: look at the points of short routes."


def ends_passed(one: Finding, names: Places) -> tuple[str, str]:  # noqa: ARG001
    text = f"{shares(one.estimate)} of the games with {one.players} players end because nobody can do anything."
    return text, "Give players fewer pieces, or the board more routes."


def ends_limit(one: Finding, names: Places) -> tuple[str, str]:  # noqa: ARG001
    text = f"{shares(one.estimate)} of the games with {one.players} players never end by themselves: they stop after 400 turns each."
    return text, "Give players fewer pieces, or announce the end with more of them left (`end.last_pieces`)."


def style_wins(one: Finding, names: Places) -> tuple[str, str]:  # noqa: ARG001
    share = f"wins {in_points(one.estimate)} more than a fair share with {one.players} players"
    text = f"One strategy is too good: {one.subject} ({STYLES[one.subject]}) {share}."
    cures = {
        "tickets": "Print fewer points on tickets, or deal fewer of them.",
        "long routes": "Lower the points of long routes (`routes.points`).",
        "short routes": "Lower the points of short routes, or make long ones worth more (`routes.points`).",
    }
    return text, cures.get(one.subject, "Add twin tracks and ways round the routes that are fought over.")


def style_loses(one: Finding, names: Places) -> tuple[str, str]:  # noqa: ARG001
    share = f"wins {in_points(one.estimate)} less than a fair share with {one.players} players"
    text = f"One strategy does not pay: {one.subject} ({STYLES[one.subject]}) {share}."
    cures = {
        "tickets": "Print more points on tickets, or make their ways shorter.",
        "long routes": "Raise the points of long routes (`routes.points`).",
        "short routes": "Raise the points of short routes (`routes.points`).",
    }
    return text, cures.get(one.subject, "If blocking should pay, take away twin tracks and ways round.")


SENTENCES = {
    "first_player": first_player,
    "ticket_too_much": ticket_too_much,
    "ticket_too_little": ticket_too_little,
    "ticket_fails": ticket_fails,
    "ticket_refused": ticket_refused,
    "route_dead": route_dead,
    "route_decides": route_decides,
    "bottleneck": bottleneck,
    "decided_early": decided_early,
    "lead_is_nothing": lead_is_nothing,
    "ends_passed": ends_passed,
    "ends_limit": ends_limit,
    "style_wins": style_wins,
    "style_loses": style_loses,
}
