"""Which submissions read alike: fingerprints of code without its names, starter code left out, pairs beside the usual.

``tokens`` reads code and texts, ``fingerprints`` picks what to compare, ``comparison`` finds and aligns pairs, ``page``
shows them. A report says what is alike and how alike pairs of the class usually are; why, people must find out.
"""
