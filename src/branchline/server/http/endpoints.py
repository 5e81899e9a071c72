"""The HTTP interface: everything you can do or see at a table."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import StringConstraints
from pydantic_core import to_json

from branchline import __version__
from branchline.boards import available_boards, load_board
from branchline.bots.levels import LEVELS
from branchline.play.facts import all_games, game_facts, ground, layout
from branchline.play.records import Record
from branchline.play.rulebook import rulebook_of
from branchline.rules.sizes import TICKETS
from branchline.server.http.security import address_of
from branchline.server.protocol import game_replies, replies_after
from branchline.server.protocol import messages as m
from branchline.server.protocol import replies as r
from branchline.server.protocol.keys import KEY, TABLE, hash_of
from branchline.server.protocol.refusals import REFUSALS, Refused
from branchline.server.protocol.texts import PHRASES
from branchline.server.service import Service, listed, seat_at, viewer_of
from branchline.server.store.entries import FINISHED
from branchline.server.tables import advising
from branchline.server.tables.commands import decision_number
from branchline.server.tables.downloads import record_for
from branchline.server.tables.looking import look
from branchline.server.tables.publishing import catch_up
from branchline.server.tables.replays import count_json, replay_json
from branchline.server.tables.snapshots import snapshot
from branchline.server.tables.table import Table
from branchline.words import languages

MOST_LISTED = 100
bearer = HTTPBearer(
    auto_error=False, bearerFormat="key", description="A secret that you make up: 22 to 86 characters of base64url, with at least 128 random bits."
)


def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


async def key_of(given: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> str | None:
    """The hash of the sender's key, if there is one."""
    if given is None:
        return None
    if not re.fullmatch(KEY, given.credentials):
        raise Refused.because("no_key", "form")
    return hash_of(given.credentials)


TheService = Annotated[Service, Depends(service_of)]
TheKey = Annotated[str | None, Depends(key_of)]
TableName = Annotated[str, Path(pattern=TABLE, description="The table, from its link.")]
TicketNames = Annotated[list[Annotated[str, StringConstraints(max_length=100)]], Query(default_factory=list, max_length=TICKETS)]


