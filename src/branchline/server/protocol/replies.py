"""What the server sends, as models: for the OpenAPI document and the client's types. The tests hold every message against them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from branchline.play.reasons import REASON_KEYS
from branchline.rules.vocabulary.phases import PHASES
from branchline.server.protocol.event_replies import Event, Reply
from branchline.server.protocol.game_replies import Counts
from branchline.server.protocol.messages import Level
from branchline.server.protocol.refusals import REFUSALS


class Refusal(Reply):
    code: Literal[tuple(REFUSALS)] = Field(description="Stable; programs can rely on it.")  # type: ignore[valid-type]
    message: str
    question: int | None = Field(None, description="With `stale`: the question that you are asked now.")


class Health(Reply):
    status: Literal["ok", "preparing", "failing"]
    version: str


class Person(Reply):
    """Who sits on a seat."""

    player: str = Field(description="human, bot:LEVEL, bot:ID of one of the server's further bots, or bot:guest/NAME of a bot that came by itself")
    name: str | None = None
    bot: bool | None = Field(None, description="A program has taken this seat, as people do.")
    reserved: bool | None = Field(None, description="The seat is kept for this person.")
    away: bool | None = None
    stand_in: bool | None = Field(None, description="A bot plays for this person.")
    gives_up: bool | None = None
    replacers: list[int] | None = Field(None, description="Seats that want a bot to play for this person.")
    silent_at: float | None = Field(None, description="When the others may ask for a bot, in seconds since 1970.")


class TableSettings(Reply):
    open: bool
    spectators: bool
    turn_seconds: int | None = None
    grace_seconds: int
    stand_in: Level
    pace: float
    chance: bool | None = Field(None, description="Are the players' own numbers mixed into the shuffle? Absent at older tables: no.")
    board: str | None = Field(None, description="The fingerprint of a board from outside.")


class Options(Reply):
    first_seat: int | None = None
    complete_tickets_for_me: bool | None = None
    may_draw_one: bool | None = None
    choose_tickets_by_hand: bool | None = Field(None, description="Of tables opened under version 1 of the rules.")
    look_into_own_pile: bool | None = None


class Deck(Reply):
    cards: int
    discards: int


class Tunnel(Reply):
    route: str
    laid: Counts
    revealed: Counts
    owed: int


class Payment(Reply):
    route: str | None = None
    city: str | None = None
    paid: Counts
    owed: int


class WholePayment(Reply):
    """A way to pay: the decisions to send, one after the other (forced ones are left out), and the cards that it takes."""

    decisions: list[str]
    cards: Counts


class BestChoice(Reply):
    tickets: list[str]
    bonus_cities: list[str] = Field(description="Whose bonuses the seat would have, as they would then stand.")
    points: int = Field(description="What the seat would have in all.")
    decisions: list[str] = Field(description="To send, one after the other; forced ones are left out.")


class Bearing(Reply):
    """How far one of your tickets is, looked at by itself."""

    state: Literal["done", "open", "cut"] = Field(description="`cut`: under the rules no way is left.")
    spaces: int = Field(description="Still to be claimed on its cheapest way.")
    turns: int = Field(description="That this is likely to take.")
    own: list[str] | None = Field(None, description="Routes of the way that are yours.")
    free: list[str] | None = Field(None, description="Those that you still have to claim.")
    lent: list[str] | None = Field(None, description="Those of other seats that your stations lend you.")
    lent_by: list[int] | None = Field(None, description="The seats whose routes those are.")
    stations: list[str] | None = Field(None, description="Cities where you would have to build a station for that.")
    needs_station: bool | None = Field(None, description="Only a new station can save the ticket.")
    closed: list[str] | None = Field(None, description="Routes that would make the way shorter, or possible, if they were not closed to you.")
    closed_by: list[int] | None = Field(None, description="The seats whose routes close them.")
    why: Literal["rivals", "pieces", "turns"] | None = Field(
        None, description="Of a ticket that is cut off: what there is too little of, or who closed it."
    )
    turns_left: int | None = Field(None, description="Of yours, once the last turns are announced.")


class Gathering(Reply):
    """Which of the cards that complete one of your tickets you have, by colour, looked at by itself; wilds stand for what they replace."""

    pile: list[str] | None = Field(None, description="If you may look into it.")
    yard: list[str] | None = None
    hand: list[str] | None = None
    missing: list[str] | None = None


class SeatFacts(Reply):
    """What the viewer knows of a seat."""

    cards: int
    tickets: int
    hand: Counts | None = Field(None, description="Only your own.")
    held: list[str] | None = Field(None, description="Only your own: the tickets you keep.")
    done: list[str] | None = Field(None, description="Only your own: of these, those that would count as completed now.")
    compass: dict[str, Bearing] | None = Field(None, description="Only your own, during the game: how far each of your tickets is, by ticket.")
    gathering: dict[str, Gathering] | None = Field(
        None, description="Only your own, with track piles: the cards that you have for each of your tickets."
    )
    offered: int | None = None
    points: int | None = None
    pieces: Counts | None = None
    routes: list[str] | None = None
    box: Counts | None = None
    unbuilt: int | None = None
    buildings: list[str] | None = None
    yard: dict[str, Counts] | None = None
    pile: int | None = None
    own_pile: Counts | None = None
    completed: list[str] | None = None


class Position(Reply):
    """The game as the viewer may know it."""

    phase: Literal[tuple(phase.name for phase in PHASES.values())]  # type: ignore[valid-type]
    turn: int
    choosing: list[int] = Field(description="The seats whose decision the game waits for.")
    decks: dict[str, Deck]
    row: list[str | None]
    tickets_left: int
    seats: dict[str, SeatFacts]
    last_turns: int | None = None
    second_pass: bool | None = None
    tunnel: Tunnel | None = None
    question: int | None = Field(None, description="Only if you are asked: which question this is. Your decision names it.")
    legal: list[str] | None = Field(None, description="Only if you are asked: every decision you may make.")
    can_undo: bool | None = None
    offer: list[str] | None = None
    offer_at: int | None = None
    keep_at_least: int | None = Field(None, description="Of the tickets offered to you.")
    kept: list[int] | None = None
    payment: Payment | None = None
    payments: list[WholePayment] | None = Field(
        None, description="Ways to complete the payment, the best first: all, or the dozen best that were found in time."
    )
    placed: Counts | None = None
    chosen: list[str] | None = None
    best_choice: BestChoice | None = Field(None, description="The tickets to complete for the most points, besides those already chosen.")


class OpenPosition(Position):
    """In a replay: what one seat saw, or everything."""

    offers: dict[str, list[str]] | None = Field(None, description="With nothing hidden: the tickets offered, by seat.")


class Chance(Reply):
    """The players' own chance in the shuffle, by seat."""

    commitments: dict[str, str] = Field(description="The SHA-256 of the number that each seat has promised.")
    revealed: list[int] = Field(description="Seats whose number the server has. Once the game has begun, the others are left out.")
    until: float | None = Field(None, description="The numbers are asked for: the game begins then at the latest, in seconds since 1970.")
    secret: str | None = Field(None, description="Once the game is over: the server's, whose SHA-256 is the table's `commitment`.")
    numbers: dict[str, str] | None = Field(None, description="Once the game is over.")


