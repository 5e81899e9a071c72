"""Blocked addresses, and a row for `/health` to write."""

import sqlalchemy as sa
from alembic import op

revision = "0002_blocked"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "blocked",
        sa.Column("network", sa.String(49), primary_key=True),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
    )
    op.create_table(
        "probes",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for name in ("probes", "blocked"):
        op.drop_table(name)
