"""This program's commands as on Windows, as far as another system can show it.

    python tests/as_windows.py FOLDER [FILE OLD NEW] < SCRIPT

The modules of this project, and no others, are loaded into a system that is called `nt` and lacks
what Windows lacks. In FOLDER nobody replaces or removes what this process has open, opens a folder,
makes a name that Windows refuses, or has two names that differ in case only; modes are those of
everybody, and texts are written in cp1252 with `\\r\\n` where nothing else is said. Paths have
slashes all the same, and nothing is tried of terminals and processes.

SCRIPT has a command a line: `adjudicator ARGS...`, `cd FOLDER`, `send FOLDER FILE...`, `key FILE`,
and `type TEXT` for what is typed into the next one. The first that ends with another code than 0
ends it. FILE, OLD and NEW plant a fault: FILE is read as if NEW stood there for OLD.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

SOURCES = Path(__file__).parent.parent
OURS = ("adjudicator", "orders", "games")
ABSENT = {
    "crypt", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios",
    "tty",
}  # fmt: skip
LACKING = {
    os: """
        O_CLOEXEC O_DIRECTORY O_DSYNC O_NDELAY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC O_TMPFILE
        WEXITSTATUS WIFEXITED WIFSIGNALED WNOHANG WTERMSIG chown chroot copy_file_range ctermid
        environb fchdir fchmod fchown fdatasync fork forkpty fstatvfs get_blocking getegid
        geteuid getgid getgroups getloadavg getpgid getpgrp getpriority getrandom getsid getuid
        killpg lchown lockf mkfifo mknod nice openpty pathconf pipe2 posix_fallocate posix_spawn
        pread preadv pwrite pwritev sched_getaffinity sendfile set_blocking setpgid setpriority
        setsid setuid statvfs sync sysconf tcgetpgrp ttyname uname wait wait3 wait4 waitid
        writev
    """,
    signal: """
        ITIMER_REAL SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP
        SIGUSR1 SIGUSR2 SIGWINCH SIGXCPU SIGXFSZ SIG_BLOCK SIG_SETMASK SIG_UNBLOCK alarm pause
        pthread_kill pthread_sigmask setitimer siginterrupt sigpending sigtimedwait sigwait
    """,
    time: """
        tzset clock_gettime clock_settime
    """,
}
"""What the modules of Python have on other systems only, as far as a program might use it."""
DEVICES = {"CON", "PRN", "AUX", "NUL"}
DEVICES |= {f"{port}{number}" for port in ("COM", "LPT") for number in "123456789"}
BINARY = 1 << 30
"""Windows' O_BINARY: a bit that this system does not know."""

real = SimpleNamespace(**{name: getattr(os, name) for name in dir(os)}, text=io.open)
texts: set[int] = set()
"""Descriptors that were opened without O_BINARY."""


class Folder:
    """Where it is as on Windows; what lies elsewhere is this system's."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)

    def inside(self, path: Any) -> list[str] | None:
        """The names on the way to it; None for what lies elsewhere, and for what is no path."""
        if not isinstance(path, (str, os.PathLike)):
            return None
        whole = os.path.abspath(path)  # noqa: PTH100 - links stay
        below = os.path.relpath(whole, self.root)
        return None if below.startswith("..") else below.split("/")

    def found(self, path: Any) -> Any:
        """The path, as its names are written where there are such, in whatever case."""
        parts = self.inside(path)
        if parts is None:
            return path
        place = self.root
        for part in parts:
            here: list[str] = []
            with contextlib.suppress(OSError):
                here = real.listdir(place)
            same = (one for one in here if one.casefold() == part.casefold())
            place = f"{place}/{part if part in here else next(same, part)}"
        return place

    def made(self, path: Any) -> Any:
        """As `found`; raises OSError for a name that Windows makes no file of."""
        for part in self.inside(path) or ():
            if (
                part.partition(".")[0].upper() in DEVICES
                or not {*'<>:"|?*\\', *map(chr, range(32))}.isdisjoint(part)
                or (part.endswith((".", " ")) and part != ".")
            ):
                raise OSError(errno.EINVAL, "Invalid argument", str(path))
        return self.found(path)

    def free(self, path: Any) -> Any:
        """As `found`; raises PermissionError if this process has it, or what is in it, open."""
        place = self.found(path)
        if self.inside(path) is not None:
            whole = os.path.realpath(place)
            for held in [*_open(), real.getcwd()]:
                if held == whole or held.startswith(f"{whole}/"):
                    raise PermissionError(errno.EACCES, f"this process has {held} open", str(path))
        return place


def _open() -> list[str]:
    """What this process has open."""
    found = []
    for one in real.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found.append(real.readlink(f"/proc/self/fd/{one}"))
    return found


def begin(folder: Folder, plant: list[str]) -> None:
    """Turn this process into one on Windows; nothing of the project is loaded yet."""
    real.umask(0)
    found, made, free = folder.found, folder.made, folder.free

    def opened(path: Any, flags: int, mode: int = 0o777, **named: Any) -> int:
        place = (made if flags & os.O_CREAT else found)(path)
        if folder.inside(path) is not None and Path(place).is_dir():
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return int(real.open(place, flags & ~BINARY, 0o666, **named))

    def moved(source: Any, target: Any, *, over: bool = True) -> None:
        made(target)
        if not over and os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, "File exists", str(target))
        real.replace(free(source), free(target))

    def text(
        file: Any, mode: str = "r", buffering: int = -1, encoding: str | None = None,
        errors: str | None = None, newline: str | None = None, *given: Any, **named: Any,
    ) -> Any:  # fmt: skip
        if not isinstance(file, int):
            file = (found if mode in ("r", "rb", "rt") else made)(file)
        if "b" not in mode:
            encoding = "cp1252" if encoding in (None, "locale") else encoding
            newline = "\r\n" if newline is None and "r" not in mode else newline
        return real.text(file, mode, buffering, encoding, errors, newline, *given, **named)

    def synced(handle: int) -> None:
        import fcntl

        if fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, "Bad file descriptor")

    def linked(*args: Any, **named: Any) -> None:
        raise OSError(errno.EPERM, "A required privilege is not held by the client")

    def begun(self: Any, *args: Any, preexec_fn: Any = None, **named: Any) -> None:
        if preexec_fn is not None:
            raise ValueError("preexec_fn is not supported on Windows platforms")
        started(self, *args, **named)

    started, subprocess.Popen.__init__ = subprocess.Popen.__init__, begun
    shutil._use_fd_functions = False
    io.open = text
    ours = {
        "open": opened, "replace": moved, "fsync": synced, "symlink": linked,
        "rename": lambda source, target: moved(source, target, over=False),
        "chmod": lambda path, mode, **named: None,
        "mkdir": lambda path, mode=0o777, **named: real.mkdir(made(path), **named),
        "link": lambda source, target, **named: real.link(found(source), made(target), **named),
    }  # fmt: skip
    for name in ("unlink", "remove", "rmdir"):
        ours[name] = _at(free, getattr(real, name))
    for name in ("stat", "lstat", "access", "listdir", "scandir", "readlink", "utime", "chdir"):
        ours[name] = _at(found, getattr(real, name))
    for name, call in ours.items():
        setattr(os, name, call)
    sys.meta_path.insert(0, Finder(_stand_ins(text), plant))


def _at(place: Callable[[Any], Any], does: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the system's, at the place that a path names there."""
    return lambda path=".", *given, **named: does(place(path), *given, **named)


