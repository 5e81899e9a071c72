"""A game from its start, decision by decision, as one seat saw it or with nothing hidden: what the page replays."""

from __future__ import annotations

from branchline.play.counting import explained_count
from branchline.play.events import redact
from branchline.play.games import State
from branchline.play.patches import Json, difference
from branchline.play.records import Record
from branchline.play.shown import half_decided, in_progress, shown_position


class Reel:
    """A game being played again, and how much of it has been shown."""

    def __init__(self, record: Record, viewer: int | None) -> None:
        self.record, self.viewer = record, viewer
        self.tells_counts = viewer is None or "winners" in record.result  # before the end, a count would tell what others hold
        self.told = 0
        self.shown: Json = {}

    def replay(self) -> Json:
        states = self.record.states()
        state = next(states)
        self.shown = start = self.position(state)
        opening = self.news(state)
        steps = []
        for decision in self.record.decisions or ():
            seat = int(state.record.seat)
            next(states)
            steps.append(self.step(state, seat, decision))
        self.record.check(state)
        return self.about(state) | {"start": start, "opening": opening, "steps": steps}

    def about(self, state: State) -> Json:
        record = self.record if self.tells_counts else self.record.redacted(self.viewer)
        about: Json = {"game": record.game, "rules_version": record.rules_version, "options": record.options, "result": record.result}
        about |= {"seats": [{"name": seat["name"], "player": seat["player"]} for seat in record.seats], "viewer": self.viewer}
        return about | ({"count": explained_count(state)} if state.is_over else {})

    def step(self, state: State, seat: int, decision: int) -> Json:
        """What followed from a decision. A seat sees only what happened, not other seats' decisions."""
        position = self.position(state)
        step: Json = {"seat": seat, "events": self.news(state), "patch": difference(self.shown, position)}
        if self.viewer in (None, seat):
            step["decision"] = state.game.text(decision)
        if state.game.board.routes and self.tells_counts:
            step["scores"] = [int(total) for total in state.counted().total[: len(state.seats)]]
        self.shown = position
        return step

    def news(self, state: State) -> list[Json]:
        events = state.events_since(self.told)
        self.told = state.event_count
        return events if self.viewer is None else [redact(event, self.viewer) for event in events]

    def position(self, state: State) -> Json:
        if self.viewer is None:
            return open_position(state)
        view = state.view(self.viewer)
        asked = self.viewer in view.choosers
        return shown_position(view, [self.viewer], not state.is_over) | (half_decided(view, self.viewer) if asked else {})


def open_position(state: State) -> Json:
    """Every seat as it sees itself."""
    offers = {str(seat): state.offer(seat) for seat in state.seats if state.record.offer_size[seat]}
    shown = shown_position(state, state.seats, not state.is_over) | in_progress(state)
    return shown | ({"offers": offers} if offers else {})
