"""The outputs of networks from ONNX are those of ONNX's equations, which are here in double."""
import itertools
import unittest
import warnings

import numpy as np

import tandem_rnn as tr
from onnx_testing import LEFT_OUT, SLC, UNIT, UNITS, Folder, draw, helper, onnx, weights_of

try:
    import torch
except ImportError:
    torch = None


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm(x, state, w, r, b, p):
    h, c = state
    i, o, f, g = np.split(x @ w.T + h @ r.T + b, 4, axis=1)
    p_i, p_o, p_f = np.split(p, 3)
    i, f = sigmoid(i + p_i * c), sigmoid(f + p_f * c)
    c = f * c + i * np.tanh(g)
    return sigmoid(o + p_o * c) * np.tanh(c), c


def gru(x, state, w, r, wb, rb, linear_before_reset):
    h, = state
    (w_z, w_r, w_h), (r_z, r_r, r_h) = np.split(w, 3), np.split(r, 3)
    (wb_z, wb_r, wb_h), (rb_z, rb_r, rb_h) = np.split(wb, 3), np.split(rb, 3)
    z = sigmoid(x @ w_z.T + h @ r_z.T + wb_z + rb_z)
    reset = sigmoid(x @ w_r.T + h @ r_r.T + wb_r + rb_r)
    if linear_before_reset:
        new = np.tanh(x @ w_h.T + reset * (h @ r_h.T + rb_h) + wb_h)
    else:
        new = np.tanh(x @ w_h.T + (reset * h) @ r_h.T + rb_h + wb_h)
    return ((1 - z) * new + z * h,)


RNN = {"Tanh": np.tanh, "Relu": lambda x: np.maximum(x, 0), "Sigmoid": sigmoid,
       "LeakyRelu": lambda x, alpha=0.01: np.where(x < 0, alpha * x, x)}


def outputs(step, x, states, directions):
    """Returns Y as the package has it, (T, N, D units), and the last states (D, N, units). states: as many of (D, N, units) as
    the cell has. directions: for each, whether it goes backwards."""
    results, last = [], []
    for d, is_backwards in enumerate(directions):
        state, result = tuple(np.float64(each[d]) for each in states), [None] * len(x)
        for t in reversed(range(len(x))) if is_backwards else range(len(x)):
            state = step(d, np.float64(x[t]), state)
            result[t] = state[0]
        results.append(np.stack(result))
        last.append(state)
    return np.concatenate(results, 2), [np.stack(each) for each in zip(*last)]


DIRECTIONS = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}


@unittest.skipIf(onnx is None, LEFT_OUT)
class Numbers(Folder):
    def check(self, step, arrays, op, count, **attributes):
        """Makes sure that the file's network has the outputs of `step`, of which `count` states go from step to step."""
        names = [name if name in arrays else "" for name in ("W", "R", "B", "", "", "", "P")]
        node = helper.make_node(op, ["X", *names], ["Y"], name="rnn", hidden_size=UNITS, **attributes)
        net = tr.from_onnx(self.write(node, arrays))
        directions = DIRECTIONS[attributes.get("direction", "forward")]
        x, states = draw(6, 3, SLC, seed=5), [draw(len(directions), 3, UNITS, seed=6 + n) for n in range(count)]
        want, last = outputs(step, x, states, directions)
        y, got = net(x, tuple(states) if count == 2 else states[0])
        # Float32 is compared with double: six steps, each of some dozen roundings of numbers below 4.
        np.testing.assert_allclose(y, want, rtol=0, atol=600 * UNIT)
        for mine, theirs in zip(got if count == 2 else [got], last):
            np.testing.assert_allclose(mine, theirs, rtol=0, atol=600 * UNIT)

    def test_lstm_in_each_direction_with_and_without_peepholes(self):
        for (direction, directions), peephole in itertools.product(DIRECTIONS.items(), (False, True)):
            arrays = weights_of(4, len(directions), peephole)
            peepholes = arrays.get("P", np.zeros((len(directions), 3 * UNITS)))

            def step(d, x, state):
                w, r, (wb, rb) = arrays["W"][d], arrays["R"][d], np.split(arrays["B"][d], 2)
                return lstm(x, state, np.float64(w), np.float64(r), np.float64(wb) + rb, np.float64(peepholes[d]))
            with self.subTest(direction=direction, peephole=peephole):
                self.check(step, arrays, "LSTM", 2, direction=direction)

    def test_gru_in_each_direction_linear_before_reset_and_not(self):
        for (direction, directions), linear in itertools.product(DIRECTIONS.items(), (0, 1)):
            arrays = weights_of(3, len(directions))

            def step(d, x, state):
                parts = [np.float64(part) for part in (arrays["W"][d], arrays["R"][d], *np.split(arrays["B"][d], 2))]
                return gru(x, state, *parts, linear)
            with self.subTest(direction=direction, linear=linear):
                self.check(step, arrays, "GRU", 1, direction=direction, linear_before_reset=linear)

    def test_rnn_with_each_activation(self):
        kinds = [(name, [], RNN[name]) for name in RNN] + [("LeakyRelu", [0.25], lambda x: RNN["LeakyRelu"](x, 0.25))]
        for (direction, directions), (name, alpha, function) in itertools.product(DIRECTIONS.items(), kinds):
            arrays = weights_of(1, len(directions))

            def step(d, x, state):
                bias = np.float64(arrays["B"][d]).reshape(2, -1).sum(0)
                return (function(x @ arrays["W"][d].T + state[0] @ np.float64(arrays["R"][d]).T + bias),)
            with self.subTest(direction=direction, name=name, alpha=alpha):
                more = {"activation_alpha": alpha * len(directions)} if alpha else {}
                self.check(step, arrays, "RNN", 1, direction=direction, activations=[name] * len(directions), **more)

    @unittest.skipIf(torch is None, "LEFT OUT: PyTorch is not installed")
    def test_what_pytorch_exports(self):
        """Slice, Concat and Unsqueeze turn weights in PyTorch's order, in the forms of each opset."""
        for kind, both, opset, folding in itertools.product(("LSTM", "GRU", "RNN"), (False, True), (9, 11, 13), (False, True)):
            torch.manual_seed(1)
            module, x = getattr(torch.nn, kind)(SLC, UNITS, bidirectional=both), torch.from_numpy(draw(6, 3, SLC))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it warns that the number of rows is fixed
                try:
                    torch.onnx.export(module, x, self.path, opset_version=opset, do_constant_folding=folding, input_names=["x"],
                                      dynamic_axes={"x": {0: "t", 1: "n"}})
                except (ImportError, ValueError) as error:  # later versions need more packages or other opsets
                    self.skipTest(f"LEFT OUT: this PyTorch exports no opset {opset} ({error})")
            with torch.no_grad():
                want = module(x)[0].numpy()
            np.testing.assert_allclose(tr.from_onnx(self.path)(x.numpy())[0], want, rtol=0, atol=600 * UNIT)
