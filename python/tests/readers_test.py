"""Networks from files of Keras, dictionaries of other frameworks and open files are compared with float64."""
import copy
import io
import os
import pickle
import tempfile
import unittest

import numpy as np

import keras_testing as keras
import tandem_rnn as tr
from audio_testing import cell_error, draw, keras_gru, keras_lstm, lstm_step, nam, nam_parts, sigmoid, sum_error, text_of, torch_lstm
from keras_testing import h5py
from tandem_rnn import gate_orders

SLC, UNITS, ROWS = 5, 4, 3
TERMS = SLC + UNITS + 2  # terms of a gate's sum


class Beside(unittest.TestCase):
    def beside(self, net, step, terms=TERMS, more=0.0):
        """Compares each step of a network with float64 equations from the same state. step(x, h, c) gives h and c."""
        state = net.initial_state(ROWS)
        for t in range(4):
            x = draw(ROWS, SLC, seed=50 + t)
            before = [part[0].astype(np.float64) for part in (state if net.cell == "lstm" else (state,))]
            y, state = net(x[:, np.newaxis] if net.batch_first else x[np.newaxis], state)
            want = step(x.astype(np.float64), *before)
            np.testing.assert_allclose(y.reshape(ROWS, -1), want[0], rtol=0, atol=cell_error(terms) + more)
            if net.cell == "lstm":
                np.testing.assert_allclose(state[1][0], want[1], rtol=0, atol=cell_error(terms))


def keras_arrays(kind, slc=SLC, seed=1):
    gates = {"LSTM": 4, "GRU": 3, "SimpleRNN": 1}[kind] * UNITS
    return [draw(slc, gates, seed=seed), draw(UNITS, gates, seed=seed + 1), draw(*(2, gates) if kind == "GRU" else (gates,), seed=seed + 2)]


