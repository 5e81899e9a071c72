"""What pages of results share, reports and arenas: the document, its look, the pieces it is made of, numbers and intervals."""
