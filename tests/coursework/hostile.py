"""Hostile submissions: small cells that try to get points, other people's work, or the marker itself.

``FORGED`` and ``REACHING`` name each with its answers and, if need be, a change to the whole notebook; the latter need
walls. None of them earns a point. A cell that reaches what it must not raises an error with the word REACHED in it.
Words in ⟨⟩ are filled in by the test. Whatever would do harm on a machine whose walls do not hold aims at files and
processes of the test only.
"""

import nbformat
from nbformat.v4 import new_code_cell

from anonnb.coursework.assignment import grade_id
from tests.coursework.tiny import RIGHT, graded

WRONG = RIGHT | {"a1": "total = 7", "a2": "def double(x):\n    return 5"}
TOOLS = """
import ctypes, glob, json, os, shutil, signal, socket, subprocess, sys, sysconfig, time
from pathlib import Path
libc = ctypes.CDLL(None, use_errno=True)
def reached(what="it"):
    raise RuntimeError(f"REACHED {what}")
def write(path, mode="a"):
    open(path, mode).close()
    reached(path)
"""


def with_first(code):
    return WRONG | {"a1": code + "\ntotal = globals().get('total', 7)"}


def tries(code):
    return with_first(TOOLS + code)


def cell(notebook, name):
    return next(cell for cell in notebook.cells if grade_id(cell) == name)


# ---- forged results --------------------------------------------------------------------------------------------------

FORGE = """
import gc, io, json
for thing in gc.get_objects():
    if isinstance(thing, io.TextIOWrapper) and thing.mode == "w" and "dup" not in str(thing.name):
        try:
            thing.write(json.dumps({"error": None, "passed": True, "value": "true", "points": 3}) + "\\n")
            thing.flush()
        except Exception:
            pass
"""
SPEAK_TO_THE_EXAMINER = """
import json, os
passed = [{"id": name, "points": None, "message": ""} for name in ("c1", "c2")]
result = json.dumps({"outcomes": passed, "stopped": ""})
for number in range(12):
    try:
        os.write(number, result.encode())
    except OSError:
        pass
"""
PATCH = """
import builtins, json, sys
import anonnb.coursework.checks as checks
import anonnb.coursework.checks.comparing as exercises
exercises.difference = lambda *a: ""
for name in ("equal", "wrong", "at_least", "at_most", "agrees"):
    setattr(checks, name, lambda *a, **k: None)
builtins.all = builtins.isinstance = lambda *a: True
builtins.AssertionError = type("AssertionError", (Exception,), {})
import numpy.testing
numpy.testing.assert_equal = lambda *a: None
NUMBERS = [7]
"""
ALWAYS_EQUAL = """
class Yes(int):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
total = Yes(7)
"""
RESULTS = """
import json, pathlib
for name in ("marks.csv", "result.json", "outcome.json", "../marks.csv"):
    pathlib.Path(name).write_text("student,points\\nme,100")
"""
THREAD = """
import threading, time
def forever():
    while True:
        globals()["passed"] = True
        time.sleep(0.01)
threading.Thread(target=forever).start()
threading.Thread(target=forever, daemon=True).start()
"""
SERVE_ANOTHER_WAY = """
import sys
main = sys.modules["__main__"]
claim = lambda *a, **k: {"error": None, "passed": True, "points": 100, "value": '["all", true]'}
main._ACTIONS.update(get=claim, call=claim, run=claim)
"""
FORGE_FROM_A_CHILD = """
if os.fork() == 0:
    line = json.dumps({"error": None, "value": "true", "passed": True}).encode() + b"\\n"
    for _ in range(200):
        for number in range(3, 12):
            try:
                os.write(number, line)
            except OSError:
                pass
        time.sleep(0.01)
    os._exit(0)
"""
CLAIM_TO_BE_A_NUMBER = """
class Six:
    __class__ = int
    def __eq__(self, other): return True
    def __index__(self): return 7
    __int__ = __index__
total = Six()
"""
PICKLE = """
class Evil:
    def __reduce__(self): return (exec, ("raise SystemExit",))
total = Evil()
"""
SAY_IT_IS_A_PICKLE = """
import anonnb.coursework.plain, sys
sys.modules["__main__"].dumps = lambda value: '["pickle", "gASVIAAAAAAAAACMCGJ1aWx0aW5z"]'
total = 1
"""
LOOK_UP_THE_CHECK = """
def double(x):
    import gc, sys
    frame = sys._getframe()
    while frame:
        if "double(x) == 2 * x" in str(frame.f_locals) + str(frame.f_globals.get("In")):
            raise RuntimeError("REACHED the hidden tests")
        frame = frame.f_back
    return 5
"""


