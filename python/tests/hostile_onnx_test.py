"""Models of ONNX want to harm. They are bounded, and refused with a sentence."""
import os
import unittest
import warnings

import numpy as np

import tandem_rnn as tr
from files_testing import Files
from onnx_testing import LEFT_OUT, SLC, UNITS, Folder, constants, helper, numpy_helper, onnx, weights_of
from tandem_rnn._onnx_operations import OPERATIONS

try:
    from hypothesis import HealthCheck, given, settings, strategies as st
except ImportError:
    given = None


class Models(Files, Folder):
    def setUp(self):
        Files.setUp(self)
        self.model = self.path("model.onnx")

    def write(self, node, arrays, nodes=(), dims=("T", "N", SLC)):
        inputs = [helper.make_tensor_value_info("X", 1, dims)]
        graph = helper.make_graph([*nodes, node], "g", inputs, [helper.make_tensor_value_info("Y", 1, None)], constants(arrays))
        onnx.save(helper.make_model(graph), self.model)
        return self.model

    def refused(self, sentence, others, nodes=(), op="GRU", gates=3):
        self.assertIsNotNone(self.read(tr.from_onnx, self.rnn(op, gates, others, nodes), sentence))


@unittest.skipIf(onnx is None, LEFT_OUT)
class Bombs(Models):
    def test_constants_that_grow(self):
        make, w, last = helper.make_node, weights_of(3)["W"], np.array([1, 21, SLC])
        doubled = [make("Concat", [f"c{n}", f"c{n}"], [f"c{n + 1}"], axis=0) for n in range(31)]
        expanded, many = np.array([2**20, 2**20, 2**20]), np.array([2**40])
        for nodes, arrays in (
                (doubled + [make("Reshape", ["c31", "s"], ["W"])], {"c0": w}),
                ([make("Expand", ["a", "s"], ["W"])], {"s": expanded}),
                ([make("Tile", ["a", "s"], ["W"])], {"s": expanded}), ([make("ConstantOfShape", ["s"], ["W"])], {"s": many}),
                ([make("Unsqueeze", ["a"], ["b"], axes=[3]), make("Add", ["b", "d"], ["W"])],
                 {"d": np.zeros((1, 1, 1, 1000), np.float32)}),
                ([make("Gather", ["a", "s"], ["W"])], {"s": np.zeros(60000, np.int8).astype(np.int64)}),
                ([make("Where", ["s", "a", "b"], ["W"])], {"s": np.ones((21, 21, 1, 21, SLC), bool), "b": w[0, 0]}),
                ([*(make("Cast", ["big"], [f"b{n}"], to=11) for n in range(300)),
                  make("Concat", [f"b{n}" for n in range(300)], ["W"], axis=0)], {"big": np.zeros(5000, np.float32)})):
            with self.subTest(nodes[-1].op_type):
                self.refused("W|too large for such a file", {"W": None, "a": w, "s": last, **arrays}, nodes)

    def test_states_that_grow(self):
        make = helper.make_node
        for value, is_read in (0, True), (1, False):
            fill = make("ConstantOfShape", ["s"], ["h"], value=numpy_helper.from_array(np.float32([value])))
            path = self.rnn("GRU", 3, {"h": None, "s": np.array([2**30, 2**30, UNITS])}, [fill])
            self.assertEqual(self.read(tr.from_onnx, path) is None, is_read)

    def test_values_that_are_made_of_themselves_or_of_many(self):
        make = helper.make_node
        self.refused("is made of itself", {"W": None}, [make("Add", ["b", "b"], ["a"]), make("Add", ["a", "a"], ["b"]),
                                                   make("Neg", ["b"], ["W"])])
        names = [f"n{number}" for number in range(2000)]
        wide = [make("Split", ["W"], names, axis=1), make("Concat", names * 2, ["h"], axis=1)]
        self.refused("its initial_h is a constant", {"h": None}, wide)
        long = [make("Tanh", ["W" if number == 0 else f"n{number - 1}"], [f"n{number}"]) for number in range(1500)]
        self.refused("its initial_h is a constant", {"h": None}, long + [make("Foo", ["n1499"], ["h"])])

    def test_nodes_whose_names_are_long(self):
        inner = onnx.load(self.rnn("GRU", 3)).graph
        node = inner.node[0]
        del inner.node[:]
        for number in range(2000):
            each = inner.node.add(op_type="GRU", name=f"r{number}")
            each.input.extend(node.input[:3])
            each.output.append("Y")
        graph = helper.make_graph([helper.make_node("If", ["yes"], ["Y"], name="n" * 50000, then_branch=inner)], "g", [], [])
        onnx.save(helper.make_model(graph), self.model)
        error = self.read(tr.from_onnx, self.model, "must be one of r0, .* and 1980 more")
        self.assertLess(len(str(error)), 1000)


