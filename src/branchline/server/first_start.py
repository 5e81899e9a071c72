"""The first start of a version. Compiling the rules takes a minute, and nobody should have to wait: until then plain Python serves the same rules,
only slower. Then the server restarts itself with the compiled ones. Its address stays open in the meantime, and clients reconnect on their own.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from contextlib import suppress

import structlog
import uvicorn

from branchline.batch.warm import is_compiled, is_warm
from branchline.compiling import MODE
from branchline.server.logs import where

log = structlog.get_logger()
IS_FIRST = "BRANCHLINE_FIRST_START"  # set while plain Python serves
GIVES_WAY = 5  # the priority of the compiler
LISTENING = "BRANCHLINE_LISTENING"  # the socket that a server passes on when it restarts


def is_first_start() -> bool:
    return IS_FIRST in os.environ


def should_begin_plain() -> bool:
    """Nothing is compiled yet, no mode was requested, and the process can replace itself."""
    return MODE == "compiled" and "BRANCHLINE_MODE" not in os.environ and hasattr(os, "fork") and not is_warm()


def become(listening: socket.socket, plain: bool) -> None:
    """Replace this process by the same command in the other mode."""
    os.set_inheritable(listening.fileno(), True)
    environment = {name: value for name, value in os.environ.items() if name not in (IS_FIRST, "BRANCHLINE_MODE")}
    environment[LISTENING] = str(listening.fileno())
    if plain:
        environment |= {IS_FIRST: "1", "BRANCHLINE_MODE": "plain"}
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)


def handed_on() -> socket.socket | None:
    """The socket from before the restart, if there was one."""
    number = os.environ.pop(LISTENING, None)
    return None if number is None else socket.socket(fileno=int(number))


async def compile_beside(server: uvicorn.Server) -> None:
    """Compile the rules at low priority while people play; then stop the server gracefully, so that it restarts at once."""
    environment = {name: value for name, value in os.environ.items() if name not in (IS_FIRST, "BRANCHLINE_MODE")}
    log.info("compiling the rules; until then plain Python serves")
    worker = await asyncio.create_subprocess_exec(sys.executable, "-m", "branchline.batch.warm", "--beside", env=environment)
    with suppress(ProcessLookupError):
        os.setpriority(os.PRIO_PROCESS, worker.pid, GIVES_WAY)
    try:
        code = await worker.wait()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            worker.terminate()
        await worker.wait()
        raise
    if server.should_exit:
        return
    if code:
        log.error("the rules could not be compiled; plain Python keeps serving", code=code)
        return
    log.info("compiled the rules")
    server.should_exit = True


async def serve_first(server: uvicorn.Server, listening: socket.socket) -> bool:
    """Serve while the rules are compiled; true if the server should restart with them."""
    compiling = asyncio.create_task(compile_beside(server))
    await server.serve(sockets=[listening])
    finished = compiling.done() and not compiling.cancelled()
    compiling.cancel()
    try:
        await compiling
    except asyncio.CancelledError:
        pass
    except Exception as error:
        log.error("the rules could not be compiled", **where(error))
    return finished and is_compiled()
