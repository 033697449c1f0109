"""A model like DTLN's is cut at its RNN: two runs of ONNX Runtime and the network between them are one run of the whole model."""
import json
import os
import subprocess
import unittest

import numpy as np

import tandem_rnn.onnx
from onnx_testing import LEFT_OUT, UNITS, Folder, constants, draw, helper, onnx
from pages_test import HERE, HINT, RUNTIME

BANDS, LAYERS = 9, 2


def dtln_like(units=UNITS):
    """Makes a model like the first one of DTLN: magnitudes (1, 1, bands), states (1, layers, units, 2), LSTMs, and a mask."""
    node = helper.make_node
    arrays = {"to_gain": draw(BANDS) + 1, "dense": draw(units, BANDS, seed=2), "dense_bias": draw(BANDS, seed=3), "one": np.array([1]),
              "zero_scalar": np.array(0), "one_scalar": np.array(1)}
    nodes = [node("Mul", ["magnitudes", "to_gain"], ["x0"]),
             node("Gather", ["states", "zero_scalar"], ["h_all"], axis=3), node("Gather", ["states", "one_scalar"], ["c_all"], axis=3)]
    outputs = {"h": [], "c": []}
    for n in range(LAYERS):
        channels = units if n else BANDS
        arrays.update({f"W{n}": draw(1, 4 * units, channels, seed=10 + n), f"R{n}": draw(1, 4 * units, units, seed=20 + n),
                       f"B{n}": draw(1, 8 * units, seed=30 + n), f"n{n}": np.array([n])})
        for state in outputs:
            nodes.append(node("Gather", [f"{state}_all", f"n{n}"], [f"{state}{n}"], axis=1))  # 1, 1, units
            outputs[state].append(f"{state}{n}_after")
        nodes += [node("LSTM", [f"x{n}", f"W{n}", f"R{n}", f"B{n}", "", f"h{n}", f"c{n}"], [f"Y{n}", f"h{n}_after", f"c{n}_after"], name=f"lstm{n}",
                       hidden_size=units),
                  node("Squeeze", [f"Y{n}", "one"], [f"x{n + 1}"])]
    nodes += [node("MatMul", [f"x{LAYERS}", "dense"], ["sums"]), node("Add", ["sums", "dense_bias"], ["biased"]), node("Sigmoid", ["biased"], ["mask"]),
              node("Mul", ["mask", "magnitudes"], ["clean"])]
    for state, names in outputs.items():
        nodes += [node("Concat", names, [f"{state}_joined"], axis=1), node("Unsqueeze", [f"{state}_joined", "last"], [f"{state}_out"])]
    nodes.append(node("Concat", ["h_out", "c_out"], ["states_after"], axis=3))
    arrays["last"] = np.array([3])
    graph = helper.make_graph(nodes, "dtln_like", [helper.make_tensor_value_info("magnitudes", 1, [1, 1, BANDS]),
                                                   helper.make_tensor_value_info("states", 1, [1, LAYERS, units, 2])],
                              [helper.make_tensor_value_info("clean", 1, [1, 1, BANDS]), helper.make_tensor_value_info("states_after", 1, [1, LAYERS, units, 2])],
                              constants(arrays))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    return model


@unittest.skipIf(onnx is None, LEFT_OUT)
class Cuts(Folder):
    def run_onnx(self, content, inputs):
        """Returns the outputs of a model by ONNX Runtime."""
        path = os.path.join(self.folder, "part.onnx")
        with open(path, "wb") as file:
            file.write(content)
        given = {name: (array.shape, array.ravel().tolist()) for name, array in inputs.items()}
        done = subprocess.run(["node", os.path.join(HERE, "onnx_peer.mjs"), RUNTIME, path], input=json.dumps(given).encode(), stdout=subprocess.PIPE, check=True)
        return {name: np.array(numbers, np.float32).reshape(dims) for name, (dims, numbers) in json.loads(done.stdout).items()}

    def cut(self, model, **options):
        onnx.save(model, self.path)
        return tandem_rnn.onnx.cut(self.path, **options)

    def test_three_runs_are_one(self):
        if not os.access(os.path.join(RUNTIME, "node_modules/onnxruntime-node"), os.R_OK):
            self.skipTest(f"LEFT OUT: a model cut at its RNN (onnxruntime-node is not installed; {HINT})")
        model = dtln_like()
        cut = self.cut(model)
        self.assertEqual(len(cut.net.layers), LAYERS)
        inputs = {"magnitudes": draw(1, 1, BANDS, seed=50) + 1, "states": draw(1, LAYERS, UNITS, 2, seed=40)}
        want = self.run_onnx(model.SerializeToString(), inputs)
        values = {**inputs, **self.run_onnx(cut.before, inputs)}
        values.update(cut(values))
        got = self.run_onnx(cut.after, values)
        for name, array in want.items():
            np.testing.assert_allclose(got[name], array, rtol=0, atol=1e-6)

    def test_parts_have_what_they_need(self):
        cut = self.cut(dtln_like())
        self.assertEqual(cut.before_outputs, ["x0", "h0", "h1", "c0", "c1"])
        self.assertEqual(cut.after_inputs, ["h0_after", "c0_after", "Y1", "h1_after", "c1_after"])
        for part in cut.before, cut.after:
            graph = onnx.load_model_from_string(part).graph
            self.assertNotIn("LSTM", [node.op_type for node in graph.node])
            self.assertNotIn("W0", [tensor.name for tensor in graph.initializer])
            onnx.checker.check_model(part)
        values = {"x0": draw(1, 1, BANDS), **{f"{state}{n}": draw(1, 1, UNITS, seed=n) for state in "hc" for n in range(LAYERS)}}
        y, (h, c) = cut.net(values["x0"], tuple(np.concatenate([values[f"{state}{n}"] for n in range(LAYERS)]) for state in "hc"))
        made = cut(values)
        for name, array in (("Y1", y[:, np.newaxis]), ("h0_after", h[:1]), ("c1_after", c[1:])):
            np.testing.assert_array_equal(made[name], array)

    def test_what_cannot_be_cut(self):
        model = dtln_like()
        for node, sentence in (("*", "node: is '\\*', but a model is cut at one RNN"), ("none", "node: is 'none', but must be one of lstm0, lstm1")):
            with self.assertRaisesRegex(ValueError, sentence):
                self.cut(model, node=node)
        with self.assertRaisesRegex(ValueError, "values: have no x0, h0, h1, c0, c1"):
            self.cut(model)({})
