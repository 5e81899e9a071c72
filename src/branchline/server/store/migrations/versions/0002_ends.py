"""When tables ended, logs of old games as one row, sealed seeds, blocked addresses, and a row for the health check to write."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

# a place that is archived is taken, as if its row were still there
TAKEN = "EXISTS (SELECT 1 FROM archives WHERE table_id = NEW.table_id AND last_entry >= NEW.number)"
GUARD_ON_SQLITE = [f"CREATE TRIGGER archived BEFORE INSERT ON entries WHEN {TAKEN} BEGIN SELECT RAISE(ABORT, 'archived'); END"]
GUARD_ON_POSTGRESQL = [
    f"CREATE FUNCTION refuse_archived() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN IF {TAKEN} THEN RAISE unique_violation; END IF; RETURN NEW; END $$",
    "CREATE TRIGGER archived BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION refuse_archived()",
]


def upgrade() -> None:
    op.add_column("tables", sa.Column("ended_at", sa.Float))
    set_length_of_seeds(64)
    op.create_index("ix_tables_ended_at", "tables", ["ended_at"])
    last = "(SELECT max(at) FROM entries WHERE table_id = tables.id)"
    op.execute(f"UPDATE tables SET ended_at = {last} WHERE status IN ('finished', 'abandoned')")
    op.create_table(
        "archives",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("last_entry", sa.Integer, nullable=False),
        sa.Column("log", sa.LargeBinary, nullable=False),
    )
    for statement in GUARD_ON_SQLITE if op.get_bind().dialect.name == "sqlite" else GUARD_ON_POSTGRESQL:
        op.execute(statement)
    op.create_table("seals", sa.Column("fingerprint", sa.String(16), primary_key=True))
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
    """Only while nothing is archived or sealed: an older version could not read it."""
    op.execute("DROP TRIGGER archived" if op.get_bind().dialect.name == "sqlite" else "DROP FUNCTION refuse_archived CASCADE")
    for name in ("probes", "blocked", "seals", "archives"):
        op.drop_table(name)
    op.drop_index("ix_tables_ended_at", "tables")
    op.drop_column("tables", "ended_at")
    set_length_of_seeds(32)


def set_length_of_seeds(length: int) -> None:
    """SQLite does not care how long a string is."""
    if op.get_bind().dialect.name != "sqlite":
        op.alter_column("tables", "seed", type_=sa.String(length))
