"""What a report includes besides what all pages do: its styles, and scripts that draw charts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import vl_convert

from branchline.pages.document import style_sheet
from branchline.report.drawing import heat

HERE = Path(__file__).parent


def style() -> str:
    light, dark = (f":root {{ {heat.variables(line)} }}" for line in (heat.LIGHT, heat.DARK))
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{ {dark} }}\n{style_sheet(HERE)}"


@cache
def scripts() -> tuple[str, str]:
    """Vega with everything it needs, and the page's own scripts."""
    vega: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its types do not know its defaults
    safe = vega.replace("\r\n", "\n").replace("</script", "<\\/script").replace("<!--", "<\\!--")
    return safe, (HERE / "page.js").read_text(encoding="utf-8")
