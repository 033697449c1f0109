"""Nodes of ONNX with other functions, a clip and input_forget stand beside ONNX's equations in double and ONNX Runtime."""
import json
import os
import subprocess
import unittest

import numpy as np

import tandem_rnn as tr
from gates_testing import step_error
from onnx_testing import LEFT_OUT, SLC, UNITS, Folder, constants, draw, helper, onnx, weights_of

HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.environ.get("TANDEM_ONNXRUNTIME_NODE", os.path.expanduser("~/.cache/tandem/npm/onnxruntime-node"))
HINT = "./tandem check --impl=onnxruntime --install"
STEPS, ROWS = 4, 3

# These are the functions of ONNX's text, with the numbers that the tests give.
FUNCTIONS = {
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "Tanh": np.tanh, "Relu": lambda x: np.maximum(x, 0),
    "HardSigmoid": lambda x: np.minimum(np.maximum(0.2 * x + 0.5, 0), 1), "Softsign": lambda x: x / (1 + abs(x)),
    "Softplus": lambda x: np.log(1 + np.exp(x)), "Elu": lambda x: np.where(x >= 0, x, np.expm1(x)),
    "LeakyRelu": lambda x: np.where(x >= 0, x, 0.01 * x), "ThresholdedRelu": lambda x: np.where(x >= 1, x, 0),
    "Affine": lambda x: 0.5 * x + 0.25, "ScaledTanh": lambda x: 0.75 * np.tanh(1.25 * x),
}
NUMBERS = {"HardSigmoid": (0.2, 0.5), "Elu": (1.0,), "LeakyRelu": (0.01,), "ThresholdedRelu": (1.0,), "Affine": (0.5, 0.25),
           "ScaledTanh": (0.75, 1.25)}
# The first two have no defaults. For the third ONNX's text has 1, and ONNX Runtime takes 0.
NEEDED = {"Affine", "ScaledTanh", "ThresholdedRelu"}


def attributes_of(names, directions, **more):
    """Returns the attributes of a node, with numbers of all functions that use some if one needs them."""
    more["activations"] = list(names) * directions
    if NEEDED & set(names):
        given = [NUMBERS.get(name, ()) for name in names] * directions
        more["activation_alpha"] = [numbers[0] for numbers in given if numbers]
        betas = [numbers[1] for numbers in given if len(numbers) > 1]
        more.update({"activation_beta": betas} if betas else {})
    return more


def lstm(x, h, c, parts, names, clip, coupled):
    w, r, b, p = parts
    (f, g, last), (p_i, p_o, p_f) = (FUNCTIONS[name] for name in names), np.split(p, 3)
    i, o, forget, new = np.split(x @ w.T + h @ r.T + b, 4, axis=1)
    cut = lambda a: np.clip(a, -clip, clip)  # noqa: E731
    i = f(cut(i + p_i * c))
    c = (1 - i if coupled else f(cut(forget + p_f * c))) * c + i * g(cut(new))
    return f(cut(o + p_o * c)) * last(c), c


def gru(x, h, parts, names, clip, linear):
    w, r, wb, rb = parts
    (f, g), cut = (FUNCTIONS[name] for name in names), lambda a: np.clip(a, -clip, clip)
    of_x, of_h = np.split(x @ w.T + wb, 3, axis=1), np.split(h @ r.T + rb, 3, axis=1)
    z, reset = (f(cut(of_x[k] + of_h[k])) for k in (0, 1))
    if linear:
        new = g(cut(of_x[2] + reset * of_h[2]))
    else:
        new = g(cut(of_x[2] + (reset * h) @ np.split(r, 3)[2].T + np.split(rb, 3)[2]))
    return (1 - z) * new + z * h


LSTMS = [(("HardSigmoid", "Tanh", "Tanh"), {}), (("HardSigmoid", "Softsign", "Relu"), {"clip": 0.375}), (("Sigmoid", "Tanh", "Tanh"), {"input_forget": 1}),
         (("Sigmoid", "Elu", "Softsign"), {"clip": 0.25, "input_forget": 1}), (("Tanh", "ScaledTanh", "Affine"), {}),
         (("Sigmoid", "LeakyRelu", "ScaledTanh"), {"clip": 0.5}), (("Sigmoid", "Softplus", "ThresholdedRelu"), {})]
GRUS = [(("Sigmoid", "Relu"), {}), (("HardSigmoid", "Softsign"), {"clip": 0.375}), (("HardSigmoid", "Elu"), {"clip": 0.25}),
        (("Sigmoid", "LeakyRelu"), {}), (("Tanh", "Affine"), {})]


