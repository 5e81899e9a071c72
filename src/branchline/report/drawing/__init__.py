"""How things are drawn: charts, the board, pieces of the page. Nothing is counted here."""
