"""Several processes train, each on its part of the rows: torch.distributed with gloo around modules of tandem_rnn.torch.

    python data_parallel.py [PROCESSES]

torchrun starts such processes, too: it sets RANK and WORLD_SIZE. Here the program starts them itself, and compares the weights
after some steps with those of one process that trains on all rows.
"""
import os
import socket
import sys
import warnings

import torch
import torch.multiprocessing
from torch.nn.parallel import DistributedDataParallel

import tandem_rnn
import tandem_rnn.torch

STEPS, ROWS, CHANNELS, UNITS = 12, 8, 5, 8


def train(model, rows):
    """Makes some steps on some of the rows; each process has as many."""
    random = torch.Generator().manual_seed(2)
    x, target = torch.rand(STEPS, ROWS, CHANNELS, generator=random), torch.rand(STEPS, ROWS, 2 * UNITS, generator=random)
    optimizer = torch.optim.SGD(model.parameters(), 0.5)
    for _ in range(5):
        optimizer.zero_grad()
        ((model(x[:, rows])[0] - target[:, rows])**2).mean().backward()
        optimizer.step()
    return [p.detach().clone() for p in model.parameters()]


def network():
    torch.manual_seed(1)
    return tandem_rnn.torch.accelerate(torch.nn.LSTM(CHANNELS, UNITS, 2, bidirectional=True))


def work(rank, processes, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    tandem_rnn.set_num_threads(max(1, tandem_rnn.get_num_threads() // processes))  # all processes share the processors
    torch.distributed.init_process_group("gloo", rank=rank, world_size=processes)
    weights = train(DistributedDataParallel(network()), slice(rank, None, processes))
    if rank == 0:
        error = max((a - b).abs().max().item() for a, b in zip(weights, train(network(), slice(None))))
        print(f"{processes} processes, largest difference of a weight from one process: {error:.1e}")
        assert error < 1e-5
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    warnings.simplefilter("ignore", FutureWarning)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        free = listener.getsockname()[1]
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    torch.multiprocessing.spawn(work, (count, free), count)
