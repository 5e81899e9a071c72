"""The board editor, on the side of the server: a board's folder as one document, and its problems at their places."""
