"""Writes the files of this folder: saved networks (docs/saved_networks.md), each with an x and what comes of it.

usage: make.py FOLDER    with the package for Python

user.x, user.attention: the arguments of a call; user.y, user.h, user.c: what it returns. The tests of all three languages read them.
"""
import os
import sys
import warnings

import numpy as np
import tandem_rnn as tr
from tandem_rnn._safetensors import read_safetensors, write_safetensors

STEPS, ROWS, SLC, DHC = 3, 2, 4, 5


def numbers(random, *shape):
    """Numbers that bfloat16 and float16 have, too."""
    return np.float32(random.integers(-127, 128, shape) / 128)


def networks():
    """Name to network: each cell, direction, precision and kind of 8 bits, and gates of other functions."""
    nets = {
        "lstm": tr.LSTM(SLC, DHC, 2, batch_first=True),
        "lstm_concat": tr.LSTM(SLC, DHC, 2, direction="concat", bias=False),
        "lstm_projection": tr.LSTM(SLC, DHC, 2, dic=3, peephole=True),
        "gru_sum_bfloat16": tr.GRU(SLC, DHC, direction="sum", precision="bfloat16"),
        "lbr_gru_float16": tr.LBRGRU(SLC, DHC, 2, direction="right2left", precision="float16"),
        "vanilla_rnn": tr.RNN(SLC, DHC, activation="relu", alpha=0.25),
        "augru": tr.AUGRU(SLC, DHC, batch_first=True),
        "lbr_augru": tr.LBRAUGRU(SLC, DHC),
    }
    random = np.random.default_rng(1)
    for net in nets.values():
        net.set_weights([{name: numbers(random, *array.shape) for name, array in part.items()} for part in net.weights])
    for name in "lstm", "lstm_projection", "vanilla_rnn", "lbr_gru_float16":
        net = nets[name]
        state = [numbers(random, *part.shape) for part in (net.zero_state(1) if net.cell == "lstm" else [net.zero_state(1)])]
        net.first_state = state if net.cell == "lstm" else state[0]
    # In 8 bits x is larger than the weights, so that it is divided.
    large = tr.LSTM(SLC, DHC, 2, dic=3, batch_first=True)
    large.set_weights([{name: numbers(random, *array.shape) / (16 if name == "weights_layer" else 1) for name, array in part.items()}
                       for part in large.weights])
    large.first_state = [numbers(random, *part.shape) for part in large.zero_state(1)]
    nets["lstm_large"], samples = large, np.float32(16) * numbers(random, ROWS, STEPS, SLC)
    nets["lstm_dynamic"], nets["lstm_weights_only"] = large.quantize(), large.quantize(weights_only=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # 8 bits are not enough for so few units
        nets["lstm_samples"] = large.quantize(samples)
    return {**nets, **networks_of_gates()}


def networks_of_gates():
    """Returns name to network, for gates of other functions."""
    nets = {
        "lstm_gates": tr.LSTM(SLC, DHC, 2, activations=(("hard_sigmoid", 0.2, 0.5), "softsign", ("relu", 0.1)), clip=0.5,
                              input_forget=True, batch_first=True),
        "gru_gates": tr.GRU(SLC, DHC, 2, activations=("logistic", "relu"), direction="concat"),
    }
    random = np.random.default_rng(3)
    for net in nets.values():
        net.set_weights([{name: numbers(random, *array.shape) for name, array in part.items()} for part in net.weights])
    nets["lstm_gates_dynamic"] = nets["lstm_gates"].quantize()
    return nets


def write(folder):
    random = np.random.default_rng(2)
    for name, net in networks().items():
        path = os.path.join(folder, name + ".safetensors")
        net.save(path)
        tensors, metadata = read_safetensors(path)
        own = getattr(net, "net", net)
        shape = (ROWS, STEPS) if own.batch_first else (STEPS, ROWS)
        arguments = {"x": numbers(random, *shape, SLC) * np.float32(16 if own.layers[0].dic == 3 and own.batch_first else 1)}
        if own.cell.endswith("augru"):
            arguments["attention"] = abs(numbers(random, *shape, 1))
        y, state = net(**arguments)
        found = {**arguments, "y": y, **dict(zip("hc", state if own.cell == "lstm" else (state,)))}
        write_safetensors(path, {**tensors, **{f"user.{name}": array for name, array in found.items()}}, metadata)


if __name__ == "__main__":
    write(sys.argv[1])
