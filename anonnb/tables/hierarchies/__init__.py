"""Hierarchies: how the values of a column are generalized, level by level.

``hierarchy`` has the class itself; ``parsing`` reads hierarchies as people write them, on the command line, in a
project or in Python; ``automatic`` makes them for columns that have none. ``levels`` checks rows of labels and turns
them into arrays, ``nodes`` numbers the labels as the nodes of a tree, ``lattice`` has all combinations of the levels of
several columns, ``node_order`` an order of them that no row changes. The labels that each kind of hierarchy gives to a
value are in ``anonnb.tables.labels``.
"""
