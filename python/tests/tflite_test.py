"""Networks of TensorFlow Lite's operators are compared with float64. Other operators and damaged files are refused."""
import io
import unittest
import warnings

import numpy as np

import tandem_rnn as tr
import tflite_testing as tflite
from audio_testing import cell_error, draw, lstm_step, sigmoid, sum_error
from files_testing import Files
from tflite_testing import flatbuffers

SLC, UNITS, ROWS, STEPS = 5, 4, 3, 4
TERMS = SLC + 2 * UNITS + 2


def lstm_arrays(units=UNITS, back=UNITS):
    """Returns the matrices of x, those of h, and the biases, in the order i, f, c, o."""
    arrays = {1 + n: draw(units, SLC, seed=n) for n in range(4)}
    arrays.update({5 + n: draw(units, back, seed=10 + n) for n in range(4)})
    return {**arrays, **{12 + n: draw(units, seed=20 + n) for n in range(4)}}


def lstm_equations(x, h, c, arrays):
    x, h, c = (np.asarray(each, np.float64) for each in (x, h, c))
    sums = [x @ arrays[1 + n].T.astype(np.float64) + h @ arrays[5 + n].T.astype(np.float64) + arrays[12 + n] for n in range(4)]
    if 10 not in arrays:
        return lstm_step(sums, c)
    i, f = (sigmoid(sums[n] + arrays[9 + n] * c) for n in range(2))
    c = f * c + i * np.tanh(sums[2])
    return sigmoid(sums[3] + arrays[11] * c) * np.tanh(c), c


def as_int8(array, scales, axis=0):
    """Returns bytes, and the numbers that they stand for."""
    along = np.reshape(scales, [-1 if n == axis else 1 for n in range(array.ndim)]) if np.size(scales) > 1 else np.float32(scales)
    coded = np.clip(np.round(array / along), -127, 127).astype(np.int8)
    return (coded, np.ravel(scales), axis), coded.astype(np.float32) * np.float32(along)


