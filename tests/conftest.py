"""For all tests: a defect behind the command line shows its traceback instead of one sentence."""

import os

os.environ["ANONNB_TRACEBACK"] = "1"
