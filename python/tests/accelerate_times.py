"""Prints PyTorch's time divided by that of tandem_rnn.torch: for one step, 20 single steps with backward, packed sequences and
bidirectional stacks. The times are the processor's, on one thread: the least of blocks of calls that take turns.

    python3 python/tests/accelerate_times.py [case...]
"""
import copy
import sys
import time

import torch

import tandem_rnn.torch as ours

SIZES = 16, 64, 128, 256
ROUNDS = 20


def block(module, call, calls):
    """Returns the nanoseconds of a call in a block of calls. A program's loop makes one after the other, too, with warm caches."""
    begin = time.thread_time_ns()
    for _ in range(calls):
        call(module)
    return (time.thread_time_ns() - begin) / calls


def ratio(module, call):
    """Returns the least time of call(module) in PyTorch, in milliseconds, and divided by Tandem's."""
    mine = ours.accelerate(copy.deepcopy(module))
    calls = max(2, int(5e5 / max(block(module, call, 3), block(mine, call, 3))))
    times = [(block(module, call, calls), block(mine, call, calls)) for _ in range(ROUNDS)]
    theirs, own = (min(column) for column in zip(*times))
    return theirs / 1e6, theirs / own


def step(rows):
    def case(kind, size):
        x = torch.rand(1, rows, size)

        def call(module):
            with torch.no_grad():
                module(x)
        return getattr(torch.nn, kind)(size, size), call
    return case


def cell_step(rows):
    def case(kind, size):
        x = torch.rand(rows, size)

        def call(module):
            with torch.no_grad():
                module(x)
        return getattr(torch.nn, kind + "Cell")(size, size), call
    return case


def loop(kind, size):
    x = torch.rand(20, 1, 4, size)

    def call(module):
        state = None
        for one in x:
            y, state = module(one, state)
        y.sum().backward()
    return getattr(torch.nn, kind)(size, size), call


def packed(kind, size):
    x = torch.nn.utils.rnn.pack_sequence([torch.rand(n, size) for n in range(50, 10, -5)])

    def call(module):
        module(x)[0].data.sum().backward()
    return getattr(torch.nn, kind)(size, size), call


def stack(kind, size):
    x = torch.rand(30, 4, size)

    def call(module):
        module(x)[0].sum().backward()
    return getattr(torch.nn, kind)(size, size, 2, bidirectional=True), call


CASES = {"one step": step(1), "one step, 4 rows": step(4), "step of a Cell": cell_step(1), "step of a Cell, 16 rows": cell_step(16),
         "20 steps with backward": loop, "packed, T = 50": packed, "bidirectional stack": stack}


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    for name, case in CASES.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        for kind in "LSTM", "GRU", "RNN":
            found = [ratio(*case(kind, size)) for size in SIZES]
            print(f"{name:24} {kind:5} " + "  ".join(f"{size}: {each:.2f} ({ms:.3f} ms)" for size, (ms, each) in zip(SIZES, found)), flush=True)


if __name__ == "__main__":
    main()
