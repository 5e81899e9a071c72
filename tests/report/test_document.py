"""What every page has: its letters."""

import pytest

from branchline.pages.document import alphabets_of, document, font, letters_of

NEEDED = [
    ("en", "London", ["latin"]),
    ("en", "Gdańsk", ["latin", "latin-ext"]),
    ("en", "Київ", ["latin", "cyrillic"]),
    ("en", "Žilina, Одеса", ["latin", "latin-ext", "cyrillic"]),
    ("pl", "Poznan", ["latin", "latin-ext"]),
    ("uk", "Łódź", ["latin", "latin-ext", "cyrillic"]),
]


@pytest.mark.parametrize(("language", "text", "alphabets"), NEEDED)
def test_a_page_brings_the_alphabets_of_its_language_and_of_its_names(language, text, alphabets):
    assert set(alphabets_of(language, text)) == set(alphabets)


def test_a_letter_in_two_alphabets_needs_one():
    assert ord("ı") in letters_of("latin") & letters_of("latin-ext")
    assert alphabets_of("en", "ı") == ["latin"]


def test_an_english_page_about_gdansk_has_its_letters():
    if not font("latin-ext", 400):
        pytest.skip("the page is not built")
    assert "U+0100-02BA" in document("Report", "Report", "<p>Gdańsk</p>")
    assert "U+0100-02BA" in document("Report", "Report", "", data='<script type="application/json">["Gdańsk"]</script>')
    assert "U+0100-02BA" not in document("Report", "Report", "<p>London</p>")
