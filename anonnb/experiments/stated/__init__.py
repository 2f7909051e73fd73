"""What four papers state about their experiments, a module each, as lines of the ledger.

Each module has a function ``lines`` that reads the committed results of the experiment. Curves that a paper only draws
are not read off: what its text says about them is counted.
"""
