"""Migrates a database to the current schema with Alembic when the server starts."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from branchline.errors import BranchlineError, UsageError


class DatabaseError(BranchlineError):
    """The database cannot be used; says what to do."""


class DatabaseUrlError(DatabaseError, UsageError):
    """The URL does not name a database that Branchline can use."""


def configuration() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def migrate(connection: Connection) -> None:
    config = configuration()
    config.attributes["connection"] = connection
    present = MigrationContext.configure(connection).get_current_revision()
    known = {revision.revision for revision in ScriptDirectory.from_config(config).walk_revisions()}
    if present is not None and present not in known:
        raise DatabaseError(f"the database belongs to a newer Branchline (its schema is {present}): use that one, or another database")
    command.upgrade(config, "head")
