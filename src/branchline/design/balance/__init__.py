"""`branchline board balance`: looks for numbers of a board that reach a goal, within what its designer allows."""
