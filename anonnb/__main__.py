"""``python -m anonnb`` does what ``anonnb`` does."""

from anonnb.cli import main

main(prog_name="anonnb")
