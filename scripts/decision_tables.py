"""Print a board's decision table for its page in docs/.

python scripts/decision_tables.py europe
"""

import sys
from itertools import groupby

from branchline import Game


def decision_table(name: str) -> str:
    decisions = Game(name, 2).decisions
    rows = ["| numbers | decisions |", "| --- | --- |"]
    for _, block in groupby(range(len(decisions)), key=lambda number: decisions.blocks[number]):
        first, *rest = block
        last = rest[-1] if rest else first
        texts = f"`{decisions.texts[first]}`" + (f" … `{decisions.texts[last]}`" if rest else "")
        rows.append(f"| {f'{first}–{last}' if rest else first} | {texts} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(decision_table(sys.argv[1]))
