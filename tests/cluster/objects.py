"""A store with the habits of S3, at s3://: there are no folders, only names of objects with slashes in them; an object appears when it is whole, and
cannot be renamed; and what was listed once is remembered, as s3fs does it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import fsspec
from fsspec.registry import _registry
from fsspec.spec import AbstractFileSystem


class Upload(io.BytesIO):
    """An object that appears when it is closed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def close(self) -> None:
        if not self.closed:
            Objects.store[self.name] = self.getvalue()
        super().close()


class Objects(AbstractFileSystem):
    protocol = "s3"
    cachable = False
    store: ClassVar[dict[str, bytes]] = {}
    fetched: ClassVar[list[list[str]]] = []  # the names of objects that were fetched together

    def ls(self, path: str, detail: bool = True, **_: Any) -> list[Any]:
        path = self._strip_protocol(path).rstrip("/")
        if path not in self.dircache:
            self.dircache[path] = list(self._below(path))
        found = self.dircache[path]
        if not found:
            raise FileNotFoundError(path)
        return found if detail else [one["name"] for one in found]

    def _below(self, path: str) -> Iterator[dict[str, Any]]:
        if path in self.store:
            yield {"name": path, "size": len(self.store[path]), "type": "file"}
        nearest = {path + "/" + name.removeprefix(path + "/").partition("/")[0] for name in self.store if name.startswith(path + "/")}
        for name in sorted(nearest):
            is_object = name in self.store
            yield {"name": name, "size": len(self.store.get(name, b"")), "type": "file" if is_object else "directory"}

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        path = self._strip_protocol(path).rstrip("/")
        if path in self.store:
            return {"name": path, "size": len(self.store[path]), "type": "file"}
        if any(name.startswith(path + "/") for name in self.store):
            return {"name": path, "size": 0, "type": "directory"}
        raise FileNotFoundError(path)

    def _open(self, path: str, mode: str = "rb", **_: Any) -> io.BytesIO:
        name = self._strip_protocol(path)
        if "w" in mode:
            return Upload(name)
        if name not in self.store:
            raise FileNotFoundError(name)
        return io.BytesIO(self.store[name])

    def get(self, rpath: Any, lpath: Any, **how: Any) -> None:
        self.fetched.append(list(rpath))
        super().get(rpath, lpath, **how)

    def _rm(self, path: str) -> None:
        if self.store.pop(self._strip_protocol(path), None) is None:
            raise FileNotFoundError(path)

    def mv(self, *_: Any, **__: Any) -> None:
        raise NotImplementedError("objects cannot be renamed")

    def invalidate_cache(self, path: str | None = None) -> None:  # noqa: ARG002  # as fsspec calls it
        self.dircache.clear()


@contextmanager
def objects() -> Iterator[type[Objects]]:
    """While the block runs, s3:// is this store."""
    before = _registry.get("s3")
    fsspec.register_implementation("s3", Objects, clobber=True)
    try:
        yield Objects
    finally:
        Objects.store.clear()
        Objects.fetched.clear()
        _registry.pop("s3")
        if before is not None:
            fsspec.register_implementation("s3", before)