@unittest.skipIf(onnx is None, LEFT_OUT)
class Gates(Folder):
    def node(self, op, gates, directions, arrays, **attributes):
        """Returns the network of a node."""
        names = [name if name in arrays else "" for name in ("W", "R", "B", "", "", "", "P")][:7 if op == "LSTM" else 3]
        direction = {} if directions == 1 else {"direction": "bidirectional"}
        node = helper.make_node(op, ["X", *names], ["Y"], name="rnn", hidden_size=UNITS, **direction, **attributes)
        return tr.from_onnx(self.write(node, arrays))

    def beside(self, net, step):
        """Makes sure that each step has the outputs of step(d, x, h, c), from the same states."""
        state, lstm = net.zero_state(ROWS), net.cell == "lstm"
        for t in range(STEPS):
            x = 2 * draw(ROWS, SLC, seed=20 + t)
            before = state if lstm else (state,)
            y, state = net(x[np.newaxis], state)
            for d, got in enumerate(np.split(y[0], len(before[0]), axis=1)):
                want, values = step(d, np.float64(x), *(np.float64(part[d]) for part in before))
                largest = max(1, *(abs(value).max() for value in (x, got, *values)))
                self.assertLessEqual(abs(got - want).max(), step_error(SLC + UNITS + 3, largest))

    def test_lstm_is_the_equations_of_the_text(self):
        for (names, more), directions, peephole in ((each, d, p) for each in LSTMS for d in (1, 2) for p in (False, True)):
            arrays = weights_of(4, directions, peephole)

            def step(d, x, h, c):
                parts = [np.float64(arrays[key][d]) for key in "WR"] + [np.float64(arrays["B"][d]).reshape(2, -1).sum(0)]
                parts.append(np.float64(arrays["P"][d]) if peephole else np.zeros(3 * UNITS))
                h, after = lstm(x, h, c, parts, names, more.get("clip", np.inf), "input_forget" in more)
                return h, (c, after)
            with self.subTest(names=names, directions=directions, peephole=peephole):
                net = self.node("LSTM", 4, directions, arrays, **attributes_of(names, directions, **more))
                self.beside(net, step)

    def test_gru_is_the_equations_of_the_text(self):
        for (names, more), directions, linear in ((each, d, p) for each in GRUS for d in (1, 2) for p in (0, 1)):
            arrays = weights_of(3, directions)

            def step(d, x, h):
                parts = [np.float64(arrays[key][d]) for key in "WR"] + list(np.float64(arrays["B"][d]).reshape(2, -1))
                return gru(x, h, parts, names, more.get("clip", np.inf), linear), (h,)
            with self.subTest(names=names, directions=directions, linear=linear):
                self.beside(self.node("GRU", 3, directions, arrays, linear_before_reset=linear, **attributes_of(names, directions, **more)), step)

    def test_rnn_has_each_function(self):
        for name, clip in ((name, clip) for name in FUNCTIONS for clip in (None, 0.5)):
            arrays, more = weights_of(1), {} if clip is None else {"clip": clip}

            def step(_, x, h):
                a = x @ np.float64(arrays["W"][0]).T + h @ np.float64(arrays["R"][0]).T + np.float64(arrays["B"][0]).reshape(2, -1).sum(0)
                return FUNCTIONS[name](np.clip(a, -(clip or np.inf), clip or np.inf)), (a,)
            with self.subTest(name=name, clip=clip):
                self.beside(self.node("RNN", 1, 1, arrays, **attributes_of([name], 1, **more)), step)

    def of_runtime(self, x, op, arrays, **attributes):
        """Returns Y by ONNX Runtime, as the package has it."""
        names = [name if name in arrays else "" for name in ("W", "R", "B", "", "h", "c", "P")][:7 if op == "LSTM" else 5]
        node = helper.make_node(op, ["X", *names], ["Y"], name="rnn", hidden_size=UNITS, **attributes)
        graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("X", 1, x.shape)], [helper.make_tensor_value_info("Y", 1, None)],
                                  constants(arrays))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)])
        model.ir_version = 8
        onnx.save(model, self.path)
        done = subprocess.run(["node", os.path.join(HERE, "onnx_peer.mjs"), RUNTIME, self.path], stdout=subprocess.PIPE, check=True,
                              input=json.dumps({"X": (x.shape, x.ravel().tolist())}).encode())
        dims, numbers = json.loads(done.stdout)["Y"]
        return np.array(numbers, np.float32).reshape(dims).transpose(0, 2, 1, 3).reshape(*x.shape[:2], -1)

    def test_onnx_runtime_computes_the_same(self):
        if not os.access(os.path.join(RUNTIME, "node_modules/onnxruntime-node"), os.R_OK):
            self.skipTest(f"LEFT OUT: functions of gates beside ONNX Runtime (onnxruntime-node is not installed; {HINT})")
        x = 2 * draw(1, ROWS, SLC, seed=9)
        cases = [("LSTM", 4, *each, {}) for each in LSTMS] + [("GRU", 3, *each, {"linear_before_reset": linear}) for each in GRUS for linear in (0, 1)]
        cases += [("RNN", 1, [name], {"clip": 0.5}, {}) for name in FUNCTIONS]
        for op, gates, names, more, own in cases:
            arrays = weights_of(gates, 2, op == "LSTM")
            for name, seed in list(zip("hc", (5, 6)))[:1 + (op == "LSTM")]:
                arrays[name] = draw(2, 1, UNITS, seed=seed).repeat(ROWS, axis=1)
            attributes = {"direction": "bidirectional", **attributes_of(names, 2, **more), **own}
            with self.subTest(op=op, names=names, own=own):
                want = self.of_runtime(x, op, arrays, **attributes)
                y = tr.from_onnx(self.path)(x)[0]
                # Both are float32. In one step nothing is larger than a gate's sum of products of weights up to 1/2: SLC of x up to 1,
                # UNITS and a peephole of states up to 1/2, and two biases.
                self.assertLessEqual(abs(y - want).max(), 2 * step_error(SLC + UNITS + 3, SLC / 2 + (UNITS + 1) / 4 + 1))


if __name__ == "__main__":
    unittest.main()
