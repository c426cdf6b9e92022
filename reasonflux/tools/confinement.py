"""What a sandboxed program's process does to itself before the program starts.

Runs in a child process with nothing but the standard library. Every step raises OSError when it fails, and the
caller then starts no program: there is no half-confined run.
"""

import contextlib
import ctypes
import os

from reasonflux.tools import landlock, syscalls

# Spelled out because importing `typing` would cost every program its milliseconds; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from reasonflux.tools.process import Job

MEMORY_RESERVE = 64 * 2**20
"""Bytes of address space above the limit, used only to report that the limit was hit."""

_INSIDE_ID = 65534
_NEW_NAMESPACES = 0x00020000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 2, 4, 8, 16384, 1 << 18
_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522

_SYSTEM_READABLE = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share/zoneinfo",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/urandom",
    "/dev/zero",
)


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def enter_namespaces(folder: str, disk_bytes: int, max_files: int) -> None:
    """Leave the host's users, processes, network, IPC, host name and mounts; put a bounded memory disk on `folder`.

    Only children made afterwards are in the new PID namespace. Inside, this user is nobody (65534), and stands
    outside for the same user as before.

    Raises:
        OSError: the system does not allow one of these.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    _checked(libc.unshare(_NEW_NAMESPACES), "unshare")
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{_INSIDE_ID} {user} 1")
    _write("/proc/self/gid_map", f"{_INSIDE_ID} {group} 1")
    _checked(libc.mount(None, b"/", None, ctypes.c_ulong(_MS_REC | _MS_PRIVATE), None), "making mounts private")
    _checked(
        libc.mount(
            b"tmpfs",
            os.fsencode(folder),
            b"tmpfs",
            ctypes.c_ulong(_MS_NOSUID | _MS_NODEV | _MS_NOEXEC),
            f"size={disk_bytes},nr_inodes={max_files},mode=700".encode(),
        ),
        "mounting a memory disk",
    )


def die_with_parent(signal_number: int) -> None:
    """Have the kernel send this process `signal_number` when the thread that started it ends.

    Raises:
        OSError: the kernel refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    _prctl(libc, _PR_SET_PDEATHSIG, signal_number)


def confine(job: "Job", readable: list[str]) -> None:
    """Set resource limits, drop every capability, then lock files (Landlock) and system calls (seccomp) for good.

    Args:
        job: the limits, the filter, the folder, and whether that folder is a memory disk the program may write.
        readable: files and folders the program may read, beside the system's libraries.

    Raises:
        OSError: a step was refused; nothing may run then.
    """
    _set_resource_limits(job)
    # So that a machine short of memory takes it from the program first. Advice only: /proc may be read-only.
    with contextlib.suppress(OSError):
        _write("/proc/self/oom_score_adj", "1000")
    libc = ctypes.CDLL(None, use_errno=True)
    header = _CapabilityHeader(_CAPABILITY_VERSION_3, 0)
    _checked(libc.capset(ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)())), "dropping capabilities")
    _prctl(libc, _PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(
        [
            *((path, landlock.READ) for path in (*_SYSTEM_READABLE, *readable)),
            ("/dev/null", landlock.READ_WRITE),
            (job["folder"], landlock.OWN if job["namespaces"] else landlock.READ),
        ]
    )
    own = syscalls.for_process(job["filter"], os.getpid())
    program = _FilterProgram(len(own) // 8, own)
    _checked(
        libc.prctl(_PR_SET_SECCOMP, ctypes.c_ulong(_SECCOMP_MODE_FILTER), ctypes.byref(program), 0, 0),
        "loading the system-call filter",
    )


def _set_resource_limits(job: "Job") -> None:
    import resource

    cpu, memory = max(1, round(job["cpu_seconds"])), job["memory_bytes"]
    wanted = {
        resource.RLIMIT_CPU: (cpu, cpu + 1),
        resource.RLIMIT_AS: (memory, memory + MEMORY_RESERVE),
        resource.RLIMIT_FSIZE: (job["file_bytes"], job["file_bytes"]),
        resource.RLIMIT_NOFILE: (64, 64),
        resource.RLIMIT_NPROC: (0, 0),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MEMLOCK: (0, 0),
        resource.RLIMIT_MSGQUEUE: (0, 0),
        resource.RLIMIT_STACK: (8 * 2**20, 8 * 2**20),
    }
    for kind, (soft, hard) in wanted.items():
        ceiling = resource.getrlimit(kind)[1]
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(kind, (soft, hard))


def _prctl(libc: ctypes.CDLL, option: int, value: int) -> None:
    zero = ctypes.c_ulong(0)
    _checked(libc.prctl(option, ctypes.c_ulong(value), zero, zero, zero), f"prctl {option}")


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _checked(result: int, what: str) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
