"""Exercises of the notebooks 30 to 39, on attacks."""
