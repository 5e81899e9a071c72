"""The board editor: one folder that the operator has opened for it. Without that, none of these addresses answers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response

from branchline.boards.model import BoardError
from branchline.design.editor.edited import Changed, Checked, EditedBoard, NotPlayable, plain
from branchline.design.editor.problems import wild_kind
from branchline.design.editor.ranges import colours, ranges
from branchline.design.editor.reports import NoPage
from branchline.design.layout.atlas import GEOGRAPHY
from branchline.server.http.endpoints import TheKey, TheService, json, refusing
from branchline.server.http.ladder import ALONE, own_policy
from branchline.server.protocol import editor_replies as e
from branchline.server.protocol.refusals import Refused
from branchline.server.service import Service
from branchline.words import ENGLISH, languages

Answer = TypeVar("Answer")
CODES = ("not_found", "no_key", "not_editor")
WRITING = (*CODES, "bad_board", "wrong_origin", "too_large")
ZIP, BYTES, PICTURES = ("application/zip",), ("application/octet-stream",), ("image/png", "image/jpeg", "image/webp")
HTML = ("text/html",)
SHORES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {"schema": {"type": "object"}}}, "description": "The shores of the world"}
}
router = APIRouter(prefix="/api/editor", tags=["editor"])


async def editor_of(service: TheService, key: TheKey, x_editor_code: Annotated[str, Header(max_length=200)] = "") -> Service:
    """The service, for somebody who may use the editor."""
    if key is None:
        raise Refused("no_key")
    if service.editor is None:
        raise Refused.because("not_found", "editor")
    if not secrets.compare_digest(x_editor_code.encode(), service.settings.editor_code.encode()):
        raise Refused("not_editor")
    return service


Editor = Annotated[Service, Depends(editor_of)]
Language = Annotated[str, Query(pattern="^[a-z]{2,3}$", description="Of the findings; English where it is not complete.")]
ReportName = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,100}$", description="What the report calls its `page`.")]


def binary(media_types: tuple[str, ...]) -> dict[str, Any]:
    return {media_type: {"schema": {"type": "string", "format": "binary"}} for media_type in media_types}


def sending(media_types: tuple[str, ...], about: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"content": binary(media_types), "description": about}}


async def work(service: Service, act: Callable[[EditedBoard], Answer]) -> Answer:
    """Do something to the edited board, beside the event loop and one thing at a time."""
    assert service.editor is not None
    async with service.editing:
        try:
            return await asyncio.to_thread(act, service.editor)
        except Changed:
            raise Refused("board_changed") from None
        except NotPlayable as error:
            raise Refused("not_playable", f"{error}.") from None
        except (BoardError, OSError) as error:
            raise Refused("bad_board", f"{error}.") from None


def whole(board: EditedBoard) -> dict[str, Any]:
    document = board.document()
    limits = {"ranges": ranges(), "colours": colours(), "has_picture": board.picture() is not None}
    own = {"wild": wild_kind(board.folder), "folder": board.mark}
    return {**plain(board.checked(document)), "document": document.model_dump(mode="json", exclude_none=True), **limits, **own}


@router.get("", response_model=e.Edited, responses=refusing(*CODES, "bad_board"))
async def edited(service: Editor) -> Response:
    """The board as one document, with what is wrong with it and what its tickets should be worth."""
    return json(await work(service, whole))


@router.put("", response_model=e.Saved, responses=refusing(*WRITING, "board_changed"))
async def save(asked: e.SaveBoard, service: Editor) -> Response:
    """Write the board's files. When you are answered, they are on disk."""
    found: Checked = await work(service, lambda board: board.save(asked.document, asked.revision))
    return json(plain(found))


@router.get(
    "/geography",
    response_class=Response,
    responses=SHORES | refusing(*CODES),
    dependencies=[Depends(editor_of)],
)
async def geography() -> Response:
    """Land, lakes and borders as lines of places, longitude and latitude in thousandths of a degree; each after the first is a step."""
    contents = await asyncio.to_thread(GEOGRAPHY.read_bytes)
    return Response(contents, headers={"content-encoding": "gzip", "cache-control": "max-age=86400"}, media_type="application/json")


