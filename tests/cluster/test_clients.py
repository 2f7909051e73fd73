"""A cluster on this machine keeps its temporary files to itself, and those of a killed one go with the next."""

import subprocess
import sys
import tempfile

import pytest

from anonnb.cluster import local

pytestmark = pytest.mark.slow

PROGRAM = """
import sys
from anonnb.cluster import local
with local(workers=1, processes=False):
    print("ready", flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no locks that end with their process")
def test_what_a_killed_cluster_leaves_goes_with_the_next(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        (left,) = tmp_path.glob("cluster.*")
        with local(workers=1, processes=False):
            assert left.exists()  # it is still in use
        process.kill()
    assert left.exists()
    with local(workers=1, processes=False):
        assert not left.exists()
    assert list(tmp_path.iterdir()) == []
