"""`branchline connect`: a bot at the tables of any server, as people sit there."""
