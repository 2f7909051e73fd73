"""Patterns: a k-anonymous table made of the rules' own conditions (Inuiguchi et al. 2019).

``pattern_table`` chooses a k-common pattern for every row in four variants; rules come from ``anonnb.rules``. Notebook
16.
"""
