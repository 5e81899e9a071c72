"""A replay inside a notebook: the same page as in a file, in a frame of its own."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from branchline.play.records import Record
from branchline.play.replays.page import replay_page


@dataclass(frozen=True)
class ReplayWidget:
    """Shows itself in a notebook, without a server. The notebook keeps it, about a megabyte, as long as it keeps the output."""

    record: Record
    seat: int | None = None
    height: int = 640
    language: str | None = None

    def _repr_html_(self) -> str:
        """The frame may run its own scripts and save the record, and knows nothing of the notebook."""
        page = escape(replay_page(self.record, self.seat, self.language))
        style = f"width: 100%; height: {int(self.height)}px; border: 0; border-radius: 8px"
        return f'<iframe title="Branchline" sandbox="allow-scripts allow-downloads" style="{style}" srcdoc="{page}"></iframe>'