def refusing(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The refusals of an endpoint, for the document."""
    answers: dict[int | str, dict[str, Any]] = {}
    for code in (*codes, "malformed", "too_many", "failed"):
        status = REFUSALS[code]
        words = answers.get(status, {}).get("description")
        answers[status] = {"model": r.Refusal, "description": f"{words}, {code}" if words else code}
    return answers


HEALTH: dict[int | str, dict[str, Any]] = {503: {"model": r.Health, "description": "The database takes no writes"}}
LAYOUT: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {"schema": {"type": "object"}}}, "description": "The drawing"},
    304: {"description": "Your copy is up to date"},
}
GROUND: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/webp": {"schema": {"type": "string", "format": "binary"}}}, "description": "The picture"},
    304: {"description": "Your copy is up to date"},
}
RECORD: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {"schema": {"type": "object"}}}, "description": "The game record"}}


def json(content: Any, status: int = 200) -> Response:
    return Response(to_json(content), status, media_type="application/json")


router = APIRouter()
TABLE_CODES = ("no_key", "no_table", "other_rules", "other_board", "preparing", "newer_version")
ASKING = (*TABLE_CODES, "wrong_origin", "too_large", "not_seated", "busy")


@router.get("/health", response_model=r.Health, responses=HEALTH | refusing(), tags=["operation"])
async def health(service: TheService) -> Response:
    """Is the server up, are the rules compiled, and does the database take writes? If not, 503."""
    if not await service.pulse.beats():
        return json({"status": "failing", "version": __version__}, 503)
    return json({"status": "ok" if service.ready.is_set() else "preparing", "version": __version__})


@router.get("/api/about", response_model=game_replies.About, responses=refusing(), tags=["games"])
async def about(service: TheService) -> Response:
    """Games, levels, further bots, ready-made phrases, limits."""
    limits = {"largest_message": service.settings.largest_message, "chat_per_minute": service.settings.chat_per_minute}
    bots = {"levels": LEVELS, "bots": service.bots, "ladder": bool(service.settings.ladder), "editor": service.editor is not None}
    return json({"version": __version__, "games": all_games(), **bots, "phrases": PHRASES, "limits": limits})


async def known(game: Annotated[str, Path(max_length=40, pattern="^[a-z0-9-]+$")]) -> str:
    if game not in available_boards():
        raise Refused.because("not_found", "game")
    return game


GameOfName = Annotated[str, Depends(known)]


@router.get("/api/games/{game}", response_model=game_replies.GameFacts, responses=refusing("not_found"), tags=["games"])
async def game(game: GameOfName) -> Response:
    """The facts of a game: places, routes, cards, tickets, and the text of every decision."""
    return json(game_facts(game))


@router.get("/api/games/{game}/layout", response_class=Response, responses=LAYOUT | refusing("not_found"), tags=["games"])
async def game_layout(game: GameOfName, if_none_match: Annotated[str | None, Header()] = None) -> Response:
    """The drawing of a board. It can be cached and revalidated with its ETag."""
    return unless_known(layout(game), if_none_match, "application/json")


@router.get("/api/games/{game}/rules/{language}", response_model=game_replies.Rulebook, responses=refusing("not_found"), tags=["games"])
async def game_rules(game: GameOfName, language: Annotated[str, Path(max_length=8)]) -> Response:
    """The rules of a game from outside, in a language; a page has those of all others."""
    if language not in languages() or not load_board(game).is_own:
        raise Refused("not_found")
    return json(rulebook_of(game, language))


@router.get("/api/games/{game}/ground/{theme}", response_class=Response, responses=GROUND | refusing("not_found"), tags=["games"])
async def game_ground(game: GameOfName, theme: Literal["light", "dark"], if_none_match: Annotated[str | None, Header()] = None) -> Response:
    """The picture of the map beneath a board, by day or by night. It can be cached and revalidated with its ETag."""
    return unless_known(ground(game, theme), if_none_match, "image/webp")


def unless_known(found: tuple[bytes, str] | None, known: str | None, media_type: str) -> Response:
    """The contents, unless the client's copy has the same tag."""
    if found is None:
        raise Refused.because("not_found", "drawing")
    contents, tag = found
    headers = {"etag": tag, "cache-control": "no-cache"}
    if known is not None and tag in known:
        return Response(status_code=304, headers=headers)
    return Response(contents, headers=headers, media_type=media_type)


@router.post(
    "/api/tables",
    status_code=201,
    response_model=r.Done,
    responses=refusing("no_key", "bad_name", "bad_game", "no_such_bot", "too_many_tables", "busy", "preparing", "wrong_origin", "too_large"),
    tags=["tables"],
)
async def create_table(request: Request, asked: m.CreateTable, service: TheService, key: TheKey) -> Response:
    """Open a table. You sit on its first seat for a person; when no seat is free, the game begins."""
    service.must_be_ready()
    if key is None:
        raise Refused("no_key")
    service.must_know_bots(asked.seats)
    if not service.new_tables.take(address_of(request.scope)):
        raise Refused("too_many")
    service.must_leave_room(address_of(request.scope), asked)
    service.note_address(key, address_of(request.scope))
    table = await service.tables.create(key, asked)
    seat = table.seat_of(key)
    return json(done(table.header.id, seat, len(table.streams[seat])), 201)


async def finished_table(service: Service, name: str, key: str | None) -> Table:
    """A table whose game was played to its end, for anyone who may see it: nothing about it is secret any more."""
    table = await service.table(name)
    viewer_of(table, key)
    if table.status != FINISHED:
        raise Refused("not_over")
    return table


def done(table: str, seat: int | None, cursor: int) -> dict[str, Any]:
    return {"table": table, "cursor": cursor} | ({} if seat is None else {"seat": seat})


@router.get("/api/tables", response_model=r.Tables, responses=refusing("no_key", "preparing"), tags=["tables"])
async def open_tables(service: TheService, key: TheKey) -> Response:
    """Tables that anybody may join, newest first."""
    return json(await several(service, await service.tables.store.listed(MOST_LISTED), key))


@router.get("/api/my/tables", response_model=r.Tables, responses=refusing("no_key", "preparing"), tags=["tables"])
async def my_tables(service: TheService, key: TheKey) -> Response:
    """Tables where you have a seat or are the host, newest first."""
    if key is None:
        raise Refused("no_key")
    return json(await several(service, await service.tables.store.tables_of(key, MOST_LISTED), key))


async def several(service: Service, names: list[str], key: str | None) -> dict[str, Any]:
    service.must_be_ready()
    found = []
    for name in names:
        with suppress(Refused):  # a game under other rules cannot be shown
            found.append(listed(await service.tables.table(name), key))
    return {"tables": found}


@router.get("/api/tables/{table}", response_model=r.Snapshot, responses=refusing(*TABLE_CODES, "not_watched"), tags=["play"])
async def see_table(table: TableName, service: TheService, key: TheKey) -> Response:
    """The table as you may see it: everything a fresh page needs."""
    found = await service.table(table)
    return json(snapshot(found, viewer_of(found, key)))


@router.get("/api/tables/{table}/events", response_model=r.Events, responses=refusing(*TABLE_CODES, "not_watched"), tags=["play"])
async def events(table: TableName, service: TheService, key: TheKey, after: Annotated[int, Query(ge=0, le=1_000_000)] = 0) -> Response:
    """What happened after a cursor of your stream."""
    found = await service.table(table)
    viewer = viewer_of(found, key)
    return json(catch_up(found, viewer, min(after, len(found.streams[viewer]))))


@router.get(
    "/api/tables/{table}/record",
    responses=RECORD | refusing(*TABLE_CODES, "not_watched", "not_started"),
    response_class=Response,
    tags=["play"],
)
async def record(table: TableName, service: TheService, key: TheKey) -> Response:
    """The game record: in full once the game is over, before that with only what you may know."""
    found = await service.table(table)
    name = f"branchline-{found.header.game}-{found.header.id[:6].strip('-_').lower()}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(record_for(found, viewer_of(found, key)).to_json(), headers=headers, media_type="application/json")


@router.get(
    "/api/tables/{table}/view",
    response_model=r.Looked,
    responses=refusing(*TABLE_CODES, "not_seated", "not_a_bot", "not_started", "over"),
    tags=["play"],
)
async def view(table: TableName, service: TheService, key: TheKey, after: Annotated[int, Query(ge=0, le=1_000_000)] = 0) -> Response:
    """What a bot on your seat sees. Only for those who sat down as bots."""
    if key is None:
        raise Refused("no_key")
    return json(look(await service.table(table), key, after))


@router.get(
    "/api/tables/{table}/why",
    response_model=r.Why,
    responses=refusing(*TABLE_CODES, "not_seated", "not_started", "over", "not_a_decision"),
    tags=["play"],
)
async def why(table: TableName, decision: Annotated[str, Query(min_length=1, max_length=100)], service: TheService, key: TheKey) -> Response:
    """Is a decision legal for you, and if not, why? When you are not asked, as if it were your turn."""
    found, seat = await own_game(service, table, key)
    return json(advising.why(advising.view_of(found, seat), decision_number(found, decision)))


@router.get(
    "/api/tables/{table}/completable",
    response_model=r.Completable,
    responses=refusing(*TABLE_CODES, "not_seated", "not_started", "over", "not_a_decision"),
    tags=["play"],
)
async def completable(table: TableName, service: TheService, key: TheKey, ticket: TicketNames) -> Response:
    """When you choose which tickets to complete: which of yours your pile completes besides these. At any other time there are none."""
    found, seat = await own_game(service, table, key)
    return json(advising.completable(advising.view_of(found, seat), ticket))


@router.get(
    "/api/tables/{table}/hint",
    response_model=r.Hint,
    responses=refusing(*TABLE_CODES, "not_seated", "not_started", "over", "not_your_turn"),
    tags=["play"],
)
async def hint(table: TableName, service: TheService, key: TheKey) -> Response:
    """What a good player would decide in your place, from what you know, and the plan behind it."""
    found, seat = await own_game(service, table, key)
    if not service.hints.take(key or ""):
        raise Refused("too_many")
    return json(advising.hint(await service.driver.thinkers.advise(advising.question_for(found, seat))))


async def own_game(service: Service, name: str, key: str | None) -> tuple[Table, int]:
    if key is None:
        raise Refused("no_key")
    table = await service.table(name)
    return table, seat_at(table, key)


@router.get(
    "/api/tables/{table}/count",
    response_model=replies_after.Count,
    responses=refusing(*TABLE_CODES, "not_watched", "not_over", "busy"),
    tags=["play"],
)
async def count(request: Request, table: TableName, service: TheService, key: TheKey) -> Response:
    """The final count, explained: every part of every seat's total, with the routes and cities behind it."""
    found = await finished_table(service, table, key)
    assert found.state is not None
    work = partial(count_json, found.state.clone())
    return Response(await service.counters.work_out(address_of(request.scope), work, table), media_type="application/json")


@router.get(
    "/api/tables/{table}/replay",
    response_model=replies_after.Replay,
    responses=refusing(*TABLE_CODES, "not_watched", "not_over", "no_such_seat", "busy"),
    tags=["play"],
)
async def replay(
    request: Request, table: TableName, service: TheService, key: TheKey, seat: Annotated[int | None, Query(ge=0, le=4)] = None
) -> Response:
    """A finished game from its start, decision by decision: as one seat saw it, or with nothing hidden."""
    found = await finished_table(service, table, key)
    return await replayed(service, request, record_for(found, None), seat, (table, seat))


@router.post(
    "/api/replay",
    response_model=replies_after.Replay,
    responses=refusing("bad_record", "no_such_seat", "busy", "preparing", "wrong_origin", "too_large"),
    tags=["games"],
)
async def replay_record(request: Request, asked: m.ReplayRecord, service: TheService) -> Response:
    """The same for your own record. The rules play it again, and it is not stored."""
    service.must_be_ready()
    return await replayed(service, request, asked.record, asked.seat)


async def replayed(
    service: Service, request: Request, record: Record | dict[str, Any], seat: int | None, name: tuple[str, int | None] | None = None
) -> Response:
    asker = address_of(request.scope)
    if not service.replays.take(asker):
        raise Refused("too_many")
    return Response(await service.replayers.work_out(asker, partial(replay_json, record, seat), name), media_type="application/json")


def add_command(command: type[m.Command]) -> None:
    """The endpoint of a command, from its declaration."""

    async def endpoint(request: Request, table: TableName, asked: Any, service: TheService, key: TheKey) -> Response:
        return await ask(service, table, key, asked, address_of(request.scope))

    endpoint.__annotations__["asked"] = command
    endpoint.__name__, endpoint.__doc__ = command.verb, command.__doc__
    answer = r.Rematched if command is m.Rematch else r.Done
    router.post(f"/api/tables/{{table}}/{command.verb}", response_model=answer, responses=refusing(*ASKING, *command.refused), tags=[command.tag])(
        endpoint
    )


for each in m.COMMANDS.values():
    add_command(each)


async def ask(service: Service, table: str, key: str | None, command: m.Message, address: str) -> Response:
    result = await service.ask(table, key, command, address)
    answer = done(table, result.seat, result.cursor)
    return json(answer | {"rematch": result.table.rematch} if isinstance(command, m.Rematch) else answer)
