"""Seeds of running games are stored sealed: whoever reads the database or a backup of it, but not the key, learns nothing about anybody's cards.

The key lies in a file of its own. A seed is combined with a pad that only the key can make, another one for each table.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

from sqlalchemy import URL

from branchline.server.store.migrating import DatabaseError

KEY_BYTES = 32
SEALED = "sealed:"


class Seal:
    def __init__(self, key: bytes) -> None:
        self._key = key

    @property
    def fingerprint(self) -> str:
        """By which the database knows the key; it does not help in finding it."""
        return hmac.digest(self._key, b"fingerprint", "sha256").hex()[:16]

    def close(self, table: str, seed: str) -> str:
        return SEALED + self._padded(table, seed)

    def open(self, table: str, stored: str) -> str:
        """Seeds of finished games are stored as they are."""
        return self._padded(table, stored.removeprefix(SEALED)) if stored.startswith(SEALED) else stored

    def _padded(self, table: str, digits: str) -> str:
        pad = hmac.digest(self._key, f"seed {table}".encode(), hashlib.sha256)
        seed = bytes.fromhex(digits)
        return bytes(one ^ other for one, other in zip(seed, pad, strict=False)).hex()


def key_file(url: URL) -> Path:
    """Where the key is, unless the operator says otherwise: beside an SQLite file; for PostgreSQL with the user's state."""
    if url.get_backend_name() == "sqlite":
        return Path(f"{url.database}.key")
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "branchline" / "seeds.key"


def read_seal(path: Path, known: str | None) -> Seal:
    """The key by which a database is sealed, known by its fingerprint. It is made at the first start, and never again."""
    try:
        if known is None and not path.exists():
            make_key(path)
        seal = Seal(key_in(path))
    except OSError as error:
        problem = f"{path}: {error.strerror or error}"
        raise DatabaseError(f"the key that seals the seeds in this database cannot be read: {problem}; say where it is with --key-file") from None
    if known not in (None, seal.fingerprint):
        raise DatabaseError(f"the seeds in this database are sealed with another key than {path}: say where that one is with --key-file")
    return seal


def make_key(path: Path) -> None:
    """Only its owner may read it. Of two processes that make one at the same time, the first succeeds, and nobody sees half a key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(secrets.token_hex(KEY_BYTES) + "\n")
        file.flush()
        os.fsync(file.fileno())
    with suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()


def key_in(path: Path) -> bytes:
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise DatabaseError(
            f"{path} is not a key: it should hold {2 * KEY_BYTES} hexadecimal digits. Put the right file back, or name it with --key-file"
        )
    return key
