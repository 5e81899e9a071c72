"""The board's camera and lettering, asked in Node: what panels leave free, names at every zoom, places for call-outs."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from branchline.boards import load_board
from branchline.boards.folders import board_folder
from tests.conftest import SOAK
from tests.words.page import in_node

# reads what is asked, and writes what the page would show for every layout, screen and language
SHOWN = """
import { text } from 'node:stream/consumers'
import { createServer } from 'vite'
Object.assign(globalThis, { window: { setTimeout: () => 0 }, matchMedia: () => ({ matches: false, addEventListener() {} }) })
Object.assign(globalThis, { requestAnimationFrame: (frame) => (frame(1e9), 0), cancelAnimationFrame() {} })
const { layouts, screens, languages, zooms, shapes, subjects, offered, tickets, phones, asked, choices } = JSON.parse(await text(process.stdin))
const vite = await createServer({ server: { middlewareMode: true, watch: null, ws: false, hmr: false }, appType: 'custom', logLevel: 'error' })
const { Camera } = await vite.ssrLoadModule('/src/board/camera.svelte.ts')
const { contentOf } = await vite.ssrLoadModule('/src/board/framing.ts')
const { namesOf, sizeOfNames, write } = await vite.ssrLoadModule('/src/board/lettering.ts')
const { frameOf } = await vite.ssrLoadModule('/src/frame/frame.ts')
const { placeFor } = await vite.ssrLoadModule('/src/board/callout.ts')

function opened(layout, language, { width, height, insets }) {
  const camera = new Camera(contentOf(layout, language), () => undefined)
  camera.cover(insets)
  camera.resize(width, height)
  return camera
}

function namesAt(camera, layout, language, mine) {
  const size = sizeOfNames(layout.font_size, camera.now.scale, camera.least, camera.size)
  const written = write(namesOf(layout, language, new Set(mine), [], (city) => city), layout.font_size, size, camera.now)
  return { size, all: written.length, boxes: written.filter((name) => name.isShown).map(({ city, box }) => ({ city, ...box })) }
}

// the cities of tickets that lie close to each other
function nearest(layout, middle) {
  const away = ({ x, y }) => Math.hypot(x - middle.x, y - middle.y)
  return Object.keys(layout.cities).sort((one, other) => away(layout.cities[one]) - away(layout.cities[other])).slice(0, 9)
}

const insetsOf = (layout, size) => frameOf({ ...size, rem: 17 }, layout.view_box[2] / layout.view_box[3], { places: 7, hasHand: true }).insets

// where the cities of every ticket are in the first view, with and without the sheet that offers tickets
function firstViews(layout, language, board) {
  return phones.flatMap((size) => {
    const insets = insetsOf(layout, size)
    const sheet = { ...insets, bottom: asked * size.height }
    const camera = opened(layout, language, { ...size, insets })
    return tickets[board].flatMap((cities) => [sheet, null].map((covered) => {
      camera.attend(cities.map((city) => layout.cities[city]), covered)
      const { left, top, right, bottom } = covered ?? insets
      const free = { x: left, y: top, width: size.width - left - right, height: size.height - top - bottom }
      return { size, cities, free, scale: camera.now.scale, places: cities.map((city) => camera.toWindow(layout.cities[city])) }
    }))
  })
}

