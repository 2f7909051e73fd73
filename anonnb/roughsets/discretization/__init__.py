"""Discretization: numbers become a few intervals, so that rules, reducts and methods can work with them.

``equal_bins`` and ``mdlp`` cut one column at a time, ``maximal_discernibility`` all of them together (its loop is in
``_pairs``); ``cuts`` holds the cuts of a column with their labels and levels; ``recoding`` turns a table into its
discretized form or attaches the intervals as hierarchies; ``discretizer`` does so inside a scikit-learn pipeline.
Notebook 60 explains them.
"""
