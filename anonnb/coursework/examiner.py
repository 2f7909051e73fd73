"""The examiner's process: ``python -I -m anonnb.coursework.examiner`` checks one submission and never runs its code.

Two processes go through the assignment side by side. The student's runs given code and answers; this one runs given
code and checks, both from the teacher's source. A name that a check uses and that no given cell defines is an answer:
its value is fetched as plain data, and a function becomes a stand-in that is called over there.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from anonnb.coursework.limits import Limits, Watchdog, end_children, environment, keep_apart
from anonnb.coursework.plain import LARGEST, NotPlain, dumps, loads

MESSAGE_LENGTH = 600
MOST_FILES = 20


class Gone(Exception):
    """The student's process ended, or talks nonsense."""


class Student:
    """The process in which the student's cells run, in a folder of its own."""

    def __init__(self, folder: Path, limits: Limits, wrap: Iterable[str] = ()):
        self.folder = folder
        self._process = subprocess.Popen(
            [*wrap, sys.executable, "-I", "-m", "anonnb.coursework.student"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=environment(os.fspath(folder)),
            start_new_session=True,
        )
        self.watch = Watchdog(limits)
        self.watch.start()
        self._limits = limits

    def limit(self) -> None:
        """Let the process set its own limits, before any of the student's code runs in it."""
        self._ask(do="limit", seconds=self._limits.seconds, megabytes=self._limits.megabytes)

    def run(self, code: str) -> str | None:
        """Run a cell; the error that it raised, if any."""
        return self._ask(do="run", code=code)["error"]

    def value(self, name: str) -> Any:
        """The value of a name as plain data, or a stand-in for a function."""
        reply = self._ask(do="get", name=name)
        if reply.get("function") is True and reply["error"] is None:
            return self._stand_in(name)
        return _unpacked(reply)

    def _stand_in(self, name: str) -> Callable[..., Any]:
        def call(*positional: Any, **named: Any) -> Any:
            try:
                return _unpacked(self._ask(do="call", name=name, arguments=dumps([positional, named])))
            except NotPlain as error:
                raise AssertionError(f"{name}(…): {error}") from None

        call.__name__ = name
        return call

    def _ask(self, **request: Any) -> dict:
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline(2 * LARGEST)
            reply = json.loads(line)
        except (OSError, ValueError, RecursionError):
            raise Gone(self._why()) from None
        if not isinstance(reply, dict) or not isinstance(reply.get("error", 0), str | None):
            raise Gone("the notebook's process sent something that is no answer")
        return reply

    def _why(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        if self.watch.reason:
            return self.watch.reason
        code = self._process.returncode
        return "the notebook's process sent something that is no answer" if code is None else _ended(code)

    def close(self) -> None:
        """End the process and all that it started."""
        self.watch.stop()
        end_children()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        self._process.wait()


def _ended(code: int) -> str:
    how = f"exit code {code}" if code >= 0 else f"signal {-code}"
    return f"the notebook ended its own process ({how})"


def _unpacked(reply: Mapping[str, Any]) -> Any:
    if reply["error"] is not None:
        raise NotPlain(reply["error"])
    if not isinstance(reply.get("value"), str):
        raise NotPlain("the answer is missing")
    return loads(reply["value"])


class Examination:
    """One submission gone through cell by cell; ``outcomes`` has one line per cell that matters."""

    def __init__(self, student: Student):
        self.student = student
        self.given: dict[str, Any] = {"__name__": "__main__"}
        self.outcomes: list[dict[str, Any]] = []
        self.stopped = ""
        self._brought: set[str] = set()

    def begin(self) -> None:
        """The first word with the student's process."""
        self._in_time(self.student.limit)

    def take(self, step: Mapping[str, str]) -> None:
        """A given cell runs on both sides, an answer over there, a check here."""
        role, name, code = step["role"], step["id"], step["code"]
        if role == "given":
            self._run_given(code, name)
        if role == "check":
            message = self._examine(code, name)
            self.outcomes.append({"id": name, "passed": message is None, "message": message or ""})
            return
        error = self._in_time(lambda: self.student.run(code))
        if error and role == "answer":
            self.outcomes.append({"id": name, "error": str(error)[:MESSAGE_LENGTH]})

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

    def _examine(self, code: str, name: str) -> str | None:
        """None when the check passes, else what is wrong, in words for the student."""
        answers: dict[str, Any] = {}
        for wanted in answer_names(code, self.given):
            try:
                answers[wanted] = self._in_time(lambda wanted=wanted: self.student.value(wanted))
            except NotPlain as error:
                return f"{wanted}: {error}"[:MESSAGE_LENGTH]
        if not self.stopped:
            self._bring_files()
        return self._verdict(code, name, answers)

    def _verdict(self, code: str, name: str, answers: Mapping[str, Any]) -> str | None:
        message = "the check fails"
        try:
            if not self.stopped:
                with _quiet():
                    exec(compile(code, name, "exec"), self.given | answers)
                return None
        except Gone as error:  # a function over there was called, and took its process down
            self.stopped = str(error)
        except Exception as error:
            message = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
        if self.stopped:
            message = f"not reached: {self.stopped}"
        return (message or "the check fails")[:MESSAGE_LENGTH]

    def _bring_files(self) -> None:
        """Copy the CSV files that the notebook wrote to where checks read them; no links, nothing huge, not ours."""
        with contextlib.suppress(OSError):  # the student's processes may change the folder meanwhile
            for path in sorted(self.student.folder.glob("*.csv"))[:MOST_FILES]:
                about = path.lstat()
                ours = path.name not in self._brought and Path(path.name).exists()
                if stat.S_ISREG(about.st_mode) and about.st_size <= LARGEST and not ours:
                    shutil.copyfile(path, path.name)
                    self._brought.add(path.name)


def answer_names(code: str, given: Mapping[str, Any]) -> list[str]:
    """The names that a check uses and that neither it, nor a given cell, nor Python defines.

    >>> answer_names("import math; assert all(math.isclose(x, k) for x in found)", {"k": 3})
    ['found']
    """
    loaded: dict[str, None] = {}
    stored: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name):
            stored.add(node.id) if isinstance(node.ctx, ast.Store) else loaded.setdefault(node.id)
        elif isinstance(node, ast.arg):
            stored.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            stored.add(node.name)
        elif isinstance(node, ast.alias):
            stored.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            stored.add(node.name)
    return [name for name in loaded if name not in stored and name not in given and not hasattr(builtins, name)]


@contextlib.contextmanager
def _quiet():
    nowhere = io.StringIO()
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def examine(job: Mapping[str, Any]) -> dict[str, Any]:
    """Go through a submission: ``outcomes`` per cell, and why it stopped early, if it did.

    A job has ``steps`` (each with ``role``, ``id`` and ``code``), ``limits``, and a command to ``wrap`` the student's
    process in. The files ``given`` with the assignment go to both processes, those ``handed_in`` to the student's,
    unless a given one has the same name.
    """
    with _folder("anonnb-work-") as work, _folder("anonnb-examiner-") as own:
        for file in [*job["handed_in"], *job["given"]]:
            shutil.copyfile(file, work / Path(file).name)
        for file in job["given"]:
            shutil.copyfile(file, own / Path(file).name)
        os.chdir(own)
        student = Student(work, Limits(**job["limits"]), job["wrap"])
        try:
            examination = Examination(student)
            examination.begin()
            for step in job["steps"]:
                examination.take(step)
        finally:
            student.close()
            os.chdir(tempfile.gettempdir())
    return {"outcomes": examination.outcomes, "stopped": examination.stopped}


@contextlib.contextmanager
def _folder(prefix: str):
    with tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def main() -> None:
    """Read a job from the standard input, write its outcome to the standard output."""
    keep_apart()
    result = examine(json.load(sys.stdin))
    sys.stdout.write(json.dumps(result))


if __name__ == "__main__":
    main()
