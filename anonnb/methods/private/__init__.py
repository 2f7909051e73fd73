"""Differential privacy: synthetic rows drawn from noisy marginals (McKenna, Miklau and Sheldon 2021).

``private_marginals`` is the method. Rows are counted in the ``cells`` of declared
domains; ``measuring`` asks ``_accounting``, the only module that knows OpenDP, for noisy ``marginals`` and for the
edges of a tree, until the budget is spent. What comes back is public: ``fitting`` makes it agree and draws rows along
the tree. Notebook 26.
"""