const found = []
for (const [board, layout] of Object.entries(layouts)) {
  for (const language of languages) {
    for (const screen of screens.map((size) => ({ ...size, insets: insetsOf(layout, size) }))) {
      const camera = opened(layout, language, screen)
      const { content, free } = camera
      const isFirst = screen.width === screens[0].width && language === languages[0]
      const at = { first: isFirst ? firstViews(layout, language, board) : [], rest: { ...camera.now }, free, content }
      at.corners = [content, { x: content.x + content.width, y: content.y + content.height }].map((corner) => camera.toWindow(corner))
      const names = namesAt(camera, layout, language, [])
      const isLaptop = screen.width >= 1280 && language === languages[0]
      at.places = (isLaptop ? subjects[board] : []).map((route) => {
        const { spaces } = layout.routes[route]
        const subject = camera.toWindow(spaces[spaces.length >> 1])
        return placeFor({ view: camera.now, layout, names: names.boxes, free, avoid: [], subject, shapes })
      })
      at.offered = (isLaptop ? offered[board] : []).map((dear) => {
        const subject = camera.toWindow(layout.cities[dear[0]])
        const sizes = screen.insets.left < free.width / 10 ? choices : shapes // in columns, tickets are chosen in the left one
        const { shape, x, y } = placeFor({ view: camera.now, layout, names: names.boxes, free, avoid: [], subject, shapes: sizes, dear })
        return { dear, box: { x, y, ...sizes[shape] } }
      })
      at.unnamed = (screen.width === 820 ? Object.values(layout.cities) : []).flatMap((middle) => {
        const mine = nearest(layout, middle)
        const shown = new Set(namesAt(camera, layout, language, mine).boxes.map(({ city }) => city))
        return mine.filter((city) => !shown.has(city))
      })
      at.dots = Object.fromEntries(Object.entries(layout.cities).map(([city, dot]) => [city, camera.toWindow(dot)]))
      at.written = names.boxes
      camera.cover({ left: 0, top: 0, right: 0, bottom: screen.height / 3 })
      at.covered = { ...camera.now }
      camera.cover(screen.insets)
      at.names = zooms.map((zoom) => {
        camera.zoom((at.rest.scale * zoom) / camera.now.scale)
        return namesAt(camera, layout, language, Object.keys(layout.cities).slice(0, 6))
      })
      camera.pan(1e5, 1e5)
      at.panned = camera.toWindow({ x: content.x, y: content.y })
      found.push({ board, language, screen, ...at })
    }
  }
}
console.log(JSON.stringify(found))
await vite.close()
"""
BOARDS = ("europe", "london", "usa", "world", "new-york", "great-lakes") if SOAK else ("europe", "world", "new-york")
PHONES = [{"width": 360, "height": 740}, {"width": 390, "height": 844}]
EDGE = 8  # pixels
ASKED = 0.55  # of a phone's height, from below, is covered while the first tickets are on offer
SIZES = ((1280, 720), (1920, 1080), (820, 1180), (360, 740), (844, 390))
SCREENS = [{"width": width, "height": height} for width, height in SIZES]
ZOOMS = [1, 1.15, 1.35, 1.7, 2.2, 3, 4.2, 6] if SOAK else [1, 1.35, 2.2, 4.2]
LANGUAGES = ["en", "pl", "uk"] if SOAK else ["en", "uk"]  # the longest names are Ukrainian
SHAPES = [{"width": 306, "height": 150}, {"width": 181, "height": 230}]  # of a payment
CHOICES = [{"width": 323, "height": 260}, {"width": 196, "height": 378}]  # of five tickets
SMALLEST = 11  # pixels
# hidden spaces, where dots and names count more; what would hide many stands in a column where there is one
MOST_HIDDEN = {"world": 16, "great-lakes": 26}
FEW = 7  # on other boards


@cache
def layout_of(board: str) -> dict[str, Any]:
    return dict(json.loads((board_folder(board) / "layout.json").read_text(encoding="utf-8")))


def eights(cities: list[str]) -> list[list[str]]:
    return [cities[at : at + 8] for at in range(0, len(cities) - 8, 5)]


@cache
def shown() -> list[dict[str, Any]]:
    given = {
        "layouts": {board: layout_of(board) for board in BOARDS},
        "languages": LANGUAGES,
        "screens": SCREENS,
        "zooms": ZOOMS,
        "shapes": SHAPES,
        "choices": CHOICES,
        "subjects": {board: [route.id for route in load_board(board).routes][::9] for board in BOARDS},
        "tickets": {board: [[ticket.a, *ticket.via, ticket.b] for ticket in load_board(board).tickets] for board in BOARDS},
        "phones": PHONES,
        "asked": ASKED,
        "offered": {board: eights(list(layout_of(board)["cities"])) for board in BOARDS},
    }
    views: list[dict[str, Any]] = json.loads(in_node(SHOWN, json.dumps(given)))
    return views


def views_of(board: str) -> list[dict[str, Any]]:
    return [view for view in shown() if view["board"] == board]


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    apart = (
        one["x"] + one["width"] <= other["x"],
        other["x"] + other["width"] <= one["x"],
        one["y"] + one["height"] <= other["y"],
        other["y"] + other["height"] <= one["y"],
    )
    return not any(apart)


@pytest.mark.parametrize("board", BOARDS)
def test_the_board_lies_in_what_panels_leave_free(board: str) -> None:
    for view in views_of(board):
        (left, top), (right, bottom) = ((corner["x"], corner["y"]) for corner in view["corners"])
        free = view["free"]
        assert free["x"] - 1 <= left < right <= free["x"] + free["width"] + 1
        assert free["y"] - 1 <= top < bottom <= free["y"] + free["height"] + 1
        assert right - left > 0.98 * free["width"] or bottom - top > 0.98 * free["height"]


@pytest.mark.parametrize("board", BOARDS)
def test_a_phones_first_view_shows_all_places_of_a_ticket(board: str) -> None:
    """Beside the sheet on which it is offered, too, and as large as that allows."""
    views = [view for shown in views_of(board) for view in shown["first"]]
    assert len(views) == 2 * len(PHONES) * len(load_board(board).tickets)
    for view in views:
        free = view["free"]
        for place in view["places"]:
            assert free["x"] + EDGE <= place["x"] <= free["x"] + free["width"] - EDGE, view
            assert free["y"] + EDGE <= place["y"] <= free["y"] + free["height"] - EDGE, view
    assert len({view["scale"] for view in views}) > 3


@pytest.mark.parametrize("board", BOARDS)
def test_a_panel_that_opens_does_not_move_the_board(board: str) -> None:
    assert all(view["covered"] == view["rest"] for view in views_of(board))


@pytest.mark.parametrize("board", BOARDS)
def test_no_panning_takes_the_board_out_of_reach(board: str) -> None:
    for view in views_of(board):
        free = view["free"]
        assert view["panned"]["x"] < free["x"] + 0.5 * free["width"]
        assert view["panned"]["y"] < free["y"] + 0.5 * free["height"]


@pytest.mark.parametrize("board", BOARDS)
def test_names_never_collide_and_stay_readable_at_every_zoom(board: str) -> None:
    for view in views_of(board):
        for names in view["names"]:
            boxes = names["boxes"]
            met = [(one["city"], other["city"]) for at, one in enumerate(boxes) for other in boxes[at + 1 :] if overlap(one, other)]
            assert met == [], (view["language"], view["screen"])
            assert names["size"] >= SMALLEST
            assert len(boxes) >= 0.5 * names["all"]
        assert len(view["names"][-1]["boxes"]) == view["names"][-1]["all"]  # close up, nobody has stepped back


@pytest.mark.parametrize("board", BOARDS)
def test_the_cities_of_my_tickets_are_named_on_a_tablet(board: str) -> None:
    """Where names are a little larger than the layout planned, too: they may stand on another side of their dot."""
    assert [(view["language"], view["unnamed"]) for view in views_of(board) if view["unnamed"]] == []


@pytest.mark.parametrize("board", ["europe", "london", "usa"])
def test_a_laptop_shows_all_names_at_rest(board: str) -> None:
    for view in views_of(board):
        if view["screen"]["width"] >= 1280:
            assert len(view["names"][0]["boxes"]) == view["names"][0]["all"]
            assert view["names"][0]["size"] >= 12


@pytest.mark.parametrize("board", BOARDS)
def test_a_call_out_finds_a_place_beside_its_subject(board: str) -> None:
    """On a laptop it hides next to nothing, and never leaves the free area; on phones call-outs are sheets."""
    seen = [(place, view["free"]) for view in views_of(board) for place in view["places"]]
    assert len(seen) > 8
    for place, free in seen:
        width, height = SHAPES[place["shape"]].values()
        assert free["x"] <= place["x"] <= free["x"] + free["width"] - width
        assert free["y"] <= place["y"] <= free["y"] + free["height"] - height
        assert place["hides"] <= MOST_HIDDEN.get(board, FEW)


@pytest.mark.parametrize("board", BOARDS)
def test_the_choice_of_tickets_hides_none_of_their_cities(board: str) -> None:
    for view in views_of(board):
        for offered in view["offered"]:
            dots = [{**view["dots"][city], "width": 0, "height": 0} for city in offered["dear"]]
            names = [name for name in view["written"] if name["city"] in offered["dear"]]
            assert not any(overlap(offered["box"], one) for one in [*dots, *names]), offered["dear"]
