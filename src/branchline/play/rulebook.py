"""The rules of a board from outside, for people: those that its folder brings, or general ones with its numbers, mechanism by mechanism."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from branchline.boards import Board, load_board
from branchline.boards.examples import examples_of
from branchline.boards.presentation import presentation_of
from branchline.boards.texts import Texts, texts_of
from branchline.play.wording import Speaker
from branchline.words import ENGLISH

Book = dict[str, Any]
Values = dict[str, Any]
Says = Iterator[tuple[str, Values]]  # the key of a sentence, and its values
OWN_IDS = "R"  # of a board that names no other


def rulebook_of(game: str, language: str = ENGLISH) -> Book:
    """A rulebook as the page reads it. A language that the folder lacks is made up for by English, and that by the general rules."""
    board, texts = load_board(game), texts_of(game)
    speaker = Speaker(board, language)
    spoken = [texts[one] for one in (language, ENGLISH) if one in texts]
    own = next((one for one in spoken if one.sections), None)
    short = next((one.summary for one in spoken if one.summary), None)
    told = next((one for one in spoken if one.examples), None)
    guided = next((one for one in spoken if one.guide), None)
    return {
        "title": speaker.game,
        "summary": list(short or [speaker.say(f"book.summary{'_yards' if board.record.yards else ''}", game=speaker.game, **players_of(board))]),
        "sections": written(own) if own else general(speaker),
        **({"guide": guided.model_dump(mode="json")["guide"]} if guided else {}),
        **({"examples": told.model_dump(mode="json")["examples"], "worked": examples_of(game)} if told else {}),
    }


def written(texts: Texts) -> list[Book]:
    return [section.model_dump(mode="json") for section in texts.sections]


def general(speaker: Speaker) -> list[Book]:
    """Every rule that the board's data switch on, numbered through."""
    prefix, number, sections = presentation_of(speaker.board.game).rule_ids or OWN_IDS, 0, []
    for name, says in SECTIONS.items():
        rules = []
        for key, values in says(speaker):
            number += 1
            rules.append({"id": f"{prefix}-{number}", "text": speaker.say(f"book.{key}", **values)})
        if rules:
            sections.append({"id": name, "title": speaker.say(f"book.{name}"), "rules": rules})
    return sections


def players_of(board: Board) -> Values:
    return {"least": board.players[0], "most": board.players[1]}


def wild_of(speaker: Speaker) -> str:
    return presentation_of(speaker.board.game).words.wild


def setup(speaker: Speaker) -> Says:
    board, numbers = speaker.board, speaker.board.numbers
    yield "players", players_of(board)
    trains, ships = numbers["pieces"]
    if numbers["supply"]:
        yield "supply", {"supply": numbers["supply"], "trains": trains, "ships": ships}
    elif ships:
        yield "ships", {"trains": trains, "ships": ships}
    elif trains:
        yield "trains", {"trains": trains, "pieces": speaker.pieces}
    counts = {card.id: card.count for card in board.cards}
    yield "all_cards", {"count": sum(counts.values()), "cards": speaker.counted(counts)}
    if len(board.decks) > 1:
        yield "deal_decks", {"trains": numbers["hand"][0], "ships": numbers["hand"][1], "row": numbers["row"]}
    else:
        yield "deal", {"hand": numbers["hand"][0], "row": numbers["row"]}
    offer = numbers["opening_long"] + numbers["opening_offer"]
    to = board.settings["tickets"]["opening_to"]
    yield "opening", {"offer": offer, "long": numbers["opening_long"], "keep": numbers["opening_keep"], "to": to}


def turn(speaker: Speaker) -> Says:
    numbers = speaker.board.numbers
    if numbers["yards"]:
        yield "yards", {}
        return
    yield "one_thing", {"building": "station" if numbers["stations"] else "harbour" if numbers["harbours"] else "none"}
    if numbers["exchange_points"]:
        yield "exchange", {"points": numbers["exchange_points"]}


def cards(speaker: Speaker) -> Says:
    numbers = speaker.board.numbers
    yield "draw", {"wild": wild_of(speaker)}
    if numbers["clear_row_at"] <= numbers["row"]:
        yield "clear", {"count": numbers["clear_row_at"], "wild": wild_of(speaker)}


def routes(speaker: Speaker) -> Says:
    board, numbers = speaker.board, speaker.board.numbers
    if not board.routes:
        return
    yield "claim", {"wild": wild_of(speaker)}
    lengths = sorted({route.length for route in board.routes})
    steps = [speaker.say("book.spaces", length=length, points=numbers["route_points"][length]) for length in lengths]
    yield "points", {"points": ", ".join(steps)}
    for kind, values in (("double", {"from": numbers["both_tracks_from"]}), ("ferry", {"wild": wild_of(speaker)}), ("sea", {}), ("pair", {})):
        if any(getattr(route, kind) for route in board.routes):
            yield kind, values


def tunnels(speaker: Speaker) -> Says:
    if any(route.tunnel for route in speaker.board.routes):
        yield "tunnel", {"wild": wild_of(speaker)}


def buildings(speaker: Speaker) -> Says:
    numbers, settings = speaker.board.numbers, speaker.board.settings
    if numbers["stations"]:
        yield "station", {}
        yield "unbuilt_station", {"points": numbers["unbuilt_points"]}
    if numbers["harbours"]:
        yield "harbour", {}
        steps = [speaker.say("book.harbour_step", named=int(named), points=points) for named, points in settings["harbours"]["points"].items()]
        yield "harbour_points", {"points": ", ".join(steps)}
        yield "unbuilt_harbour", {"points": numbers["unbuilt_loss"]}


def tickets(speaker: Speaker) -> Says:
    board, numbers = speaker.board, speaker.board.numbers
    yield "offer", {"offer": numbers["offer"], "keep": numbers["keep"]}
    if board.routes:
        yield "completed", {}
    if any(ticket.is_tour for ticket in board.tickets):
        yield "tour", {}


def end(speaker: Speaker) -> Says:
    board, numbers, settings = speaker.board, speaker.board.numbers, speaker.board.settings
    if board.routes:
        yield "last_turns", {"pieces": numbers["last_pieces"], "turns": numbers["last_turns"]}
    else:
        yield "last_cards", {"turns": numbers["last_turns"]}
    if board.districts:
        parts = [speaker.say("book.district", district=one, points=points) for one, points in settings["districts"]["points"].items()]
        yield "districts", {"points": ", ".join(parts)}
    if numbers["attraction_points"]:
        yield "attractions", {"points": numbers["attraction_points"]}
    if numbers["longest_points"]:
        yield "longest", {"points": numbers["longest_points"]}
    if board.big_cities:
        yield "big_cities", {"points": ", ".join(f"{speaker.city(one.id)} {one.points}" for one in board.big_cities)}
    ties = [speaker.say(f"book.tie.{one.replace(' ', '_')}") for one in settings["end"].get("tie_breaks", ())]
    yield "winner", {"ties": len(ties), "named": ", ".join(ties)}


SECTIONS: dict[str, Callable[[Speaker], Says]] = {
    "setup": setup,
    "turn": turn,
    "cards": cards,
    "routes": routes,
    "tunnels": tunnels,
    "buildings": buildings,
    "tickets": tickets,
    "end": end,
}
