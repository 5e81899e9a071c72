"""What a page carries with it: type, styles, scripts. Nothing is asked of any host, and a policy in the page forbids it."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

import vl_convert

from branchline.report.drawing import heat
from branchline.words import languages

HERE = Path(__file__).parent
ALPHABETS = {
    "latin": "U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212",
    "latin-ext": "U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1E00-1E9F, U+1EF2-1EFF",
    "cyrillic": "U+0301, U+0400-045F, U+0490-0491, U+04B0-04B1, U+2116",
}


def fonts(language: str) -> str:
    """Alegreya Sans, under the SIL Open Font Licence, in the alphabets that a language needs; without our page, the reader's own type will do."""
    return "\n".join(font(alphabet, weight) for alphabet in languages()[language].alphabets for weight in (400, 700))


def font(alphabet: str, weight: int) -> str:
    files = list((HERE.parent / "client" / "assets").glob(f"alegreya-sans-{alphabet}-{weight}-normal-*.woff2"))
    if not files:
        return ""
    source = f"url(data:font/woff2;base64,{base64.b64encode(files[0].read_bytes()).decode()}) format('woff2')"
    return f"@font-face {{ font-family: 'Alegreya Sans'; font-weight: {weight}; src: {source}; unicode-range: {ALPHABETS[alphabet]}; }}"


def style(language: str) -> str:
    light, dark = (f":root {{ {heat.variables(line)} }}" for line in (heat.LIGHT, heat.DARK))
    colours = f"{light}\n@media screen and (prefers-color-scheme: dark) {{ {dark} }}"
    return "\n".join((fonts(language), colours, (HERE / "page.css").read_text(encoding="utf-8")))


@cache
def scripts() -> tuple[str, str]:
    """Vega with all that it needs, and the page's own."""
    vega: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its types do not know its defaults
    safe = vega.replace("\r\n", "\n").replace("</script", "<\\/script").replace("<!--", "<\\!--")
    return safe, (HERE / "page.js").read_text(encoding="utf-8")


def policy(codes: tuple[str, ...]) -> str:
    """These scripts and no others, and no request at all."""
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'" for code in codes)
    return f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; font-src data:; img-src data:"
