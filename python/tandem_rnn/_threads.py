"""This module limits the threads of an execution. The library plans a primitive for the threads of its maker."""
import os
import weakref

import numpy as np

from . import _abi as abi

_said = 0
keepers = weakref.WeakSet()  # these have primitives for later calls, and _forget() drops them


def set_num_threads(number):
    """Sets the most threads of each later execution of this process, the calling one included; not PyTorch's and numpy's."""
    global _said
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
        raise ValueError(f"number: is {number!r}, but must be a positive integer")
    _said = int(number)
    for keeper in list(keepers):
        keeper._forget()


def get_num_threads():
    """Returns the number of set_num_threads(); before it OMP_NUM_THREADS, or the number of processors this process may use."""
    if _said:
        return _said
    first = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    if first.isdigit() and int(first):
        return int(first)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def apply():
    """Tells the library the number for a primitive that this thread is about to make. The library has one for each thread."""
    if _said:
        abi.check(abi.lib.tandem_set_max_concurrency(_said))
