"""Clustering: groups of similar rows, each published as its box.

``oka`` (Lin and Wei 2008), ``kaca`` (Li et al. 2006) and ``gccg`` (Ni et al. 2017) each hold a method and the sentences
of its steps; ``clusters`` has what they share: distances, and the repair of groups that miss a model. ``_oka`` and
``_nearest`` hold their compiled loops, which search a ``_trie``. Notebook 18.
"""
