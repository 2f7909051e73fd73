"""Discretization: numbers become a few intervals, so that rules, reducts and methods can work with them.

``mdlp`` cuts one column at a time, ``maximal_discernibility`` all of them together (its loop is in ``_pairs``);
``cuts`` holds the cuts of a column with their labels and levels, and makes those of equal bins; ``recoding`` turns a
table into its discretized form or attaches the intervals as hierarchies, also inside a scikit-learn pipeline. Notebook
60 explains them.
"""
