"""Tests make models of ONNX here: a node of an RNN and the nodes before it, in a file."""
import os
import tempfile
import unittest

import numpy as np

try:
    import onnx
    import onnx.helper
    from onnx import helper, numpy_helper
except ImportError:
    onnx = helper = numpy_helper = None

UNIT = 2.0**-24
LEFT_OUT = "LEFT OUT: python3-onnx is not installed"
SLC, UNITS = 5, 7


def draw(*shape, seed=1):
    return np.random.default_rng(seed).uniform(-0.5, 0.5, shape).astype(np.float32)


def weights_of(gates, directions=1, peephole=False):
    arrays = {"W": draw(directions, gates * UNITS, SLC), "R": draw(directions, gates * UNITS, UNITS, seed=2),
              "B": draw(directions, 2 * gates * UNITS, seed=3)}
    return {**arrays, "P": draw(directions, 3 * UNITS, seed=4)} if peephole else arrays


def constants(arrays):
    return [numpy_helper.from_array(np.asarray(array), name) for name, array in arrays.items()]


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.path = folder.name, os.path.join(folder.name, "model.onnx")

    def write(self, node, arrays, nodes=(), dims=("T", "N", SLC)):
        """nodes: those before the RNN. The two inputs are X and numbers of another shape."""
        inputs = [helper.make_tensor_value_info("X", 1, dims), helper.make_tensor_value_info("given", 1, None),
                  helper.make_tensor_value_info("place", 7, None)]
        graph = helper.make_graph([*nodes, node], "g", inputs, [helper.make_tensor_value_info("Y", 1, None)], constants(arrays))
        onnx.save(helper.make_model(graph), self.path)
        return self.path

    def rnn(self, op, gates, others=None, nodes=(), dims=("T", "N", SLC), outputs=("Y",), **attributes):
        """Returns a node. others: further inputs of it, or other arrays for them, or the names that `nodes` give them."""
        arrays = {**weights_of(gates, 2 if attributes.get("direction") == "bidirectional" else 1), **(others or {})}
        names = [name if name in arrays else "" for name in ("W", "R", "B", "lengths", "h", "c", "P")]
        made = {name for each in nodes for name in each.output}
        node = helper.make_node(op, ["X", *names], outputs, name="rnn", **{"hidden_size": UNITS, **attributes})
        arrays = {name: array for name, array in arrays.items() if array is not None and name not in made}
        return self.write(node, arrays, nodes, dims)
