"""An execution uses the threads that it may, and a network keeps bounded memory for shapes that may come again."""
import os
import resource
import subprocess
import sys
import unittest

import numpy as np

import tandem_rnn as tr
from tandem_rnn import _plan

# Two threads pay for executions of this network. A thread of Python that has set no number calls it, too.
PROGRAM = """
import os, sys, threading
import numpy as np
import tandem_rnn as tr

def tasks(ran=None):
    return len(os.listdir("/proc/self/task"))

# On a busy machine an execution uses fewer threads: the most of many executions count.
def most_tasks():
    return max(tasks(net(x)) for _ in range(200))

net, x = tr.LSTM(128, 256), np.ones((4, 64, 128), np.float32)
nets = net, net.quantize()
threads = [tasks()]
for number in 1, 2:
    tr.set_num_threads(number)
    assert tr.get_num_threads() == number
    for each in nets:
        each(x)
    net.record(x).backward()
    threads.append(most_tasks())
    ys = []
    other = threading.Thread(target=lambda: ys.extend((net(x)[0], most_tasks())))
    other.start()
    other.join()
    assert (ys[0] == net(x)[0]).all()
    threads.append(ys[1] - 1)
print(*threads)
"""


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


class Threads(unittest.TestCase):
    def run_with(self, program, **variables):
        environment = {**{name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}, **variables}
        return subprocess.run([sys.executable, "-B", "-c", program], env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout

    def test_executions_use_as_many(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("this machine has one processor")
        before, one, other_of_one, two, other_of_two = map(int, self.run_with(PROGRAM, OMP_NUM_THREADS="2").split())
        self.assertEqual((one, other_of_one), (before, before))
        self.assertEqual((two, other_of_two), (before + 1, before + 2))

    def test_what_is_said_before(self):
        program = "import os, tandem_rnn; print(tandem_rnn.get_num_threads(), len(os.sched_getaffinity(0)))"
        self.assertEqual(self.run_with(program, OMP_NUM_THREADS="3,2").split()[0], "3")
        for variables in {}, {"OMP_NUM_THREADS": ""}, {"OMP_NUM_THREADS": "many"}:
            said, processors = self.run_with(program, **variables).split()
            self.assertEqual(said, processors)

    def test_what_is_no_number_of_threads(self):
        for number in 0, -1, 1.5, True, "2":
            with self.assertRaisesRegex(ValueError, f"number: is {number!r}, but must be a positive integer"):
                tr.set_num_threads(number)


class Memory(unittest.TestCase):
    def test_many_shapes_have_bounded_memory(self):
        net = tr.LSTM(64, 64)
        for part, shapes in enumerate((range(1, 40), range(40, 400, 6))):
            for steps in shapes:
                x = np.zeros((steps, 4, 64), np.float32)
                net(x)
                net.record(x).backward()
            if part == 0:
                before = resident()
        kept = [run for runs in net._now[1].values() for run in runs]
        self.assertLessEqual(sum(run.bytes() for run in kept), _plan.KEPT_BYTES + max(run.bytes() for run in kept))
        self.assertLessEqual(net._plans._bytes, _plan.KEPT_BYTES)
        # The memory may grow by two kept sets of 16 MiB, small buffers of training, and the library's cache of 64 primitives.
        self.assertLess(resident() - before, 96 << 20)
