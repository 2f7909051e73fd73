"""Clustering: groups of similar rows, each published as its box.

``clustering`` has OKA (Lin and Wei 2008), KACA (Li et al. 2006) and GCCG (Ni et al. 2017); ``clusters`` measures
distances and repairs groups that miss a model, ``distortion`` is what KACA merges by. ``_oka`` and ``_nearest`` are
compiled: OKA's passes, and the loops of the other two on large tables; all three search a ``_trie``. ``notes`` records
the moves. Notebook 18.
"""
