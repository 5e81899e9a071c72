"""Replays: a game to look through, move by move; in the page, in a file of its own, in a notebook."""
