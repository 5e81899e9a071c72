"""What the page of a board's report says besides its findings."""

KIND = "Board report"
SECTIONS = {
    "wrong": (
        "What is wrong with this board",
        "Worst first. A figure is named only if its whole 95 % interval lies beyond the limit; limits are at the end of the page.",
    ),
    "order": ("Who begins, who wins", "The share of wins by order of play; the dotted line is the fair share. Shared victories are split."),
    "length": (
        "How long games are, and how they end",
        "A turn is one seat’s. Minutes are turns at the seconds per turn that the report was asked for.",
    ),
    "lead": (
        "Leading and catching up",
        "How often whoever is alone in front on the score track after each tenth of the turns wins in the end. Tickets are not on that track.",
    ),
    "tickets": (
        "Tickets",
        "Offered: seats per game to whom it was offered. Kept: of these. Worth: points by which drawing it, rather than the average ticket, changes "
        "a seat’s lead over the others at its table. Fair value: what to print so that it is worth as much as the average one.",
    ),
    "routes": ("Routes", "Coloured by the share of games in which a route is claimed. Point at a route for more."),
    "styles": (
        "Strategies against each other",
        "Planners with different tastes play the same deals from every seat. The matrix says how often a row has more points than a "
        "column at one table.",
    ),
    "method": ("How to read this", ""),
}
NAVIGATION = {
    "wrong": "What is wrong",
    "order": "Who begins",
    "length": "Length and end",
    "lead": "Leading",
    "tickets": "Tickets",
    "routes": "Routes",
    "styles": "Strategies",
    "method": "How to read this",
}
MORE = "All {number} findings"
PLACES = ("first", "second", "third", "fourth", "fifth")
PLAYERS = "{number} players"
SAME_DEALS = "Both boards play the same deals, so what the same cards bring about cancels out."
WINS_OF_STYLES = "Wins of strategies"
TURNS, MINUTES, USUAL, WINNER, MARGIN, SHARED, CHANGES, ENDER, HALF = (
    "turns",
    "minutes",
    "four games in five",
    "winning total",
    "lead of the winner",
    "shared victories",
    "changes of the lead",
    "wins of whoever ends the game",
    "leader at half-time wins",
)
ENDS = {"pieces": "few pieces left", "deck": "the deck ran out", "passed": "everyone passed", "limit": "the most turns were played"}
AFTER = "{share} of the turns"
TICKET = (
    "ticket",
    "printed",
    "offered",
    "kept",
    "completed",
    "brought",
    "worth",
    "fair value",
    "blocked",
    "out of turns",
    "pieces spent",
    "hopeless",
)
ROUTE = ("route", "spaces", "claimed", "turn", "owners win", "worth", "beside its points", "cuts off")
STYLE = ("style", "wins", "spaces per route", "tickets kept", "tickets cut off")
EXPLAINED = {
    "offered": "To how many seats per game",
    "kept": "Of the times it was offered",
    "completed": "Of the times it was kept",
    "brought": "Points gained when completed, lost when not, on average",
    "worth": "Compared with not having it",
    "fair value": "Points to print, with its interval",
    "blocked": "Share of failures: a rival’s claim cut it off",
    "out of turns": "Share of failures: there was a way, and pieces for it, when the game ended",
    "pieces spent": "Share of failures: its holder had laid too many pieces elsewhere",
    "hopeless": "Share of failures: nobody has the pieces for it",
    "claimed": "Share of games",
    "turn": "In which turn of the game, on average",
    "beside its points": "Percentage points that its owners win more often than owners of other routes with as many points",
    "cuts off": "Tickets of rivals that become impossible when it is claimed, per 100 games",
    "tickets cut off": "Tickets of rivals that became impossible by a claim of this seat, per game",
}
METHOD = {
    "Intervals": (
        "All intervals hold 95 % of the time. Games are dealt into 32 blocks, each figure is computed again without each block in "
        "turn, and how far it "
        "moves tells how sure it is (the jackknife). Where all games agree, the interval is Wilson’s."
    ),
    "Who plays": (
        "Bots, not people: compiled planners that never tire and never talk. What they make of a board holds for play like theirs. "
        "Play it yourself, too: "
        "`branchline serve --boards FOLDER`."
    ),
    "What a ticket is worth": (
        "Within each game, the points of the seats are explained by the tickets that they were offered, kept or not: which one is on top is chance. "
        "Its worth is what drawing it adds to a seat’s lead over the others, everything else being equal: its points, and the routes, turns and "
        "pieces that it takes. Equal worth means that all are equally worth taking."
    ),
    "Why tickets fail": (
        "Going back from the end of the game: the claim after which the holder could no longer join the ticket’s cities with the "
        "pieces it had. If a rival "
        "made that claim, the ticket was blocked; if its holder did, the pieces were spent elsewhere. If there was a way to the end, "
        "the turns ran out. "
        "Stations count as if all were still to be built."
    ),
    "When something is wrong": (
        "Whoever begins wins over 1 percentage point more or less than is fair; drawing a ticket is worth over 2 points more or less "
        "than the average; it is "
        "completed less than half the time, or kept less than 15 % of the time; a route is claimed in under 2 % of games with every "
        "number of players; its owners "
        "win over 10 points more often than owners of routes with as many points; it cuts off over 5 tickets in 100 games; the leader "
        "at half-time wins more "
        "than half-way between the fair share and always, or less than the fair share; over 1 % of games end stuck; a strategy is "
        "over 5 points from its fair share."
    ),
}
