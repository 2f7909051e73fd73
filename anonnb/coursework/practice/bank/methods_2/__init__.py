"""Exercises of the notebooks 20 to 29, on mining, means, noise and releases that follow each other."""
