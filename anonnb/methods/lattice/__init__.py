"""Full-domain generalization: every column is shown on one level of its hierarchy.

Samarati (2001) halves the heights of the lattice, Incognito (LeFevre, DeWitt and Ramakrishnan, SIGMOD 2005) grows
subsets of columns, FullDomain searches the node of least loss. ``frequencies`` counts the groups of a node, ``losses``
bounds what a node loses, ``monotone`` tells which models make a passing node settle those above it; ``searching``
holds what is known of the nodes and publishes one, ``notes`` tells its steps. Notebooks 10 and 11.
"""