@unittest.skipIf(h5py is None, keras.LEFT_OUT)
class Keras(Beside):
    def models(self):
        """Compares a file's layers by Keras's names, in each form of file."""
        layers = [keras.layer_of("Dense", "before", [draw(SLC, SLC), draw(SLC)]),
                  keras.layer_of("LSTM", "encoder", keras_arrays("LSTM")),
                  keras.layer_of("GRU", "middle", keras_arrays("GRU", seed=4), reset_after=True),
                  keras.layer_of("SimpleRNN", "small", keras_arrays("SimpleRNN", seed=7), activation="sigmoid"),
                  keras.layer_of("LSTM", "decoder", keras_arrays("LSTM", seed=10))]
        both = keras_arrays("LSTM", seed=13) + keras_arrays("LSTM", seed=16)
        layers.append(keras.bidirectional("both", layers[1], both, merge_mode="sum"))
        return layers

    def test_layers_of_files_are_those_of_float64(self):
        layers = self.models()
        steps = {"encoder": lambda x, h, c: keras_lstm(x, h, c, layers[1]["arrays"]),
                 "decoder": lambda x, h, c: keras_lstm(x, h, c, layers[4]["arrays"]),
                 "middle": lambda x, h: (keras_gru(x, h, layers[2]["arrays"]),),
                 "small": lambda x, h: (sigmoid(x @ layers[3]["arrays"][0] + h @ layers[3]["arrays"][1] + layers[3]["arrays"][2]),)}
        for content in keras.legacy(layers), keras.archive(layers):
            for name, step in steps.items():
                with self.subTest(name=name, is_archive=content[:2] == b"PK"):
                    self.beside(tr.from_keras(io.BytesIO(content), name), step)
            both = tr.from_keras(io.BytesIO(content), "both")
            self.assertEqual((both.layers[0].direction, both.batch_first), ("sum", True))
            for name, array in tr.from_keras(layers[5]["arrays"], direction="sum").weights[0].items():
                np.testing.assert_array_equal(both.weights[0][name], array)

    def test_files_without_a_configuration(self):
        layers = self.models()[:3]
        for content, name in (keras.weights(layers), "lstm"), (keras.legacy(layers, config=False), "encoder"):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model.weights.h5")
                with open(path, "wb") as file:
                    file.write(content)
                self.beside(tr.from_keras(path, name), lambda x, h, c: keras_lstm(x, h, c, layers[1]["arrays"]))
                with self.assertRaisesRegex(ValueError, f"^{path}: layer: is None, but must be one of "):
                    tr.from_keras(path)

    def test_models_in_models(self):
        lstm = keras.layer_of("LSTM", "rnn", keras_arrays("LSTM"))
        inner = {"class_name": "Functional", "config": {"name": "inner", "layers": [
            {key: lstm[key] for key in ("class_name", "config")}]}}
        config = keras.json.dumps({"class_name": "Functional", "config": {"layers": [inner]}})
        buffer = io.BytesIO()
        with h5py.File(buffer, "w") as file:
            for number, array in enumerate(lstm["arrays"]):
                file.create_dataset(f"layers/functional/layers/lstm/cell/vars/{number}", data=array)
        content = keras.archive([], **{"config.json": config, "model.weights.h5": buffer.getvalue()})
        for name in "rnn", "inner/rnn", None:
            self.beside(tr.from_keras(io.BytesIO(content), name), lambda x, h, c: keras_lstm(x, h, c, lstm["arrays"]))

    def test_what_the_specification_has_not_is_refused(self):
        for kind, config, sentence in (("LSTM", {"recurrent_activation": "hard_sigmoid"}, "rnn: has hard_sigmoid, which is 0.2 x [+] 0.5 in Keras 2"),
                                       ("GRU", {"activation": "gelu"}, "rnn: has activation 'gelu', but must have tanh, sigmoid, relu"),
                                       ("LSTM", {"activation": "relu6"}, "rnn: has activation 'relu6', but must have"),
                                       ("LSTM", {"recurrent_activation": {"class_name": "LeakyReLU"}}, "rnn: has recurrent_activation \"{'class"),
                                       ("LSTM", {"go_backwards": True}, "rnn: has go_backwards")):
            layer = keras.layer_of(kind, "rnn", keras_arrays(kind), **config)
            other = keras.layer_of("LSTM", "other", keras_arrays("LSTM"))
            for make in keras.legacy, keras.archive:
                with self.assertRaisesRegex(ValueError, f"^BytesIO: {sentence}"):
                    tr.from_keras(io.BytesIO(make([layer, other])), "rnn")
                tr.from_keras(io.BytesIO(make([layer, other])), "other")
        both = keras.bidirectional("rnn", keras.layer_of("LSTM", "l", []), 2 * keras_arrays("LSTM"), merge_mode="mul")
        with self.assertRaisesRegex(ValueError, "rnn: has merge_mode 'mul'"):
            tr.from_keras(io.BytesIO(keras.archive([both])))