@router.get("/picture", response_class=Response, responses=sending(PICTURES, "The picture") | refusing(*CODES))
async def picture(service: Editor) -> Response:
    """The picture beneath the board, if there is one."""
    found = await work(service, lambda board: board.picture())
    if found is None:
        raise Refused.because("not_found", "picture")
    return Response(found[0], media_type=found[1])


@router.put("/picture", response_model=e.Edited, responses=refusing(*WRITING), openapi_extra={"requestBody": {"content": binary(BYTES)}})
async def put_picture(request: Request, service: Editor) -> Response:
    """Lay another picture beneath the board: PNG, JPEG or WebP."""
    await work(service, partial(EditedBoard.put_picture, contents=await request.body()))
    return json(await work(service, whole))


@router.get("/export", response_class=Response, responses=sending(ZIP, "The board's files") | refusing(*CODES))
async def export(service: Editor) -> Response:
    """The board's folder as a zip file."""
    assert service.editor is not None
    headers = {"content-disposition": f'attachment; filename="{service.editor.safe_name}.zip"'}
    return Response(await work(service, EditedBoard.export), headers=headers, media_type=ZIP[0])


@router.post("/import", response_model=e.Edited, responses=refusing(*WRITING), openapi_extra={"requestBody": {"content": binary(BYTES)}})
async def take_over(request: Request, service: Editor) -> Response:
    """Replace the board by the one in a zip file."""
    await work(service, partial(EditedBoard.take_over, contents=await request.body()))
    return json(await work(service, whole))


@router.post("/play", response_model=e.Published, responses=refusing(*CODES, "bad_board", "not_playable", "preparing", "wrong_origin"))
async def play(service: Editor) -> Response:
    """Make the board as it is now a game of this server. Tables on an earlier state of it are not shown any longer."""
    service.must_be_ready()
    board, is_new = await work(service, EditedBoard.publish)
    if is_new:
        service.tables.forget_game(board.game)
    return json({"game": board.game, "players": board.players})


@router.get("/report", response_model=e.Report, responses=refusing(*CODES))
async def report(service: Editor, language: Language = ENGLISH) -> Response:
    """What games show about the board, so far. A run for which nobody asks for some seconds is ended."""
    return json(service.reports.shown(language))


@router.post("/report", response_model=e.Report, responses=refusing(*WRITING, "not_playable", "preparing"))
async def begin_report(asked: e.BeginReport, service: Editor, language: Language = ENGLISH) -> Response:
    """Play thousands of games on the board as it is now, beside everything else. A run that is under way is ended first."""
    service.must_be_ready()
    board = await work(service, EditedBoard.playable)
    least, most = board.players
    players = sorted(set(asked.players)) or list(range(least, most + 1))
    if not least <= players[0] <= players[-1] <= most:
        raise Refused.because("not_playable", "players", board=board.name, least=least, most=most)
    await service.reports.begin(partial(work, service, EditedBoard.for_report), players, asked.games)
    return json(service.reports.shown(language))


@router.delete("/report", response_model=e.Report, responses=refusing(*CODES, "wrong_origin"))
async def stop_report(service: Editor, language: Language = ENGLISH) -> Response:
    """End the run. What is known by then stays."""
    await service.reports.stop()
    return json(service.reports.shown(language))


@router.get("/report/{name}", response_class=Response, responses=sending(HTML, "The page") | refusing("not_found"))
async def report_page(name: ReportName, service: TheService, language: Language = ENGLISH) -> Response:
    """Everything that the games have shown so far, as a page that opens offline. Its name is only told to those who may use the editor, and is good
    until another run begins: a browser that follows a link sends no code.
    """
    if service.editor is None:
        raise Refused.because("not_found", "editor")
    spoken = language if language in languages() and languages()[language].complete else ENGLISH
    try:
        page = await service.reports.page(name, spoken)
    except NoPage as error:
        raise Refused("not_found", f"{error}.".capitalize()) from None
    return Response(page, headers={"content-security-policy": f"{own_policy(page)}; {ALONE}"}, media_type=HTML[0])
