"""Full-domain generalization: every column is shown on one level of its hierarchy; or, node by node, many are used.

Samarati (2001) halves the heights of the lattice, Incognito (LeFevre, DeWitt and Ramakrishnan, SIGMOD 2005) grows
subsets of columns, FullDomain searches for the node of least loss; LocalRecoding publishes at each node, from fine to
coarse, the classes that have k of the rows left, and LinkedHouseholds at one node who lives with whom.
``frequencies`` counts the classes of a node, ``losses`` bounds what a node loses, ``monotone`` says for which models a
passing node settles those above it; ``searching`` holds what is known of the nodes and publishes one, ``lattice_view``
tells its steps. Notebooks 10, 11, 11b and 29.
"""
