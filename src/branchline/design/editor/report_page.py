"""The page of a report in the editor, in a process of its own: `python -m branchline.design.editor.report_page FOLDER LANGUAGE`.

It reads the figures from standard input, as JSON, and writes the page to standard output.
"""

from __future__ import annotations

import json
import os
import sys

from branchline.boards import load_board
from branchline.design.page import page


def main() -> None:
    folder, language = sys.argv[1:]
    if hasattr(os, "nice"):
        os.nice(10)
    made = page(load_board(folder), json.loads(sys.stdin.buffer.read()), language)
    sys.stdout.buffer.write(made.encode())


if __name__ == "__main__":
    main()
