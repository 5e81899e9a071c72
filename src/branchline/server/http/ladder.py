"""The ladder of bots that the operator keeps (`branchline ladder FOLDER`): the files of its folder. The server only shows them."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from branchline.server.http.pages import PACKED
from branchline.server.protocol.refusals import Refused

GAME = re.compile(r"[0-9]{1,9}-[0-9]")
# What the ladder's page may do: nothing but look as it does. A replay says itself which scripts it has.
LOOK = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
OWN_POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy" content="([^"<>\r\n]{1,2000})">')
WHERE_POLICIES_ARE = 4_000  # bytes
ALONE = "frame-ancestors 'none'; sandbox allow-scripts allow-downloads"  # for pages with scripts: they learn nothing of this server's guests


class Shown:
    """A ladder's folder, which another process writes."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self._files = StaticFiles(directory=folder, check_dir=False)

    async def address(self, _: Request) -> Response:
        """With a slash, so that the page's links to games lead beside it."""
        return RedirectResponse("/ladder/", 308)

    async def page(self, request: Request) -> Response:
        return await self._file(request, "index.html", LOOK)

    async def replay(self, request: Request) -> Response:
        name = f"games/{known(request)}.html"
        return await self._file(request, name, f"{self._own_policy(name)}; {ALONE}")

    async def record(self, request: Request) -> Response:
        return await self._file(request, f"games/{known(request)}.json", LOOK)

    def _own_policy(self, name: str) -> str:
        try:
            with (self.folder / name).open("rb") as file:
                return own_policy(file.read(WHERE_POLICIES_ARE))
        except OSError:
            raise not_there() from None

    async def _file(self, request: Request, name: str, policy: str) -> Response:
        """With an ETag, and 304 for a browser that has it already."""
        if not (self.folder / name).is_file():
            raise not_there()
        response = await self._files.get_response(name, request.scope)
        response.headers["cache-control"] = "no-cache"
        response.headers["content-security-policy"] = policy
        return response


def own_policy(page: bytes) -> str:
    """What a page says itself that it may do."""
    found = OWN_POLICY.search(page, 0, WHERE_POLICIES_ARE)
    return found.group(1).decode("latin-1") if found else LOOK


def known(request: Request) -> str:
    name = str(request.path_params["game"])
    if not GAME.fullmatch(name):
        raise not_there()
    return name


def not_there() -> Refused:
    return Refused.because("not_found", "ladder")


def routes_of(folder: str) -> list[Route]:
    """Where a ladder is shown; nowhere if there is none."""
    shown = Shown(folder)
    addresses = {
        "/ladder": shown.address,
        "/ladder/": shown.page,
        "/ladder/games/{game}.html": shown.replay,
        "/ladder/games/{game}.json": shown.record,
    }
    return [Route(path, answer, middleware=PACKED) for path, answer in addresses.items()] if folder else []
