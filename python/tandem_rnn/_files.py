"""This module reads files that somebody else wrote (SECURITY.md has what it may cost), and writes whole files."""
import contextlib
import io
import os
import stat
import tempfile


def name_of(source):
    """Returns the name for messages of a path, or of a file that is open."""
    return str(getattr(source, "name", type(source).__name__)) if hasattr(source, "read") else os.fsdecode(source)


@contextlib.contextmanager
def open_file(path):
    """Returns (the file, how many bytes it has), of a path or of an open file, such as a BytesIO, which is read to its end.

    A pipe or a device has no size, and may never end: ValueError.
    """
    if hasattr(path, "read"):
        data = path.read()
        if not isinstance(data, bytes):
            raise TypeError(f"{name_of(path)}: is a file of text, but must be one of bytes")
        yield io.BytesIO(data), len(data)
        return
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{os.fspath(path)}: is no regular file")
        yield file, status.st_size


def read_file(path):
    with open_file(path) as (file, size):
        return file.read(size)


@contextlib.contextmanager
def whole_file(path):
    """Opens a file to write. It takes the place of the one at path when all of it is on the disk; else that one stays as it is.

    A link is followed. A device, a pipe or an open file, such as a BytesIO, is written as it is.
    """
    if hasattr(path, "write"):
        yield path
        return
    path = os.path.realpath(path)
    before = os.stat(path) if os.path.exists(path) else None
    if before is not None and not stat.S_ISREG(before.st_mode):
        with open(path, "wb") as file:
            yield file
        return
    handle, part = tempfile.mkstemp(prefix=os.path.basename(path) + ".part", dir=os.path.dirname(path))
    try:
        with open(handle, "wb") as file:
            os.fchmod(handle, _mode_of_new_files() if before is None else stat.S_IMODE(before.st_mode))
            yield file
            file.flush()
            os.fsync(handle)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


def _mode_of_new_files():
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
