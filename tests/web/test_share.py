"""The picture of a finished game: the board as it stands, its names and the result; no elements of the page, which Safari would not let us read."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.conftest import SOAK
from tests.server.running import ServerProcess
from tests.web.browsing import Visitor, play_out_unseen
from tests.web.test_whole_games import skip_to_the_result

# What a picture holds: its size, and how many of its points have each colour, in steps of 16.
HOLDS = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (one) => one.charCodeAt(0))
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const drawing = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
  drawing.drawImage(picture, 0, 0)
  const { data } = drawing.getImageData(0, 0, picture.width, picture.height)
  const colours = {}
  for (let at = 0; at < data.length; at += 4) {
    const name = [0, 1, 2].map((part) => Math.round(data[at + part] / 16)).join()
    colours[name] = (colours[name] ?? 0) + 1
  }
  return { width: picture.width, height: picture.height, colours }
}"""
NOTED = """window.made = []
const make = document.createElementNS.bind(document)
document.createElementNS = (space, name, ...more) => (window.made.push(name), make(space, name, ...more))"""


def shared(visitor: Visitor, folder: Path) -> dict[str, Any]:
    with visitor.page.expect_download() as waiting:
        visitor.page.locator("[data-do=share]").click()
    waiting.value.save_as(folder / "shared.png")
    return dict(visitor.page.evaluate(HOLDS, base64.b64encode((folder / "shared.png").read_bytes()).decode()))


def step(colour: str) -> str:
    return ",".join(str(round(int(colour[at : at + 2], 16) / 16)) for at in (1, 3, 5))


@pytest.mark.parametrize(("board", "theme"), [("london", "light"), ("world", "dark")] if SOAK else [("london", "dark")])
@pytest.mark.soak("a whole game is played and drawn")
def test_the_picture_shows_the_board_and_the_result(
    browser: Browser, server: ServerProcess, visitors: list[Visitor], tmp_path: Path, board: str, theme: str
) -> None:
    visitors.append(visitor := Visitor(browser, server.url, color_scheme=theme))
    visitor.without_guides()
    visitor.page.add_init_script(NOTED)
    table = visitor.new_table(board, "person", "easy")
    play_out_unseen(table, visitor)
    page = visitor.open(f"/t/{table}")
    skip_to_the_result(page)
    page.wait_for_selector(".ground img.shown")
    holds = shared(visitor, tmp_path)
    box = page.locator("main.board").bounding_box()
    assert box is not None
    assert (holds["width"], holds["height"]) == (2 * box["width"], 2 * (box["height"] + 64))
    fills = page.evaluate("[0, 1].map((seat) => document.querySelector(`defs [id$=-wagon-${seat}] path`).getAttribute('fill'))")
    assert all(holds["colours"].get(step(fill), 0) > 200 for fill in fills), "the pieces of both seats"
    assert len(holds["colours"]) > 300, "a map has many colours"
    assert "foreignObject" not in page.evaluate("made")


@pytest.mark.soak("the picture above has a result, too")
def test_a_game_without_a_board_shows_the_result_alone(browser: Browser, server: ServerProcess, visitors: list[Visitor], tmp_path: Path) -> None:
    visitors.append(visitor := Visitor(browser, server.url))
    visitor.without_guides()
    table = visitor.new_table("card-game", "person", "easy", "easy", options={"complete_tickets_for_me": True})
    play_out_unseen(table, visitor)
    skip_to_the_result(visitor.open(f"/t/{table}"))
    holds = shared(visitor, tmp_path)
    assert holds["width"] == 1800
    assert len(holds["colours"]) > 10
