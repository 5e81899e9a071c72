"""Structured logs: one JSON object per line, on stderr. They never contain keys, names, links, decisions or cards."""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from typing import Any

import structlog

FRAMES = 12
LEVELS = ("debug", "info", "warning", "error")


def set_up_logs(level: str) -> None:
    number = getattr(logging, level.upper())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    for name in ("uvicorn", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [Plain()], False
        logger.setLevel(logging.WARNING)  # lower levels log addresses, which are links to tables


class Plain(logging.Handler):
    """What libraries log, without error messages, which may quote what was sent or stored."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        first = str(record.msg).partition("\n")[0]  # asyncio adds what it knows about a task in further lines
        structlog.get_logger().log(record.levelno, record.name, message=first, **(where(error) if error is not None else {}))


def where(error: BaseException) -> dict[str, Any]:
    """The type of an error and where it happened; its message may contain what logs must not."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    return {"error": type(error).__name__, "where": [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]}
