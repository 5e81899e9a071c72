"""The ways in: HTTP, WebSockets, the page's files, and the limits that guard them."""
