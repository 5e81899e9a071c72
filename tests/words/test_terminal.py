"""`branchline play` in another language: what is shown, asked and answered."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from branchline import Game
from branchline.boards import load_board
from branchline.bots import make_bot
from branchline.play.wording import Speaker
from branchline.rules.vocabulary.decisions import BLOCKS, Block
from branchline.terminal.game import VERB_ORDER, TerminalGame, verb_order
from branchline.terminal.seating import new_table

ENGLISH_WORDS = re.compile(r"\b(?:the|you|your|hand|offered|keep at|so far|to go|deck|cards?|points?|wins|of your)\b", re.IGNORECASE)


class Typist(Console):
    """A console whose input comes from a function."""

    def __init__(self, answer: Callable[[], str]) -> None:
        super().__init__(record=True, width=200, file=io.StringIO())
        self.answer = answer

    def input(self, prompt: object = "", **_: object) -> str:  # type: ignore[override]
        self.print(prompt, end="")
        return self.answer()


def table(folder: Path, name: str, players: int, answer: Callable[[], str], language: str) -> TerminalGame:
    state, bots, names = new_table(Game(name, players), "greedy", False, "5", language)
    return TerminalGame(Typist(answer), state, bots, names, folder / "game.json", language)


def shown(game: TerminalGame) -> str:
    return game.console.export_text()


def test_choices_come_in_a_useful_order_and_none_is_forgotten() -> None:
    order = verb_order([*BLOCKS, Block("wave", None, lambda _: 1, "wave to the others")])
    assert order == (*VERB_ORDER, "wave")
    assert sorted(VERB_ORDER) == sorted(block.verb for block in BLOCKS)
    assert (VERB_ORDER[0], VERB_ORDER[-1]) == ("keep", "pass")


@pytest.mark.parametrize(("name", "players"), [("london", 2), ("card-game", 2)])
def test_a_whole_game_is_played_in_polish(tmp_path: Path, name: str, players: int) -> None:
    adviser = make_bot("greedy")
    games: list[TerminalGame] = []

    def advised() -> str:
        view = games[0].state.view(games[0].state.seat)
        return view.game.text(adviser.decide(view))

    games.append(table(tmp_path, name, players, advised, "pl"))
    games[0].play()
    assert games[0].state.is_over
    described = re.sub(r"(?m)^ *\d+ [a-z]+[^(]*", "", shown(games[0]))  # the texts to type are the same in every language
    assert [line for line in described.splitlines() if ENGLISH_WORDS.search(line)] == []
    assert "Gracz 1 (ty)" in described
    assert "Wygrywa" in described or "Wspólne zwycięstwo" in described


def test_what_cannot_be_done_is_explained_in_ukrainian(tmp_path: Path) -> None:
    answers = iter(["?", "nonsense", "claim baker-stret", "pass", "keep", "undo", "quit"])
    game = table(tmp_path, "london", 2, lambda: next(answers), "uk")
    game.play()
    told = shown(game)
    speaker = Speaker(load_board("london"), "uk")
    assert speaker.say("terminal.help").splitlines()[0] in told
    assert "«nonsense» не є рішенням у цій грі." in told
    assert speaker.say("why.finish.opening_tickets") in told
    assert speaker.say("refused.nothing_to_undo") in told
    assert "Гру збережено у файлі" in told
