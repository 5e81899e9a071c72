"""Browser contexts that are used again: a context that has loaded the page before opens it in half the time.

Each is one visitor's at a time and is emptied before the next one comes. A page of the server stays open in it: new pages share its process.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

PER_PAGE = {"viewport": None, "color_scheme": "light", "reduced_motion": "reduce"}  # what a page can have of its own


class Contexts:
    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: dict[str, list[BrowserContext]] = defaultdict(list)
        self.kinds: dict[BrowserContext, str] = {}

    def page_of(self, url: str, settings: dict[str, Any]) -> Page:
        """A new page in a context of these settings, in which nothing is kept from an earlier visit."""
        own = {name: settings.get(name, usual) for name, usual in PER_PAGE.items()}
        shared = {name: value for name, value in settings.items() if name not in PER_PAGE}
        kind = repr((url, sorted(shared.items())))
        context = self.free[kind].pop() if self.free[kind] else self.opened(url, shared)
        self.kinds[context] = kind
        page = context.new_page()
        self.forget(context, page, url)
        page.set_viewport_size(own["viewport"])
        page.emulate_media(color_scheme=own["color_scheme"], reduced_motion=own["reduced_motion"])
        return page

    def opened(self, url: str, settings: dict[str, Any]) -> BrowserContext:
        context = self.browser.new_context(**settings)
        context.new_page().goto(f"{url}/icon.svg")
        return context

    def forget(self, context: BrowserContext, page: Page, url: str) -> None:
        talk = context.new_cdp_session(page)
        talk.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
        talk.detach()

    def give_back(self, context: BrowserContext) -> None:
        kind = self.kinds.pop(context, None)
        if kind is None:
            context.close()
            return
        context.set_offline(False)
        for page in context.pages[1:]:
            page.close()
        self.free[kind].append(context)