def edit_checks(notebook):
    for name in ("c1", "c2"):
        cell(notebook, name).source = "assert True\nprint('passed')"


def drop_checks(notebook):
    notebook.cells = [one for one in notebook.cells if grade_id(one) not in ("c1", "c2")]


def double_checks(notebook):
    notebook.cells.insert(0, graded("code", "c1", "passed = True", grade=True, locked=True, points=100))


def rename_ids(notebook):
    cell(notebook, "c1").metadata["nbgrader"]["grade_id"] = "given"
    cell(notebook, "a1").metadata["nbgrader"]["grade_id"] = "c1"


def claim_points(notebook):
    for one in notebook.cells:
        if "nbgrader" in one.metadata:
            one.metadata["nbgrader"]["points"] = 1000
            one.metadata["nbgrader"]["grade"] = False


def forge_outputs(notebook):
    cell(notebook, "c1").outputs = [nbformat.v4.new_output("stream", text="passed: 3 of 3 points")]


def change_given(notebook):
    cell(notebook, "given").source = "NUMBERS = [7]"


def odd_metadata(notebook):
    for number, one in enumerate(notebook.cells):
        one.metadata["nbgrader"] = [["c1"], {"grade_id": ["c1"]}, {"grade_id": {}}, None, 7][number % 5]


def half_a_character(notebook):
    cell(notebook, "think").source = "half: \ud800"
    cell(notebook, "a2").source = "def double(x):\n    return '\ud800'"


def many_cells(notebook):
    notebook.cells += [new_code_cell("raise ValueError('x' * 1000)") for _ in range(200)]


FORGERIES = {
    "prints": (with_first("print('passed', 3)"), None),
    "patches": (with_first(PATCH), None),
    "always equal": (with_first(ALWAYS_EQUAL), None),
    "forges replies": (with_first(FORGE), None),
    "writes to every file": (with_first(SPEAK_TO_THE_EXAMINER), None),
    "writes results": (with_first(RESULTS), None),
    "threads": (with_first(THREAD), None),
    "sys.exit": (with_first("import sys\nsys.exit(0)"), None),
    "os._exit": (with_first("import os\nos._exit(0)"), None),
    "edits checks": (WRONG, edit_checks),
    "drops checks": (WRONG, drop_checks),
    "doubles checks": (WRONG, double_checks),
    "renames ids": (WRONG, rename_ids),
    "claims points": (WRONG, claim_points),
    "forges outputs": (WRONG, forge_outputs),
    "changes given": (WRONG, change_given),
    "odd metadata": (WRONG, odd_metadata),
    "half a character": (WRONG, half_a_character),
    "many failing cells": (WRONG, many_cells),
    "serves another way": (with_first(SERVE_ANOTHER_WAY), None),
    "forges from a child": (tries(FORGE_FROM_A_CHILD), None),
    "claims to be a number": (with_first(CLAIM_TO_BE_A_NUMBER), None),
    "a pickle": (with_first(PICKLE), None),
    "says it is a pickle": (with_first(SAY_IT_IS_A_PICKLE), None),
    "looks up the check": (WRONG | {"a2": LOOK_UP_THE_CHECK}, None),
    "empties the shell": (with_first("get_ipython().user_ns.clear()"), None),
    "dies in a function": (WRONG | {"a2": "def double(x):\n    __import__('os')._exit(0)"}, None),
    "a class for a function": (WRONG | {"a2": "class double(int):\n    __eq__ = lambda a, b: True"}, None),
    "a function for a number": (with_first("total = lambda *a: True"), None),
}

# ---- answers that are none -------------------------------------------------------------------------------------------

