"""Exercises of the notebooks about rough sets beyond Pawlak, 60 to 64."""
