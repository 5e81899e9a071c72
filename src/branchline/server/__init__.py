"""The server: people and bots play live or at leisure, over HTTP and WebSockets. Only this package uses a database or a socket."""
