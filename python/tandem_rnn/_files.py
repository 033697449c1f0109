"""Files that somebody else wrote. SECURITY.md has what reading them may cost."""
import contextlib
import os
import stat


@contextlib.contextmanager
def open_file(path):
    """(the file, how many bytes it has). A pipe or a device has no size, and may never end: ValueError."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{os.fspath(path)}: is no regular file")
        yield file, status.st_size


def read_file(path):
    with open_file(path) as (file, size):
        return file.read(size)
