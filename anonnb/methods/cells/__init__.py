"""Cells: single cells are suppressed or generalized, and rows are grouped so that few need be.

``greedy_cover`` (Meyerson and Williams, PODS 2004), ``forest`` and ``factor`` (Aggarwal et al. 2005) approximate the
optimum, ``exact`` finds it on small tables, ``local_suppression`` hides cells of rare combinations. All make groups;
``cell_method`` prices them and publishes; the trees of ``forest`` grow in a compiled loop, ``_growing``.
Notebook 14.
"""
