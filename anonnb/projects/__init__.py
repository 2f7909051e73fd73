"""Projects: a table that somebody brings along, and what each of its columns may be.

``roles`` guesses roles and warns of identifiers; ``own_table`` is a file on its way to becoming a Table. The room of
the data steward: it is used by the command line, notebook 50 and the explorer.
"""
