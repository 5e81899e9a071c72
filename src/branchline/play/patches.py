"""The difference between two JSON objects as a merge patch (RFC 7396): what changed, null for what is gone. The objects hold no nulls."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def difference(old: Json, new: Json) -> Json:
    patch: Json = {key: None for key in old if key not in new}
    for key, value in new.items():
        before = old.get(key)
        if value is before and value is not None:
            continue  # what has not changed is mostly the same object
        if isinstance(value, dict) and isinstance(before, dict):
            if value != before:
                patch[key] = difference(before, value)
        elif key not in old or value != before:
            patch[key] = value
    return patch


def shared(old: Json, new: Json) -> Json:
    """The new one, with whatever is equal in the old one taken from there: `difference` then sees at once that it has not changed."""
    return {key: before if (before := old.get(key)) == value else value for key, value in new.items()}


def patched(old: Json, patch: Json) -> Json:
    new = dict(old)
    for key, value in patch.items():
        if value is None:
            new.pop(key, None)
        elif isinstance(value, dict):
            before = new.get(key)
            new[key] = patched(before if isinstance(before, dict) else {}, value)
        else:
            new[key] = value
    return new
