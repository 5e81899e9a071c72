"""`branchline play`: a game in the terminal, with one or more people and bots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from branchline.bots import Bot, Fault, GuardedBot, Witness, dismiss
from branchline.errors import NotADecision
from branchline.play.completing import BestChoice, best_choice
from branchline.play.events import for_people, redact
from branchline.play.games import State, View
from branchline.play.reasons import why_not
from branchline.play.records import Record
from branchline.play.wording import Speaker
from branchline.rules.vocabulary import decisions, phases
from branchline.words import ENGLISH

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
FIRST_OFFERED = (
    *(decisions.KEEP, decisions.RETURN, decisions.SUPPLY, decisions.PAY, decisions.ABANDON, decisions.FILL, decisions.COMPLETE),
    *(decisions.DRAW, decisions.TAKE, decisions.DRAW_TICKETS, decisions.PLACE, decisions.DONE),
    *(decisions.CLAIM, decisions.BUILD, decisions.EXCHANGE, decisions.PASS),
)  # blocks in the order that people find useful; any others follow


def verb_order(blocks: Sequence[decisions.Block]) -> tuple[str, ...]:
    return tuple(blocks[number].verb for number in dict.fromkeys((*FIRST_OFFERED, *range(len(blocks)))))


BEST = "best"  # the answer that completes the tickets suggested
VERB_ORDER = verb_order(decisions.BLOCKS)


class Quit(Exception):
    """The person at the keyboard wants to stop."""


class TerminalGame:
    """Plays one game; `bots` has None where a person sits."""

    def __init__(self, console: Console, state: State, bots: list[Bot | None], names: list[str], file: Path, language: str = ENGLISH) -> None:
        self.speaker = Speaker(state.game.board, language, names)
        self.message = self.speaker.say
        self.console, self.state, self.bots, self.names, self.file = console, state, bots, names, file
        for bot in bots:
            if isinstance(bot, GuardedBot):
                bot.report = self.tell_fault
        self.witnesses = {seat: Witness(bot, seat) for seat, bot in enumerate(bots) if bot is not None}
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
        finally:
            for bot in self.bots:
                if bot is not None:
                    dismiss(bot)
        for seat in self.people[:1]:
            self.tell_news(seat)
        for line in self.speaker.result(self.state.result):
            self.say(line)
        self.save()
        self.say(self.message("terminal.record", file=self.file))

    def keep(self) -> None:
        self.save()
        self.say("\n" + self.message("terminal.kept", file=self.file))

    def save(self) -> None:
        players = [{"name": name, "player": f"bot:{bot.name}" if bot else "human"} for name, bot in zip(self.names, self.bots, strict=True)]
        unfinished = self.file.with_name(self.file.name + ".part")
        unfinished.write_text(Record.of(self.state, players).to_json() + "\n", encoding="utf-8")
        unfinished.replace(self.file)

    def say(self, text: str) -> None:
        self.console.print(text, highlight=False, markup=False)

    def tell_fault(self, fault: Fault) -> None:
        self.say("  " + self.message("terminal.fault", who=self.names[fault.seat], kind=fault.kind, detail=fault.detail))

    def next_decision(self) -> None:
        seat = int(self.state.record.seat)
        bot = self.bots[seat]
        if bot is not None:
            self.witnesses[seat].tell(self.state)
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
            self.console.input(self.message("terminal.hand_over", who=self.names[seat]) + " ")
            self.at_keyboard = seat

    def clear_screen(self) -> None:
        self.console.clear()
        if self.console.is_terminal:
            self.console.file.write("\x1b[3J")  # and what has scrolled away

    def tell_news(self, seat: int) -> None:
        for event in self.state.events[self.told[seat] :]:
            self.say("  " + self.speaker.event(for_people(redact(event, seat))))
        self.told[seat] = len(self.state.events)

    def ask(self, view: View) -> None:
        """Ask a person for a decision or a command."""
        self.show_table(view)
        choices = self.offer_choices(view)
        while True:
            answer = " ".join(self.console.input("[bold]> [/bold]").split())
            if not answer or self.command(answer, view):
                continue
            problem = self.act(answer, choices, view)
            if problem is None:
                return
            self.say(f"{problem} {self.message('terminal.ask_for_help')}")

    def act(self, answer: str, choices: list[str], view: View) -> str | None:
        """Carry out an answer that is not a command; answers why not."""
        if answer == "undo":
            return self.undo()
        if answer == BEST:
            return self.take_best(view)
        return self.decide(answer, choices, view)

    def undo(self) -> str | None:
        """Take the last decision back; answers why not."""
        if self.state.seat is None or not self.state.may_undo(self.state.seat):
            return self.message("refused.nothing_to_undo")
        self.state.undo()
        self.told = {person: min(told, len(self.state.events)) for person, told in self.told.items()}
        return None

    def take_best(self, view: View) -> str | None:
        """Complete the tickets that give most points; answers why not."""
        best = best_choice(view)
        if best is None:
            return self.unknown(BEST, view)
        for decision in best.decisions:
            self.state.apply(decision)
        return None

    def decide(self, answer: str, choices: list[str], view: View) -> str | None:
        """Carry out what was typed; answers why not."""
        begun = [text for text in view.legal_texts if text.startswith(answer)]
        if answer in map(str, range(1, len(choices) + 1)):
            answer = choices[int(answer) - 1]
        elif len(begun) > 1 and answer not in begun:
            return self.message("terminal.several", text=answer, choices=f"{', '.join(begun[:4])}{' …' if len(begun) > 4 else ''}")
        elif len(begun) == 1:
            answer = begun[0]
        try:
            number = view.game.number(answer)
        except NotADecision:
            return self.unknown(answer, view)
        if number not in view.legal:
            return self.speaker.reason(why_not(view, number))
        self.state.apply(number)
        return None

    def unknown(self, answer: str, view: View) -> str:
        near = self.speaker.words.listed([self.message("terminal.quoted", text=text) for text in view.game.decisions.near(answer)], "or")
        told = self.message("terminal.unknown", text=answer[:80])
        return f"{told} {self.message('terminal.did_you_mean', choices=near)}" if near else told

    def command(self, answer: str, view: View) -> bool:
        """Carry out a command that is not a decision; true if it was one."""
        if answer == "quit":
            raise Quit
        if answer in ("?", "help", "board", "log"):
            self.say(self.message("terminal.help") if answer in ("?", "help") else str(view) if answer == "board" else self.whole_log(view))
            return True
        members = [text for text in view.legal_texts if answer and text.split()[0] == answer and text != answer]
        if members:
            self.list_choices(view, members)
            return True
        if answer in VERB_ORDER and answer not in view.game.decisions.texts:
            self.say(self.message("terminal.none_now", verb=answer))
            return True
        return False

    def whole_log(self, view: View) -> str:
        return "\n".join(self.speaker.event(for_people(redact(event, view.viewer))) for event in self.state.events)

    def show_table(self, view: View) -> None:
        seat = int(view.record.seat)
        self.say("")
        for other in view.seats:
            marker, you = ("→", f" ({self.message('people.you')})") if other == seat else (" ", "")
            self.say(f"{marker} {self.names[other]}{you}: {', '.join(self.belongings(view, other))}")
            self.show_yard(view, other)
        self.show("terminal.face_up", cards="  ".join(self.coloured(card) if card else "–" for card in view.row))
        self.show("terminal.hand", cards=self.coloured_cards(view.hand(seat)))
        self.show_tickets(view, seat)

    def belongings(self, view: View, seat: int) -> list[str]:
        """What a seat has, in numbers."""
        board = view.game.board.record
        parts = [self.message("common.points", count=view.points(seat))] if board.routes else []
        if view.record.phase not in (phases.OPENING, phases.SUPPLY) or not board.supply:
            parts += [self.message("terminal.pieces", count=number, kind=self.kind_of(piece)) for piece, number in view.pieces(seat).items()]
        unbuilt = int(view.record.unbuilt[seat])
        parts += [self.message("terminal.buildings", count=unbuilt, kind=kind) for kind in ("station", "harbour") if board[f"{kind}s"]]
        parts.append(self.message("seat.cards", count=sum(view.hand(seat).values()) + view.hidden_cards(seat)))
        parts.append(self.message("seat.tickets", count=view.ticket_count(seat)))
        if board.yards:
            parts.append(self.message("yard.completed", count=len(view.completed(seat))))
            parts.append(self.message("terminal.track_pile", count=sum(view.track(seat).values())))
        return parts

    def kind_of(self, piece: str) -> str:
        """Pieces for rails or roads are what the board calls them."""
        return "ships" if piece == "ships" else self.speaker.pieces

    def show(self, key: str, /, indent: int = 0, **values: str) -> None:
        """A line with cards in their colours."""
        self.console.print(" " * indent + self.message(key, **values), highlight=False)

    def show_yard(self, view: View, seat: int) -> None:
        """The rows of a yard, and the viewer's own track pile if it may look (CG-7)."""
        rows = [" + ".join(f"{count}×{self.coloured(card)}" for card, count in row.items()) for row in view.yard(seat).values()]
        if rows:
            self.show("terminal.yard", indent=4, rows="  ".join(rows))
        if view.may_look_into_pile(seat) and view.track(seat):
            self.show("terminal.pile", indent=4, cards=self.coloured_cards(view.track(seat)))

    def show_tickets(self, view: View, seat: int) -> None:
        done = set() if view.game.board.record.yards else set(self.completed_now(seat))
        tickets = [self.ticket_facts(ticket) + (" ✓" if ticket in done else "") for ticket in view.tickets(seat)]
        if tickets:
            self.say(self.message("terminal.tickets", tickets=", ".join(tickets)))

    def ticket_facts(self, ticket: str) -> str:
        """`Berlin–Roma (9)`; of a tour what it is worth in order, connected and failed; of a ticket that cards complete, its cards."""
        facts = next(one for one in self.state.game.board.tickets if one.id == ticket)
        worth = f"{facts.points}/{facts.connected}/−{facts.failed}" if facts.is_tour else f"{facts.points}"
        needed = f": {self.speaker.cards(facts.cards)}" if facts.cards else ""
        return f"{self.speaker.ticket(ticket)} ({worth}{needed})"

    def completed_now(self, seat: int) -> list[str]:
        """The seat's own tickets that would count now; it knows all of this."""
        completed = self.state.result["scores"][seat]["completed"]
        return [one["ticket"] if isinstance(one, dict) else one for one in completed]

    def coloured(self, card: str) -> str:
        """The name of a card in its colour: the first word, as in `red-harbour-train`."""
        return f"[{STYLES.get(card.split('-', maxsplit=1)[0], 'none')}]{self.speaker.card(card)}[/]"

    def coloured_cards(self, counts: dict[str, int]) -> str:
        return "  ".join(f"{count}×{self.coloured(card)}" for card, count in counts.items())

    def offer_choices(self, view: View) -> list[str]:
        """Number and list the choices; large groups are only mentioned."""
        groups: dict[str, list[str]] = defaultdict(list)
        for text in view.legal_texts:
            groups[text.split()[0]].append(text)
        if view.record.phase in (phases.OPENING, phases.TICKETS_OFFERED):
            self.say(self.ticket_question(view))
        if view.record.phase == phases.PAYMENT:
            paid = view.counts(view.record.paid)
            self.say(self.message("terminal.paying", cards=self.speaker.counted(paid), count=len(paid), owed=int(view.record.owed)))
        if view.record.phase == phases.PLACING:
            self.say(self.message("terminal.placing", cards=self.speaker.counted(view.counts(view.record.paid))))
        if view.record.phase == phases.SUPPLY:
            self.say(self.message("terminal.supply", supply=int(view.game.board.record.supply)))
        if best := best_choice(view):
            self.say(self.completing_question(best))
        listed: list[str] = []
        for verb in VERB_ORDER:
            if len(groups[verb]) > LISTED:
                self.say("   " + self.message("terminal.many", verb=verb, count=len(groups[verb])))
            else:
                for text in groups[verb]:
                    listed.append(text)
                    self.console.print(f"{len(listed):3} {self.described(view, text)}", highlight=False)
        return listed

    def ticket_question(self, view: View) -> str:
        """Which tickets are offered, what has been kept, and how many must be."""
        seat, board = int(view.record.seat), view.game.board
        offered = [self.ticket_facts(ticket) for ticket in view.offer(seat) if ticket]
        kept = [name for i, name in enumerate(offered) if int(view.record.kept[seat]) >> i & 1]
        least = board.record.opening_keep if view.record.phase == phases.OPENING else board.record.keep
        told = self.message("terminal.offered", tickets=", ".join(offered), least=int(least), kept=", ".join(kept), kept_count=len(kept))
        return " ".join(told.split())

    def completing_question(self, best: BestChoice) -> str:
        """The best choice of tickets to complete, and how to take it."""
        tickets = ", ".join(map(self.ticket_facts, best.tickets))
        cities = self.speaker.words.listed([self.speaker.city(city) for city in best.bonus_cities])
        values = {"count": len(best.tickets), "bonuses": len(best.bonus_cities), "points": best.points}
        return self.message("terminal.completing", tickets=tickets, cities=cities, word=BEST, **values)

    def list_choices(self, view: View, texts: list[str]) -> None:
        for text in texts:
            self.console.print("    " + self.described(view, text), highlight=False)

    def described(self, view: View, text: str) -> str:
        """A choice with what it means, or with what people want to know about it."""
        verb, _, what = text.partition(" ")
        if verb == "claim":
            meaning = self.route_facts(what)
        elif verb == "take":
            meaning = self.coloured(view.row[int(what)] or "")
        elif verb in ("keep", "return", "complete"):
            meaning = self.ticket_facts(what)
        else:
            meaning = self.speaker.decision(text, view.row)
        return f"{text}  ({meaning})"

    def route_facts(self, route: str) -> str:
        board = self.state.game.board
        facts = next(one for one in board.routes if one.id == route)
        points = int(board.record.route_points[facts.length])
        length = self.message("route.facts", count=facts.length, colour=self.speaker.colour(facts.colour), points=points)
        return ", ".join([length, *self.speaker.kinds(route)])
