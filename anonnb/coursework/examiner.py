"""The examiner's process: check one submission, and never run its code.

Two processes go through the assignment side by side. The student's runs given code and answers; this one runs given
code and checks, both from the teacher's source. A name that a check uses and that no given cell defines is an answer:
its value is fetched as plain data, and a function becomes a stand-in that is called over there. What such a function
returns or raises, which could be anything that it saw, is in no message.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import itertools
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from anonnb.coursework.checks.calling import AnswerFunction
from anonnb.coursework.checks.words import Wrong
from anonnb.coursework.limits import (
    Limits,
    Watchdog,
    end_children,
    environment,
    keep_apart,
    limit_own_memory,
    python_module,
)
from anonnb.coursework.plain import LARGEST, NotPlain, loads
from anonnb.coursework.student import OutOfTime, alarm

MESSAGE_LENGTH = 600
MOST_FILES = 20
MOST_ERRORS = 50
CACHE = "NUMBA_CACHE_DIR"
_NO_ANSWER = "the notebook's process sent something that is no answer"


Verdict = tuple[float | None, str]  # points, None for all of them; what is wrong


class Gone(Exception):
    """The student's process ended, or talks nonsense."""


class NotStarted(Exception):
    """The student's process did not come so far as to run a cell: no student is to blame."""


