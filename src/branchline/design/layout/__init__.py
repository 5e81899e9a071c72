"""Drawing a board: where its cities, spaces, names and coasts go. `branchline board draw` runs it, and needs the extra `layout`."""
