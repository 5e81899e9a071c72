"""`branchline play`: a game in the terminal, with one or more people and bots."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from rich.console import Console

from branchline.bots import Bot, Fault, GuardedBot
from branchline.errors import BranchlineError
from branchline.play.events import redact
from branchline.play.games import State, View
from branchline.play.records import Record
from branchline.play.wording import counted, in_words, result_lines, ticket_name

RECENT = 15  # events; set-up has fewer
LISTED = 12  # a group with more choices is listed only when asked for
STYLES = {
    "pink": "magenta",
    "blue": "blue",
    "orange": "dark_orange",
    "yellow": "yellow",
    "white": "white",
    "green": "green",
    "black": "grey50",
    "red": "red",
    "wild": "bold cyan",
    "gray": "dim",
}
VERB_ORDER = (
    *("keep", "return", "supply", "pay", "abandon", "fill", "complete", "draw", "take", "tickets"),
    *("place", "done", "claim", "build", "exchange", "pass"),
)
COMMENTS = {"tickets": "draw new ones", "supply": "trains", "fill": "the empty space from this deck", "done": "that is all"}
HELP = """Type the number of a choice, or its text (the start of it will do, if it is clear).
  undo    take back your last decision of this turn, if no card or ticket was turned up since
  board   all that you know of the game
  log     what has happened so far
  LIST    a word such as claim or build lists all choices of that kind
  quit    stop; the game is kept in a file and can be taken up again"""


class Quit(Exception):
    """The person at the keyboard wants to stop."""


class TerminalGame:
    """Plays one game; `bots` has None where a person sits."""

    def __init__(self, console: Console, state: State, bots: list[Bot | None], names: list[str], file: Path) -> None:
        self.console, self.state, self.bots, self.names, self.file = console, state, bots, names, file
        for bot in bots:
            if isinstance(bot, GuardedBot):
                bot.report = self.tell_fault
        self.people = [seat for seat, bot in enumerate(bots) if bot is None]
        recent = max(0, len(state.events) - RECENT)  # people who continue a game only need to hear the latest events
        self.told = dict.fromkeys(self.people, recent)  # how many events each person has been told about
        self.at_keyboard: int | None = self.people[0] if len(self.people) == 1 else None

    def play(self) -> None:
        self.save()  # if saving fails, say so before the game, not after
        try:
            while not self.state.is_over:
                self.next_decision()
        except (Quit, EOFError):
            self.keep()
            return
        except KeyboardInterrupt:
            self.keep()
            raise
        for seat in self.people[:1]:
            self.tell_news(seat)
        for line in result_lines(self.state.result, self.names):
            self.say(line)
        self.save()
        self.say(f"The record is in {self.file}")

    def keep(self) -> None:
        self.save()
        self.say(f"\nThe game is kept in {self.file}; go on with: branchline play --resume {self.file}")

    def save(self) -> None:
        players = [{"name": name, "player": f"bot:{bot.name}" if bot else "human"} for name, bot in zip(self.names, self.bots, strict=True)]
        unfinished = self.file.with_name(self.file.name + ".part")
        unfinished.write_text(Record.of(self.state, players).to_json() + "\n", encoding="utf-8")
        unfinished.replace(self.file)

    def say(self, text: str) -> None:
        self.console.print(text, highlight=False, markup=False)

    def tell_fault(self, fault: Fault) -> None:
        self.say(f"  {self.names[fault.seat]} failed ({fault.kind}: {fault.detail}); greedy decides for it this once.")

    def next_decision(self) -> None:
        seat = int(self.state.record.seat)
        bot = self.bots[seat]
        if bot is not None:
            self.state.apply(bot.decide(self.state.view(seat)))
            return
        self.hand_over(seat)
        self.tell_news(seat)
        self.ask(self.state.view(seat))
        self.save()

    def hand_over(self, seat: int) -> None:
        """With several people at one screen, nobody sees another's hand."""
        if self.at_keyboard != seat:
            self.clear_screen()
            self.console.input(f"{self.names[seat]}: press Enter when only you can see the screen ")
            self.at_keyboard = seat

    def clear_screen(self) -> None:
        self.console.clear()
        if self.console.is_terminal:
            self.console.file.write("\x1b[3J")  # and what has scrolled away

    def tell_news(self, seat: int) -> None:
        for event in self.state.events[self.told[seat] :]:
            self.say("  " + in_words(self.state.game.board, redact(event, seat), self.names))
        self.told[seat] = len(self.state.events)

    def ask(self, view: View) -> None:
        """Ask a person for a decision or a command."""
        self.show_table(view)
        choices = self.offer_choices(view)
        while True:
            answer = " ".join(self.console.input("[bold]> [/bold]").split())
            if not answer or self.command(answer, view):
                continue
            try:
                if answer == "undo":
                    self.state.undo()
                    self.told = {person: min(told, len(self.state.events)) for person, told in self.told.items()}
                else:
                    self.state.apply(self.chosen(answer, choices, view))
                return
            except BranchlineError as error:
                self.say(f"{error}{'' if str(error).endswith('?') else '.'} Type ? for help.")

    def command(self, answer: str, view: View) -> bool:
        """Carry out a command that is not a decision; true if it was one."""
        if answer == "quit":
            raise Quit
        if answer in ("?", "help", "board", "log"):
            self.say(HELP if answer in ("?", "help") else str(view) if answer == "board" else self.whole_log(view))
            return True
        members = [text for text in view.legal_texts if answer and text.split()[0] == answer and text != answer]
        if members:
            self.list_choices(view, members)
            return True
        if answer in VERB_ORDER and answer not in view.game.decisions.texts:
            self.say(f"There is nothing to {answer} now.")
            return True
        return False

    def whole_log(self, view: View) -> str:
        return "\n".join(in_words(self.state.game.board, redact(event, view.viewer), self.names) for event in self.state.events)

    def chosen(self, answer: str, choices: list[str], view: View) -> int | str:
        """A number from the list, a text, or the only text that begins like this."""
        if answer in map(str, range(1, len(choices) + 1)):
            return choices[int(answer) - 1]
        begun = [text for text in view.legal_texts if answer and text.startswith(answer)]
        if len(begun) > 1 and answer not in begun:
            raise BranchlineError(f"{answer!r} could be {', '.join(begun[:4])}{' …' if len(begun) > 4 else ''}")
        return begun[0] if len(begun) == 1 else answer

    def show_table(self, view: View) -> None:
        seat = int(view.record.seat)
        self.say("")
        for other in view.seats:
            marker, you = ("→", " (you)") if other == seat else (" ", "")
            self.say(f"{marker} {self.names[other]}{you}: {', '.join(self.belongings(view, other))}")
            self.show_yard(view, other)
        self.console.print("Face up: " + "  ".join(self.coloured(card or "–") for card in view.row), highlight=False)
        self.console.print("Your hand: " + "  ".join(f"{count}×{self.coloured(card)}" for card, count in view.hand(seat).items()), highlight=False)
        self.show_tickets(view, seat)

    def belongings(self, view: View, seat: int) -> list[str]:
        """What a seat has, in numbers."""
        board = view.game.board.record
        parts = [counted(view.points(seat), "point")] if board.routes else []
        if view.phase not in ("opening tickets", "supply") or not board.supply:
            parts += [counted(number, piece.removesuffix("s")) for piece, number in view.pieces(seat).items()]
        parts += [counted(int(view.record.unbuilt[seat]), name) for name in ("station", "harbour") if board[f"{name}s"]]
        parts.append(counted(sum(view.hand(seat).values()) + view.hidden_cards(seat), "card"))
        parts.append(counted(view.ticket_count(seat), "ticket"))
        if board.yards:
            parts += [f"{len(view.completed(seat))} completed", f"track pile {sum(view.track(seat).values())}"]
        return parts

    def show_yard(self, view: View, seat: int) -> None:
        """The rows of a yard, and the viewer's own track pile if the table allows looking (CG-7)."""
        rows = ["+".join(f"{count} {self.coloured(card)}" for card, count in row.items()) for row in view.yard(seat).values()]
        if rows:
            self.console.print("    yard: " + "  ".join(rows), highlight=False)
        if view.game.look_into_own_pile and seat == view.viewer and view.track(seat):
            pile = "  ".join(f"{count} {self.coloured(card)}" for card, count in view.track(seat).items())
            self.console.print("    your track pile: " + pile, highlight=False)

    def show_tickets(self, view: View, seat: int) -> None:
        done = set() if view.game.board.record.yards else set(self.completed_now(seat))
        tickets = [ticket_name(view.game.board, ticket) + (" ✓" if ticket in done else "") for ticket in view.tickets(seat)]
        if tickets:
            self.say("Your tickets: " + ", ".join(tickets))

    def completed_now(self, seat: int) -> list[str]:
        """The seat's own tickets that would count now; it knows all of this."""
        completed = self.state.result["scores"][seat]["completed"]
        return [one["ticket"] if isinstance(one, dict) else one for one in completed]

    def coloured(self, card: str) -> str:
        """The name of a card or colour, in its colour: the first word, as in `red-harbour-train`."""
        return f"[{STYLES.get(card.split('-', maxsplit=1)[0], 'none')}]{card}[/]"

    def offer_choices(self, view: View) -> list[str]:
        """Number and list the choices; large groups are only mentioned."""
        groups: dict[str, list[str]] = defaultdict(list)
        for text in view.legal_texts:
            groups[text.split()[0]].append(text)
        if view.phase in ("opening tickets", "tickets offered"):
            self.say(self.ticket_question(view))
        if view.phase == "payment":
            paid = ", ".join(f"{count} {card}" for card, count in view.counts(view.record.paid).items())
            self.say(f"Paying: {paid or 'nothing'} so far, {view.record.owed} to go (undo takes the last card back)")
        if view.phase == "placing":
            placed = ", ".join(f"{count} {card}" for card, count in view.counts(view.record.paid).items())
            self.say(f"Placing: {placed} so far (undo takes the last card back)")
        if view.phase == "supply":
            self.say(f"How many trains do you begin with? The rest of your {view.game.board.record.supply} pieces are ships")
        listed: list[str] = []
        for verb in VERB_ORDER:
            if len(groups[verb]) > LISTED:
                self.say(f"   {verb} … ({len(groups[verb])} choices; type {verb} to list them)")
            else:
                for text in groups[verb]:
                    listed.append(text)
                    self.console.print(f"{len(listed):3} {self.described(view, text)}", highlight=False)
        return listed

    def ticket_question(self, view: View) -> str:
        """Which tickets are offered, what has been kept, and how many must be."""
        seat, board = int(view.record.seat), view.game.board
        offered = [ticket_name(board, ticket) for ticket in view.offer(seat) if ticket]
        kept = [name for i, name in enumerate(offered) if int(view.record.kept[seat]) >> i & 1]
        least = board.record.opening_keep if view.phase == "opening tickets" else board.record.keep
        so_far = f"; kept so far: {', '.join(kept)}" if kept else ""
        return f"Offered: {', '.join(offered)}. Keep at least {least}{so_far}"

    def list_choices(self, view: View, texts: list[str]) -> None:
        for text in texts:
            self.console.print("    " + self.described(view, text), highlight=False)

    def described(self, view: View, text: str) -> str:
        """A choice with what people want to know about it."""
        verb, _, what = text.partition(" ")
        board = view.game.board
        if verb == "claim":
            number = view.game.number(text)
            facts = board.routes[number]
            kinds = [f"ferry {facts.ferry}"] * (facts.ferry > 0) + ["tunnel"] * facts.tunnel + ["sea"] * facts.sea + ["pairs"] * facts.pair
            points = board.record.route_points[facts.length]
            return f"{text}  ({', '.join([f'{facts.length} {self.coloured(facts.colour)}', *kinds, counted(int(points), 'point')])})"
        if verb == "take":
            return f"{text}  ({self.coloured(view.row[int(what)] or '')})"
        if verb in ("keep", "return", "complete"):
            return f"{verb} {ticket_name(board, what)}"
        if verb in COMMENTS:
            return f"{text}  ({COMMENTS[verb]})"
        return text
