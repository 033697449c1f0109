"""Nodes of ONNX become networks. The tests are about the choice of the node, its attributes, states and lengths, and refusals."""
import unittest
import warnings

import numpy as np

import tandem_rnn as tr
from onnx_testing import LEFT_OUT, SLC, UNITS, Folder, draw, helper, numpy_helper, onnx, weights_of


@unittest.skipIf(onnx is None, LEFT_OUT)
class Nodes(Folder):
    def test_bytes_of_dynamic_quantize_lstm_are_the_numbers_that_they_stand_for(self):
        draw_bytes = np.random.default_rng(4)
        for columns in 1, 4 * UNITS:  # there is one scale for a direction, or one for each gate and unit
            arrays = {"B": draw(2, 8 * UNITS, seed=3)}
            want = {}
            for name, rows in ("W", SLC), ("R", UNITS):
                arrays[name] = draw_bytes.integers(0, 256, (2, rows, 4 * UNITS), np.uint8)
                arrays[name + "s"] = draw_bytes.uniform(1e-3, 1e-2, (2, columns)).astype(np.float32)
                arrays[name + "z"] = draw_bytes.integers(100, 150, (2, columns), np.uint8)
                want[name] = [(arrays[name][d] - arrays[name + "z"][d].astype(np.float32)) * arrays[name + "s"][d]
                              for d in range(2)]
            if columns == 1:
                arrays.update({name: arrays[name].reshape(2) for name in ("Ws", "Wz", "Rs", "Rz")})
            node = helper.make_node("DynamicQuantizeLSTM",
                                    ["X", "W", "R", "B", "", "", "", "", "Ws", "Wz", "Rs", "Rz"], ["Y"], name="rnn",
                                    domain="com.microsoft", hidden_size=UNITS, direction="bidirectional")
            net = tr.from_onnx(self.write(node, arrays))
            for name, tensor in ("W", "weights_layer"), ("R", "weights_iter"):
                got = net.weights[0][tensor][0]
                for d in range(2):
                    gates = want[name][d].reshape(-1, 4, UNITS)[:, [0, 2, 3, 1]]  # turns i, o, f, c into i, f, c, o
                    np.testing.assert_array_equal(got[d], gates)
        with self.assertRaisesRegex(ValueError, "its W has shape .* with 3 scales"):
            tr.from_onnx(self.write(node, {**arrays, "Ws": draw(3)}))

    def test_one_of_two_branches_is_chosen(self):
        inner, other = (onnx.load(self.rnn("GRU", 3)).graph for _ in range(2))
        other.initializer[0].CopyFrom(numpy_helper.from_array(draw(1, 21, SLC, seed=9), "W"))
        node = helper.make_node("If", ["is_wide"], ["out"], name="If_0", then_branch=inner, else_branch=other)
        graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("is_wide", 9, [1])],
                                  [helper.make_tensor_value_info("out", 1, None)])
        onnx.save(helper.make_model(graph), self.path)
        names = "If_0.else_branch/rnn, If_0.then_branch/rnn"
        for name in (None, "rnn", "Y"):
            with self.assertRaisesRegex(ValueError, f"node: is {name!r}, but must be one of {names}"):
                tr.from_onnx(self.path, name)
        kernels = [tr.from_onnx(self.path, name).weights[0]["weights_layer"] for name in names.split(", ")]
        self.assertFalse(np.array_equal(*kernels))
        np.testing.assert_array_equal(kernels[0][0, 0, :, 0], draw(1, 21, SLC, seed=9)[0, :7].T)

    def test_kinds_and_refusals(self):
        x = draw(4, 3, SLC)
        for name, shape in ("B", (1, 70)), ("R", (1, 21, 7)), ("W", (28, 5)):
            with self.assertRaisesRegex(ValueError, f"its {name} has shape .*, but must have"):
                tr.from_onnx(self.rnn("LSTM", 4, {name: draw(*shape)}))
        self.assertIsInstance(tr.from_onnx(self.rnn("GRU", 3)), tr.GRU)
        self.assertIsInstance(tr.from_onnx(self.rnn("GRU", 3, linear_before_reset=1)), tr.LBRGRU)
        both = tr.from_onnx(self.rnn("RNN", 1, direction="bidirectional"))
        self.assertEqual(both(x)[0].shape, (4, 3, 14))
        with self.assertRaisesRegex(ValueError, "must be one of rnn"):
            tr.from_onnx(self.rnn("GRU", 3), "other")
        for name in "h", "c":
            zeros = {"h": np.zeros((1, 3, UNITS), np.float32), "c": np.zeros((1, 3, UNITS), np.float32)}
            tr.from_onnx(self.rnn("LSTM", 4, zeros))
            with self.assertRaisesRegex(ValueError, f"rnn: its initial_{name} is a constant"):
                tr.from_onnx(self.rnn("LSTM", 4, {**zeros, name: draw(1, 3, UNITS)}))
        with self.assertRaisesRegex(ValueError, "its R has shape .*must have 3 dims"):
            tr.from_onnx(self.rnn("LSTM", 4, {"R": np.zeros((), np.float32)}))
        with open(self.rnn("LSTM", 4, direction="reverse"), "rb") as file:
            data = file.read()
        self.assertEqual(data.count(b"reverse"), 1)
        with open(self.path, "wb") as file:
            file.write(data.replace(b"reverse", b"upwards"))
        with self.assertRaisesRegex(ValueError, "has direction upwards, but must have one of"):
            tr.from_onnx(self.path)

    def test_damaged_files_are_named(self):
        with open(self.rnn("LSTM", 4), "rb") as file:
            data = file.read()
        for damaged in b"text", data[:-30]:
            with open(self.path, "wb") as file:
                file.write(damaged)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # protobuf warns before the error
                with self.assertRaisesRegex(ValueError, f"{self.path}: is no ONNX model, or is damaged"):
                    tr.from_onnx(self.path)

    def test_lengths_that_are_constants(self):
        lengths = {"lengths": np.array([4, 4, 4], np.int32)}
        tr.from_onnx(self.rnn("LSTM", 4, lengths, dims=(4, "N", SLC)))
        tr.from_onnx(self.rnn("LSTM", 4, lengths, dims=("N", 4, SLC), layout=1))
        shape = [helper.make_node("Shape", ["X"], ["s"]), helper.make_node("Tile", ["s", "s"], ["lengths"])]
        tr.from_onnx(self.rnn("LSTM", 4, {"lengths": None}, shape))
        expand = [helper.make_node("Expand", ["a", "given"], ["lengths"])]
        for sizes, others, nodes in (((6, "N", SLC), lengths, ()), (("T", "N", SLC), lengths, ()), ((4, 6, SLC), lengths, ()),
                                     ((4, "N", SLC), {"lengths": np.array([4, 2, 1], np.int32)}, ()),
                                     ((4, "N", SLC), {"lengths": None, "a": np.array([4], np.int32)}, expand)):
            with self.assertRaisesRegex(ValueError, "rnn: its sequence_lens is a constant"):
                tr.from_onnx(self.rnn("LSTM", 4, others, nodes, dims=sizes, layout=int(sizes[1] == 6)))

    def test_layout_1_has_no_states(self):
        net = tr.from_onnx(self.rnn("GRU", 3, layout=1))
        self.assertTrue(net.batch_first)
        given = [helper.make_node("Identity", ["given"], ["h"])]
        for more in ({"outputs": ["Y", "Y_h"]}, {"others": {"h": None}, "nodes": given}):
            with self.assertRaisesRegex(ValueError, r"layout = 1 with states, which are \(N, D, H\)"):
                tr.from_onnx(self.rnn("GRU", 3, layout=1, **more))

    def test_each_function_takes_the_next_numbers_or_its_defaults(self):
        leaky = float(np.float32(0.01))
        for op, gates, given, want in (
                ("LSTM", 4, {"activations": ["HardSigmoid", "LeakyRelu", "ScaledTanh"], "activation_alpha": [0.25, 0.5, 2.0], "activation_beta": [0.75, 3.0]},
                 [("hard_sigmoid", 0.25, 0.75), ("relu", 0.5, 0.0), ("scaled_tanh", 2.0, 3.0)]),
                ("LSTM", 4, {"activations": ["Tanh", "ThresholdedRelu", "Softsign"]}, [("tanh", 0, 0), ("thresholded_relu", 1, 0), ("softsign", 0, 0)]),
                ("GRU", 3, {"activations": ["hardsigmoid", "ELU"]}, [("hard_sigmoid", float(np.float32(0.2)), 0.5), ("elu", 1, 0)]),
                ("GRU", 3, {"activations": ["LeakyRelu", "LeakyRelu"], "activation_alpha": [0.5]}, [("relu", 0.5, 0), ("relu", leaky, 0)])):
            self.assertEqual(tr.from_onnx(self.rnn(op, gates, **given)).layers[0].gates.functions, tuple(want))
        self.assertEqual(tr.from_onnx(self.rnn("LSTM", 4, activations=["Sigmoid", "Tanh", "Tanh"])).layers[0].gates, tr.LSTM(5, 7).layers[0].gates)
        for alpha, is_right in ([0.25, 0.25], True), ([0.01], True), ([0.25], False), ([0.25, 0.5], False):
            path = self.rnn("RNN", 1, direction="bidirectional", activations=["LeakyRelu"] * 2, activation_alpha=alpha)
            if is_right:
                self.assertEqual(tr.from_onnx(path).layers[0].alpha, float(np.float32(alpha[0])))
            else:
                with self.assertRaisesRegex(ValueError, "rnn: its directions have different activations"):
                    tr.from_onnx(path)

    def test_functions_that_are_none(self):
        for op, gates, given, sentence in (
                ("RNN", 1, {"direction": "bidirectional", "activations": ["Tanh"]}, "rnn: has 1 activations, but must have 2"),
                ("LSTM", 4, {"activations": ["Sigmoid", "Tanh"]}, "rnn: has 2 activations, but must have 3"),
                ("GRU", 3, {"activations": ["Gelu", "Tanh"]}, "rnn: has the activation 'Gelu', but must have one of relu, tanh, sigmoid"),
                ("GRU", 3, {"activations": ["Affine", "Tanh"], "activation_alpha": [1.0]}, "rnn: has Affine without its activation_alpha and"),
                ("RNN", 1, {"activations": ["ScaledTanh"]}, "rnn: has ScaledTanh without its activation_alpha and"),
                ("LSTM", 4, {"clip": 0.0}, "rnn: its clip is 0, but must be above 0"), ("RNN", 1, {"clip": -1.0}, "rnn: its clip is -1, but"),
                ("LSTM", 4, {"clip": float("nan")}, "rnn: its clip is nan"), ("LSTM", 4, {"input_forget": 2}, "rnn: its input_forget is 2, but must be 0 or 1")):
            with self.subTest(sentence=sentence), self.assertRaisesRegex(ValueError, sentence):
                tr.from_onnx(self.rnn(op, gates, **given))

    def test_attributes_of_another_type_are_sentences(self):
        for name, value in (("direction", 1), ("activations", "Tanh"), ("clip", 3), ("layout", 1.0), ("hidden_size", "7"),
                            ("linear_before_reset", [1]), ("activation_alpha", 1.0), ("activation_beta", 1.0), ("input_forget", 1.0)):
            with self.assertRaisesRegex(ValueError, f"rnn: its attribute {name} has another type than ONNX's"):
                tr.from_onnx(self.rnn("GRU", 3, **{name: value}))
        with self.assertRaisesRegex(ValueError, "its hidden_size is 8, but its R is for 7"):
            tr.from_onnx(self.rnn("GRU", 3, hidden_size=8))
        with self.assertRaisesRegex(ValueError, "rnn: has no R"):
            tr.from_onnx(self.write(helper.make_node("GRU", ["X", "W"], ["Y"], name="rnn"), weights_of(3)))

    def test_a_node_of_another_domain_is_none(self):
        with self.assertRaisesRegex(ValueError, "none: there is no RNN"):
            tr.from_onnx(self.rnn("LSTM", 4, domain="com.other"))
