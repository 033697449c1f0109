"""Minimal cells are GRUs, LSTMs and RNNs with zeros, ones and functions of gates: the table of docs/coming_from.md.

The functions are exact on numbers of few bits, so that a step has the bits of its equations.
"""
import unittest

import numpy as np

import tandem_rnn as tr

SIGMOID, LINEAR, RELU = ("hard_sigmoid", 0.25, 0.5), ("affine", 1.0, 0.0), ("relu", 0.0)
ONE = 100.0  # a bias whose sigmoid is 1, also the logistic function's in float32
GRU, LSTM = ["u", "r", "o"], ["i", "f", "c~", "o"]


def few_bits(seed, *shape):
    return (np.random.default_rng(seed).integers(-4, 5, shape) / 4).astype(np.float32)


def sigmoid(a):
    return np.clip(a / 4 + 0.5, 0, 1)


def relu(a):
    return np.maximum(a, 0)


X, H, C = few_bits(1, 2, 3), few_bits(2, 2, 4), few_bits(3, 2, 4)
W = {name: few_bits(10 + place, 3, 4) for place, name in enumerate("abc")}
U = {name: few_bits(20 + place, 4, 4) for place, name in enumerate("abc")}
B = {name: few_bits(30 + place, 4) for place, name in enumerate("abc")}


def affine(name, recurrent=True):
    """Returns W x + U h' + b of the weights that have this name; or without U h'."""
    return X @ W[name] + B[name] + (H @ U[name] if recurrent else 0)


def filled(net, gates, given, recurrent=True):
    """Returns the network with the weights of `given`: for each gate a name and a sign, or a number that its sum is."""
    part = {name: np.zeros_like(array) for name, array in net.weights[0].items()}
    for gate, of in given.items():
        place = gates.index(gate)
        if not isinstance(of, tuple):
            part["bias"][0, 0, place] = of
            continue
        name, sign = of
        part["weights_layer"][0, 0, :, place] = sign * W[name]
        part["weights_iter"][0, 0, :, place] = sign * U[name] * recurrent
        part["bias"][0, 0, place] = sign * B[name]
    net.set_weights([part])
    return net


class MinimalCells(unittest.TestCase):
    def test_min_gru(self):
        z, candidate = sigmoid(affine("a", False)), affine("b", False)
        net = filled(tr.GRU(3, 4, activations=(SIGMOID, LINEAR)), GRU, {"u": ("a", -1), "o": ("b", 1)}, recurrent=False)
        np.testing.assert_array_equal(net(X[None], H[None])[0][0], (1 - z) * H + z * candidate)

    def test_li_gru(self):
        z, candidate = sigmoid(affine("a")), relu(affine("b"))
        net = filled(tr.GRU(3, 4, activations=(SIGMOID, RELU)), GRU, {"u": ("a", 1), "r": ONE, "o": ("b", 1)})
        np.testing.assert_array_equal(net(X[None], H[None])[0][0], z * H + (1 - z) * candidate)

    def test_janet(self):
        f, candidate = sigmoid(affine("a")), relu(affine("b"))
        net = filled(tr.LSTM(3, 4, activations=(SIGMOID, RELU, LINEAR), input_forget=True), LSTM,
                     {"i": ("a", -1), "c~": ("b", 1), "o": ONE})
        y, (h, c) = net(X[None], (H[None], C[None]))
        np.testing.assert_array_equal(y[0], f * C + (1 - f) * candidate)
        np.testing.assert_array_equal(h, c)

    def test_qrnn(self):
        f, candidate, o = sigmoid(affine("a", False)), relu(affine("b", False)), sigmoid(affine("c", False))
        net = filled(tr.LSTM(3, 4, activations=(SIGMOID, RELU, LINEAR), input_forget=True), LSTM,
                     {"i": ("a", -1), "c~": ("b", 1), "o": ("c", 1)}, recurrent=False)
        np.testing.assert_array_equal(net(X[None], (H[None], C[None]))[0][0], o * (f * C + (1 - f) * candidate))

    def test_ind_rnn(self):
        net = tr.RNN(3, 4, activation="relu")
        net.set_weights([{"weights_layer": W["a"][None, None, :, None], "weights_iter": np.diag(U["a"][0])[None, None, :, None],
                          "bias": B["a"][None, None, None]}])
        np.testing.assert_array_equal(net(X[None], H[None])[0][0], relu(affine("a", False) + U["a"][0] * H))


if __name__ == "__main__":
    unittest.main()
