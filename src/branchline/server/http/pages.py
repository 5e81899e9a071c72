"""The page itself: the built `web/`, served as files. Addresses within it (`/t/TABLE`) all return the same page, which reads them."""

from __future__ import annotations

from pathlib import Path

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

CLIENT = Path(__file__).parents[2] / "client"
FILES = StaticFiles(directory=CLIENT, check_dir=False)
FOR_EVER = "public, max-age=31536000, immutable"  # names of assets change with their contents
NOT_BUILT = "The page of Branchline is not built. From a clone, `make play` builds and opens it; the API is at /api/openapi.json.\n"


async def page(request: Request) -> Response:
    if not (CLIENT / "index.html").is_file():
        return PlainTextResponse(NOT_BUILT, 503)
    return await file(request, "index.html", "no-cache")


async def icon(request: Request) -> Response:
    return await file(request, "icon.svg", "public, max-age=86400")


async def home_icon(request: Request) -> Response:
    return await file(request, f"icons/{request.path_params['name']}.png", "public, max-age=86400")


async def manifest(request: Request) -> Response:
    """The name under which the page is installed, in one language."""
    response = await file(request, f"manifest/{request.path_params['language']}.webmanifest", "no-cache")
    response.headers["content-type"] = "application/manifest+json"
    return response


async def worker(request: Request) -> Response:
    """At the root, because a service worker looks after the addresses beside it; never cached, because it brings new versions."""
    return await file(request, "sw.js", "no-cache")


async def asset(request: Request) -> Response:
    return await file(request, f"assets/{request.path_params['name']}", FOR_EVER)


async def font(request: Request) -> Response:
    """Fonts are packed already."""
    return await file(request, f"assets/{request.path_params['name']}.woff2", FOR_EVER)


async def file(request: Request, name: str, cache: str) -> Response:
    """With an ETag, and 304 for a browser that has it already."""
    response = await FILES.get_response(name, request.scope)
    response.headers["cache-control"] = cache
    return response


ADDRESSES = {
    **dict.fromkeys(("/", "/edit", "/t/{table}", "/replay", "/replay/{table}", "/rules/{game}"), page),
    "/icon.svg": icon,
    "/icons/{name}.png": home_icon,
    "/manifest/{language}.webmanifest": manifest,
    "/sw.js": worker,
    "/assets/{name}.woff2": font,
    "/assets/{name}": asset,
}
PACKED = [Middleware(GZipMiddleware, compresslevel=6)]
routes = [Route(path, answer, middleware=[] if answer is font else PACKED) for path, answer in ADDRESSES.items()]