ANSWERS = {
    "a truth value": "total = True",
    "a text": "total = '6'",
    "not a number": "total = float('nan')",
    "endless": "total = float('inf')",
    "a huge number": "total = 10 ** 5000",
    "a huge text": "total = 'x' * 30_000_000",
    "a deep list": "total = []\nfor _ in range(100_000):\n    total = [total]",
    "a list in itself": "total = []\ntotal.append(total)",
    "a million parts": "total = [[] for _ in range(1_000_000)]",
    "half a character as answer": "total = '\\ud800'",
    "half a character as error": "raise ValueError('\\ud800 \\udfff')",
    "steers the terminal": "raise ValueError('\\x1b[2J\\x00\\r passed 5 of 5')",
    "a formula": "raise type('=cmd()', (Exception,), {})('=1+1')",
    "an error that dies": "class Bad(Exception):\n    def __str__(self): raise SystemExit\nraise Bad",
    "a frame with doubled columns": "import pandas\ntotal = pandas.DataFrame([[6, 6]], columns=['a', 'a'])",
    "a dict that lies": "class D(dict):\n    def items(self): return [(total, total)]\ntotal = D(a=6)",
}

# ---- what is not theirs ----------------------------------------------------------------------------------------------

ATTACKS = {
    # other people's work, the solutions, the results
    "writes beside another": "write('⟨submitted⟩/ann/01_tiny/left.csv')",
    "replaces another's work": "write('⟨submitted⟩/ann/01_tiny/01_tiny.ipynb', 'w')",
    "deletes another's work": "os.remove('⟨submitted⟩/ann/01_tiny/01_tiny.ipynb'); reached()",
    "removes everybody": "shutil.rmtree('⟨submitted⟩'); reached()",
    "renames everybody": "os.rename('⟨submitted⟩', '⟨submitted⟩-gone'); reached()",
    "reads another's work": "open('⟨submitted⟩/ann/01_tiny/01_tiny.ipynb').read(); reached()",
    "lists the others": "names = os.listdir('⟨submitted⟩')\nif names: reached(names)",
    "links to another's work": "os.link('⟨submitted⟩/ann/01_tiny/01_tiny.ipynb', 'own.csv'); reached()",
    "reads the solution": "open('⟨source⟩').read(); reached()",
    "changes the solution": "write('⟨source⟩')",
    "looks for solutions": "found = [*Path('⟨root⟩').rglob('*.ipynb')]\nif found: reached(found)",
    "points a file at the solution": "os.symlink('⟨source⟩', 'given.csv')",
    "writes the gradebook": "write('⟨gradebook⟩')",
    "rewrites all points": (
        "import sqlite3\nwith sqlite3.connect('⟨gradebook⟩') as book:\n"
        "    if book.execute('update grade set auto_score = 100').rowcount: reached()\n    reached()"
    ),
    "removes the gradebook": "os.remove('⟨gradebook⟩'); reached()",
    "adds a test of its own": "Path('⟨root⟩/source/99_own').mkdir(); reached()",
    "marks itself": "write('⟨root⟩/autograded/x.ipynb', 'w')",
    # the marker's files
    "changes the package": "import anonnb.coursework.checks as checks\nwrite(checks.__file__)",
    "changes compiled code": "import anonnb.coursework.checks as checks\nwrite(checks.__cached__, 'r+b')",
    "leaves a start file": "write(os.path.join(sysconfig.get_paths()['purelib'], 'anonnb_hostile.pth'))",
    "finds a cache": (
        "for place in ('⟨temp⟩', '/var/tmp', os.path.dirname(os.getcwd())):\n"
        "    for found in glob.glob(f'{place}/**/*.nb[ic]', recursive=True):\n"
        "        if not found.startswith(os.getcwd()): write(found)"
    ),
    "finds the examiner's folder": (
        "for found in glob.glob('⟨temp⟩/**/examiner-*', recursive=True): write(f'{found}/given.csv', 'w')"
    ),
    "looks beside its folder": (
        "names = set(os.listdir('..')) - {os.path.basename(os.getcwd())}\nif names: reached(names)"
    ),
    # processes
    "writes memory": (
        "for pid in os.listdir('/proc'):\n"
        "    if pid.isdigit() and int(pid) != os.getpid():\n"
        "        try: open(f'/proc/{pid}/mem', 'r+b').close()\n"
        "        except OSError: continue\n"
        "        reached(pid)"
    ),
    "traces its parent": "if libc.ptrace(16, os.getppid(), 0, 0) == 0: reached()",
    "writes its parent's memory": "open(f'/proc/{os.getppid()}/mem', 'r+b'); reached()",
    "reads its parent's variables": "open(f'/proc/{os.getppid()}/environ').read(); reached()",
    "looks through its parent's eyes": "os.listdir(f'/proc/{os.getppid()}/root/tmp'); reached()",
    "takes its parent's files": "for path in glob.glob(f'/proc/{os.getppid()}/fd/*'): write(path)",
    "kills the marker": "os.kill(⟨marker⟩, 9); reached()",
    "kills its parent": "os.kill(os.getppid(), 9)",
    "stops its parent": "os.kill(os.getppid(), signal.SIGSTOP)",
    "kills its group": "os.killpg(0, 9)",
    "kills all it sees": (
        "pids = [int(pid) for pid in os.listdir('/proc') if pid.isdigit()]\nif len(pids) < 10: os.kill(-1, 9)"
    ),
    # the walls
    "takes the walls down": "if libc.umount2(b'/tmp', 2) == 0: reached()",
    "makes all writable": "if libc.mount(None, b'/', None, 32 | 4096, None) == 0: reached()",
    "builds walls of its own": "if libc.unshare(0x10020000) == 0 and libc.umount2(b'/tmp', 2) == 0: reached()",
    "changes its root": "os.chroot('/'); reached()",
    "becomes root": "if os.getuid():\n    os.setuid(0); reached()",
    "asks sudo": "if subprocess.run(['su', '-c', 'touch ⟨root⟩/su'], capture_output=True).returncode == 0: reached()",
    "changes the kernel": "open('/proc/sys/kernel/core_pattern', 'r+').close(); reached()",
    "opens the disk": "for path in Path('/dev').iterdir():\n    if path.is_block_device(): write(path, 'r+b')",
    "fills the shared memory": "open('/dev/shm/x', 'wb').write(bytes(90_000_000))",
    "knocks at a port": "socket.create_connection(('127.0.0.1', ⟨port⟩), 5); reached()",
    "knocks at a socket": "socket.socket(socket.AF_UNIX).connect('\\0⟨socket⟩'); reached()",
}

