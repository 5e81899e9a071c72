"""The statements that store changes, with `$1` for the first value as PostgreSQL writes it; SQLite writes `?1`."""

from __future__ import annotations

CHANNEL = "branchline"  # on which PostgreSQL tells other server processes about new entries

TABLE_COLUMNS = "id, created_at, host, game, rules_version, seed, plan, options, settings, status, listed, wake_at, ended_at"
ENTRY_COLUMNS = "table_id, number, kind, at, seat, body, author, client_id"

# by the rows of a change that each is for, in the order in which they are carried out
STATEMENTS = {
    "tables": f"INSERT INTO tables ({TABLE_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
    "entries": f"INSERT INTO entries ({ENTRY_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    "risen": "DELETE FROM sitters WHERE table_id = $1 AND key = $2",
    "seated": "INSERT INTO sitters (table_id, key) VALUES ($1, $2)",
    "put_off": "UPDATE tables SET wake_at = $1 WHERE id = $2 AND status IN ('waiting', 'playing')",
    "corrected": (
        "UPDATE tables SET status = $1, listed = $2, wake_at = $3, ended_at = $4 "
        "WHERE id = $5 AND $6 = (SELECT max(number) FROM entries WHERE table_id = tables.id)"
    ),
    "summaries": "UPDATE tables SET status = $1, listed = $2, wake_at = $3, ended_at = $4 WHERE id = $5",
    "seeds": "UPDATE tables SET seed = $1 WHERE id = $2",
    "archives": "INSERT INTO archives (table_id, last_entry, log) VALUES ($1, $2, $3)",
    "archived": "DELETE FROM entries WHERE table_id = $1 AND number <= $2",
    "blocked": (
        "INSERT INTO blocked (network, since, reason) VALUES ($1, $2, $3) "
        "ON CONFLICT (network) DO UPDATE SET since = excluded.since, reason = excluded.reason"
    ),
    "unblocked": "DELETE FROM blocked WHERE network = $1",
    "probes": "INSERT INTO probes (id, at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET at = excluded.at",
} | {
    f"dropped from {table}": f"DELETE FROM {table} WHERE {column} = $1"
    for table, column in (("archives", "table_id"), ("sitters", "table_id"), ("entries", "table_id"), ("tables", "id"))
}
NOTIFY = f"SELECT pg_notify('{CHANNEL}', $1)"

# one statement for many rows: Python's lock is given up and taken back once for all of them, not once for each
MANY_ENTRIES = f"INSERT INTO entries ({ENTRY_COLUMNS}) VALUES {{rows}}"
MANY_SUMMARIES = (
    "WITH new (status, listed, wake_at, ended_at, id) AS (VALUES {rows}) UPDATE tables "
    "SET status = new.status, listed = new.listed, wake_at = new.wake_at, ended_at = new.ended_at FROM new WHERE tables.id = new.id"
)
