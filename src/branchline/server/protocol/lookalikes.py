"""Letters that look alike: at a table, nobody may pass for somebody else with a Cyrillic `а` in a Latin name, or the digit one for an `l`.

Names are compared by how they look. Alphabets that people at our tables read are compared letter by letter; letters of dead and rarely used
scripts, which are full of look-alikes, are not taken in names (Unicode's recommended scripts are: UAX 31, table 5).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

SCRIPTS = """ARABIC ARMENIAN BENGALI BOPOMOFO CJK CYRILLIC DEVANAGARI ETHIOPIC GEORGIAN GREEK GUJARATI GURMUKHI HANGUL HEBREW HIRAGANA IDEOGRAPHIC
KANNADA KATAKANA KATAKANA-HIRAGANA KHMER LAO LATIN MALAYALAM MODIFIER MYANMAR ORIYA SINHALA TAMIL TELUGU THAANA THAI TIBETAN"""
KNOWN = frozenset(SCRIPTS.split())
ALIKE = str.maketrans(
    dict(
        zip(
            # Cyrillic, Greek, Armenian, then digits and signs
            "АВЕЅІЈКМНОРСТУХҮԌԚԜѴаеѕіјһорсухѵԁԛԝԍкмнтвΑΒΕΖΗΙΚΜΝΟΡΤΥΧΥαικνορτυχγՍՏՕԼզհոսցօI1|!0",
            "ABESIJKMHOPCTYXYGQWVaesijhopcyxvdqwgkmhtbABEZHIKMNOPTYXYaikvoptuxyUSOLqhnugollllo",
            strict=True,
        )
    )
    | dict.fromkeys("ʼ’‘`´ʹʻʽ′＇", "'")
    | dict.fromkeys("‐‑‒–—−_", "-")
)
PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
LONE_LETTER = re.compile(r"(?:LATIN|SYMBOL LETTER)\b(?: .*)? ([A-Z])")  # SMALL CAPITAL N, SCRIPT G, DOTLESS I, NEGATIVE SQUARED … A


def is_known_letter(sign: str) -> bool:
    return not sign.isalpha() or unicodedata.name(sign, "").split(" ")[0] in KNOWN


@lru_cache(4096)
def plain_letter(sign: str) -> str:
    """A variant of a Latin letter without an accent is that letter."""
    found = LONE_LETTER.search(unicodedata.name(sign, "")) if sign > "\x7f" else None
    return sign if found is None or not unicodedata.name(sign).endswith(f" {found[1]}") else found[1].lower()


def looks(name: str) -> set[str]:
    """What a name looks like: two names that share one of these can be taken for each other. Accents tell names apart."""
    signs = unicodedata.normalize("NFKD", name).translate(ALIKE)
    shape = "".join(plain_letter(sign) for sign in signs).translate(ALIKE).casefold()
    for pair, one in PAIRS:
        shape = shape.replace(pair, one)
    return {shape.replace(" ", ""), name.casefold()}