# ---- what ends badly -------------------------------------------------------------------------------------------------

TROUBLE = {
    "aborts": "os.abort()",
    "reads nowhere": "ctypes.string_at(0)",
    "becomes another program": "os.execv('/bin/true', ['true'])",
    "closes everything": "os.closerange(0, 100)",
    "reads nothing": "for number in range(20): os.dup2(os.open('/dev/zero', os.O_RDONLY), number)",
    "never comes back up": "def f(): return f()\nf()",
    "interrupts": "raise KeyboardInterrupt",
    "prints a lot": "for _ in range(20): print('x' * 10**7)",
    "talks without end": (
        "for number in [*range(3, 9)] * 50:\n    try: os.write(number, b'x' * 10**6)\n    except OSError: pass"
    ),
    "takes all memory": "kept = bytearray(50 * 10**9)",
    "starts many processes": (
        "for _ in range(300):\n    if os.fork() == 0:\n        time.sleep(100); os._exit(0)\ntime.sleep(100)"
    ),
    "nests folders": "for _ in range(2000):\n    os.mkdir('d'); os.chdir('d')",
    "locks folders": "os.makedirs('a/b/c'); os.chmod('a/b', 0); os.chmod('a', 0)",
    "many files": "for number in range(2000): open(f'{number}.csv', 'w').close()",
    "a huge file": "file = open('x.csv', 'wb'); file.truncate(99_000_000)",
    "a pipe as file": "os.mkfifo('x.csv'); os.mkfifo('given.csv')",
    "a folder as file": "os.mkdir('x.csv')",
    "a device as file": "os.symlink('/dev/zero', 'x.csv')",
    "a file without a proper name": "open(b'\\xff\\n.csv', 'w').close()",
    "removes its folder": "shutil.rmtree(os.getcwd(), ignore_errors=True)",
}

FORGED = (
    FORGERIES
    | {name: (with_first(code), None) for name, code in ANSWERS.items()}
    | {name: (tries(code), None) for name, code in TROUBLE.items()}
)
REACHING = {name: (tries(code), None) for name, code in ATTACKS.items()}
