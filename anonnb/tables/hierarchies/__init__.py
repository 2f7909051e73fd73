"""Hierarchies that are written as text or made automatically.

``written`` reads them as people write them, on the command line, in a project or in Python; ``automatic`` makes them
for columns that have none. ``anonnb.tables.hierarchy`` has the class itself, ``anonnb.tables.labels`` the labels that
each kind gives to a value.
"""
