"""Patterns: a k-anonymous table made of the rules' own conditions (Inuiguchi et al. 2019).

``pattern_table`` makes a k-common pattern for every row in four variants, from the rules and rows that ``choosing``
finds, with the cells of ``composing``; rules come from ``anonnb.rules``. Notebook 16.
"""
