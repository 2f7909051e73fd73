"""Tree-preserving: each value moves as far as possible without changing the decision tree (the TPP paper).

``tree_preserving`` is the method, ``blocks`` finds the values that may move together, ``rebuilding`` grows the tree
again from what is published and compares, ``sklearn_trees`` does so with scikit-learn's builder. Notebook 21.
"""
