"""Dask is imported when a table on a cluster is asked for, and its absence is said in one sentence."""

import subprocess
import sys

import pytest


def output_of(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_tables_and_methods_do_not_import_dask():
    program = (
        "import sys; from anonnb import Table, methods, privacy, utility; methods.all(); print('dask' in sys.modules)"
    )
    assert output_of(program) == "False\n"


def test_without_dask_it_says_what_to_install():
    program = """
import sys
sys.modules["distributed"] = None
from anonnb import Table
try:
    Table.from_parquet("people.parquet")
except ImportError as error:
    print(error)
"""
    remedy = 'pip install "anonnb[cluster]"'
    assert output_of(program) == f"anonnb.cluster needs distributed, which is not installed: {remedy}\n"
