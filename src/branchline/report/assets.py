"""Scripts that draw the charts of a report."""

from __future__ import annotations

from functools import cache

import vl_convert

from branchline.report.drawing.style import own_script


@cache
def scripts() -> tuple[str, str]:
    """Vega with everything it needs, and the page's own scripts."""
    vega: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its types do not know its defaults
    safe = vega.replace("\r\n", "\n").replace("</script", "<\\/script").replace("<!--", "<\\!--")
    return safe, own_script()
