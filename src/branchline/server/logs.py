"""Structured logs: one JSON object per line, on stderr. They never contain keys, names, links, decisions or cards.

Nobody can fill a disk with them: of each kind of line only a limited number is written, and then how many more there were.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
import traceback
from collections import Counter, OrderedDict
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO, cast

import structlog

from branchline.server.limits import Bucket

FRAMES = 12
LEVELS = ("debug", "info", "warning", "error")
LINES_AT_ONCE, LINES_PER_SECOND = 100, 10  # of each kind
MOST_KINDS = 1_000
KIND = ("event", "message", "reason", "path", "status", "error")  # what makes two lines alike


class Suppression:
    """Drops lines that come too often. The next line of its kind, or `told`, says how many there were."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[tuple[Any, ...], Bucket] = OrderedDict()
        self._dropped: Counter[tuple[Any, ...]] = Counter()

    def __call__(self, _logger: Any, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        kind = tuple(line.get(name) for name in KIND)
        if "suppressed" not in line and not self._bucket(kind).take():
            self._dropped[kind] += 1
            raise structlog.DropEvent
        dropped = self._dropped.pop(kind, 0)
        return line if not dropped else {**line, "suppressed": dropped}

    def _bucket(self, kind: tuple[Any, ...]) -> Bucket:
        if kind not in self._buckets:
            self._buckets[kind] = Bucket(LINES_AT_ONCE, LINES_PER_SECOND, self._clock)
        self._buckets.move_to_end(kind)
        while len(self._buckets) > MOST_KINDS:
            self._buckets.popitem(last=False)
        return self._buckets[kind]

    def tell(self) -> None:
        """Say what was left out, when nothing like it has come since."""
        for kind, number in list(self._dropped.items()):
            del self._dropped[kind]
            alike = {name: value for name, value in zip(KIND, kind, strict=True) if value is not None and name != "event"}
            structlog.get_logger().warning("more lines like this were suppressed", like=kind[0], suppressed=number, **alike)


suppression = Suppression()


class Lenient:
    """stderr, even if it cannot be written to: a full disk must not make requests fail that need nothing from it."""

    def write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.flush()


def set_up_logs(level: str) -> None:
    number = getattr(logging, level.upper())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            suppression,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, Lenient())),
        cache_logger_on_first_use=True,
    )
    for name in ("uvicorn", "asyncio", "sqlalchemy"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [Plain()], False
        logger.setLevel(logging.WARNING)  # lower levels log addresses, which are links to tables


class Plain(logging.Handler):
    """What libraries log, without error messages, which may quote what was sent or stored."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, asyncio.CancelledError):
            return  # a server that stops meets SQLAlchemy while it closes a connection, which it goes on to do
        first = str(record.msg).partition("\n")[0]  # asyncio adds what it knows about a task in further lines
        structlog.get_logger().log(record.levelno, record.name, message=first, **(where(error) if error is not None else {}))


def where(error: BaseException) -> dict[str, Any]:
    """The type of an error and where it happened; its message may contain what logs must not."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    return {"error": type(error).__name__, "where": [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]}
