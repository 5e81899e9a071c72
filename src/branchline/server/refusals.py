"""Refusals: whatever the server does not do, it says so by a stable code that programs can rely on, and a sentence for people."""

from __future__ import annotations

# code: (HTTP status, the sentence)
REFUSALS: dict[str, tuple[int, str]] = {
    "malformed": (422, "The message is not what is asked for here."),
    "no_key": (401, "This needs your key: send it as 'Authorization: Bearer KEY'."),
    "wrong_origin": (403, "Pages of other sites may not use this server."),
    "no_table": (404, "There is no such table. Check the link."),
    "not_found": (404, "There is nothing here."),
    "wrong_method": (405, "This address does not take that method."),
    "too_large": (413, "The message is too large."),
    "too_many": (429, "Too many requests. Wait a little and try again."),
    "too_many_tables": (429, "Too many tables are open. Finish or close one first."),
    "preparing": (503, "The rules are being compiled, once for this version. Try again in a few seconds."),
    "failed": (500, "Something went wrong on the server. Look at the table again; what you send again under the same id acts once."),
    "not_seated": (403, "You have no seat at this table."),
    "not_host": (403, "Only the table's host can do that."),
    "not_watched": (403, "This table is for its players only."),
    "full": (409, "No seat is free."),
    "started": (409, "The game has begun."),
    "not_started": (409, "The game has not begun."),
    "over": (409, "The game is over."),
    "other_rules": (409, "This game was begun under another version of the rules, which this server does not play."),
    "not_over": (409, "The game is not over."),
    "away": (409, "You have left, or a bot plays for you: return first."),
    "not_your_turn": (409, "It is not your decision."),
    "stale": (409, "That question has been answered or withdrawn. Look at the table again."),
    "not_a_decision": (422, "This game has no such decision."),
    "illegal": (409, "That is not allowed now."),
    "nothing_to_undo": (409, "Nothing can be taken back: others have seen it, or there was nothing."),
    "bad_name": (422, "A name has 1 to 24 visible characters."),
    "bad_text": (422, "A message has 1 to 300 visible characters."),
    "bad_game": (422, "A game cannot be played like this."),
    "no_such_seat": (422, "There is no such seat."),
    "bad_record": (422, "This record cannot be played again."),
}


class Refused(Exception):
    """Raised before anything has changed."""

    def __init__(self, code: str, message: str | None = None, **facts: int) -> None:
        self.code = code
        self.status, sentence = REFUSALS[code]
        self.message = message or sentence
        self.facts = facts  # such as the number to answer now
        super().__init__(self.message)

    @property
    def headers(self) -> dict[str, str]:
        """What HTTP has to say beside the body."""
        if self.status == 401:
            return {"www-authenticate": "Bearer"}
        return {"retry-after": "5"} if self.status in (429, 503) else {}

    def body(self) -> dict[str, str | int]:
        return {"code": self.code, "message": self.message, **self.facts}
