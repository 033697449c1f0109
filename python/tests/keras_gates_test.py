"""Layers of Keras and operators of TensorFlow Lite with other functions than sigmoid and tanh stand beside float64."""
import io
import json
import unittest

import numpy as np

import keras_testing as keras
import tandem_rnn as tr
import tflite_testing as tflite
from audio_testing import draw, sigmoid
from gates_testing import step_error
from keras_testing import h5py
from tflite_testing import flatbuffers

SLC, UNITS, ROWS = 5, 4, 3
TERMS = SLC + 2 * UNITS + 2

# These are the functions of Keras's documentation. hard_sigmoid is another one since version 3.
FUNCTIONS = {
    "tanh": np.tanh, "sigmoid": sigmoid, "relu": lambda x: np.maximum(x, 0), "softsign": lambda x: x / (abs(x) + 1),
    "softplus": lambda x: np.log(np.exp(x) + 1), "elu": lambda x: np.where(x > 0, x, np.exp(x) - 1), "linear": lambda x: x,
    "leaky_relu": lambda x: np.where(x >= 0, x, 0.2 * x), "relu6": lambda x: np.clip(x, 0, 6), "hard_tanh": lambda x: np.clip(x, -1, 1),
}
HARD = {"2.11.0": lambda x: np.clip(0.2 * x + 0.5, 0, 1), "3.3.3": lambda x: np.clip(x + 3, 0, 6) / 6}


def arrays_of(kind, seed=1):
    gates = {"LSTM": 4, "GRU": 3, "SimpleRNN": 1}[kind] * UNITS
    return [draw(SLC, gates, seed=seed), draw(UNITS, gates, seed=seed + 1), draw(*(2, gates) if kind == "GRU" else (gates,), seed=seed + 2)]


def keras_lstm(x, h, c, weights, recurrent, activation):
    kernel, recurrent_kernel, bias = weights
    i, f, g, o = np.split(x @ kernel + h @ recurrent_kernel + bias, 4, axis=1)
    c = recurrent(f) * c + recurrent(i) * activation(g)
    return recurrent(o) * activation(c), c


def keras_gru(x, h, weights, recurrent, activation):
    """Returns h after a step with reset_after."""
    kernel, recurrent_kernel, bias = weights
    (z, r, n), (hz, hr, hn) = (np.split(part, 3, axis=1) for part in (x @ kernel + bias[0], h @ recurrent_kernel + bias[1]))
    z, r = recurrent(z + hz), recurrent(r + hr)
    return z * h + (1 - z) * activation(n + r * hn)


class Beside(unittest.TestCase):
    def beside(self, net, step, scale=2):
        """Makes sure that each step of a network has the outputs of step(x, h, c), from the same states. scale: x is as large."""
        state = net.zero_state(ROWS)
        for t in range(4):
            x = scale * draw(ROWS, SLC, seed=50 + t)
            before = [part[0].astype(np.float64) for part in (state if net.cell == "lstm" else (state,))]
            y, state = net(x[:, np.newaxis] if net.batch_first else x[np.newaxis], state)
            want, *values = step(x.astype(np.float64), *before)
            largest = max(1, *(abs(value).max() for value in (x, want, *before, *values)))
            self.assertLessEqual(abs(y.reshape(ROWS, -1) - want).max(), step_error(TERMS, largest))