@unittest.skipIf(onnx is None, LEFT_OUT)
class External(Models):
    """These tensors lie in another file."""

    def set(self, **entries):
        model = onnx.load(self.rnn("GRU", 3), load_external_data=False)
        for tensor in model.graph.initializer:
            if tensor.name == "W":
                tensor.ClearField("raw_data")
                tensor.data_location = onnx.TensorProto.EXTERNAL
                tensor.external_data.extend(onnx.StringStringEntryProto(key=key, value=str(value))
                                            for key, value in entries.items())
        with open(self.model, "wb") as file:
            file.write(model.SerializeToString())

    def test_a_file_beside_the_model_is_read(self):
        w = weights_of(3)["W"]
        want = tr.from_onnx(self.rnn("GRU", 3)).weights[0]["weights_layer"]
        for entries in {}, {"offset": 4, "length": w.nbytes}, {"offset": 4}:
            self.path("w.bin", bytes(entries.get("offset", 0)) + w.tobytes())
            self.set(location="w.bin", **entries)
            np.testing.assert_array_equal(tr.from_onnx(self.model).weights[0]["weights_layer"], want)

    def test_other_files_are_refused(self):
        outside = os.path.join(self.folder, "inside")
        os.mkdir(outside)
        self.model = os.path.join(outside, "model.onnx")
        w = weights_of(3)["W"].tobytes()
        self.path("w.bin", w)
        self.path("inside/short.bin", w[:-4])
        os.mkfifo(self.path("inside/pipe"))
        os.symlink("/dev/zero", self.path("inside/zero"))
        os.symlink("../w.bin", self.path("inside/link"))
        self.set(location="link")
        tr.from_onnx(self.model)
        for place, sentence in (("pipe", "is no regular file"), ("zero", "is no regular file"),
                                ("../w.bin", "not in the model's folder"), ("/dev/zero", "not in the model's folder"),
                                ("", "no regular file|Is a directory"), ("short.bin", "W is damaged|rnn: W cannot")):
            self.set(location=place)
            with self.assertRaisesRegex((ValueError, OSError), sentence):
                tr.from_onnx(self.model)
        for entries in {"offset": 10**9}, {"offset": -4}, {"length": 2**62}, {"length": -1}, {"offset": "x"}:
            self.set(location="short.bin", **entries)
            with self.assertRaisesRegex(ValueError, "lies behind the end|invalid literal"):
                tr.from_onnx(self.model)

    def test_only_what_is_needed_is_read(self):
        self.set(location="is_not_there.bin")
        model = onnx.load(self.model, load_external_data=False)
        model.graph.node[0].name = "needs"
        model.graph.initializer.append(numpy_helper.from_array(weights_of(3)["W"], "own"))
        other = model.graph.node.add()
        other.CopyFrom(model.graph.node[0])
        other.name, other.input[1], other.output[0] = "other", "own", "Y2"
        with open(self.model, "wb") as file:
            file.write(model.SerializeToString())
        tr.from_onnx(self.model, "other")
        with self.assertRaises(FileNotFoundError):
            tr.from_onnx(self.model, "needs")


@unittest.skipIf(onnx is None, LEFT_OUT)
class Drawn(Models):
    def test_damaged_files_are_read_or_refused(self):
        with open(self.rnn("LSTM", 4), "rb") as file:
            whole = file.read()
        random = np.random.default_rng(1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # protobuf warns before the error
            for _ in range(500):
                content = bytearray(whole)
                for place in random.integers(0, len(content), random.integers(1, 4)):
                    content[place] = random.integers(256)
                self.read(tr.from_onnx, self.path("damaged.onnx", content))

    if given is not None:
        NAMES = ["W", "R", "B", "h", "s", "a", "b", "X", ""]
        VALUES = st.one_of(st.integers(-2, 30), st.just(2**62), st.floats(allow_nan=False), st.text(max_size=2),
                           st.lists(st.integers(-3, 2**40), max_size=4))

        @settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
        @given(st.data())
        def test_any_graph_is_read_or_refused(self, data):
            nodes = []
            for _ in range(data.draw(st.integers(1, 6))):
                attributes = data.draw(st.dictionaries(st.sampled_from(["axis", "axes", "to", "perm", "split", "starts", "ends"]),
                                                       self.VALUES, max_size=3))
                names = data.draw(st.lists(st.sampled_from(self.NAMES), max_size=3))
                nodes.append(helper.make_node(data.draw(st.sampled_from(sorted(OPERATIONS))), names,
                                              data.draw(st.lists(st.sampled_from(["a", "b", "h", "B"]), max_size=2)),
                                              **{name: value for name, value in attributes.items() if value != []}))
            sizes = np.array(data.draw(st.lists(st.integers(-2, 2**40), max_size=3)), np.int64)
            self.read(tr.from_onnx, self.rnn("GRU", 3, {"h": None, "s": sizes}, nodes))
    else:
        print("LEFT OUT: drawn models of ONNX (python3 has no hypothesis)")
