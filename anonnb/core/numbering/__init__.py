"""Numbering by compiled loops, for tables that are large enough to be worth them.

``_hashing`` has the loops; ``core.arrays`` numbers keys with them, and ``texts`` the texts of a column, straight from
the memory in which Arrow keeps them.
"""
