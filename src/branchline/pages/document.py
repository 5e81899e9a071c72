"""A self-contained page: it includes its fonts, styles and scripts, makes no requests, and has a policy that forbids them."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from html import escape
from itertools import chain
from pathlib import Path

from branchline.words import languages

HERE = Path(__file__).parent
ALPHABETS = {
    "latin": "U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212",
    "latin-ext": "U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1E00-1E9F, U+1EF2-1EFF",
    "cyrillic": "U+0301, U+0400-045F, U+0490-0491, U+04B0-04B1, U+2116",
}
NO_ONE = "'none'"
RIM = 'stroke="#f4ecdb" stroke-width="1.6"'
ICON = (
    '<svg class="icon" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1f3a4a"/>'
    '<path d="M9 26V6M9 17c0-6 14-3 14-11" fill="none" stroke="#f4ecdb" stroke-width="3.4" stroke-linecap="round"/>'
    f'<circle cx="9" cy="26" r="3.6" fill="#ee8a1b" {RIM}/><circle cx="9" cy="6" r="3.6" fill="#4fb471" {RIM}/>'
    f'<circle cx="23" cy="6" r="3.6" fill="#d8443c" {RIM}/></svg>'
)


def document(title: str, kind: str, content: str, style: str = "", language: str = "en", scripts: tuple[str, ...] = (), data: str = "") -> str:
    """`kind` says at the top what the page is; `data` is for the scripts to read."""
    own = fonts(language, f"{title}{kind}{content}{data}")
    code = "".join(f"<script>{script}</script>\n" for script in scripts)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(scripts)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{own}\n{style_sheet(HERE)}{style}</style>\n</head>\n<body>\n"
        f'<header class="bar">{ICON}<b>Branchline</b><span>{escape(kind)}</span></header>\n<main>{content}</main>\n{data}{code}</body>\n</html>\n'
    )


def style_sheet(folder: Path) -> str:
    return (folder / "page.css").read_text(encoding="utf-8")


def fonts(language: str, text: str) -> str:
    """Alegreya Sans, under the SIL Open Font Licence, in the alphabets that a language needs, and a text besides: names of cities are often foreign.
    Unless our page is built, the reader's own fonts do.
    """
    return "\n".join(font(alphabet, weight) for alphabet in alphabets_of(language, text) for weight in (400, 700))


def alphabets_of(language: str, text: str) -> list[str]:
    """In the order of ALPHABETS; a letter that stands in several is looked up in the first."""
    there = [alphabet for alphabet in ALPHABETS if alphabet in languages()[language].alphabets]
    letters = {ord(letter) for letter in set(text)}
    for alphabet in there:
        letters -= letters_of(alphabet)
    for alphabet in ALPHABETS:
        if letters & letters_of(alphabet):
            there.append(alphabet)
            letters -= letters_of(alphabet)
    return [alphabet for alphabet in ALPHABETS if alphabet in there]


@cache
def letters_of(alphabet: str) -> frozenset[int]:
    """As numbers, from what CSS calls a range: `U+0100-02BA`."""
    spans = (span.removeprefix("U+").split("-") for span in ALPHABETS[alphabet].split(", "))
    return frozenset(chain.from_iterable(range(int(span[0], 16), int(span[-1], 16) + 1) for span in spans))


def font(alphabet: str, weight: int) -> str:
    files = list((HERE.parent / "client" / "assets").glob(f"alegreya-sans-{alphabet}-{weight}-normal-*.woff2"))
    if not files:
        return ""
    source = f"url(data:font/woff2;base64,{base64.b64encode(files[0].read_bytes()).decode()}) format('woff2')"
    return f"@font-face {{ font-family: 'Alegreya Sans'; font-weight: {weight}; src: {source}; unicode-range: {ALPHABETS[alphabet]}; }}"


def policy(scripts: tuple[str, ...]) -> str:
    """These scripts and no others, and no request at all."""
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'" for code in scripts]
    return f"default-src 'none'; script-src {' '.join(hashes or [NO_ONE])}; style-src 'unsafe-inline'; font-src data:; img-src data:"
