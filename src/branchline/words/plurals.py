"""Numbers of things in English sentences, which are in no catalogue: errors, the terminal, the pages of arena and ladder, pictures."""

ONE = {"buses": "bus"}  # what does not only lose an s


def called(number: int, things: str) -> str:
    """What that many of the things are called: `seed` or `seeds`."""
    return ONE.get(things, things.removesuffix("s")) if number == 1 else things


def counted(number: int, things: str) -> str:
    """`1 seed`, `2,000 seeds`."""
    return f"{f'{number:,}'.replace('-', '−')} {called(number, things)}"
