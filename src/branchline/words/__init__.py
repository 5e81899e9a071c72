"""Every sentence a person reads, by language: messages by key, rulebooks and guides.

A language is a folder: `language.json` says what it is called, `messages/` has ICU messages by key, `terms/` the messages that some
games word differently, `rules/` the rulebooks, `guides.json` the guides of the first game. The browser's page is built from the same files.
"""

from branchline.words.catalogues import Words, sets_of_terms, spoken_in
from branchline.words.languages import ENGLISH, Language, languages, systems_language

__all__ = ["ENGLISH", "Language", "Words", "languages", "sets_of_terms", "spoken_in", "systems_language"]
