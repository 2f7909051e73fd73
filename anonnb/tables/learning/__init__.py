"""Learning with scikit-learn: what the estimators of this package share.

``estimator`` turns X and y, frames or arrays, into a table with kinds, and checks them as scikit-learn requires; the
classifiers of ``rules`` and ``roughsets`` inherit from it.
"""
