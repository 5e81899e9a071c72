"""The sections of a report: each turns figures into a piece of the page."""
