"""Microaggregation: small groups of near rows, each published as its centre (Domingo-Ferrer and Mateo-Sanz 2002).

``microaggregation`` is the method. ``_mdav`` (MDAV and V-MDAV, over the compiled loops of ``_distances``) and
``_univariate`` (the optimum of one column) form the groups. Notebook 23.
"""
