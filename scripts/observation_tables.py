"""Print the tables of observation fields in docs/batch.md: where each field is, for every game.

python scripts/observation_tables.py
"""

from branchline import available_boards, load_board
from branchline.play.observations.layout import FIELDS, layout_of, size_of, sizes_of

SIZES = ("seats", "routes", "cities", "tickets", "kinds", "colours", "decks", "spaces")


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows))


def size_table() -> str:
    """The sizes that determine the layout, and the total length."""
    rows = []
    for game in available_boards():
        sizes = sizes_of(load_board(game))
        rows.append((game, *(str(sizes[name]) for name in SIZES), str(size_of(game))))
    return table(("game", *SIZES, "numbers in all"), rows)


def observation_table() -> str:
    """Every field, and where it begins in each game."""
    layouts = {game: layout_of(game) for game in available_boards()}
    rows = []
    for name, shape, scale, _, meaning in FIELDS:
        places = (str(layout[name].offset) if name in layout else "" for layout in layouts.values())
        rows.append((f"`{name}`", " × ".join(shape.split()).replace("track_kinds", "colours + 1"), str(scale), *places, meaning))
    return table(("field", "shape", "1.0 is", *layouts, "what"), rows)


if __name__ == "__main__":
    print(size_table(), observation_table(), sep="\n\n")
