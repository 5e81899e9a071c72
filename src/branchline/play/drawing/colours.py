"""The colours of pictures: those of the page (`web/src/look/colours.ts`), which a test compares."""

CARDS = {
    "red": "#c2281f",
    "orange": "#ee8a1b",
    "yellow": "#f7d93c",
    "green": "#4aa868",
    "blue": "#2a61c8",
    "pink": "#e894df",
    "black": "#2d2a32",
    "white": "#fbfaf3",
    "gray": "#a9a79f",
    "wild": "#f6efdf",
}
SEATS = ("#0d8f9c", "#e2531b", "#5f38b0", "#b4cb24", "#c4175f")
DISTRICTS = ("#e9c6b5", "#cfd8b4", "#c3d3e6", "#e6d6a8", "#d9c3de")

STYLE = """
text { font-family: "DejaVu Sans", Verdana, Arial, sans-serif; fill: #2b2a27 }
.frame { fill: #6b5a43 } .sea { fill: #9fc7d1 } .land { fill: #f4e8cb; fill-rule: evenodd }
.shore { fill: none; stroke: #ffffff; stroke-linejoin: round } .lakes { fill: #9fc7d1 }
.borders { fill: none; stroke: #cdbd97; stroke-width: 1 } .graticule { fill: none; stroke: #7fa9b4; stroke-width: 0.5; opacity: 0.5 }
.parks { fill: #b9d7a0 } .river { fill: none; stroke: #9fc7d1; stroke-width: 12 }
.portal path, .portal text { fill: #f4e8cb } .place { fill: #fffdf2; stroke: #3a2f22; stroke-width: 1.6 }
.name { font-weight: 600; stroke: #fffdf2; stroke-width: 2.6; paint-order: stroke } .route { stroke: #4c463b; stroke-width: 0.8; fill-opacity: 0.8 }
.tunnel { stroke-dasharray: 3 1.6; stroke-width: 1.8 } .owned { stroke: #14110d; stroke-width: 1.4; fill-opacity: 1 }
.table { fill: #fbf6ea } .turn { fill: #f0e2bd } .card { stroke: #4c463b; stroke-width: 0.8 }
"""
