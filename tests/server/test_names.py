"""Names: nobody passes for somebody else at a table, and everybody may have their own name."""

import unicodedata

import pytest

from branchline.server.protocol.refusals import Refused
from branchline.server.protocol.texts import LONGEST_NAME, clean_name, clean_text, free_name
from tests.server.refusing import GUEST, HOST

REAL = ["Zoë", "Łukasz", "Михайло", "Мар’яна", "Марʼяна", "O'Brien", "Żaneta", "Ґалаґан", "Їжак", "Ærøskøbing", "Nguyễn Thị", "Μαρία", "Յովհաննէս"]
REAL += ["李小龍", "ゆうこ", "김민준", "שָׁלוֹם", "محمد", "राजेश", "ณัฐพงศ์", "Józef-Maria 2", "x_X_Zoe_X_x", "Zoe 🚂", "ПРО100player"]


@pytest.mark.parametrize("name", REAL)
def test_real_names_stay_as_they_are(name):
    assert clean_name(name) == name
    assert free_name(name, ["Somebody", "Інша"]) == name


@pytest.mark.parametrize(("one", "other"), [("Zoë", "Zoe"), ("Łukasz", "Lukasz"), ("Михайло", "Михайлo Y"), ("Marek", "Marko"), ("Олена", "Оленка")])
def test_names_that_differ_visibly_are_different(one, other):
    assert free_name(one, [other]) == one


IMITATIONS = {
    "Cyrillic": ("Zoe Ann", "Zоe Аnn"),
    "Cyrillic capitals": ("HECTOR", "НЕСТОR"),
    "Latin in Cyrillic": ("Олена", "Oлeнa"),
    "Greek": ("Hannah", "Ηannah"),
    "one and l": ("Lil", "Li1"),
    "I and l": ("Ian", "lan"),
    "zero and o": ("Otto", "0tt0"),
    "rn and m": ("Mama", "Marna"),
    "small capitals": ("Ann", "ᴀɴɴ"),
    "squared": ("Ann", "🅰nn"),
    "mathematical": ("Zoe", "𝓩𝓸𝓮"),
    "full width": ("Zoe", "Ｚｏｅ"),
    "zero width": ("Zoe", "Z\u200boe"),
    "reversed": ("Zoe", "\u202eZoe"),
    "another apostrophe": ("O'Brien", "OʼBrien"),
    "accent apart": ("Zoë", "Zoe\u0308"),
    "Ukrainian i": ("Nina", "Nіna"),
    "spaces": ("Zoe Ann", "ZoeAnn"),
    "a bot": ("Hard", "Наrd"),
}


@pytest.mark.parametrize("how", IMITATIONS)
def test_a_name_that_imitates_another_is_shown_apart(how):
    real, imitation = IMITATIONS[how]
    shown = free_name(clean_name(imitation), [real])
    assert shown.endswith(" 2")
    assert len(shown) <= LONGEST_NAME
    assert free_name(clean_name(imitation), [real, shown]).endswith(" 3")


def test_imitations_at_a_table(inside):
    table = inside.new_table(HOST, name="Zoe", seats=["person", "person", "hard"])
    assert inside.post(f"/api/tables/{table}/join", {"name": "Zоe"}, GUEST).status_code == 200
    names = [seat.get("name") for seat in inside.get(f"/api/tables/{table}", HOST).json()["state"]["seats"].values()]
    assert names == ["Zoe", "Zоe 2", "Hard"]


@pytest.mark.parametrize("name", ["ᎪᏞᎬ", "𐐬𐐬", "ꓠꓲꓳ", "ᚠᚢᚦ", "Ann ⲟ", "", " ", "\u200b", "x" * 25, "ﷺ" * 2])
def test_dead_scripts_nothing_and_too_much_are_refused(name):
    with pytest.raises(Refused, match="24"):
        clean_name(name)


def test_heaps_of_accents_do_not_spill():
    zalgo = "".join(letter + "\u0336\u0351\u034e\u0317" * 3 for letter in "Ann")
    for cleaned in (clean_name(zalgo), clean_text(zalgo)):
        run = longest = 0
        for sign in unicodedata.normalize("NFD", cleaned):
            run = run + 1 if unicodedata.combining(sign) else 0
            longest = max(longest, run)
        assert longest <= 2
