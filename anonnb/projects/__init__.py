"""Projects: a user's own table, and what each of its columns may be.

``roles`` guesses roles and warns of identifiers; ``columns`` keeps what is said about columns; ``own_table`` turns a
file into a Table. The command line, notebook 50 and the explorer use it.
"""