def _stand_ins(text: Any) -> dict[str, Any]:
    """The builtins of our modules; what they import is Windows'."""
    modules = {}
    for module, names in LACKING.items():
        alike = modules[module.__name__] = ModuleType(module.__name__)
        vars(alike).update(
            {one: it for one, it in vars(module).items() if one not in names.split()}
        )
    system, opened = modules["os"], os.open
    system.name, system.O_BINARY = "nt", BINARY

    def marked(path: Any, flags: int, mode: int = 0o777) -> int:
        handle = opened(path, flags, mode)
        (texts.discard if flags & BINARY else texts.add)(handle)
        return handle

    def written(handle: int, data: bytes) -> int:
        real.write(handle, data.replace(b"\n", b"\r\n") if handle in texts else data)
        return len(data)

    system.open, system.write = marked, written

    def imported(name: str, *given: Any, **named: Any) -> Any:
        if name.partition(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        module = builtins.__import__(name, *given, **named)
        return modules.get(name, module) if module is not os else system

    return {**vars(builtins), "__import__": imported, "open": text}


class Finder(PathFinder):
    """Finds our modules."""

    def __init__(self, inside: dict[str, Any], plant: list[str]) -> None:
        self.inside, self.plant = inside, plant

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """As Python does, for ours only."""
        if name.partition(".")[0] not in OURS:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = Loader(name, spec.loader.path)
            spec.loader.finder = self
        return spec


class Loader(SourceFileLoader):
    """Loads a module of ours into that system."""

    finder: Finder

    def get_code(self, fullname: str) -> Any:
        """Of the text, with the fault that is planted there."""
        if not self.finder.plant or self.path != str(SOURCES / self.finder.plant[0]):
            return super().get_code(fullname)
        _, old, new = self.finder.plant
        text = Path(self.path).read_text("utf-8")
        if old not in text:
            raise AssertionError(f"{self.path} does not say {old!r}")
        return self.source_to_code(text.replace(old, new).encode(), self.path)

    def exec_module(self, module: ModuleType) -> None:
        """With builtins that import as there."""
        module.__dict__["__builtins__"] = self.finder.inside
        super().exec_module(module)


def play(script: str) -> int:
    """Run the commands; returns the exit code of the last."""
    from adjudicator import cli
    from orders.keys import write_key

    typed = ""
    for line in script.strip().splitlines():
        print(f"$ {ascii(line)[1:-1]}", flush=True)
        word, *args = shlex.split(line)
        if word == "cd":
            os.chdir(args[0])
        elif word == "key":
            write_key(Path(args[0]), "")
        elif word == "type":
            typed += " ".join(args) + "\n"
        elif word == "send":
            for name in args[1:]:
                shutil.copy(name, args[0])
        else:
            sys.stdin, typed = io.TextIOWrapper(io.BytesIO(typed.encode()), "cp1252"), ""
            try:
                cli.main(args)
            except SystemExit as ended:
                sys.stdout.flush()
                if ended.code:
                    return int(ended.code)
    return 0


if __name__ == "__main__":
    root, *planted = sys.argv[1:]
    sys.path.insert(0, str(SOURCES))
    os.chdir(root)
    if os.name != "nt":
        begin(Folder("."), planted)
        sys.stdout.reconfigure(encoding="cp1252", newline="\r\n")
    sys.stderr = sys.stdout
    try:
        sys.exit(play(sys.stdin.buffer.read().decode("utf-8")))
    except Exception:
        traceback.print_exc()
        sys.exit(70)
