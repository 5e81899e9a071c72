"""A program in any language as a bot. Whatever goes wrong costs one move: the process is ended if it must be, and started again for the next."""

from __future__ import annotations

from typing import Any

from branchline.bots.aside import Late
from branchline.bots.base import PunctualBot
from branchline.bots.guard import IllegalAnswer
from branchline.bots.processes.commands import Command, command_of, program_name
from branchline.bots.processes.messages import Decide, Decision, Explain, Explanation, Happened, NewGame, Question, Ready
from branchline.bots.processes.seeing import facts_of, seen
from branchline.bots.processes.talking import BREAKING, Talk, waiting
from branchline.errors import NotADecision
from branchline.play.events import Event
from branchline.play.games import Game, View
from branchline.play.lending import view_fields

LIMIT = 10.0  # seconds per decision, unless somebody sets another
TO_PREPARE = 5.0  # seconds for `new_game`, or the limit if that is more


class ProgramBot(PunctualBot):
    def __init__(self, command: Command, name: str, seed: int = 0, niceness: int = 0) -> None:
        self.name, self.limit = name, LIMIT
        self._command, self._seed, self._niceness = command, seed, niceness
        self._table: tuple[Game, int] | None = None
        self._past: list[Event] = []
        self._told = 0
        self._talk: Talk | None = None

    @property
    def explains(self) -> bool:
        """As far as it has said."""
        return self._talk is not None and self._talk.hello.explains

    def new_game(self, game: Game, seat: int) -> None:
        self._table, self._past = (game, seat), []
        if self._talk is None:
            self._started()
        else:
            self._begin(self._talk)

    def happened(self, events: list[Event]) -> None:
        """Sent with the next question, so that a silent process is noticed then."""
        self._past += events

    def decide(self, view: View) -> int:
        talk = self._ready_for(view)
        answer: Decision = self._asked(talk, Decide(**self._question(talk, view)), Decision)
        try:
            return view.game.number(answer.decision)
        except NotADecision as error:
            raise IllegalAnswer(f"answered {str(answer.decision)[:80]!r}: {error}") from None

    def explain(self, view: View) -> dict[str, Any]:
        talk = self._ready_for(view)
        answer: Explanation = self._asked(talk, Explain(**self._question(talk, view)), Explanation)
        return answer.explanation

    def close(self) -> None:
        """The game is over: the process is free for another."""
        if self._talk is not None:
            waiting.give_back(self._talk, self._niceness)
            self._talk = None

    def _ready_for(self, view: View) -> Talk:
        assert view.viewer is not None
        if self._table != (view.game, view.viewer):
            self.new_game(view.game, view.viewer)
        talk = self._talk or self._started()
        if self._told < len(self._past) and "events" in talk.hello.wants:
            talk.tell(Happened(events=self._past[self._told :]))
        self._told = len(self._past)
        return talk

    def _started(self) -> Talk:
        self._talk = waiting.take(self._command, self._niceness)
        self._begin(self._talk)
        return self._talk

    def _begin(self, talk: Talk) -> None:
        """Tell it about the game. All that has happened is news to it."""
        assert self._table is not None
        game, seat = self._table
        self._told = 0
        about = NewGame(
            id=talk.next_id(),
            game=game.name,
            rules_version=game.board.rules_version,
            players=game.players,
            options=game.options,
            seat=seat,
            seed=f"{self._seed:x}",
            board=facts_of(game) if "view" in talk.hello.wants else {},
        )
        try:
            self._asked(talk, about, Ready, max(self.limit, TO_PREPARE))
        except Exception:
            self._drop()  # nobody knows which game it thinks it plays
            raise

    def _question(self, talk: Talk, view: View) -> dict[str, Any]:
        wants = talk.hello.wants
        shown = {"view": seen(view)} if "view" in wants else {}
        record = {"record": view_fields(view)} if "record" in wants else {}
        return {"id": talk.next_id(), "seconds": self.limit, "legal": view.legal_texts, **shown, **record}

    def _asked(self, talk: Talk, question: Question | NewGame, kind: Any, seconds: float | None = None) -> Any:
        """A process that is silent, floods or is gone is ended at once, and so is one that was interrupted: its answer would come too late."""
        limit = self.limit if seconds is None else seconds
        try:
            return talk.ask(question, limit, kind)
        except Late:
            self._drop()
            raise Late(f"no answer in {limit:g} s") from None
        except BREAKING:
            self._drop()
            raise
        except KeyboardInterrupt:
            self._drop()
            raise

    def _drop(self) -> None:
        if self._talk is not None:
            self._talk.end()
            self._talk = None

    def __del__(self) -> None:
        if getattr(self, "_talk", None) is not None:
            self.close()


def program_bot(spec: str, seed: int = 0) -> ProgramBot:
    return ProgramBot(command_of(spec), program_name(spec), seed)
