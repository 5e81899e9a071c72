"""Draw the icons of the installed page from web/public/icon.svg, with Chromium: `python scripts/icons.py`."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tests.web.browsing import running_browser  # noqa: E402  # the browser that the tests use

PUBLIC = ROOT / "web/public"
SAFE = 0.62  # of the width: systems may cut a maskable icon to a circle of 80 %


def main() -> None:
    drawing = (PUBLIC / "icon.svg").read_text()
    (PUBLIC / "icons").mkdir(exist_ok=True)
    with running_browser() as browser:
        for size in (192, 512):
            save(browser, drawing, size, str(size))
        save(browser, filled(drawing, 0.8), 180, "180")  # corners are cut by the system
        save(browser, filled(drawing, SAFE), 512, "maskable-512")


def filled(drawing: str, share: float) -> str:
    """The same drawing, smaller, on a ground that reaches the edges."""
    inside = drawing[drawing.index("<path") : drawing.rindex("</svg>")]
    parts = f'<rect width="32" height="32" fill="#1f3a4a"/><g transform="translate(16 16) scale({share}) translate(-16 -16)">{inside}</g>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{parts}</svg>'


def save(browser: Browser, drawing: str, size: int, name: str) -> None:
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block; width: {size}px }}</style>{drawing}")
    page.screenshot(path=PUBLIC / f"icons/{name}.png", omit_background=True)
    page.close()


if __name__ == "__main__":
    main()
