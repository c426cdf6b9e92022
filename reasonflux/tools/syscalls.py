"""The system calls a sandboxed program may make, compiled to a seccomp filter.

An allowlist: whatever is not named here fails with EPERM, which Python turns into a PermissionError the program
can read. There is no way to start a process or a thread, open a socket, signal another process, or change the
owner, mode or dates of a file, so none of these needs counting, and all hold for root too.
"""

import functools
import os
import struct

OWN_PID = 0x7ABCDEF1
"""Stands in the compiled filter for the pid of the process that will load it; see `for_process`."""

_FILES = """
    access chdir close close_range copy_file_range dup dup2 dup3 faccessat faccessat2 fadvise64 fallocate fchdir
    fdatasync flock fstat fstatfs fsync ftruncate getcwd getdents getdents64 link linkat lseek lstat mkdir mkdirat
    newfstatat open openat pipe pipe2 pread64 preadv pwrite64 pwritev read readlink readlinkat readv rename renameat
    renameat2 rmdir sendfile stat statfs statx symlink symlinkat umask unlink unlinkat write writev
"""
_WAITING = """
    alarm clock_getres clock_gettime clock_nanosleep epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_wait
    eventfd2 getitimer gettimeofday nanosleep pause poll ppoll pselect6 select setitimer time times
"""
_MEMORY = "brk madvise membarrier mincore mmap mprotect mremap msync munmap"
_SELF = """
    arch_prctl exit exit_group futex get_robust_list getcpu getegid geteuid getgid getgroups getpgid getpgrp getpid
    getppid getrandom getresgid getresuid getrlimit getrusage getsid gettid getuid restart_syscall rseq
    rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigtimedwait sched_getaffinity
    sched_yield set_robust_list set_tid_address setrlimit sigaltstack sysinfo uname wait4 waitid
"""
_FCNTL_COMMANDS = (0, 1, 2, 3, 4, 5, 6, 7, 1030)
_IOCTL_REQUESTS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
_EPERM = 1


@functools.cache
def compile_filter() -> bytes:
    """Return the filter as BPF instructions for this machine, `OWN_PID` standing for the program's own pid.

    Raises:
        RuntimeError: libseccomp is not installed.
        ImportError: the pyseccomp package is not installed.
        OSError: libseccomp refuses a rule.
    """
    import pyseccomp

    rules = pyseccomp.SyscallFilter(pyseccomp.ERRNO(_EPERM))
    numbers = {name: pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) for name in _allowed_names()}
    for name, number in numbers.items():
        # A negative number: this architecture, or this libseccomp, has no such call.
        if number >= 0:
            rules.add_rule(pyseccomp.ALLOW, name)
    # fcntl and ioctl without what lets one process have another signalled (F_SETOWN) or type into a terminal.
    for command in _FCNTL_COMMANDS:
        rules.add_rule(pyseccomp.ALLOW, "fcntl", pyseccomp.Arg(1, pyseccomp.EQ, command))
    for request in _IOCTL_REQUESTS:
        rules.add_rule(pyseccomp.ALLOW, "ioctl", pyseccomp.Arg(1, pyseccomp.EQ, request))
    for name in ("kill", "tgkill"):
        rules.add_rule(pyseccomp.ALLOW, name, pyseccomp.Arg(0, pyseccomp.EQ, OWN_PID))
    rules.add_rule(pyseccomp.ALLOW, "prlimit64", pyseccomp.Arg(0, pyseccomp.EQ, 0))
    # Without this answer glibc does not try the older clone, and threads fail with a stranger error.
    rules.add_rule(pyseccomp.ERRNO(38), "clone3")
    with os.fdopen(os.memfd_create("filter"), "w+b") as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def for_process(instructions: bytes, pid: int) -> bytes:
    """Return the filter with `pid` in the place of `OWN_PID`, so that a process may abort or signal itself."""
    return instructions.replace(struct.pack("=I", OWN_PID), struct.pack("=I", pid))


def _allowed_names() -> list[str]:
    return " ".join((_FILES, _WAITING, _MEMORY, _SELF)).split()
