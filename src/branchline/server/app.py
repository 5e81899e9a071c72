"""The application: its routes, the security around them, and the tasks in the background."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from branchline import __version__
from branchline.compiling import MODE
from branchline.server.http import editor, ladder, live, pages
from branchline.server.http import endpoints as api
from branchline.server.http.connections import Gate
from branchline.server.http.security import SecurityMiddleware
from branchline.server.limits import Networks
from branchline.server.logs import suppression, where
from branchline.server.metrics import Metrics
from branchline.server.protocol.live_replies import FromServer
from branchline.server.protocol.messages import Commands, Hello, Look, Ping, what_is_wrong
from branchline.server.protocol.refusals import Refused
from branchline.server.service import Service
from branchline.server.settings import Settings
from branchline.server.tables.housekeeping import keep_house

log = structlog.get_logger()
LAG_EVERY = 0.1
TELL_EVERY = 10.0  # seconds between lines about what the log left out
ABOUT_OWN_GAME = ("view", "why", "completable", "hint")
KEY_NEEDED = ("/api/my/tables", *(f"/api/tables/{{table}}/{asked}" for asked in ABOUT_OWN_GAME), "/api/editor")  # even to read
CLOSE_WITHIN = 10.0  # seconds for everything that is under way to end
CANCEL_AGAIN = 1.0  # seconds
# Seconds that a busy thread may make others wait. The threads that write to the database and think for bots have to be let in five to ten times for
# each commit and each move; with Python's 5 ms these would take 50 ms while the event loop is busy.
LET_OTHERS_IN = 0.0005
BY_STATUS = {404: "not_found", 405: "wrong_method", 413: "too_large"}


def create_app(settings: Settings | None = None) -> FastAPI:
    settings = settings or Settings()
    metrics = Metrics()
    gate = Gate(settings, metrics, Networks())

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        service = app.state.service = await Service.open(settings, metrics)
        metrics.connections.set_function(lambda: gate.open)
        work = (serve_tables(service), measure_lag(service), tell_suppressed(), follow_blocked(service, gate))
        beside = [asyncio.create_task(one) for one in work]
        try:
            yield
        finally:
            await end(beside)
            with suppress(TimeoutError):  # what was acknowledged is stored, so nothing is lost if the rest does not end
                await asyncio.wait_for(service.close(), CLOSE_WITHIN)
            suppression.tell()

    app = FastAPI(
        title="Branchline",
        version=__version__,
        description="Railway-network board games: tables, live play, records. The live protocol is in docs/server.md.",
        lifespan=running,
        openapi_url="/api/openapi.json",
        docs_url=None,  # its page would load scripts from other hosts
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.gate, app.state.metrics = gate, metrics
    app.openapi = lambda: document(app)  # type: ignore[method-assign]  # FastAPI's own way to add to it
    app.include_router(api.router)
    app.include_router(editor.router)
    app.include_router(live.router)
    app.router.routes.extend([*pages.routes, *ladder.routes_of(settings.ladder)])
    app.add_exception_handler(Refused, on_refused)  # type: ignore[arg-type]  # Starlette's types do not know that each handler gets its own error
    app.add_exception_handler(RequestValidationError, on_invalid)  # type: ignore[arg-type]
    app.add_exception_handler(HTTPException, on_http)  # type: ignore[arg-type]
    if settings.origins:
        allowed: dict[str, Any] = {"allow_methods": ["GET", "POST"], "allow_headers": ["authorization", "content-type"]}
        app.add_middleware(CORSMiddleware, allow_origins=settings.origins, **allowed)
    app.add_middleware(SecurityMiddleware, settings=settings, metrics=metrics, blocked=gate.blocked)  # the last one is the outermost
    return app


async def end(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks, and again those that go on: SQLAlchemy swallows a cancellation that meets it while it closes a connection."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        ended, left = await asyncio.wait(left, timeout=CANCEL_AGAIN)
        await asyncio.gather(*ended, return_exceptions=True)


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, including the messages of the live protocol: clients get their types from it."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        models: list[tuple[type[BaseModel], JsonSchemaMode]] = [(FromServer, "serialization")]
        inbound: list[type[BaseModel]] = [Commands, Hello, Look, Ping]
        models += [(model, "validation") for model in inbound]
        _, live_schemas = models_json_schema(models, ref_template="#/components/schemas/{model}")
        schema["components"]["schemas"] = live_schemas["$defs"] | schema["components"]["schemas"]
        for path, methods in schema["paths"].items():
            look = methods.get("get", {})
            if "security" in look and not path.startswith(KEY_NEEDED):
                look["security"] = [{}, *look["security"]]  # reading needs no key
        app.openapi_schema = schema
    return app.openapi_schema


async def serve_tables(service: Service) -> None:
    """The rules come first: until they are compiled no table is touched, because that would compile them here and stop everything else."""
    try:
        await prepare(service)
    except Exception as error:
        log.error("the rules cannot be loaded", **where(error))
        signal.raise_signal(signal.SIGTERM)
        return
    await asyncio.gather(service.driver.watch(), service.driver.follow(), keep_house(service.tables))


async def prepare(service: Service) -> None:
    """Compile the rules if necessary, while pages are already being served; then load them."""
    from branchline.batch.warm import is_warm

    if not is_warm():
        log.info("compiling the rules")
        worker = await asyncio.create_subprocess_exec(sys.executable, "-m", "branchline.batch.warm", "--beside")
        try:
            code = await worker.wait()
        except asyncio.CancelledError:
            worker.terminate()
            raise
        log.info("compiled the rules", code=code)
    if MODE == "compiled":
        await asyncio.to_thread(load_rules)
    service.ready.set()


def load_rules() -> None:
    """Compiled code is read from disk when first used: do that before anybody's move."""
    from branchline.boards import available_boards, load_board
    from branchline.bots import make_bot
    from branchline.play.facts import known_game

    for board in available_boards():
        state = known_game(board, load_board(board).players[0]).start(1)
        state.apply(make_bot("normal").decide(state.view(0)))
        _ = state.result
    gc.collect()
    gc.set_threshold(50_000, 20, 50)  # tables come and go slowly: looking for garbage all the time would find little and take long
    sys.setswitchinterval(LET_OTHERS_IN)
    gc.freeze()  # rules and libraries are never garbage: scanning them would stop all tables for a tenth of a second


