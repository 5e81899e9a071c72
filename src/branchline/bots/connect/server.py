"""Requests to a server. One that is still compiling, busy or away is asked again until it answers."""

from __future__ import annotations

import asyncio
import json
import random
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from typing import Any, TypeVar

from branchline.bots.connect.addresses import Address
from branchline.errors import BranchlineError

Json = dict[str, Any]
T = TypeVar("T")
AGAIN_AFTER = ("preparing", "busy", "too_many")  # refusals that pass
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0  # seconds between tries
ANSWER_WITHIN = 30.0
LARGEST_ANSWER = 4_000_000


class Refusal(BranchlineError):
    """The server does not do it."""

    def __init__(self, code: str, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.code, self.wait = code, wait


class Away(BranchlineError):
    """The server cannot be reached."""


async def in_thread(work: Callable[[], T]) -> T:
    """What a function returns, called in a thread that nobody waits for when the program ends."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if not answer.done():
            answer.set_exception(error) if error is not None else answer.set_result(result)  # type: ignore[arg-type]  # one of them is there

    def run() -> None:
        outcome: tuple[T | None, BaseException | None]
        try:
            outcome = work(), None
        except BaseException as error:  # whatever it is, the caller gets it
            outcome = None, error
        with suppress(RuntimeError):  # the program has ended meanwhile
            loop.call_soon_threadsafe(settle, *outcome)

    threading.Thread(target=run, daemon=True).start()
    return await answer


class Waits:
    """Longer and longer waits, not the same for everybody, so that not all come back at once."""

    def __init__(self) -> None:
        self._next = FIRST_WAIT

    def reset(self) -> None:
        self._next = FIRST_WAIT

    async def wait(self, at_least: float | None = None) -> None:
        await asyncio.sleep(max(self._next * random.uniform(0.5, 1.0), at_least or 0.0))
        self._next = min(2 * self._next, LONGEST_WAIT)


class Server:
    def __init__(self, address: Address, key: str, say: Callable[[str], None]) -> None:
        self.address, self.key, self.say = address, key, say

    async def get(self, path: str) -> Json:
        return await self._ask(path, None)

    async def post(self, path: str, body: Json) -> Json:
        return await self._ask(path, body)

    async def _ask(self, path: str, body: Json | None) -> Json:
        waits = Waits()
        told = ""
        while True:
            try:
                return await in_thread(lambda: self._asked_once(path, body))
            except (Refusal, Away) as error:
                if isinstance(error, Refusal) and error.code not in AGAIN_AFTER:
                    raise
                if str(error) != told:
                    told = str(error)
                    self.say(f"{told} Trying again …")
                await waits.wait(error.wait if isinstance(error, Refusal) else None)

    def _asked_once(self, path: str, body: Json | None) -> Json:
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.address.server + path, None if body is None else json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_WITHIN) as answer:
                return parsed(answer.read(LARGEST_ANSWER))
        except urllib.error.HTTPError as error:
            with error:
                raise refusal_of(error.code, error.headers.get("Retry-After"), error.read(100_000)) from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise Away(f"{self.address.server} cannot be reached ({reason}).") from None


def parsed(text: bytes) -> Json:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise BranchlineError("this doesn't look like a Branchline server: check the address")
    return answer


def refusal_of(status: int, wait: str | None, text: bytes) -> BranchlineError:
    """A refusal of the server, or of a proxy before it: those are away for a while."""
    try:
        body = json.loads(text)
        return Refusal(str(body["code"]), str(body["message"]), float(wait) if wait and wait.isdecimal() else None)
    except (ValueError, KeyError, TypeError, RecursionError):
        answered = f"The server answers with status {status}."
        return Away(answered) if status >= 500 else Refusal("malformed", answered)
