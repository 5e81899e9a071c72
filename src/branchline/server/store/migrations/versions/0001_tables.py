"""Tables, their logs, and who sits where."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("seed", sa.String(32), nullable=False),
        sa.Column("plan", sa.JSON, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("listed", sa.Integer, nullable=False),
        sa.Column("wake_at", sa.Float),
    )
    op.create_index("ix_tables_host", "tables", ["host"])
    op.create_index("ix_tables_listed", "tables", ["listed", "created_at"])
    op.create_index("ix_tables_wake_at", "tables", ["wake_at"])
    op.create_table(
        "entries",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("body", sa.JSON, nullable=False),
        sa.Column("author", sa.String(64)),
        sa.Column("client_id", sa.String(64)),
        sa.UniqueConstraint("table_id", "author", "client_id", name="uq_entries_client_id"),
    )
    op.create_table(
        "sitters",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("key", sa.String(64), primary_key=True),
    )
    op.create_index("ix_sitters_key", "sitters", ["key"])


def downgrade() -> None:
    for name in ("sitters", "entries", "tables"):
        op.drop_table(name)
