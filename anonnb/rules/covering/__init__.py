"""Other rule inducers to compare with MLEM2: LEM2, AQ and CN2, which also cover a class rule by rule.

``lem2`` treats every value as a name, ``aq`` builds stars around seeds, ``cn2`` looks for good rather than certain
rules (``conjunctions`` is its search); ``columns`` holds the codes that both search and turns what they find into
conditions. ``classifiers`` makes scikit-learn classifiers of all three. Notebook 04 has MLEM2, notebook 60 compares.
"""
