"""Secrets: the key in a guest's browser, of which the server stores only a hash; names of tables; the proof of a fair shuffle."""

from __future__ import annotations

import hashlib
import secrets

KEY = r"^[A-Za-z0-9_-]{22,86}$"  # base64url of 128 bits or more
TABLE = r"^[A-Za-z0-9_-]{16}$"


def new_table_id() -> str:
    """96 bits: only people with the link can find the table."""
    return secrets.token_urlsafe(12)


def new_seed() -> str:
    """128 bits from the system's secure generator, as in the game record."""
    return secrets.token_hex(16)


def hash_of(key: str) -> str:
    """A key has at least 128 random bits, so one round of a strong hash is enough: it cannot be guessed."""
    return hashlib.sha256(key.encode()).hexdigest()


def logged(table: str) -> str:
    """A table's name for logs, which must not reveal the link."""
    return hashlib.sha256(table.encode()).hexdigest()[:12]
