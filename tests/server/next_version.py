"""`branchline` as its next version might be: a migration more, which only adds, and a kind of entry more: who says hello, waves."""

import runpy
import sys
import tempfile
from pathlib import Path

from branchline.server.store import entries, migrating
from branchline.server.tables import commands, table

MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "0003", "0002"


def upgrade():
    op.add_column("tables", sa.Column("mood", sa.String(20)))
"""
SAY, WAVE = entries.SAY, "wave"
configuration, sent = migrating.configuration, commands.sent


def with_one_more_migration():
    config = configuration()
    own, more = Path(config.get_main_option("script_location")) / "versions", Path(tempfile.mkdtemp())
    (more / "0003_moods.py").write_text(MIGRATION, encoding="utf-8")
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", f"{own}\n{more}")
    return config


def sent_or_waved(now, asked, kind, *rest, **said):
    return sent(now, asked, WAVE if kind == SAY and said.get("phrase") == "hello" else kind, *rest, **said)


if __name__ == "__main__":
    migrating.configuration, commands.sent = with_one_more_migration, sent_or_waved
    table.HANDLERS[WAVE] = table.HANDLERS[SAY]
    sys.argv[0] = "branchline"
    runpy.run_module("branchline", run_name="__main__")
