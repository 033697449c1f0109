"""Constants are computed before a node of ONNX, or refused."""
import unittest

import numpy as np

import tandem_rnn as tr
from onnx_testing import LEFT_OUT, SLC, UNITS, Folder, draw, helper, numpy_helper, onnx, weights_of


@unittest.skipIf(onnx is None, LEFT_OUT)
class Constants(Folder):
    def got(self, nodes, arrays):
        """Returns the W (1, 4 units, slc) of an LSTM whose W these nodes compute."""
        net = tr.from_onnx(self.rnn("LSTM", 4, {"W": None, **arrays}, nodes))
        return net.weights[0]["weights_layer"][0, 0][:, [0, 3, 1, 2]].reshape(SLC, -1).T[np.newaxis]

    def node(self, op, *names, **attributes):
        return helper.make_node(op, list(names), ["W"], **attributes)

    def test_what_exporters_write_before_a_weight(self):
        w, node, make = draw(1, 28, SLC), self.node, helper.make_node
        half, shape, axes = w.astype(np.float16), np.array([1, 28, SLC]), np.array([0])
        values = np.arange(28 * SLC, dtype=np.uint8).reshape(1, 28, SLC)
        scales, zeros = np.linspace(1e-3, 2e-3, 28, dtype=np.float32), np.arange(28, dtype=np.uint8)
        ends, three = [2**63 - 1], numpy_helper.from_array(np.float32([3]))
        recipes = {
            "Identity": (w, [node("Identity", "a")], {"a": w}),
            "Cast": (np.float32(half), [node("Cast", "a", to=1)], {"a": half}),
            "Transpose": (w, [node("Transpose", "a", perm=[2, 0, 1])], {"a": w.transpose(1, 2, 0)}),
            "Reshape": (w, [node("Reshape", "a", "s")], {"a": w.ravel(), "s": np.array([1, 28, -1])}),
            "Reshape, 0": (w, [node("Reshape", "a", "s")], {"a": w, "s": np.array([0, -1, SLC])}),
            "Squeeze, attribute": (w, [node("Squeeze", "a", axes=[3])], {"a": w[..., None]}),
            "Squeeze": (w, [node("Squeeze", "a", "n")], {"a": w[None], "n": axes}),
            "Unsqueeze, attribute": (w, [node("Unsqueeze", "a", axes=[0])], {"a": w[0]}),
            "Unsqueeze": (w, [node("Unsqueeze", "a", "n")], {"a": w[0], "n": axes}),
            "Slice, attributes": (w, [node("Slice", "a", starts=[1], ends=ends, axes=[1])],
                                  {"a": np.pad(w, ((0, 0), (1, 0), (0, 0)))}),
            "Slice, no axes": (w, [node("Slice", "a", starts=[1], ends=ends)], {"a": np.concatenate([w, w])}),
            "Slice, steps": (w, [node("Slice", "a", "from", "to", "at", "by")],
                             {"a": w[:, ::-1], "from": np.array([-1]), "to": np.array([-2**63]), "at": np.array([1]),
                              "by": np.array([-1])}),
            "Split, attribute": (w, [make("Split", ["a"], ["b", "d"], axis=1, split=[5, 23]), node("Concat", "b", "d", axis=1)],
                                 {"a": w}),
            "Split": (w, [make("Split", ["a", "n"], ["b", "d"], axis=1), node("Concat", "d", "b", axis=1)],
                      {"a": np.roll(w, 5, 1), "n": np.array([5, 23])}),
            "Split, equal": (w, [make("Split", ["a"], ["b", "d"], axis=1), node("Concat", "b", "d", axis=1)], {"a": w}),
            "Gather": (w, [node("Gather", "a", "n", axis=1)], {"a": w[:, ::-1], "n": np.arange(27, -1, -1)}),
            "Gather, one": (w, [node("Gather", "a", "n")], {"a": np.stack([w, -w]), "n": np.array(0)}),
            "Add": (w + 2, [node("Add", "a", "two")], {"a": w, "two": np.float32(2)}),
            "Sub": (w - 2, [node("Sub", "a", "two")], {"a": w, "two": np.float32(2)}),
            "Mul": (w * 2, [node("Mul", "a", "two")], {"a": w, "two": np.float32(2)}),
            "Div": (2 / w, [node("Div", "two", "a")], {"a": w, "two": np.float32(2)}),
            "Div of integers": (np.trunc(values / 3 - 20),
                                [make("Sub", ["a", "sixty"], ["b"]), make("Div", ["b", "three"], ["d"]), node("Cast", "d", to=1)],
                                {"a": np.int64(values), "sixty": np.int64(60), "three": np.int64(3)}),
            "Neg, Sigmoid": (np.float32(1) / (1 + np.exp(w)), [make("Neg", ["a"], ["b"]), node("Sigmoid", "b")], {"a": w}),
            "ConstantOfShape": (np.full_like(w, 3), [node("ConstantOfShape", "s", value=three)], {"s": shape}),
            "Where, Equal": (np.where(w == w[0, 0, 0], w, 2),
                             [make("Equal", ["a", "b"], ["d"]), node("Where", "d", "a", "two")],
                             {"a": w, "b": w[0, 0, 0], "two": np.float32(2)}),
            "Expand": (np.broadcast_to(w[:, :1], w.shape), [node("Expand", "a", "s")], {"a": w[:, :1], "s": shape}),
            "Tile": (np.tile(w[:, :14], (1, 2, 1)), [node("Tile", "a", "n")], {"a": w[:, :14], "n": np.array([1, 2, 1])}),
            "Shape": (w, [make("Shape", ["a"], ["s"]), node("Reshape", "b", "s")], {"a": w, "b": w.ravel()}),
            "Tanh": (np.tanh(w), [node("Tanh", "a")], {"a": w}),
            "DequantizeLinear": ((np.float32(values) - 3) * scales[0], [node("DequantizeLinear", "a", "x", "z")],
                                 {"a": values, "x": scales[0], "z": np.uint8(3)}),
            "DequantizeLinear, axis": ((np.float32(values) - np.float32(zeros)[:, None]) * scales[:, None],
                                       [node("DequantizeLinear", "a", "x", "z")], {"a": values, "x": scales, "z": zeros}),
            "Constant": (np.float32(np.arange(140).reshape(1, 28, SLC)),
                         [make("Constant", [], ["a"], value_floats=np.arange(140.0)),
                          make("Constant", [], ["s"], value_ints=shape), node("Reshape", "a", "s")], {}),
        }
        for name, (want, nodes, arrays) in recipes.items():
            with self.subTest(name):
                np.testing.assert_array_equal(self.got(nodes, arrays), want)

    def test_a_node_that_no_rnn_needs_may_be_anything(self):
        nodes = [helper.make_node("Slice", ["W"], ["n1"], starts=[0], ends=[1], axes=[7]),
                 helper.make_node("Unsqueeze", ["W"], ["n2"]), helper.make_node("Concat", ["W", "B"], ["n3"], axis=0),
                 helper.make_node("Cast", ["W"], ["n4"], to=99),
                 helper.make_node("LSTM", ["X", "n1", "n2"], ["n5"], name="broken")]
        tr.from_onnx(self.rnn("LSTM", 4, nodes=nodes), "rnn")
        with self.assertRaisesRegex(ValueError, "broken: n1 is computed by Slice, which cannot be done"):
            tr.from_onnx(self.path, "broken")

    def test_a_weight_that_cannot_be_computed_is_a_sentence(self):
        make, w = helper.make_node, weights_of(4)["W"]
        for nodes, sentence in (([make("Einsum", ["a"], ["W"])], "rnn: W is computed by Einsum, which from_onnx does not know"),
                                ([make("Identity", ["a"], ["W"], domain="com.other")], "computed by com.other.Identity, which"),
                                ([make("Add", ["a", "a", "a"], ["W"])], "Add, which cannot be done .has 3 inputs"),
                                ([make("Add", ["a", "given"], ["W"])], "its input W is computed, but must be a constant"),
                                ([make("Identity", ["W"], ["W"])], "rnn: W is made of itself"),
                                ([make("Equal", ["a", "a"], ["W"])], "its W has the type bool")):
            with self.assertRaisesRegex(ValueError, sentence):
                tr.from_onnx(self.rnn("LSTM", 4, {"W": None, "a": w}, nodes))

    def states(self, nodes, **arrays):
        """Returns the network of a GRU whose initial state h these nodes compute."""
        return tr.from_onnx(self.rnn("GRU", 3, {"h": None, **arrays}, nodes))

    def all_rows(self, op, name, **attributes):
        """Returns nodes that make `name` for all rows of x, by Expand or Tile."""
        make = helper.make_node
        return [make("Shape", ["X"], ["sizes"]), make("Gather", ["sizes", "one"], ["rows"]),
                make("Concat", ["one", "rows", "one"], ["s"], axis=0), make(op, [name, "s"], ["h"], **attributes)]

    def test_states_of_zeros_are_no_states(self):
        zeros, one, make = np.zeros((1, 1, UNITS), np.float32), np.array([1]), helper.make_node
        self.states([make("Identity", ["a"], ["h"])], a=zeros)
        for op in "Expand", "Tile":
            self.states(self.all_rows(op, "a"), a=zeros, one=one)
            self.states([make("Tanh", ["b"], ["a"]), *self.all_rows(op, "a")], b=zeros, one=one)
        fill = self.all_rows("ConstantOfShape", "s")
        fill[-1].input[:] = ["s"]
        self.states(fill, one=one)
        self.states([make("Sub", ["a", "a"], ["h"])], a=zeros + 1)

    def test_states_that_are_constants_by_any_operation_are_refused(self):
        ones, one, make = np.ones((1, 1, UNITS), np.float32), np.array([1]), helper.make_node
        fill = self.all_rows("ConstantOfShape", "s", value=numpy_helper.from_array(np.float32([1])))
        fill[-1].input[:] = ["s"]
        tile = self.all_rows("Tile", "a")
        tile[-1].output[:] = ["t"]
        branch = helper.make_graph([make("Constant", [], ["out"], value_floats=[1.0])], "b", [],
                                   [helper.make_tensor_value_info("out", 1, None)])
        for nodes, arrays in (
                (fill, {"one": one}), ([make("Identity", ["a"], ["h"])], {"a": np.float32([[[1] * UNITS, [2] * UNITS]])}),
                (self.all_rows("Expand", "a"), {"a": ones[:, :, :1], "one": one}),
                (tile + [make("Transpose", ["t"], ["h"], perm=[1, 0, 2])], {"a": ones, "one": one}),
                ([make("Einsum", ["a"], ["h"])], {"a": ones}), ([make("RandomNormal", [], ["h"], shape=[1, 3, UNITS])], {}),
                ([make("RandomNormalLike", ["X"], ["h"])], {}),
                ([make("If", ["yes"], ["h"], then_branch=branch, else_branch=branch)], {"yes": np.array(True)}),
                ([make("Loop", ["n", "yes"], ["h"], body=branch)], {"yes": np.array(True), "n": one})):
            with self.subTest(nodes[-1].op_type), self.assertRaisesRegex(ValueError, "initial_h is a constant that is not 0"):
                self.states(nodes, **arrays)

    def test_one_state_for_all_rows_is_the_first_state(self):
        learned, one, make = draw(1, 1, UNITS), np.array([1]), helper.make_node
        for nodes, arrays in (
                ([make("Identity", ["a"], ["h"])], {"a": learned}), (self.all_rows("Expand", "a"), {"a": learned, "one": one}),
                (self.all_rows("Tile", "a"), {"a": learned, "one": one}), ([make("Expand", ["a", "given"], ["h"])], {"a": learned}),
                ([make("Identity", ["a"], ["h"])], {"a": np.tile(learned, (1, 3, 1))}),
                ([make("Where", ["yes", "a", "z"], ["b"]), *self.all_rows("Expand", "b")],
                 {"a": learned, "z": 0 * learned, "yes": np.array(True), "one": one})):
            net = self.states(nodes, **arrays)
            np.testing.assert_array_equal(net.first_state, learned)
        c = draw(2, 1, UNITS, seed=2)
        both = tr.from_onnx(self.rnn("LSTM", 4, {"h": None, "c": c}, [make("Identity", ["given"], ["h"])], direction="bidirectional"))
        np.testing.assert_array_equal(both.first_state[1], c)
        self.assertFalse(both.first_state[0].any())

    def test_states_that_are_sparse_constants_are_refused(self):
        self.states([helper.make_node("Identity", ["a"], ["h"])], a=np.zeros((1, 3, UNITS), np.float32))
        model = onnx.load(self.path)
        values, places = numpy_helper.from_array(np.float32([1]), "a"), numpy_helper.from_array(np.int64([4]), "places")
        del model.graph.initializer[[tensor.name for tensor in model.graph.initializer].index("a")]
        model.graph.sparse_initializer.append(helper.make_sparse_tensor(values, places, [1, 3, UNITS]))
        onnx.save(model, self.path)
        with self.assertRaisesRegex(ValueError, "its initial_h is a constant that is not 0"):
            tr.from_onnx(self.path)

    def test_states_that_the_caller_gives_are_left_to_the_call(self):
        make = helper.make_node
        table = np.ones((4, 1, UNITS), np.float32)
        self.states([make("Identity", ["given"], ["h"])])
        self.states([make("Add", ["given", "a"], ["h"])], a=table)
        self.states([make("Gather", ["a", "place"], ["h"])], a=table)
        tr.from_onnx(self.rnn("GRU", 3, {"h": None}, [make("GRU", ["X", "W", "R", "B"], ["", "h"], hidden_size=UNITS)]), "rnn")
