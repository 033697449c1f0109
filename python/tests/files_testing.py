"""Readers of files are held to SECURITY.md: an error that is a sentence, memory by the file's size, no hang."""
import contextlib
import os
import resource
import signal
import tempfile
import tracemalloc
import unittest

TIMES = 20  # a reader may take this multiple of the file's size at once
LEAST = 1 << 20  # a small file may take this many bytes
CPU_SECONDS = 60  # readers take milliseconds for one file of some 100 kB, so more is a hang


def _stop(*_):
    raise AssertionError(f"it took {CPU_SECONDS} s of the processor")


@contextlib.contextmanager
def processor_time():
    """Ends a test that takes too much time of the processor; a busy machine does not matter."""
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class Files(unittest.TestCase):
    """The tests have a folder, and too little address space for a reader that takes gigabytes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        limits = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (used + (4 << 30), limits[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_AS, limits)

    def path(self, name, content=None):
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content)
        return path

    def read(self, reader, path, sentence=None):
        """Makes sure that reading a file takes what it may. It gives a result, or an error that is a sentence with this text."""
        error = None
        tracemalloc.start()
        try:
            with processor_time():
                reader(path)
        except (TypeError, ValueError) as caught:
            error = caught
        finally:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        self.assertIsNot(type(error), TypeError, error)
        self.assertLessEqual(peak, TIMES * os.path.getsize(path) + LEAST, error)
        if sentence is not None:
            self.assertRegex(str(error), sentence)
        return error
