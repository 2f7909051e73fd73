"""Where hierarchies come from when nobody programs them.

``written`` reads them as people write them, on the command line, in a project or in Python; ``automatic`` makes those
of columns that have none. ``anonnb.tables.hierarchy`` has the class itself, ``anonnb.tables.labels`` what each kind
says of a value.
"""
