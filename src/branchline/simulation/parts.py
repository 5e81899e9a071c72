"""Parts of a table: which there are, and how one is written so that it is there as a whole or not at all."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from uuid import uuid4

import polars as pl

from branchline.cluster.locations import is_here, looked_up
from branchline.cluster.part_names import PART
from branchline.simulation.plan import SimulationError

WRITING = ".writing"  # the ending of a part that is not whole yet
UNFINISHED = re.compile(r"(\.[0-9a-f]{8})?\.writing$")
PUT_WHOLE = ("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oss", "oci", "memory")  # stores in which an object appears when it is complete


def parts_in(folder: Path) -> list[Path]:
    there = looked_up(folder).iterdir() if folder.is_dir() else ()
    return sorted((path for path in there if PART.fullmatch(path.name)), key=lambda path: path.name)


def write_part(table: pl.DataFrame, path: Path, facts: dict[str, str]) -> None:
    """Under another name and outside of the folder, until it is whole. Two workers may write the same part at the same time."""
    if not is_here(path):
        put_part(table, path, facts)
        return
    unfinished = beside(path)
    try:
        table.write_parquet(unfinished, metadata=facts)
        os.replace(unfinished, path)
    except pl.exceptions.PolarsError as error:
        raise SimulationError(f"{path} cannot be written: {error}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def put_part(table: pl.DataFrame, path: Path, facts: dict[str, str]) -> None:
    content = io.BytesIO()
    table.write_parquet(content, metadata=facts)
    if path.protocol in PUT_WHOLE:  # type: ignore[attr-defined]  # a UPath
        path.write_bytes(content.getvalue())
        return
    unfinished = beside(path)
    unfinished.write_bytes(content.getvalue())
    path.fs.mv(unfinished.path, path.path)  # type: ignore[attr-defined]


def beside(path: Path) -> Path:
    return path.parent.with_name(f".{path.parent.name}.{path.name}.{uuid4().hex[:8]}{WRITING}")
