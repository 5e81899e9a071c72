"""The styles of reports and their own script, besides what all pages have."""

from __future__ import annotations

from pathlib import Path

from branchline.pages.document import style_sheet
from branchline.report.drawing import heat

HERE = Path(__file__).parent.parent
NO_CHARTS = '<script type="application/json" id="charts">{"config":{},"charts":{}}</script>\n'  # what the script reads on a page without charts


def own_script() -> str:
    """What sorts tables and tells of routes, and draws charts where there are any."""
    return (HERE / "page.js").read_text(encoding="utf-8")


def style() -> str:
    light, dark = (f":root {{ {heat.variables(line)} }}" for line in (heat.LIGHT, heat.DARK))
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{ {dark} }}\n{style_sheet(HERE)}"