class Dictionaries(Beside):
    def test_weights_of_keras_by_name(self):
        arrays = keras_arrays("LSTM")
        named = {f"lstm/lstm_cell/{name}:0": array for name, array in zip(keras.NAMES, arrays)}
        dense = {"dense/kernel:0": draw(4, 2), "dense/bias:0": draw(2)}
        for net in (tr.from_keras({**dense, **named}), tr.from_keras({**named, "gru/kernel": draw(5, 12), "gru/recurrent_kernel": draw(4, 12)}, "lstm"),
                    tr.from_state_dict(named, framework="keras"), tr.from_keras({"lstm": dict(zip(keras.NAMES, arrays))})):
            self.beside(net, lambda x, h, c: keras_lstm(x, h, c, arrays))
        both = {f"bi/{side}_lstm/lstm_cell/{name}": array for side in ("backward", "forward") for name, array in zip(keras.NAMES, arrays)}
        self.assertEqual(tr.from_keras(both).layers[0].direction, "concat")

    def test_pytorchs_names(self):
        shapes = {"weight_ih": (16, SLC), "weight_hh": (16, UNITS), "bias_ih": (16,), "bias_hh": (16,)}
        arrays = {name: draw(*shape, seed=n) for n, (name, shape) in enumerate(shapes.items())}
        state = {f"rnn.{name}_l0": array for name, array in arrays.items()}
        for given, prefix in ((state, None), ({"model": {"enc": state, "fc.weight": draw(2, 2)}, "epoch": 3}, "model.enc.rnn"),
                              ({f"cell.{name}": array for name, array in arrays.items()}, None)):
            self.beside(tr.from_state_dict(given, prefix), lambda x, h, c: torch_lstm(x, h, c, list(arrays.values())))
        with self.assertRaisesRegex(ValueError, "'a.rnn', 'b.rnn': there are several"):
            tr.from_state_dict({"a": state, "b": state})

    def test_tensorflow_1(self):
        kernel, bias = draw(SLC + UNITS, 4 * UNITS), draw(4 * UNITS, seed=2)

        def basic(x, h, c, forget_bias=1.0, kernel=kernel):
            i, j, f, o = np.split(np.concatenate([x, h], 1) @ kernel + bias, 4, axis=1)
            return lstm_step((i, f + forget_bias, j, o), c)

        state = {"rnn/basic_lstm_cell/kernel": kernel, "rnn/basic_lstm_cell/bias": bias, "dense/kernel": draw(4, 2)}
        self.beside(tr.from_state_dict(state, "rnn/basic_lstm_cell", framework="tensorflow1"), basic, TERMS + 2)
        self.beside(tr.from_state_dict({"kernel": kernel, "bias": bias}, framework="tensorflow1", forget_bias=0.0),
                    lambda x, h, c: basic(x, h, c, 0.0))
        peepholes = {gate: draw(UNITS, seed=n) for n, gate in enumerate("ifo", 5)}
        projection, small = draw(UNITS, 2, seed=8), draw(SLC + 2, 4 * UNITS)

        def whole(x, h, c):
            i, j, f, o = np.split(np.concatenate([x, h], 1) @ small + bias, 4, axis=1)
            c = sigmoid(f + 1 + c * peepholes["f"]) * c + sigmoid(i + c * peepholes["i"]) * np.tanh(j)
            return (sigmoid(o + c * peepholes["o"]) * np.tanh(c)) @ projection, c

        net = tr.from_state_dict({"kernel": small, "bias": bias, "projection/kernel": projection,
                                  **{f"w_{gate}_diag": array for gate, array in peepholes.items()}}, framework="tensorflow1")
        # The bound has c, which is below 2, times a weight below 1/2.
        self.beside(net, whole, TERMS + 4, sum_error(UNITS, cell_error(TERMS + 4)))

        gates, candidate = draw(SLC + UNITS, 2 * UNITS), draw(SLC + UNITS, UNITS, seed=3)
        biases = draw(2 * UNITS, seed=4), draw(UNITS, seed=5)

        def gru(x, h):
            r, u = np.split(sigmoid(np.concatenate([x, h], 1) @ gates + biases[0]), 2, axis=1)
            return (u * h + (1 - u) * np.tanh(np.concatenate([x, r * h], 1) @ candidate + biases[1]),)

        self.beside(tr.from_state_dict({"gates/kernel": gates, "gates/bias": biases[0], "candidate/kernel": candidate,
                                        "candidate/bias": biases[1]}, framework="tensorflow1"), gru)
        self.beside(tr.from_state_dict({"kernel": gates[:, :UNITS], "bias": biases[1]}, framework="tensorflow1", cell="vanilla_rnn"),
                    lambda x, h: (np.tanh(np.concatenate([x, h], 1) @ gates[:, :UNITS] + biases[1]),))

    def test_flax(self):
        def kernels(letters, biased):
            return {side + gate: {"kernel": draw(rows, UNITS, seed=10 * n + rows), **({"bias": draw(UNITS, seed=40 + n)} if side + gate in biased else {})}
                    for side, rows in (("i", SLC), ("h", UNITS)) for n, gate in enumerate(letters)}

        lstm, gru = kernels("ifgo", ("hi", "hf", "hg", "ho")), kernels("rzn", ("ir", "iz", "in", "hn"))
        rnn = {"i": {"kernel": draw(SLC, UNITS), "bias": draw(UNITS)}, "h": {"kernel": draw(UNITS, UNITS)}}

        def gate(params, x, h, letter):
            return [v @ params[side + letter]["kernel"] + params[side + letter].get("bias", 0) for side, v in (("i", x), ("h", h))]

        def gru_step(x, h):
            r, z = (sigmoid(sum(gate(gru, x, h, letter))) for letter in "rz")
            n = gate(gru, x, h, "n")
            return ((1 - z) * np.tanh(n[0] + r * n[1]) + z * h,)

        self.beside(tr.from_state_dict({"params": {"cell": lstm}}, "params/cell", framework="flax"),
                    lambda x, h, c: lstm_step([sum(gate(lstm, x, h, letter)) for letter in "ifgo"], c))
        net = tr.from_state_dict(gru, framework="flax")
        self.assertIsInstance(net, tr.LBRGRU)
        self.beside(net, gru_step)
        self.beside(tr.from_state_dict(rnn, framework="flax", cell="vanilla_rnn"), lambda x, h: (np.tanh(sum(gate(rnn, x, h, ""))),))

    def test_madmom_with_the_states_that_it_learned(self):
        gates = {name: {"weights": draw(SLC, UNITS, seed=n), "recurrent_weights": draw(UNITS, UNITS, seed=n + 10), "bias": draw(UNITS, seed=n + 20),
                        **({"peephole_weights": draw(UNITS, seed=n + 30)} if name != "cell" else {})}
                 for n, name in enumerate(("input_gate", "forget_gate", "cell", "output_gate"))}

        def total(name, x, h, c):
            return x @ gates[name]["weights"] + h @ gates[name]["recurrent_weights"] + gates[name]["bias"] + c * gates[name].get("peephole_weights", 0)

        def step(x, h, c):
            i, f, g = (total(name, x, h, c) for name in ("input_gate", "forget_gate", "cell"))
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
            return sigmoid(total("output_gate", x, h, c)) * np.tanh(c), c

        layer = {**gates, "init": draw(UNITS, seed=50), "cell_init": draw(UNITS, seed=51)}
        net = tr.from_state_dict({"fwd_layer": layer}, "fwd_layer", framework="madmom")
        np.testing.assert_array_equal(net.first_state[1], draw(UNITS, seed=51)[np.newaxis, np.newaxis])
        self.beside(net, step, TERMS + 2)
        both = tr.from_state_dict({"fwd_layer": layer, "bwd_layer": gates}, ("fwd_layer", "bwd_layer"), framework="madmom")
        self.assertEqual(both.layers[0].direction, "concat")
        self.assertTrue(both.first_state[0][0].any() and not both.first_state[0][1].any())

    def test_what_does_not_fit_is_a_sentence(self):
        for state, options, sentence in (
                ({"kernel": draw(9, 16), "bias": draw(15)}, {"framework": "tensorflow1"}, r"kernel: has shape \(9, 16\), but must have \(any, 15\)"),
                ({"kernel": draw(9, 15), "bias": draw(15)}, {"framework": "tensorflow1"}, "bias: has 15 numbers, which are not 4 gates"),
                ({"kernel": draw(4, 16), "bias": draw(16)}, {"framework": "tensorflow1"}, "kernel: has 4 rows"),
                ({"ii": {"kernel": draw(5, 4)}}, {"framework": "flax"}, "if.kernel: is not there"),
                ({"x": draw(5, 4)}, {"framework": "flax"}, "cell: is None, but names of flax are of"),
                ({"x": draw(5, 4)}, {"framework": "keras"}, "none: there is no RNN"),
                ({"x": draw(5, 4)}, {"framework": "caffe"}, "framework: is 'caffe'"),
                ({"x": draw(5, 4)}, {}, "no name is that of a weight of an RNN module")):
            with self.assertRaisesRegex(ValueError, sentence):
                tr.from_state_dict(state, **options)


