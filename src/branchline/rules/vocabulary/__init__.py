"""The words of a game, each declared once: events, phases and decisions.

Everything else follows from these files: the names in records and views, what each viewer may see, the text of decisions, the server's models,
the page's types and the tables in docs/record.md. To add one, declare it here; `docs/mechanisms.md` has the other steps.
"""
