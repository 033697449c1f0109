"""Tests make files of audio models here. The equations of their cells are in float64, in the layout of each format."""
import json

import numpy as np

UNIT = 2.0**-24


def draw(*shape, seed=1):
    return np.random.default_rng(seed).uniform(-0.5, 0.5, shape).astype(np.float32)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def sum_error(terms, before=0.0):
    """Returns float32's error in a sum of products below 1/2 each. before: that of the factors, of weights below 1/2."""
    return terms**2 * UNIT + terms * before / 2


def cell_error(terms, before=0.0):
    """Returns the same for one step of a cell with so many terms in each gate, whose state before is the same.

    In c = f c + i g with abs(c) <= 2, sigmoid's slope is 1/4, tanh's 1: c is off by 7/4 and h by 2 times the error of a gate. GRU
    has 1/2 by z, 1 by the candidate, and by r a quarter of a sum of terms / 2. 32 is for functions that are 4 ulp off.
    """
    return (2 + terms / 8) * sum_error(terms, before) + 32 * UNIT


def lstm_step(gates, c):
    """Returns h and c after a step. gates: the sums of i, f, the candidate and o."""
    i, f, g, o = gates
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    assert np.abs(c).max() <= 2
    return sigmoid(o) * np.tanh(c), c


def keras_lstm(x, h, c, weights):
    kernel, recurrent, bias = (part.astype(np.float64) for part in weights)
    return lstm_step(np.split(x @ kernel + h @ recurrent + bias, 4, axis=1), c)


def keras_gru(x, h, weights):
    """Computes a GRU with reset_after."""
    kernel, recurrent, bias = (part.astype(np.float64) for part in weights)
    (z, r, n), (hz, hr, hn) = (np.split(gates, 3, axis=1) for gates in (x @ kernel + bias[0], h @ recurrent + bias[1]))
    z, r = sigmoid(z + hz), sigmoid(r + hr)
    return z * h + (1 - z) * np.tanh(n + r * hn)


def keras_layer(kind, channels, units, seed=1):
    """Returns a layer of RTNeural's file with its weights."""
    gates = {"lstm": 4, "gru": 3}[kind]
    weights = [draw(channels, gates * units, seed=seed), draw(units, gates * units, seed=seed + 1),
               draw(*(() if kind == "lstm" else (2,)), gates * units, seed=seed + 2)]
    return rtneural_layer(kind, "tanh", units, weights), weights


def rtneural_layer(kind, activation, units, weights=()):
    return {"type": kind, "activation": activation, "shape": [None, None, units], "weights": [part.tolist() for part in weights]}


def rtneural(channels, *layers, **more):
    return {"in_shape": [None, None, channels], "layers": list(layers), **more}


def torch_state(gates, channels, units, layers=1, outputs=1):
    """Returns the tensors of GuitarML's module by their names."""
    state = {}
    for layer in range(layers):
        shapes = {"weight_ih": (gates * units, units if layer else channels), "weight_hh": (gates * units, units),
                  "bias_ih": (gates * units,), "bias_hh": (gates * units,)}
        for number, (name, shape) in enumerate(shapes.items()):
            state[f"rec.{name}_l{layer}"] = draw(*shape, seed=10 * layer + number)
    return {**state, "lin.weight": draw(outputs, units, seed=98), "lin.bias": draw(outputs, seed=99)}


def torch_lstm(x, h, c, weights):
    w_ih, w_hh, b_ih, b_hh = (part.astype(np.float64) for part in weights)
    return lstm_step(np.split(x @ w_ih.T + h @ w_hh.T + b_ih + b_hh, 4, axis=1), c)


def torch_gru(x, h, weights):
    w_ih, w_hh, b_ih, b_hh = (part.astype(np.float64) for part in weights)
    (r, z, n), (hr, hz, hn) = (np.split(gates, 3, axis=1) for gates in (x @ w_ih.T + b_ih, h @ w_hh.T + b_hh))
    r, z = sigmoid(r + hr), sigmoid(z + hz)
    return (1 - z) * np.tanh(n + r * hn) + z * h


def guitarml(unit_type, state, channels, units, layers=1, **more):
    return {"model_data": {"model": "SimpleRNN", "input_size": channels, "skip": 1, "output_size": len(state["lin.weight"]),
                           "unit_type": unit_type, "num_layers": layers, "hidden_size": units, "bias_fl": True, **more},
            "state_dict": {name: array.tolist() for name, array in state.items()}}


def nam_parts(channels, units, layers):
    """The list has W, b, h and c of each layer; then the head's weights and bias."""
    parts = []
    for layer in range(layers):
        inputs = units if layer else channels
        parts += [draw(4 * units, inputs + units, seed=4 * layer), draw(4 * units, seed=4 * layer + 1),
                  draw(units, seed=4 * layer + 2), draw(units, seed=4 * layer + 3)]
    return [*parts, draw(units, seed=98), draw(1, seed=99)]


def nam(parts, channels, units, layers, **more):
    return {"version": "0.5.4", "architecture": "LSTM",
            "config": {"input_size": channels, "hidden_size": units, "num_layers": layers},
            "weights": np.concatenate([part.ravel() for part in parts]).tolist(), "sample_rate": 44100, **more}


def rnnoise(name, channels, units, seed=1):
    """Returns arrays of a GRU as the C file has them: bytes that stand for 256ths."""
    random = np.random.default_rng(seed)
    return {f"{name}_{key}": random.integers(-127, 128, size).astype(np.int8) for key, size in
            (("weights", channels * 3 * units), ("recurrent_weights", units * 3 * units), ("bias", 3 * units))}


def rnnoise_gru(x, h, arrays, name, function=np.tanh):
    """Computes z, r and the candidate, whose matrix multiplies r h."""
    units = h.shape[1]
    kernel, recurrent = (arrays[f"{name}_{key}"].reshape(-1, 3 * units) / 256 for key in ("weights", "recurrent_weights"))
    z, r, n = np.split(x @ kernel + arrays[f"{name}_bias"] / 256, 3, axis=1)
    uz, ur, un = np.split(recurrent, 3, axis=1)
    z, r = sigmoid(z + h @ uz), sigmoid(r + h @ ur)
    return z * h + (1 - z) * function(n + (r * h) @ un)


def text_of(data):
    return json.dumps(data).encode()
