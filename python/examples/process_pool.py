"""A pool of processes computes: each loads the network once from a file, and computes sequences that come to it.

Threads of one process share a network, too, and its executions leave Python's lock. Processes help if the work around the
network is Python. They are started afresh ("spawn"), because a forked copy of a process with threads is not safe.
"""
import concurrent.futures
import multiprocessing
import os
import tempfile

import numpy as np
import tandem_rnn

net = None  # each process has its own


def load(path):
    global net
    tandem_rnn.set_num_threads(1)  # one process for each processor
    net = tandem_rnn.from_safetensors(path)


def last_output(x):
    return net(x)[0][-1, 0]


if __name__ == "__main__":
    random = np.random.default_rng(1)
    sequences = [random.uniform(-1, 1, (steps, 1, 40)).astype(np.float32) for steps in random.integers(10, 200, 24)]
    whole = tandem_rnn.LSTM(40, 64, 2)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.safetensors")
        whole.save(path)
        with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn"), load, (path,)) as pool:
            results = list(pool.map(last_output, sequences, chunksize=4))
    assert all((mine == whole(x)[0][-1, 0]).all() for mine, x in zip(results, sequences))
    print(f"{len(sequences)} sequences in 2 processes have the bits of one")