class Student:
    """The process in which the student's cells run, in a folder of its own."""

    def __init__(self, folder: Path, limits: Limits):
        self.folder = folder
        self.calls = 0  # of the student's functions
        self._numbers = itertools.count()
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        self._process = subprocess.Popen(
            python_module("anonnb.coursework.student"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            cwd=folder,
            env=environment(os.fspath(folder)) | {CACHE: os.fspath(folder / ".numba")},
            start_new_session=True,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._requests, self._replies = self._process.stdin, self._process.stdout
        self.watch = Watchdog(limits)
        self.watch.start()
        self._limits = limits

    def begin(self, isolation: str, hidden: Iterable[str]) -> None:
        """Let the process build its walls and set its limits, before any of the student's code runs in it."""
        try:
            error = self._ask(limits=asdict(self._limits), isolation=isolation, hidden=list(hidden))["error"]
        except Gone:
            self._complaints.seek(0)
            lines = self._complaints.read(10_000).decode(errors="replace").strip().splitlines()
            error = ": ".join(["it ended before the first cell", f"exit code {self._process.returncode}", *lines[-1:]])
        if error:
            raise NotStarted(error[:MESSAGE_LENGTH])

    def run(self, code: str) -> str | None:
        """Run a cell; return the error that it raised, if any."""
        return self._ask(do="run", code=code)["error"]

    def value(self, name: str) -> Any:
        """Return the value of a name as plain data, or a stand-in for a function."""
        reply = self._ask(do="get", name=name)
        if reply.get("function") is True and reply["error"] is None:
            return self._stand_in(name)
        return loads(_packed(reply))

    def _stand_in(self, name: str) -> AnswerFunction:
        def call(arguments: str, forbidden: Sequence[str]) -> str:
            self.calls += 1
            return _packed(self._ask(do="call", name=name, arguments=arguments, forbidden=list(forbidden)))

        return AnswerFunction(name, call)

    def _ask(self, **request: Any) -> dict:
        number = next(self._numbers)
        try:
            with self.watch.awaiting():
                self._requests.write(json.dumps(request | {"number": number}).encode() + b"\n")
                self._requests.flush()
                reply = self._reply()
                while reply.get("number") != number:  # to a question for whose answer a check could not wait
                    if not isinstance(reply.get("number"), int) or reply["number"] > number:
                        raise Gone(_NO_ANSWER)
                    reply = self._reply()
        except (OSError, ValueError, RecursionError):
            raise Gone(self._why()) from None
        except MemoryError:
            raise Gone("the notebook's process sent more than the memory limit allows") from None
        return reply

    def _reply(self) -> dict:
        reply = json.loads(self._replies.readline(2 * LARGEST))
        if not isinstance(reply, dict) or not isinstance(reply.get("error", 0), str | None):
            raise Gone(_NO_ANSWER)
        return reply

    def _why(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        if self.watch.reason:
            return self.watch.reason
        code = self._process.returncode
        return _NO_ANSWER if code is None else _ended(code)

    def close(self) -> None:
        """End the process and all that it started."""
        self.watch.stop()
        end_children()
        for pipe in (self._requests, self._replies):
            with contextlib.suppress(OSError):
                pipe.close()
        self._process.wait()
        self._complaints.close()


def _ended(code: int) -> str:
    how = f"exit code {code}" if code >= 0 else f"signal {-code}"
    return f"the notebook ended its own process ({how})"


def _packed(reply: Mapping[str, Any]) -> str:
    if reply["error"] is not None:
        raise NotPlain(reply["error"])
    if not isinstance(reply.get("value"), str):
        raise NotPlain("the answer is missing")
    return reply["value"]


class Examination:
    """One submission gone through cell by cell; ``outcomes`` has one line per cell that matters."""

    def __init__(self, student: Student, limits: Limits | None = None):
        self.student = student
        self.limits = limits or Limits()
        self.given: dict[str, Any] = {"__name__": "__main__"}
        self.outcomes: list[dict[str, Any]] = []
        self.stopped = ""
        self.broken = ""  # the first given cell that failed over there
        self._changed: dict[str, None] = {}  # names of given cells that the student's cells assign
        self._left = self.limits.seconds  # for all checks
        self._brought: set[str] = set()

    def take(self, step: Mapping[str, Any]) -> None:
        """Run a given cell on both sides, an answer over there, or a check here."""
        role, name, code = step["role"], step["id"], step["code"]
        line = {"id": name, "cell": step.get("cell")}
        if role == "check":
            points, message = self._examine(code, name)
            if self.broken and message and not self.stopped:
                message = f"{message[: MESSAGE_LENGTH // 2]} ({self._blame()})"
            self.outcomes.append(line | {"points": points, "message": message[:MESSAGE_LENGTH]})
            return
        if role == "given":
            self._run_given(code, name)
        else:
            self._changed |= dict.fromkeys(name for name in assigned_names(code) if name in self.given)
        error = self._in_time(partial(self.student.run, code))
        if error and role == "given":
            self.broken = self.broken or name
        if error and sum("error" in line for line in self.outcomes) < MOST_ERRORS:
            self.outcomes.append(line | {"error": str(error)[:MESSAGE_LENGTH]})

    def _blame(self) -> str:
        """Say which given cell failed, and which of its names the student's cells changed."""
        changed = f"; your cells change {', '.join(self._changed)}, which the notebook needs" if self._changed else ""
        return f"the given cell {self.broken} failed before{changed}"

    def _run_given(self, code: str, name: str) -> None:
        """Run a given cell here; it meets no file of the student's, and what it writes is ours."""
        for file in self._brought:
            Path(file).unlink(missing_ok=True)
        self._brought.clear()
        with _quiet():
            exec(compile(code, name, "exec"), self.given)

    def _in_time(self, action: Callable[[], Any]) -> Any:
        """Do it unless the student's process has ended; when it ends, remember why."""
        if self.stopped:
            return None
        try:
            return action()
        except Gone as error:
            self.stopped = str(error)
            return None

    def _examine(self, code: str, name: str) -> Verdict:
        """Return the points, None for all of them, and what is wrong, in words for the student."""
        started = time.monotonic()
        try:
            with alarm(max(1, min(self.limits.cell_seconds, self._left))):
                return self._answers_examined(code, name)
        except OutOfTime as error:
            return 0, f"with this answer, {str(error).replace('this', 'the check', 1)}"
        finally:
            self._left -= time.monotonic() - started

    def _answers_examined(self, code: str, name: str) -> Verdict:
        answers: dict[str, Any] = {}
        for wanted in answer_names(code, self.given):
            try:
                answers[wanted] = self._in_time(partial(self.student.value, wanted))
            except NotPlain as error:
                return 0, f"{wanted}: {error}"
        if not self.stopped:
            self._bring_files()
        return self._verdict(code, name, answers)

    def _verdict(self, code: str, name: str, answers: Mapping[str, Any]) -> Verdict:
        verdict, calls = (0, "the check fails"), self.student.calls
        try:
            if not self.stopped:
                with _quiet():
                    value = _value_of(code, name, {**self.given, **answers})
                return _credit(value, "discreet" if self.student.calls > calls else "message")
        except Gone as error:  # a function over there was called, and took its process down
            self.stopped = str(error)
        except Wrong as error:
            verdict = 0, error.discreet if self.student.calls > calls else str(error)
        except AssertionError as error:
            verdict = 0, (_check_message(error, name) or "the check fails")
        except Exception as error:  # its text may hold what the check computed with
            verdict = 0, f"the check cannot be done with this answer ({type(error).__name__})"
        return (0, f"not reached: {self.stopped}") if self.stopped else verdict

    def _bring_files(self) -> None:
        """Copy the CSV files that the notebook wrote to where checks read them; no links, nothing huge, not ours."""
        with contextlib.suppress(OSError):  # the student's processes may change the folder meanwhile
            for path in sorted(self.student.folder.glob("*.csv"))[:MOST_FILES]:
                ours = path.name not in self._brought and Path(path.name).exists()
                content = None if ours else _content(path)
                if content is not None:
                    Path(path.name).write_bytes(content)
                    self._brought.add(path.name)


def _value_of(code: str, name: str, names: dict[str, Any]) -> Any:
    """Run a check; the value of its last line, if that is an expression."""
    tree = ast.parse(code)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    exec(compile(tree, name, "exec"), names)
    return eval(compile(ast.Expression(last.value), name, "eval"), names) if isinstance(last, ast.Expr) else None


def _credit(value: Any, attribute: str) -> Verdict:
    """Return the points of a check: the number that it ends with, as nbgrader does, or None for all of them."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value), getattr(value, attribute, "")
    return None, ""


def _check_message(error: AssertionError, name: str) -> str:
    """Return the text of an assertion that the check itself makes; those of libraries hold whatever they compared."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    return str(error) if trace and trace.tb_frame.f_code.co_filename == name else ""


def _content(path: Path) -> bytes | None:
    """Read a regular file; it is opened before it is looked at, so that it cannot become something else."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        content = file.read(LARGEST + 1)
    return content if len(content) <= LARGEST else None


def answer_names(code: str, given: Mapping[str, Any]) -> list[str]:
    """Return the names that a check uses and that neither it, nor a given cell, nor Python defines.

    >>> answer_names("import math; assert all(math.isclose(x, k) for x in found)", {"k": 3})
    ['found']
    """
    nodes = list(ast.walk(ast.parse(code)))
    loaded = dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    stored = _stored(nodes) | {node.arg for node in nodes if isinstance(node, ast.arg)}
    return [name for name in loaded if name not in stored and name not in given and not hasattr(builtins, name)]


def assigned_names(code: str) -> list[str]:
    """Return the names that a student's cell assigns, sorted; none if it is not plain Python."""
    try:
        return sorted(_stored(ast.walk(ast.parse(code))))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    stored = set()
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            stored.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            stored.add(node.name)
        elif isinstance(node, ast.alias):
            stored.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            stored.add(node.name)
    return stored


@contextlib.contextmanager
def _quiet():
    nowhere = io.StringIO()
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def examine(job: Mapping[str, Any]) -> dict[str, Any]:
    """Go through a submission; return ``outcomes`` per cell, and why it stopped early, if it did.

    A job has ``steps`` (each with ``role``, ``id``, ``code`` and the number of its ``cell``), ``limits``, a kind of
    ``isolation``, and folders that are ``hidden`` from the student's process. The files ``given`` with the assignment
    go to both processes, those ``handed_in`` to the student's, unless a given one has the same name. A given cell that
    fails without any answer is nobody's fault: then the result is ``failed``.
    """
    limits, steps = Limits(**job["limits"]), job["steps"]
    folder = Path(tempfile.mkdtemp(prefix="examiner-")).resolve()
    for file in job["given"]:
        shutil.copyfile(file, folder / Path(file).name)
    os.chdir(folder)
    try:
        with _student(job, job["handed_in"]) as student:
            limit_own_memory(limits)  # not before: the student's process would inherit it
            examination = Examination(student, limits)
            for step in steps:
                examination.take(step)
        if examination.broken:
            with _student(job, []) as student:
                for step in (step for step in steps if step["role"] == "given"):
                    error = student.run(step["code"])
                    if error:
                        return {"failed": f"the given cell {step['id']} fails without any answer: {error}"}
    except NotStarted as error:
        return {"failed": str(error)}
    except Gone as error:
        return {"failed": f"the given cells do not run without any answer: {error}"}
    return {"outcomes": examination.outcomes, "stopped": examination.stopped}


@contextlib.contextmanager
def _student(job: Mapping[str, Any], handed_in: Iterable[str]) -> Iterator[Student]:
    work = Path(tempfile.mkdtemp(prefix="work-")).resolve()
    for file in [*handed_in, *job["given"]]:
        shutil.copyfile(file, work / Path(file).name)
    if os.path.isdir(os.environ.get(CACHE, "")):  # compiled by earlier examiners; the student gets a copy
        shutil.copytree(os.environ[CACHE], work / ".numba", ignore=shutil.ignore_patterns("tmp*"))
    student = Student(work, Limits(**job["limits"]))
    try:
        student.begin(job["isolation"], job["hidden"])
        yield student
    finally:
        student.close()


def main() -> None:
    """Read a job from the standard input, write its outcome to the standard output."""
    keep_apart()
    result = examine(json.load(sys.stdin))
    sys.stdout.write(json.dumps(result))
