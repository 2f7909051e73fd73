"""What hierarchies are made of, and hierarchies that are written as text or made automatically.

``levels`` checks rows of labels and turns them into arrays, ``nodes`` numbers the labels as the nodes of a tree,
``lattice`` has all combinations of the levels of several columns. ``written`` reads hierarchies as people write them,
on the command line, in a project or in Python; ``automatic`` makes them for columns that have none.
``anonnb.tables.hierarchy`` has the class itself, ``anonnb.tables.labels`` the labels that each kind gives to a value.
"""
