"""Walls around a student's process (Linux): it reaches no process of the marker, and writes nowhere but in its folder.

Namespaces (user, mount, pid, network, ipc; see namespaces(7)) also hide whatever is neither the system's nor Python's:
submissions, solutions, other processes. Where they are refused, Landlock (landlock(7)) forbids what they would hide.
A process on trial finds out which of the two it can have; see examiners.py.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

# What each kind of isolation means, for the teacher; the best first.
KINDS = {
    "namespaces": "students' processes have namespaces of their own: no other process, no network, one writable folder",
    "landlock": "students' processes are confined by Landlock: they cannot write elsewhere or reach into processes",
    "none": "students' processes are NOT isolated: their cells can write what you can write, also your marks",
}
_NEW_USER, _NEW_MOUNT, _NEW_PID, _NEW_NETWORK, _NEW_IPC = 0x10000000, 0x20000, 0x20000000, 0x40000000, 0x8000000
_READ_ONLY, _NO_SUID, _NO_DEV, _NO_EXEC, _REMOUNT, _BIND, _RECURSIVE, _PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
_OPTIONS = {"nosuid": 2, "nodev": 4, "noexec": 8, "nosymfollow": 256, "noatime": 1024, "nodiratime": 2048}
_SYSTEM = {"usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "etc", "nix", "gnu", "sys", "proc", "dev"}
_DEVICES = ("null", "zero", "full", "random", "urandom")
_SOMEBODY = 1000  # root's number inside: whoever is not 0 there gains nothing by starting a program
_PDEATHSIG, _DUMPABLE, _BOUNDING_DROP, _NO_NEW_PRIVILEGES, _SUBREAPER = 1, 4, 24, 38, 36


def isolate(kind: str, folder: str, hidden: Sequence[str] = ()) -> None:
    """Put this process behind the walls of a kind; only ``folder`` stays writable, ``hidden`` folders disappear.

    With namespaces, this returns in a grandchild, while the first process waits for it and ends as it ends. An OSError
    means that there are no such walls; the process must then end.
    """
    if kind != "none" and sys.platform != "linux":
        raise OSError(errno.ENOSYS, "only Linux has it")
    if kind == "namespaces":
        _enter_namespaces(folder, hidden)
    elif kind == "landlock":
        _restrict_by_landlock(folder)
    _drop_privileges()
    close_to_others()


def die_with_parent() -> None:
    """Let this process be killed when its parent ends (Linux)."""
    _prctl(_PDEATHSIG, 9)


def adopt_orphans() -> None:
    """Become the parent of processes whose parents ended, so that we can end them (Linux)."""
    _prctl(_SUBREAPER, 1)


def close_to_others(closed: bool = True) -> None:
    """Let no process of the same user read, write or trace the memory of this one (Linux)."""
    _prctl(_DUMPABLE, 0 if closed else 1)


@contextlib.contextmanager
def closed_to_others() -> Iterator[None]:
    """Close this process to others for as long as something lasts."""
    was_open = sys.platform == "linux" and ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) == 1
    close_to_others()
    try:
        yield
    finally:
        if was_open:
            close_to_others(False)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _drop_privileges() -> None:
    """Give up every capability (root has them all), and the way to get one by starting a program."""
    if sys.platform != "linux":
        return
    for capability in range(64):
        _prctl(_BOUNDING_DROP, capability)
    _prctl(_NO_NEW_PRIVILEGES, 1)
    header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    _system("capset", header, none)


def _system(name: str, *arguments: object) -> int:
    """Call a function of the C library; its failure is an OSError."""
    result = getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


# ---- namespaces ------------------------------------------------------------------------------------------------------


def _enter_namespaces(folder: str, hidden: Sequence[str]) -> None:
    user, group = os.getuid(), os.getgid()
    _system("unshare", _NEW_USER | _NEW_MOUNT | _NEW_PID | _NEW_NETWORK | _NEW_IPC)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{user or _SOMEBODY} {user} 1")
    _write("/proc/self/gid_map", f"{group or _SOMEBODY} {group} 1")
    _go_on_in_child()
    die_with_parent()  # from here on we are the first process of the new namespace: all others end with us
    _furnish(folder, hidden)
    _drop_privileges()
    close_to_others()
    _go_on_in_child()
    die_with_parent()


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _go_on_in_child() -> None:
    """Fork; the parent stays behind, reaps what ends, and ends as its child does."""
    child = os.fork()
    if child:
        _end_as(child)


def _end_as(child: int) -> NoReturn:
    close_to_others()
    pid = status = 0
    while pid != child:
        with contextlib.suppress(InterruptedError):
            pid, status = os.wait()
    code = os.waitstatus_to_exitcode(status)
    code = 128 - code if code < 0 else code  # the first process of a namespace cannot end by a signal of its own
    if code > 128:
        with contextlib.suppress(OSError, ValueError):
            signal.signal(code - 128, signal.SIG_DFL)
        with contextlib.suppress(OSError):
            os.kill(os.getpid(), code - 128)
    os._exit(code)


def _furnish(folder: str, hidden: Sequence[str]) -> None:
    """Show only the system and Python to read, and ``folder`` to write."""
    _mount(None, "/", None, _RECURSIVE | _PRIVATE)
    with contextlib.suppress(OSError):  # whoever makes further namespaces gains nothing; better nobody does
        _write("/proc/sys/user/max_user_namespaces", "0")
    tops = (entry for entry in os.scandir("/") if entry.name not in _SYSTEM and entry.is_dir(follow_symlinks=False))
    covered = [*(entry.path for entry in tops), *(path for path in hidden if os.path.isdir(path))]
    handles = {path: os.open(path, os.O_PATH) for path in [*needed_paths(), folder] if _under(path, covered)}
    devices = {f"/dev/{name}": os.open(f"/dev/{name}", os.O_PATH) for name in _DEVICES}
    for path in covered:
        with contextlib.suppress(FileNotFoundError):  # beneath one that is covered already
            _mount("tmpfs", path, "tmpfs", _NO_SUID | _NO_DEV, "size=4m,mode=755")
    for path in sorted(handles):
        _show(handles[path], path)
    for path in covered:
        if _under(path, handles) and path not in handles:
            _mount("tmpfs", path, "tmpfs", _NO_SUID | _NO_DEV, "size=4m,mode=755")
    _furnish_devices(devices)
    _make_read_only({folder, "/dev/shm"})
    for handle in [*handles.values(), *devices.values()]:  # they lead to what is behind the walls
        os.close(handle)
    os.chdir(folder)
    _mount_proc()
    writable = [path for path in ("/", *needed_paths()) if path != folder and os.access(path, os.W_OK)]
    if writable:
        raise OSError(errno.EROFS, f"{writable[0]} is still writable")


def needed_paths() -> list[str]:
    """Where Python, its packages, this package and its tables lie; of a checkout not the rest, which has solutions."""
    from anonnb.core.shipped import PACKAGE, shipped

    python = {sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.path.realpath(sys.executable))}
    packages = {path for path in sys.path if os.path.exists(path) and os.path.realpath(path) != str(PACKAGE.parent)}
    paths = python | packages | {os.fspath(PACKAGE), os.fspath(shipped("data"))}
    return sorted(paths | set(map(os.path.realpath, paths)))


def _under(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    arguments = [os.fsencode(word) if word else None for word in (source, target, kind, data)]
    _system("mount", *arguments[:3], ctypes.c_ulong(flags), arguments[3])


def _show(handle: int, path: str) -> None:
    """Make what a handle opened visible again, under its own path."""
    source = f"/proc/self/fd/{handle}"
    if os.path.isdir(source):
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        Path(path).touch()
    _mount(source, path, None, _BIND | _RECURSIVE)


def _furnish_devices(devices: dict[str, int]) -> None:
    """Only devices that do no harm: root owns the disks."""
    _mount("tmpfs", "/dev", "tmpfs", _NO_SUID | _NO_EXEC, "size=4m,mode=755")
    for path, handle in devices.items():
        _show(handle, path)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"/dev/{name}")
    os.symlink("/proc/self/fd", "/dev/fd")
    os.mkdir("/dev/shm")
    os.mkdir("/dev/pts")
    _mount("devpts", "/dev/pts", "devpts", _NO_SUID | _NO_EXEC, "newinstance,ptmxmode=0666,mode=620")
    os.symlink("pts/ptmx", "/dev/ptmx")  # for !commands in cells
    _mount("tmpfs", "/dev/shm", "tmpfs", _NO_SUID | _NO_DEV, "size=64m,mode=1777")  # for multiprocessing's locks


def _make_read_only(but: set[str]) -> None:
    """Everything that is mounted, except ``but``."""
    with open("/proc/self/mountinfo", "rb") as file:
        mounts = [line.split()[4:6] for line in file]
    for point, options in mounts:
        path = os.fsdecode(point.decode("unicode_escape").encode("latin-1"))
        kept = sum(_OPTIONS.get(option, 0) for option in options.decode().split(","))
        try:
            _mount(None, path, None, _REMOUNT | _BIND | kept | (0 if path in but else _READ_ONLY))
        except OSError as error:  # a mount that lies beneath another one cannot be reached, by nobody
            if error.errno not in (errno.EINVAL, errno.ENOENT, errno.EACCES, errno.ENOTDIR):
                raise


def _mount_proc() -> None:
    """Show the new process numbers, read-only because /proc/sys is root's; if a container refuses it, nothing."""
    quiet = _READ_ONLY | _NO_SUID | _NO_DEV | _NO_EXEC
    try:
        _mount("proc", "/proc", "proc", quiet)
    except PermissionError:
        _mount("tmpfs", "/proc", "tmpfs", quiet, "size=4m,mode=755")