class TableState(Reply):
    table: str
    game: str
    rules_version: int
    options: Options
    settings: TableSettings
    status: Literal["waiting", "playing", "finished", "abandoned"]
    seats: dict[str, Person]
    commitment: str = Field(description="The SHA-256 of the 32 hexadecimal digits of the server's secret: the seed, if `chance` is absent.")
    chance: Chance | None = Field(None, description="If somebody has promised a number.")
    you: int | None = Field(None, description="Your seat; absent for a spectator.")
    host: int | None = Field(None, description="The host's seat, if the host has one.")
    rematch: str | None = None
    muted: list[int] | None = None
    deadline: float | None = Field(None, description="When the time for this turn runs out, in seconds since 1970.")
    seed: str | None = Field(None, description="Once the game is over.")
    position: Position | None = None
    result: dict[str, Any] | None = Field(None, description="Once the game is over, as in the game record.")


class Snapshot(Reply):
    cursor: int = Field(description="The position in your stream of events that this belongs to.")
    state: TableState
    recent: list[Event] = Field(description="The latest events, 100 at most.")


class Events(Reply):
    after: int
    cursor: int
    events: list[Event]
    state: TableState = Field(description="As it is at `cursor`.")


class Done(Reply):
    table: str
    seat: int | None = Field(None, description="Your seat.")
    cursor: int = Field(description="The current position of your stream.")


class Rematched(Done):
    rematch: str = Field(description="The new table.")


class Outcome(Reply):
    """How a game ended."""

    winners: list[int]
    points: list[int] = Field(description="By seat.")


class Listed(Reply):
    """A table in a list."""

    table: str
    game: str
    status: Literal["waiting", "playing", "finished", "abandoned"]
    seats: list[Person]
    settings: TableSettings
    created_at: float
    changed_at: float
    you: int | None = None
    your_turn: bool
    outcome: Outcome | None = Field(None, description="Once the game is over.")


class Tables(Reply):
    tables: list[Listed]


# asking about a game


class Why(Reply):
    """Is a decision legal, and if not, why? Clients put it into words."""

    legal: bool
    reason: Literal[REASON_KEYS] | None = None  # type: ignore[valid-type]
    values: dict[str, Any] | None = Field(None, description="What the reason is about, by name.")


class Completable(Reply):
    """Tickets that could be completed in addition to those named."""

    tickets: list[str]


class WantedRoute(Reply):
    route: str
    urgency: float


class LongestPath(Reply):
    """How long the own path is, and the longest of a rival."""

    own: int
    rival: int


class Plan(Reply):
    """What the adviser plans: routes, tickets and what cards are worth. Empty if there is nothing to plan, or with track piles."""

    routes: list[WantedRoute] | None = Field(None, description="The most urgent first.")
    by_station: list[str] | None = Field(None, description="Routes of other seats that a station would borrow.")
    tickets: list[str] | None = Field(None, description="The tickets that the routes complete.")
    given_up: list[str] | None = None
    extra: str | None = Field(None, description="A route wanted for its own points.")
    cards: dict[str, float] | None = Field(None, description="What a card of each kind is worth, in points.")
    rare: list[str] | None = Field(None, description="Cards that can hardly be drawn, as far as the seat knows.")
    longest_path: LongestPath | None = None


class Hint(Reply):
    decision: str = Field(description="One of `position.legal`.")
    plan: Plan


class Played(Reply):
    """A game as `Game` takes it."""

    name: str
    players: int
    rules_version: int
    options: Options


class Looked(Reply):
    """What a bot on your seat sees: the rules' own record of the view, field by field, and what has happened."""

    game: Played
    seat: int
    question: int | None = Field(None, description="Only if you are asked: which question this is.")
    record: dict[str, Any] = Field(
        description="Fields as in `rules/state.py`; sets of bits are hexadecimal. It contains nothing that your seat may not know."
    )
    events: list[dict[str, Any]] = Field(description="Of the game, after the first `after`, as your seat may know them.")
    event_count: int