class Orders(unittest.TestCase):
    TITLES = {"specification, oneDNN": "specification", "PyTorch": "pytorch", "ONNX": "onnx", "TensorFlow.js, Keras": "keras", "cuDNN": "cudnn",
              "TensorFlow 1": "tensorflow1", "Flax": "flax", "madmom": "madmom", "Opus, RNNoise": "opus", "TensorFlow Lite": "tflite"}

    def test_the_page_shows_the_table(self):
        with open(os.path.join(os.path.dirname(__file__), "../../docs/coming_from.md"), encoding="utf-8") as file:
            lines = file.read().partition("## Gates")[2].partition("\n## ")[0].splitlines()
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")][1:]
        shown = {self.TITLES[title]: {kind: text.replace("c~", "c").replace(", ", "") for kind, text in
                                      zip(("lstm", "gru", "peephole"), cells[1::2]) if text} for title, *cells in rows}
        self.assertEqual(shown, gate_orders.ORDERS)


class OpenFiles(unittest.TestCase):
    def test_what_is_saved_into_memory_comes_back(self):
        net, buffer = tr.LSTM(SLC, UNITS), io.BytesIO()
        net.save(buffer)
        again = tr.from_safetensors(io.BytesIO(buffer.getvalue()))
        for name, array in net.weights[0].items():
            np.testing.assert_array_equal(again.weights[0][name], array)
        model = tr.from_nam(io.BytesIO(text_of(nam(nam_parts(1, 3, 1), 1, 3, 1))))
        self.assertEqual(model.slc, 1)
        for reader in tr.from_safetensors, tr.from_nam:
            with self.assertRaisesRegex(ValueError, "^BytesIO: "):
                reader(io.BytesIO(b"none"))
            with self.assertRaisesRegex(TypeError, "^StringIO: is a file of text"):
                reader(io.StringIO("none"))


