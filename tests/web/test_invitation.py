"""An invitation can be scanned, and the people at a table see how many others look at it."""

from __future__ import annotations

import base64
import json
import subprocess

import pytest
from hatch_build import WEB, node
from playwright.sync_api import Browser, Locator

from tests.server.running import ServerProcess
from tests.web.browsing import PHONE, WIDE, Visitor

# Read by another library than the one that draws it, from the pixels that a camera would see.
PIXELS = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (one) => one.charCodeAt(0))
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const drawing = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
  drawing.drawImage(picture, 0, 0)
  const { width, height, data } = drawing.getImageData(0, 0, picture.width, picture.height)
  return { width, height, data: [...data] }
}"""
READ = """
import { text } from 'node:stream/consumers'
import decode from 'qr/decode.js'
const { width, height, data } = JSON.parse(await text(process.stdin))
console.log(decode({ width, height, data: Uint8Array.from(data) }))
"""


def read_code(code: Locator) -> str:
    pixels = code.page.evaluate(PIXELS, base64.b64encode(code.screenshot()).decode())
    done = subprocess.run(
        [node(), "--input-type=module", "--eval", READ], cwd=WEB, input=json.dumps(pixels), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.sample(1)
@pytest.mark.parametrize(("scheme", "viewport"), [("light", WIDE), ("dark", PHONE)])
def test_the_code_of_an_invitation_holds_its_link(
    browser: Browser, server: ServerProcess, visitors: list[Visitor], scheme: str, viewport: dict
) -> None:
    ann = Visitor(browser, server.url, viewport=viewport, color_scheme=scheme)
    visitors.append(ann)
    table = ann.new_table("london", "person", "person")
    ann.open(f"/t/{table}")
    code = ann.page.get_by_role("img", name=f"QR code of the link {server.url}/t/{table}")
    code.scroll_into_view_if_needed()
    assert read_code(code) == f"{server.url}/t/{table}"


@pytest.mark.soak("the server's tests hold how many are told")
def test_people_at_a_table_see_how_many_watch(browser: Browser, server: ServerProcess, visitors: list[Visitor]) -> None:
    ann, bob, eve = (Visitor(browser, server.url) for _ in range(3))
    visitors += [ann, bob, eve]
    for person in (ann, bob, eve):
        person.without_guides()
    table = ann.new_table("london", "person", "person")
    ann.open(f"/t/{table}")
    ann.page.get_by_text("Invite your friends").wait_for()
    assert ann.page.get_by_text("spectator").count() == 0
    bob.open(f"/t/{table}")
    ann.page.get_by_text("1 spectator", exact=True).wait_for()
    bob.page.locator("[data-do=join]").first.click()
    ann.page.wait_for_selector(".page")
    ann.page.wait_for_selector(".watched", state="detached")
    eve.open(f"/t/{table}")
    for person in (ann, bob, eve):
        assert person.page.wait_for_selector(".watched").get_attribute("title") == "1 spectator"
    eve.open("/")
    for person in (ann, bob):
        person.page.wait_for_selector(".watched", state="detached")
