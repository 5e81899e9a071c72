"""Packages whose parts are loaded when they are first used: importing the package alone loads neither the rules nor a compiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_first_use(package: dict[str, Any], homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """A module's `__getattr__`; `package` are its globals, and `homes` says which names come from which module."""

    def load(name: str) -> Any:
        for home, names in homes.items():
            if name in names:
                package[name] = found = getattr(import_module(home), name)
                return found
        raise AttributeError(f"module {package['__name__']!r} has no attribute {name!r}")

    return load
