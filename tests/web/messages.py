"""ICU messages taken apart: which values they use, and which forms their plurals have."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Message:
    values: set[str] = field(default_factory=set)
    plurals: list[set[str]] = field(default_factory=list)


def read(text: str) -> Message:
    """Raises ValueError where braces do not match."""
    found = Message()
    end = read_text(text, 0, found)
    if end != len(text):
        raise ValueError(f"a brace too many at {end}: {text}")
    return found


def read_text(text: str, at: int, found: Message) -> int:
    """From here to the brace that closes this part, or to the end."""
    while at < len(text) and text[at] != "}":
        at = read_value(text, at + 1, found) if text[at] == "{" else at + 1
    return at


def read_value(text: str, at: int, found: Message) -> int:
    """`name}`, or `name, plural, one {…} other {…}}`; returns what follows it."""
    end = min(place for sign in ",}" if (place := text.find(sign, at)) >= 0)
    found.values.add(text[at:end].strip())
    if text[end] == "}":
        return end + 1
    kind_ends = text.index(",", end + 1)
    is_plural = text[end + 1 : kind_ends].strip() == "plural"
    forms: set[str] = set()
    at = kind_ends + 1
    while text[at:].lstrip()[0] != "}":
        opens = text.index("{", at)
        forms.add(text[at:opens].strip())
        at = read_text(text, opens + 1, found) + 1
    if is_plural:
        found.plurals.append({form for form in forms if not form.startswith("=")})
    return text.index("}", at) + 1