@unittest.skipIf(h5py is None, keras.LEFT_OUT)
class Keras(Beside):
    def files(self, layers, version):
        return keras.legacy(layers, version=version), keras.archive(layers, **{"metadata.json": json.dumps({"keras_version": version})})

    def test_lstm_and_gru(self):
        for (recurrent, activation), version in ((each, version) for version in HARD for each in (
                ("hard_sigmoid", "tanh"), ("sigmoid", "relu"), ("hard_sigmoid", "softsign"), ("sigmoid", "elu"), ("relu", "linear"),
                ("tanh", "softplus"), ("softsign", "leaky_relu"), ("sigmoid", "hard_sigmoid"))):
            functions = [{**FUNCTIONS, "hard_sigmoid": HARD[version]}[name] for name in (recurrent, activation)]
            config = {"recurrent_activation": recurrent, "activation": activation}
            for content in self.files([keras.layer_of("LSTM", "rnn", arrays_of("LSTM"), **config)], version):
                with self.subTest(recurrent=recurrent, activation=activation, version=version):
                    self.beside(tr.from_keras(io.BytesIO(content)), lambda x, h, c: keras_lstm(x, h, c, arrays_of("LSTM"), *functions))
            for content in self.files([keras.layer_of("GRU", "rnn", arrays_of("GRU"), **config)], version):
                with self.subTest(recurrent=recurrent, activation=activation, version=version):
                    self.beside(tr.from_keras(io.BytesIO(content)), lambda x, h: (keras_gru(x, h, arrays_of("GRU"), *functions),))

    def test_simple_rnn(self):
        kernel, recurrent, bias = arrays_of("SimpleRNN")
        for name, function in {**FUNCTIONS, "hard_sigmoid": HARD["3.3.3"]}.items():
            layer = keras.layer_of("SimpleRNN", "rnn", arrays_of("SimpleRNN"), activation=name)
            for content in self.files([layer], "3.3.3"):
                with self.subTest(name=name):
                    for scale in 2, 30:  # relu6 and hard_tanh limit some of the larger numbers
                        self.beside(tr.from_keras(io.BytesIO(content)),
                                    lambda x, h: (function(x @ kernel + h @ recurrent + bias), abs(x @ kernel) + abs(h @ recurrent) + abs(bias)), scale)

    def test_arrays_with_options(self):
        net = tr.from_keras(arrays_of("LSTM"), activations=(("hard_sigmoid", 0.2, 0.5), "relu", "relu"))
        self.beside(net, lambda x, h, c: keras_lstm(x, h, c, arrays_of("LSTM"), HARD["2.11.0"], FUNCTIONS["relu"]))

    def test_directions_have_the_same(self):
        layer = keras.layer_of("LSTM", "l", [], activation="relu")
        both = arrays_of("LSTM") + arrays_of("LSTM", seed=4)
        for other, is_right in (layer, True), (keras.layer_of("LSTM", "l", [], activation="elu"), False):
            backward = {key: other[key] for key in ("class_name", "config")}
            content = keras.archive([keras.bidirectional("both", layer, both, backward_layer=backward)])
            if is_right:
                self.assertEqual(tr.from_keras(io.BytesIO(content)).layers[0].gates.functions[1].name, "relu")
            else:
                with self.assertRaisesRegex(ValueError, "both: its directions have different activations"):
                    tr.from_keras(io.BytesIO(content))

    def test_damaged_versions_are_none(self):
        layer = keras.layer_of("LSTM", "rnn", arrays_of("LSTM"), recurrent_activation="hard_sigmoid")
        for text in ("[]", "[" * 999, '{"keras_version": 3}', '{"keras_version": "x"}', "{", json.dumps({"keras_version": "3" + " " * (1 << 15)})):
            with self.assertRaisesRegex(ValueError, "^BytesIO: rnn: has hard_sigmoid, which is 0.2 x [+] 0.5 in Keras 2"):
                tr.from_keras(io.BytesIO(keras.archive([layer], **{"metadata.json": text})))


@unittest.skipIf(flatbuffers is None, tflite.LEFT_OUT)
class TensorFlowLite(Beside):
    @staticmethod
    def arrays(peephole=False):
        """Returns the matrices of x, those of h, and the biases, in the order i, f, c, o."""
        arrays = {1 + n: draw(UNITS, SLC, seed=n) for n in range(4)}
        arrays.update({5 + n: draw(UNITS, UNITS, seed=10 + n) for n in range(4)})
        arrays.update({9 + n: draw(UNITS, seed=30 + n) for n in range(3)} if peephole else {})
        return {**arrays, **{12 + n: draw(UNITS, seed=20 + n) for n in range(4)}}

    def check(self, arrays, function=np.tanh, **options):
        """Checks an operator. arrays may lack those of the input gate, which then is 1 - f."""
        def step(x, h, c):
            sums = [x @ arrays[1 + n].T + h @ arrays[5 + n].T + arrays[12 + n] if 1 + n in arrays else None for n in range(4)]
            p_i, p_f, p_o = (arrays.get(9 + n, 0) for n in range(3))
            f = sigmoid(sums[1] + p_f * c)
            i = 1 - f if sums[0] is None else sigmoid(sums[0] + p_i * c)
            c = f * c + i * function(sums[2])
            return sigmoid(sums[3] + p_o * c) * function(c), c

        self.beside(tr.from_tflite(io.BytesIO(tflite.model([tflite.lstm("y", arrays, **options)]))), step)

    def test_an_input_gate_that_is_1_minus_f(self):
        for peephole in False, True:
            arrays = self.arrays(peephole)
            self.check({number: array for number, array in arrays.items() if number not in (1, 5, 9, 12)})

    def test_activations_of_lstm(self):
        for activation, function in (0, lambda x: x), (1, FUNCTIONS["relu"]):
            self.check(self.arrays(), function, activation=activation)

    def test_activations_of_rnn(self):
        arrays = [draw(UNITS, SLC), draw(UNITS, UNITS, seed=2), draw(UNITS, seed=3)]
        for activation, name in enumerate(("linear", "relu", "hard_tanh", "relu6", "tanh")):
            net = tr.from_tflite(io.BytesIO(tflite.model([tflite.rnn("y", arrays, activation=activation)])))
            with self.subTest(name=name):
                for scale in 2, 30:
                    self.beside(net, lambda x, h: (FUNCTIONS[name](x @ arrays[0].T + h @ arrays[1].T + arrays[2]),
                                                   abs(x @ arrays[0].T) + abs(h @ arrays[1].T) + abs(arrays[2])), scale)


if __name__ == "__main__":
    unittest.main()
