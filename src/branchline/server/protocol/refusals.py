"""Refusals: when the server does not do something, it answers with a stable code that programs can rely on, and a sentence for people."""

from __future__ import annotations

from branchline.words import spoken_in

# code: HTTP status; the sentences are in words/, as refused.CODE and refused.CODE.DETAIL
REFUSALS: dict[str, int] = {
    "malformed": 422,
    "no_key": 401,
    "wrong_origin": 403,
    "no_table": 404,
    "not_found": 404,
    "wrong_method": 405,
    "too_large": 413,
    "too_many": 429,
    "too_many_tables": 429,
    "busy": 503,
    "blocked": 403,
    "preparing": 503,
    "newer_version": 503,
    "failed": 500,
    "not_seated": 403,
    "not_host": 403,
    "not_a_bot": 403,
    "not_watched": 403,
    "full": 409,
    "started": 409,
    "not_started": 409,
    "over": 409,
    "other_rules": 409,
    "other_board": 409,
    "not_over": 409,
    "away": 409,
    "not_your_turn": 409,
    "stale": 409,
    "not_a_decision": 422,
    "illegal": 409,
    "nothing_to_undo": 409,
    "not_silent": 409,
    "not_drawing": 409,
    "no_commitment": 409,
    "wrong_number": 409,
    "bad_name": 422,
    "bad_text": 422,
    "bad_game": 422,
    "no_such_bot": 404,
    "no_such_seat": 422,
    "bad_record": 422,
    "not_editor": 403,
    "board_changed": 409,
    "not_playable": 409,
    "bad_board": 422,
}


class Refused(Exception):
    """Raised before anything has changed."""

    def __init__(self, code: str, message: str | None = None, **facts: int) -> None:
        self.code = code
        self.status = REFUSALS[code]
        self.message = message or spoken_in().say(f"refused.{code}")
        self.facts = facts  # such as the question to answer now
        super().__init__(self.message)

    @classmethod
    def because(cls, code: str, detail: str, **values: str | int) -> Refused:
        """With a sentence that tells more than the code does: `refused.CODE.DETAIL`."""
        return cls(code, spoken_in().say(f"refused.{code}.{detail}", **values))

    def __reduce__(self) -> tuple[type[Refused], tuple[str, str]]:
        """Workers in other processes refuse, too."""
        return Refused, (self.code, self.message)

    @property
    def headers(self) -> dict[str, str]:
        """The HTTP headers that go with the body."""
        if self.status == 401:
            return {"www-authenticate": "Bearer"}
        if self.code == "busy":
            return {"retry-after": "2"}
        return {"retry-after": "5"} if self.status in (429, 503) else {}

    def body(self) -> dict[str, str | int]:
        return {"code": self.code, "message": self.message, **self.facts}
