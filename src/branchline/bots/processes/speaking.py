"""A Python bot as a program: `python -m branchline.bots.processes.speaking my_bots:Collector` speaks the protocol for it.

The bot gets the same views, seeds and events as in Branchline's own process, so it decides the same.
"""

from __future__ import annotations

import inspect
import operator
import os
import sys
from collections.abc import Callable
from typing import IO, Any

from pydantic import ValidationError

from branchline.bots import base
from branchline.bots.guard import short
from branchline.bots.processes import messages as m
from branchline.bots.registry import make_bot
from branchline.errors import BranchlineError
from branchline.play.games import Game, View
from branchline.play.lending import view_from_fields

sent: dict[str, type[m.Message]] = {str(kind.model_fields["type"].default): kind for kind in m.SENT}


class Speaker:
    def __init__(self, spec: str, say: Callable[[m.Message], None]) -> None:
        self.spec, self.say = spec, say
        self.bot = make_bot(spec)
        self.game: Game | None = None
        self.does: dict[type[m.Message], Callable[[Any], None]] = {
            m.Hello: self.introduce,
            m.NewGame: self.begin,
            m.Happened: self.hear,
            m.Decide: self.decide,
            m.Explain: self.explain,
        }

    def take(self, line: bytes) -> bool:
        """Do what a message asks for; false if it asks to quit. Whatever fails is said, and costs a move at most."""
        message: Any = None
        try:
            message = parsed(line)
            if isinstance(message, m.Quit):
                return False
            if message is not None:
                self.does[type(message)](message)
        except (Exception, SystemExit) as error:
            self.say(m.Error(id=getattr(message, "id", None), message=base.in_short(error)[:2_000]))
        return True

    def introduce(self, hello: m.Hello) -> None:
        if hello.protocol != m.PROTOCOL:
            raise BranchlineError(f"this bot speaks version {m.PROTOCOL} of the protocol, not {hello.protocol}")
        watches = isinstance(self.bot, base.WatchingBot)
        wants: list[m.Wish] = ["record", "events"] if watches else ["record"]
        name, about = self.bot.name[: m.LONGEST_NAME], description_of(self.bot)
        self.say(m.BotHello(protocol=1, name=name, description=about, explains=base.can_explain(self.bot), wants=wants))

    def begin(self, asked: m.NewGame) -> None:
        self.game = Game(asked.game, asked.players, rules_version=asked.rules_version, **asked.options)
        _ = self.game.start(0).view(0).legal  # loads the compiled rules, which should not count as thinking
        base.dismiss(self.bot)
        self.bot = make_bot(self.spec, int(asked.seed, 16))
        base.begin_game(self.bot, self.game, asked.seat)
        self.say(m.Ready(id=asked.id))

    def hear(self, news: m.Happened) -> None:
        if isinstance(self.bot, base.WatchingBot):
            self.bot.happened(news.events)

    def decide(self, question: m.Decide) -> None:
        view = self.view_of(question)
        answer = self.bot.decide(view)
        self.say(m.Decision(id=question.id, decision=operator.index(answer) if is_number(answer) else short(answer)))

    def explain(self, question: m.Explain) -> None:
        assert isinstance(self.bot, base.ExplainingBot)
        self.say(m.Explanation(id=question.id, explanation=self.bot.explain(self.view_of(question))))

    def view_of(self, question: m.Question) -> View:
        if self.game is None:
            raise BranchlineError("there was no new_game")
        return view_from_fields(self.game, question.record)


def parsed(line: bytes) -> m.Message | None:
    """The message; None for one that a later version has added."""
    try:
        kind = m.Kind.model_validate_json(line).type
        return sent[kind].model_validate_json(line) if kind in sent else None
    except ValidationError as error:
        raise BranchlineError(f"not a message of this protocol: {error.errors()[0]['msg']}") from None


def is_number(answer: Any) -> bool:
    return hasattr(answer, "__index__") and not isinstance(answer, bool)


def description_of(bot: base.Bot) -> str:
    """What its class says about it, in the first line."""
    lines = (inspect.getdoc(type(bot)) or "").splitlines()
    return "".join(letter for letter in lines[0] if letter.isprintable())[: m.LONGEST_DESCRIPTION] if lines else ""


def own_output() -> IO[bytes]:
    """Stdout for messages alone: what the bot prints goes to stderr."""
    sys.stdout.flush()
    output = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return output


def speak(spec: str) -> None:
    output = own_output()

    def say(message: m.Message) -> None:
        left = memoryview(m.in_a_line(message))
        while left:
            left = left[output.write(left) or 0 :]

    speaker = Speaker(spec, say)
    for line in sys.stdin.buffer:
        if line.strip() and not speaker.take(line):
            return


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("give the name of one bot, such as my_bots:Collector")
    try:
        speak(sys.argv[1])
    except BranchlineError as error:
        sys.exit(str(error))