@unittest.skipIf(flatbuffers is None, tflite.LEFT_OUT)
class TensorFlowLite(Files):
    def beside(self, content, arrays, more=0.0, **options):
        """Compares each step of a file's network with float64 equations from the same state."""
        net = tr.from_tflite(io.BytesIO(content), **options)
        self.assertTrue(net.batch_first)
        state = net.zero_state(ROWS)
        for t in range(STEPS):
            x = draw(ROWS, 1, SLC, seed=50 + t)
            want = lstm_equations(x[:, 0], state[0][0], state[1][0], arrays)
            y, state = net(x, state)
            h = want[0] @ arrays[16].T.astype(np.float64) if 16 in arrays else want[0]
            np.testing.assert_allclose(y[:, 0], h, rtol=0, atol=cell_error(TERMS) + more)
            np.testing.assert_allclose(state[1][0], want[1], rtol=0, atol=cell_error(TERMS))

    def test_float_weights_before_and_since_2020(self):
        for is_old in False, True:
            self.beside(tflite.model([tflite.lstm("y", lstm_arrays())], is_old), lstm_arrays())

    def test_peepholes_and_a_projection(self):
        arrays = {**lstm_arrays(back=2), **{9 + n: draw(UNITS, seed=30 + n) for n in range(3)}, 16: draw(2, UNITS, seed=40)}
        self.beside(tflite.model([tflite.lstm("y", arrays)]), arrays, sum_error(UNITS, cell_error(TERMS)))

    def test_hybrid_weights_are_the_numbers_that_they_stand_for(self):
        stored, real = lstm_arrays(), lstm_arrays()
        for number in range(1, 9):  # there is one scale, or one for each unit
            scales = np.float32(0.5 / 127) if number % 2 else np.linspace(1e-3, 4e-3, UNITS, dtype=np.float32)
            stored[number], real[number] = as_int8(stored[number], scales)
        self.beside(tflite.model([tflite.lstm("y", stored)]), real)

    def test_float16_weights(self):
        stored = {number: array.astype(np.float16) for number, array in lstm_arrays().items()}
        self.beside(tflite.model([tflite.lstm("y", stored)]), {number: array.astype(np.float32) for number, array in stored.items()})

    def test_vanilla_rnn(self):
        arrays = [draw(UNITS, SLC), draw(UNITS, UNITS, seed=2), draw(UNITS, seed=3)]
        for activation, function in (4, np.tanh), (1, lambda x: np.maximum(x, 0)):
            net = tr.from_tflite(io.BytesIO(tflite.model([tflite.rnn("y", arrays, time_major=True, activation=activation)])))
            x, h = draw(1, ROWS, SLC, seed=4), draw(1, ROWS, UNITS, seed=5)
            want = function(x[0] @ arrays[0].T.astype(np.float64) + h[0] @ arrays[1].T.astype(np.float64) + arrays[2])
            np.testing.assert_allclose(net(x, h)[0][0], want, rtol=0, atol=cell_error(TERMS))

    def test_one_of_several(self):
        content = tflite.model([tflite.lstm("first", lstm_arrays()), tflite.rnn("second", [draw(UNITS, SLC), draw(UNITS, UNITS), draw(UNITS)])])
        self.beside(content, lstm_arrays(), node="first")
        self.assertEqual({name: net.cell for name, net in tr.from_tflite(io.BytesIO(content), "*").items()}, {"first": "lstm", "second": "vanilla_rnn"})
        for node in None, "third":
            with self.assertRaisesRegex(ValueError, f"BytesIO: node: is {node!r}, but must be one of first, second"):
                tr.from_tflite(io.BytesIO(content), node)

    def test_the_clip_of_keras_is_a_warning(self):
        with self.assertWarnsRegex(UserWarning, "y clips c at 10, a network does not") as caught:
            self.beside(tflite.model([tflite.lstm("y", lstm_arrays(), cell_clip=10.0)]), lstm_arrays())
        self.assertEqual(caught.filename, __file__)

    def test_what_the_specification_has_not_is_refused(self):
        arrays, wide = lstm_arrays(), {**lstm_arrays(), 3: draw(UNITS, SLC + 1)}
        for operator, sentence in (
                (tflite.lstm("y", arrays, cell_clip=3.0), "y: has cell_clip 3, which"),
                (tflite.lstm("y", arrays, projection_clip=1.0), "y: has proj_clip 1, which"),
                (tflite.lstm("y", arrays, activation=3), "y: has an activation that is not tanh, relu or none, which"),
                (tflite.lstm("y", arrays, cell_clip=10.0, activation=1), "y: has cell_clip 10, which"),
                (tflite.lstm("y", {**arrays, 21: draw(UNITS)}), "y: has layer normalization, which"),
                (tflite.lstm("y", {**arrays, 17: draw(UNITS)}), "y: has a bias of its projection, which"),
                (tflite.lstm("y", {**arrays, 18: draw(UNITS)}), "y: has states that begin with other numbers than 0"),
                (tflite.lstm("y", {number: array for number, array in arrays.items() if number < 15}), "y: has no input 15"),
                (tflite.lstm("y", wide), r"y: y_3: has shape \(4, 6\), but must have \(4, 5\)"),
                (tflite.lstm("y", {**arrays, 4: np.ones((UNITS, SLC), np.int32)}), "y: y_4: has another type than float32"),
                (tflite.lstm("y", {**arrays, 4: np.ones((UNITS, SLC), np.int8)}), "y: y_4: is int8 with 0 scales"),
                (tflite.rnn("y", [draw(UNITS, SLC), draw(UNITS, UNITS), draw(UNITS)], activation=5), "y: has an activation that is not tanh, relu, relu6")):
            with self.subTest(sentence=sentence), self.assertRaisesRegex(ValueError, "^BytesIO: " + sentence):
                tr.from_tflite(io.BytesIO(tflite.model([operator])))

    def test_damaged_files(self):
        content = tflite.model([tflite.lstm("y", lstm_arrays())])
        self.assertIsNone(self.read(tr.from_tflite, self.path("model", content)))
        for damaged, sentence in ((b"", "does not begin as"), (b"\x40\0\0\0TFL3", "is damaged"), (b"\xff" * 4 + b"TFL3", "is damaged")):
            self.assertIsNotNone(self.read(tr.from_tflite, self.path("model", damaged), sentence))
        draws, begin = np.random.default_rng(1), content.index(b"TFL3") + 8
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a clip may be read
            for case in range(200):
                damaged = bytearray(content)
                if case % 4 == 0:
                    del damaged[draws.integers(1, len(damaged)):]
                for _ in range(case % 4):
                    place = draws.integers(begin, len(damaged))
                    damaged[place] = draws.integers(256)
                self.read(tr.from_tflite, self.path("model", bytes(damaged)))
        for table in range(8, len(content) - 4, 12):  # tables are named again and again
            damaged = content[:table] + (len(content) // 4).to_bytes(4, "little") + content[table + 4:]
            self.read(tr.from_tflite, self.path("model", damaged))
