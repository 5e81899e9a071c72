"""Secrets: the key that a guest's browser keeps, of which the server stores only a hash; names of tables; the proof of a fair shuffle."""

from __future__ import annotations

import hashlib
import secrets

KEY = r"^[A-Za-z0-9_-]{22,86}$"  # base64url of 128 bits or more
TABLE = r"^[A-Za-z0-9_-]{16}$"


def new_table_id() -> str:
    """96 bits: whoever does not have the link does not find the table."""
    return secrets.token_urlsafe(12)


def new_seed() -> str:
    """128 bits of the system's secret generator, as in the game record."""
    return secrets.token_hex(16)


def hash_of(key: str) -> str:
    """A key has 128 bits of chance or more, so one round of a strong hash is enough: there is nothing to guess."""
    return hashlib.sha256(key.encode()).hexdigest()


def logged(table: str) -> str:
    """A table's name for logs: who reads them gets no link."""
    return hashlib.sha256(table.encode()).hexdigest()[:12]
