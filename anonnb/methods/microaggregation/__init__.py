"""Microaggregation: small groups of near rows, each published as its centre (Domingo-Ferrer and Mateo-Sanz 2002).

``microaggregation`` is the method. ``_fixed_size`` (MDAV), ``_variable_size`` (V-MDAV) and ``_univariate`` (the optimum
of one column) form the groups; the first two ask ``_rows_left`` which rows are near, with loops that ``_distances``
compiles; ``notes`` records the steps of the third. Notebook 23.
"""
