"""Clustering: groups of similar rows, each published as its box.

``clustering`` has OKA (Lin and Wei 2008), KACA (Li et al. 2006) and GCCG (Ni et al. 2017); ``clusters`` measures
distances and mends groups that miss a model, ``_oka`` is OKA's compiled pass, and ``notes`` tells the
moves. Notebook 18.
"""
