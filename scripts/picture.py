"""Draw docs/terminal.svg for the README: a few moments of a real terminal game.

python scripts/picture.py
"""

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from branchline import Game
from branchline.bots import make_bot
from branchline.terminal.game import Quit, TerminalGame
from branchline.terminal.seating import new_table

MOMENT = 44  # how many decisions into the game the picture is taken


class Painter(Console):
    """A console at which a bot types; it keeps only the last screen."""

    def __init__(self) -> None:
        super().__init__(record=True, width=104, file=io.StringIO(), force_terminal=True, color_system="truecolor")
        self.game: TerminalGame | None = None
        self.adviser = make_bot("greedy")

    def input(self, *_: object, **__: object) -> str:
        state = self.game.state
        if len(state.history) >= MOMENT and state.phase == "action":
            self.print("[bold]> [/bold]")
            raise Quit
        view = state.view(state.seat)
        text = view.game.text(self.adviser.decide(view))
        self._record_buffer.clear()
        self.print(f"[bold]> [/bold]{text}", highlight=False)
        return text


def main() -> None:
    console = Painter()
    state, bots, names = new_table(Game("europe", 3), None, False, "2a")
    console.game = TerminalGame(console, state, bots, names, Path("branchline-game.json"))
    console.game.save = lambda: None
    console.game.say = lambda text: None if "is kept in" in text else Console.print(console, text, highlight=False, markup=False)
    console.game.play()
    svg = console.export_svg(title="branchline play", theme=MONOKAI)
    svg = svg.replace("https://www.textualize.io", "the Rich library")
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)  # no external font
    (Path(__file__).parents[1] / "docs" / "terminal.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
