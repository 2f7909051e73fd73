"""Secrets that are published in a table of their own, per group of people and not per person.

``grouped`` holds which group has which values and how often; ``two_tables`` writes a release with such secrets as two
frames and reads two frames as a release. Releases carry them; Anatomy and m-invariance make them.
"""