class FirstStates(unittest.TestCase):
    def test_calls_begin_with_it(self):
        x, given = draw(6, ROWS, SLC), draw(1, 1, UNITS, seed=9)
        for kind in tr.LSTM, tr.GRU:
            net = kind(SLC, UNITS)
            zero, (one, many) = net(x)[0], (((given, -given) if kind is tr.LSTM else given), net.zero_state(ROWS))
            net(x[:1, :1])
            for part, row in zip(many, one) if kind is tr.LSTM else ((many, one),):
                part[...] = row
            want, wants = net(x, many)[0], net.record(x, many).y
            net.first_state = one
            np.testing.assert_array_equal(net(x)[0], want)
            np.testing.assert_array_equal(net(x[:1, :1])[0], want[:1, :1])
            np.testing.assert_array_equal(net.record(x).y, wants)
            np.testing.assert_array_equal(net(x, net.zero_state(ROWS))[0], zero)
            for other in copy.deepcopy(net), pickle.loads(pickle.dumps(net)):
                np.testing.assert_array_equal(other(x)[0], want)
            eight = net.quantize()
            np.testing.assert_array_equal(eight(x)[0], eight(x, many)[0])
            voice = net.stream()
            np.testing.assert_array_equal(voice(x[:, 0]), want[:, 0])
            voice.reset()
            np.testing.assert_array_equal(voice(x[:, 0]), want[:, 0])
            desk = net.stream_group(2)
            np.testing.assert_array_equal(desk(x[0, :2], [1, 0]), want[0, :2])
            np.testing.assert_array_equal(tr.streams.Streams(net, ROWS)(x), want)
            for saved, y in (net, want), (eight, eight(x)[0]):
                file = io.BytesIO()
                saved.save(file)
                np.testing.assert_array_equal(tr.from_safetensors(io.BytesIO(file.getvalue()))(x)[0], y)
            net.first_state = None
            np.testing.assert_array_equal(net(x)[0], zero)
            with self.assertRaisesRegex((TypeError, ValueError), "first_state: "):
                net.first_state = given[0]
