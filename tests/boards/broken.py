"""Twenty boards, each broken in one place of the template, with what is said about it."""

# what is broken, the file, what is replaced, by what (None: the whole file is removed), where and why, and what to do
BROKEN = {
    "a colour that cards do not have": (
        "routes.csv",
        "3,yellow,,,",
        "3,purple,,,",
        "routes.csv, line 5: colour 'purple' is not one of red, blue, green, yellow, black, gray",
    ),
    "a city that is not there": (
        "routes.csv",
        "gdansk-riga,gdansk,riga",
        "gdansk-riga,gdansk,rega",
        "routes.csv, line 8: b 'rega' is not one of oslo, .*; did you mean 'riga'",
    ),
    "a length without points": (
        "routes.csv",
        "helsinki-tallinn,helsinki,tallinn,1",
        "helsinki-tallinn,helsinki,tallinn,7",
        "routes.csv, line 11: length '7' is not one of 1, 2, 3, 4",
    ),
    "a second track that is not marked": (
        "routes.csv",
        "3,green,yes,,",
        "3,green,,,",
        "routes.csv, line 4: berlin-gdansk has 2 tracks; two tracks are a double route, both marked so",
    ),
    "cities in the wrong order": (
        "routes.csv",
        "riga-tallinn,riga,tallinn",
        "riga-tallinn,tallinn,riga",
        "routes.csv, line 17: a route's id is its two cities in alphabetical order, here riga-tallinn",
    ),
    "a ferry longer than its route": (
        "routes.csv",
        "1,gray,,1,",
        "1,gray,,2,",
        "routes.csv, line 11: ferry is 2; it should be at most the length of the route, 1",
    ),
    "a comma too many": (
        "routes.csv",
        "berlin-vilnius,berlin,vilnius,4,black,,,",
        "berlin-vilnius,berlin,vilnius,4,black,,,,",
        "routes.csv, line 6: has 9 cells; the header has 8: add or remove commas",
    ),
    "a column that is missing": (
        "tickets.csv",
        "id,a,b,points",
        "id,a,b,worth",
        "tickets.csv, line 1: has no column points: the header must have id, a, b, points",
    ),
    "points in words": ("tickets.csv", "oslo,riga,8", "oslo,riga,eight", "tickets.csv, line 14: points is 'eight'; it should be a whole number"),
    "a ticket twice": (
        "tickets.csv",
        "berlin-riga,berlin,riga,6",
        "berlin-oslo,berlin,oslo,6",
        "tickets.csv, line 5: id 'berlin-oslo' is already in line 4: give one of them another name, or remove it",
    ),
    "a ticket that cannot be completed": (
        "routes.csv",
        "helsinki-tallinn,helsinki,tallinn,1,gray,,1,\nhelsinki-turku,helsinki,turku,2,blue,,,\n",
        "",
        "tickets.csv, line 3: berlin-helsinki cannot be completed: no routes join its cities. Add some, or remove the ticket",
    ),
    "a city without a name": ("cities.csv", "riga,Riga", "riga,", "cities.csv, line 8: name is empty: add it"),
    "an id with capitals": (
        "cities.csv",
        "riga,Riga",
        "Riga,Riga",
        "cities.csv, line 8: a city's id has small letters, digits and single hyphens, and 'Riga' is not like that",
    ),
    "a place off the globe": (
        "geography.csv",
        "56.95,24.11",
        "156.95,24.11",
        "geography.csv, line 9: lat is '156.95'; it should be less than or equal to 90",
    ),
    "a city without a place": (
        "geography.csv",
        "riga,56.95,24.11\n",
        "",
        "geography.csv, line 1: has no place for riga: a map needs the latitude and longitude of every city",
    ),
    "no wild at the end": (
        "cards.csv",
        "wild,train,,9\n",
        "",
        "cards.csv, line 7: the last card must be the wild: add a line such as wild,train,,14 at the end",
    ),
    "too few cards": (
        "board.toml",
        "hand = 4 ",
        "hand = 20",
        "board.toml, line 20: 85 cards for the hands and the row are needed for 4 players, and there are 54: add some, or ask for fewer",
    ),
    "a setting that is missing": ("board.toml", "keep = 1\n", "", "board.toml, line 30: tickets.keep is missing: add it"),
    "a setting that there is not": (
        "board.toml",
        "last_turns = 1\n",
        "last_turns = 1\nlast_rounds = 1\n",
        "board.toml, line 40: end.last_rounds is not a known setting: remove it, or correct its name",
    ),
    "no TOML": ("board.toml", "[pieces]", "[pieces", "board.toml, line 22: is not valid TOML"),
    "a name that is no name": (
        "board.toml",
        'game = "baltic"',
        'game = "Baltic Sea"',
        "board.toml, line 10: game is 'Baltic Sea'; it should match pattern",
    ),
    "names of a city that is not there": ("names.csv", "riga,Ryga", "rega,Ryga", "names.csv, line 9: city 'rega' is not one of"),
    "a way round for no route": (
        "layout.toml",
        "seed = 1 ",
        "via = { oslo-riga = [58, 18] }\nseed = 1 ",
        "layout.toml, line 1: via names 'oslo-riga', which the board does not have: correct or remove it",
    ),
    "words in no language": (
        "words/en.toml",
        "line =",
        "lines =",
        "words/en.toml, line 4: lines is not a known setting: remove it, or correct its name",
    ),
}
