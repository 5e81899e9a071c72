"""The table: people and bots play live or at leisure, over HTTP and WebSockets. The only user of a database or a socket."""
