"""The page itself: what `web/` was built into, served as files. Addresses of its parts (`/t/TABLE`) all give the one page, which reads them."""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

from fastapi import APIRouter, Request, Response

from branchline.server.refusals import Refused

router = APIRouter(include_in_schema=False)
CLIENT = Path(__file__).parent.parent / "client"
FOR_EVER = "public, max-age=31536000, immutable"  # names of assets change with what is in them
NOT_BUILT = "The page of Branchline is not built. From a clone, `make play` builds and opens it; the API is at /api/openapi.json.\n"
SMALLEST_PACKED = 1_000  # bytes
TYPES = {".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml", ".woff2": "font/woff2"}


@lru_cache(maxsize=128)
def packed(name: str, _changed: float) -> tuple[bytes, bytes | None, str]:
    """A file as it was when it changed last, the same compressed where that pays, and its type."""
    plain = (CLIENT / name).read_bytes()
    kind = TYPES.get(Path(name).suffix, "application/octet-stream")
    pays = len(plain) >= SMALLEST_PACKED and not kind.startswith("font/")
    return plain, gzip.compress(plain, mtime=0) if pays else None, kind


def answer(request: Request, name: str, cache: str) -> Response:
    plain, small, kind = packed(name, (CLIENT / name).stat().st_mtime)
    headers = {"cache-control": cache, "vary": "accept-encoding"}
    if small is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(small, headers=headers | {"content-encoding": "gzip"}, media_type=kind)
    return Response(plain, headers=headers, media_type=kind)


@router.get("/")
@router.get("/t/{table}")
@router.get("/replay")
@router.get("/replay/{table}")
@router.get("/rules/{game}")
async def page(request: Request) -> Response:
    if not (CLIENT / "index.html").is_file():
        return Response(NOT_BUILT, 503, media_type="text/plain")
    return answer(request, "index.html", "no-cache")


@router.get("/icon.svg")
async def icon(request: Request) -> Response:
    return file(request, "icon.svg", "public, max-age=86400")


@router.get("/assets/{name}")
async def asset(request: Request, name: str) -> Response:
    return file(request, f"assets/{name}", FOR_EVER)


def file(request: Request, name: str, cache: str) -> Response:
    if name not in built():
        raise Refused("not_found")
    return answer(request, name, cache)


def built() -> set[str]:
    """Only what the build has put there can be named."""
    return {path.relative_to(CLIENT).as_posix() for path in CLIENT.rglob("*") if path.is_file()}
