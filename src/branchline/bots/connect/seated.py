"""One bot at one table: follows the table over a WebSocket, comes back when the connection breaks, and answers what its seat is asked."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from branchline.bots import Bot, GuardedBot
from branchline.bots.connect.server import AGAIN_AFTER, Json, Refusal, Server, Waits, in_thread, parsed
from branchline.bots.guard import Fault
from branchline.errors import BranchlineError
from branchline.play.games import Game
from branchline.play.lending import view_from_fields
from branchline.play.patches import patched

LARGEST_MESSAGE = 4_000_000
OVER = ("finished", "abandoned")
HERE = ("away", "stale", "not_your_turn", "illegal", "over", "not_started")  # refusals after which the table tells what to do next


class Seated:
    def __init__(self, server: Server, table: str, make: Callable[[], Bot], limit: float, stay: float) -> None:
        self.server, self.table, self.stay = server, table, stay
        self._make, self._limit = make, limit
        self._bot: GuardedBot | None = None
        self._game: Game | None = None
        self._state: Json = {}
        self._heard = 0  # events of the game
        self._answers: tuple[int, Json] | None = None  # the last question, and what was sent
        self._asked_for = -1  # the question that the view was asked for
        self._gave_up = False

    async def play(self) -> str | None:
        """Play to the end; the table of the next game, if somebody wants one soon."""
        waits = Waits()
        try:
            while not await self._visit(waits):
                await waits.wait()
        finally:
            if self._bot is not None:
                self._bot.close()
        rematch = self._state.get("rematch")
        return rematch if isinstance(rematch, str) else None

    async def _visit(self, waits: Waits) -> bool:
        """One connection. True once there is nothing left to do here."""
        url = f"{self.server.address.for_sockets}/api/tables/{self.table}/live"
        try:
            async with connect(url, max_size=LARGEST_MESSAGE) as socket:
                await send(socket, {"type": "hello", "key": self.server.key})
                self._asked_for = -1
                return await self._follow(socket, waits)
        except (OSError, WebSocketException, TimeoutError):
            return False

    async def _follow(self, socket: ClientConnection, waits: Waits) -> bool:
        while True:
            over = self._state.get("status") in OVER
            if over and (self._state.get("rematch") or self._state["status"] != "finished"):
                return True
            try:
                text = await asyncio.wait_for(socket.recv(), self.stay if over else None)
            except TimeoutError:
                return True
            message = parsed(text if isinstance(text, bytes) else text.encode())
            waits.reset()
            try:
                await self._take(socket, message)
            except (KeyError, TypeError, AttributeError) as error:
                raise BranchlineError(f"the server says something that this version of Branchline does not understand ({error!r})") from None

    async def _take(self, socket: ClientConnection, message: Json) -> None:
        kind = message.get("type")
        if kind == "refused":
            await self._refused(message)
        elif kind == "view":
            await self._answer(socket, message)
        elif kind in ("snapshot", "update"):
            self._state = message["state"] if "state" in message else patched(self._state, message.get("patch") or {})
            await self._react(socket)

    async def _refused(self, message: Json) -> None:
        """Some refusals pass; some mean that the table has moved on. With any other there is nothing to be done here."""
        code = str(message.get("code"))
        if code in AGAIN_AFTER:
            raise WebSocketException(code)  # come back a little later
        if code not in HERE:
            raise Refusal(code, str(message.get("message")))
        self._asked_for = -1
        if code == "illegal":
            raise BranchlineError(f"the server refuses a decision that is legal here: {message.get('message')} Do both have the same version?")

    async def _react(self, socket: ClientConnection) -> None:
        """Do what the table waits for."""
        you, status = self._state.get("you"), self._state.get("status")
        if you is None:
            raise Refusal("not_seated", "the seat is gone")
        if status != "playing":
            return
        own = self._state["seats"][str(you)]
        if own.get("stand_in") or own.get("away"):
            await send(socket, {"type": "return"})
        if not self._gave_up and any(seat.get("gives_up") for seat in self._state["seats"].values()):
            self._gave_up = True  # a bot does not keep people from ending a game
            await send(socket, {"type": "abandon", "gives_up": True})
        question = self._state.get("position", {}).get("question")
        if question is not None and question != self._asked_for:
            self._asked_for = question
            await self._ask_or_repeat(socket, question)

    async def _ask_or_repeat(self, socket: ClientConnection, question: int) -> None:
        """After a broken connection the same answer goes out again, with the same id: it acts once."""
        if self._answers is not None and self._answers[0] == question:
            await send(socket, self._answers[1])
        else:
            await send(socket, {"type": "look", "after": self._heard})

    async def _answer(self, socket: ClientConnection, looked: Json) -> None:
        question = looked.get("question")
        if question is None:
            return
        decision = await in_thread(lambda: self._decision(looked))
        text = {"type": "decide", "id": secrets.token_hex(8), "question": question, "decision": decision}
        self._answers = question, text
        await send(socket, text)

    def _decision(self, looked: Json) -> int:
        bot, game = self._bot_for(looked)
        view = view_from_fields(game, looked["record"])
        events = looked["events"]
        self._heard = looked["event_count"]
        if bot.watches and events:
            bot.happened(events)
        return bot.decide(view)

    def _bot_for(self, looked: Json) -> tuple[GuardedBot, Game]:
        if self._bot is None or self._game is None:
            about = looked["game"]
            self._game = Game(about["name"], about["players"], rules_version=about["rules_version"], **about["options"])
            self._bot = GuardedBot(self._make(), self._limit, self._tell)
            self._bot.new_game(self._game, looked["seat"])
        return self._bot, self._game

    def _tell(self, fault: Fault) -> None:
        self.server.say(f"{self.table[:6]}: the bot failed ({fault.kind}: {fault.detail}); greedy decides instead.")


async def send(socket: ClientConnection, message: Json) -> None:
    await socket.send(json.dumps(message))