async def measure_lag(service: Service) -> None:
    while True:
        due = time.perf_counter() + LAG_EVERY
        await asyncio.sleep(LAG_EVERY)
        service.tables.pressure.lag = max(0.0, time.perf_counter() - due)
        service.metrics.loop_lag.observe(service.tables.pressure.lag)


async def follow_blocked(service: Service, gate: Gate) -> None:
    """The operator blocks addresses in the database, so that all processes hear of it; who is here already has to go."""
    while True:
        try:
            if gate.blocked.replace([one.network for one in await service.tables.store.blocked()]):
                gate.close_blocked()
                await service.close_sockets(gate.blocked)
        except Exception as error:  # the database is away: those who were blocked stay so
            log.warning("blocked addresses cannot be read", error=type(error).__name__)
        await asyncio.sleep(service.settings.watch_every)


async def tell_suppressed() -> None:
    while True:
        await asyncio.sleep(TELL_EVERY)
        suppression.tell()


def refusal(request: Request, refused: Refused) -> Response:
    metrics: Metrics = request.app.state.service.metrics
    metrics.refused.labels(refused.code).inc()
    return Response(to_json(refused.body()), refused.status, refused.headers, media_type="application/json")


async def on_refused(request: Request, error: Refused) -> Response:
    return refusal(request, error)


async def on_invalid(request: Request, error: RequestValidationError) -> Response:
    """What is wrong, without quoting what was sent."""
    return refusal(request, Refused("malformed", what_is_wrong(error.errors())))


async def on_http(request: Request, error: HTTPException) -> Response:
    code = "too_large" if request.scope.get("too_large") else BY_STATUS.get(error.status_code, "malformed")
    response = refusal(request, Refused(code))
    for name, value in (error.headers or {}).items():
        response.headers[name] = value
    if code == "wrong_method" and (methods := methods_of(request.scope["path"])):
        response.headers["allow"] = ", ".join(methods)
    return response


def methods_of(path: str) -> list[str]:
    """The methods an address allows; Starlette would only list those of its first route."""
    routes = [route for route in (*api.router.routes, *editor.router.routes) if isinstance(route, APIRoute) and route.path_regex.match(path)]
    return sorted({method for route in routes for method in route.methods or ()})
