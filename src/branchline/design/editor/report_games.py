"""The games of a report in the editor, in a process of their own: `python -m branchline.design.editor.report_games SERVER FOLDER GAMES PLAYERS…`.

What is known so far goes to standard output about once a second, as one line of JSON. The process gives way to the server that started it, whose
number is the first argument, and ends with it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

from branchline.batch.ending import end_with
from branchline.errors import BranchlineError


def play(folder: str, games: int, players: tuple[int, ...]) -> None:
    from branchline.boards import load_board  # these take a second to import, with low priority already
    from branchline.design.editor.report_lines import lines
    from branchline.design.warming import warm_reports
    from branchline.design.watching import Question

    warm_reports()
    for line in lines(Question(load_board(folder), players, games=games)):
        tell(line)


def tell(line: dict[str, Any]) -> None:
    print(json.dumps(line, ensure_ascii=False), flush=True)


def main() -> None:
    server, folder, games, *players = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's
    if hasattr(os, "nice"):
        os.nice(10)
    end_with(int(server))
    try:
        play(folder, int(games), tuple(map(int, players)))
    except BranchlineError as error:
        tell({"failed": f"{error}"})


if __name__ == "__main__":
    main()
