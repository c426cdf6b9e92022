"""Landlock by its three system calls: a process gives up the file system except for a few paths.

Only what a sandboxed program's own process needs; the rules stay with the process for good. Landlock does not
cover metadata (stat, chmod, chown), changing directory or Unix sockets; the system-call filter does.
"""

import ctypes
import os
from collections.abc import Iterable

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_QUERY = 1
_PATH_BENEATH = 1
_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG, _MAKE_SYM = 1 << 4, 1 << 5, 1 << 7, 1 << 8, 1 << 12
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_RIGHTS_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV

READ = _READ_FILE | _READ_DIR
"""Read files and list folders."""
READ_WRITE = READ | _WRITE_FILE | _TRUNCATE
"""Read and change what exists."""
OWN = READ_WRITE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _MAKE_SYM | _REFER
"""Everything but running programs and making devices, sockets and pipes."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """Return the Landlock version of the running kernel, 0 where there is none."""
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, int(libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_QUERY))))


def restrict(rules: Iterable[tuple[str, int]]) -> None:
    """Deny this process every file access but `rules`: pairs of a path and `READ`, `READ_WRITE` or `OWN`.

    Paths that do not exist are left out. TCP is denied too where the kernel's Landlock knows it, and so are
    signals to processes outside. The caller must have set no_new_privs.

    Raises:
        OSError: the kernel has no Landlock or refuses the rules.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    abi = version()
    handled = _handled_rights(abi)
    attributes = _Ruleset(handled, 0b11 if abi >= 4 else 0, _SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = _checked(
        libc.syscall(_CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(size), ctypes.c_uint32(0)),
        "landlock_create_ruleset",
    )
    try:
        for path, rights in rules:
            _allow(libc, ruleset, path, rights & handled)
        _checked(libc.syscall(_RESTRICT_SELF, ruleset, ctypes.c_uint32(0)), "landlock_restrict_self")
    finally:
        os.close(ruleset)


def _handled_rights(abi: int) -> int:
    known = (1 << 13) - 1
    if abi >= 2:
        known |= _REFER
    if abi >= 3:
        known |= _TRUNCATE
    if abi >= 5:
        known |= _IOCTL_DEV
    return known


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    try:
        if not os.path.isdir(path):
            rights &= _RIGHTS_OF_A_FILE
        rule = _PathBeneath(rights, parent)
        result = libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), ctypes.c_uint32(0))
        _checked(result, f"landlock_add_rule for {path}")
    finally:
        os.close(parent)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