# ---- Landlock --------------------------------------------------------------------------------------------------------

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on every machine
_ACCESS = {1: 13, 2: 14, 3: 15, 5: 16}  # version → how many kinds of access to files it knows
_READING, _READ_FILE, _WRITE_FILE, _TRUNCATE, _CONTROL_DEVICE = 0b1101, 0b100, 0b10, 1 << 14, 1 << 15


def _restrict_by_landlock(folder: str) -> None:
    version = _system("syscall", _CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    everything = (1 << max(count for since, count in _ACCESS.items() if version >= since)) - 1
    scopes = 0b11 if version >= 6 else 0  # abstract sockets and signals
    network = 0b11 if version >= 4 else 0  # TCP: bind and connect
    asked = (ctypes.c_uint64 * 3)(everything, network, scopes)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = _system("syscall", _CREATE_RULESET, asked, ctypes.c_size_t(size), 0)
    system = [f"/{name}" for name in sorted(_SYSTEM - {"dev"})]
    for path in [*system, *needed_paths()]:
        _allow(rules, path, _READING)
    for name in _DEVICES:
        _allow(rules, f"/dev/{name}", _READ_FILE | _WRITE_FILE)
    for path in ("/dev/ptmx", "/dev/pts"):  # for !commands in cells
        _allow(rules, path, everything & (_READING | _WRITE_FILE | _CONTROL_DEVICE))
    _allow(rules, folder, everything)
    _prctl(_NO_NEW_PRIVILEGES, 1)
    _system("syscall", _RESTRICT_SELF, rules, 0)
    os.close(rules)


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def _allow(rules: int, path: str, access: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        parent = os.open(path, os.O_PATH)
        if not os.path.isdir(path):
            access &= 1 | _READ_FILE | _WRITE_FILE | _TRUNCATE | _CONTROL_DEVICE  # what can be done to a file
        try:
            _system("syscall", _ADD_RULE, rules, 1, ctypes.byref(_PathBeneath(access, parent)), 0)
        finally:
            os.close(parent)
