"""Exercises of notebook 50, on a table of one's own."""
