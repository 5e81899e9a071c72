"""The styles of reports, besides those that all pages have."""

from __future__ import annotations

from pathlib import Path

from branchline.pages.document import style_sheet
from branchline.report.drawing import heat

HERE = Path(__file__).parent.parent


def style() -> str:
    light, dark = (f":root {{ {heat.variables(line)} }}" for line in (heat.LIGHT, heat.DARK))
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{ {dark} }}\n{style_sheet(HERE)}"
