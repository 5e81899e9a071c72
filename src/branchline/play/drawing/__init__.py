"""A position as a picture: an SVG of the board and what lies on the table."""

from branchline.play.drawing.picture import picture

__all__ = ["picture"]
