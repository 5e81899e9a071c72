"""A board's report as one page that opens offline, made from its figures alone."""

from branchline.design.page.versus import versus_page
from branchline.design.page.whole import page

__all__ = ["page", "versus_page"]
