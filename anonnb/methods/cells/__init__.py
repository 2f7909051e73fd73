"""Cells: single cells are suppressed or generalized, and rows are grouped so that few need be.

``forest`` and ``greedy_cover`` approximate the optimum (Aggarwal et al., ICDT 2005), ``factor`` is Park and Shim's
(SIGMOD 2007), ``exact`` finds it on small tables, ``local_suppression`` hides cells of rare combinations. All make
groups; ``cell_method`` prices them and publishes. Notebook 14.
"""
