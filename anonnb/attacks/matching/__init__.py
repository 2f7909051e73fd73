"""Who could be whom: what all attacks on single people share.

``candidates`` finds the published rows that could be a person's, ``nearest`` those that come closest, and ``members``
says who is in a release at all.
"""
