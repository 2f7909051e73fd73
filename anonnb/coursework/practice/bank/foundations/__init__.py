"""Exercises of the notebooks 00 to 09, the foundations."""
