"""Bots as processes: programs in any language that speak lines of JSON over stdin and stdout (docs/protocol.md)."""
