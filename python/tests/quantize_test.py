"""Inference in 8 bits: exact where the numbers are bytes, within half a step of storing h, the reference's numbers."""
import os
import subprocess
import sys
import unittest
import warnings

import numpy as np

import tandem_rnn as tr
import tandem_rnn.reference as reference

RANDOM = np.random.default_rng(3)


def of_bytes(*shape, low, high, step):
    """Multiples of a step from low to high, both of which are there."""
    values = RANDOM.integers(low, high + 1, shape)
    values.reshape(-1, shape[-1])[:2] = [[low], [high]]
    return (values * step).astype(np.float32)


def exact(kind, direction="left2right"):
    """A network and an x of one step that 8 bits hold: bytes are 128 (x + 1), 128 w; x needs no factor."""
    net = kind(16, 12, direction=direction)
    weights = {}
    for name, array in net.weights[0].items():
        if name == "bias":
            weights[name] = array
        else:
            shape = array.shape
            weights[name] = of_bytes(*shape[:2], shape[2], shape[3] * shape[4], low=-127, high=127, step=1 / 128).reshape(shape)
    net.set_weights([weights])
    return net, of_bytes(1, 4, 16, low=-128, high=127, step=1 / 128)


# The outputs of each kind of 8 bits, in a process that takes the reading from its environment.
OF_A_READING = """
import numpy as np
import tandem_rnn as tr
x = np.random.default_rng(7).uniform(-2, 2, (5, 3, 6)).astype(np.float32)
for options in {}, {"direction": "sum"}, {"direction": "concat", "dic": 5}:
    net = tr.LSTM(6, 8, **options)
    for eight in net.quantize(x), net.quantize(), net.quantize(weights_only=True):
        print(eight(x)[0].tobytes().hex())
"""


class Quantized(unittest.TestCase):
    def test_the_reading_of_the_process_does_not_matter(self):
        printed = [subprocess.run([sys.executable, "-B", "-c", OF_A_READING], env={**os.environ, "TANDEM_READING": reading},
                                  check=True, capture_output=True).stdout for reading in ("spec", "onednn")]
        self.assertTrue(printed[0])
        self.assertEqual(*printed)

    def test_one_step_is_the_float_step_but_for_storing_h(self):
        for kind in (tr.LSTM, tr.GRU):
            for direction in ("left2right", "right2left", "concat"):
                net, x = exact(kind, direction)
                (y, state), (got, last) = net(x), net.quantize(x)(x)
                self.assertGreater(abs(got - y).max(), 0)
                # Half of a byte's step, and what rounding in float32 moves a value that is near its middle.
                self.assertLessEqual(abs(got - y).max(), 0.5 / 128 * (1 + 2**-15))
                np.testing.assert_array_equal(128 * (got + 1), np.rint(128 * (got + 1)))
                if kind is tr.LSTM:
                    np.testing.assert_allclose(last[1], state[1], rtol=0, atol=32 * 2.0**-23)  # c is no byte

    def test_the_reference_has_the_same_bytes(self):
        for options in ({"dic": 5}, {"layers": 2, "direction": "concat"}, {"direction": "sum", "bias": False}):
            mine = tr.LSTM(9, 8, **options)
            theirs = reference.LSTM(9, 8, weights=mine.weights, **options)
            x = RANDOM.uniform(-2, 2, (1, 3, 9)).astype(np.float32)
            one, other = mine.quantize([x, x / 2]), theirs.quantize([x, x / 2])
            self.assertTrue(other.implementation().startswith("ref"), other.implementation())
            self.assertFalse(one.implementation().startswith("ref"))
            # Both ranges are those of float32 outputs and may differ in their last bits. A value next to the middle between
            # two bytes may become either; each layer and each projection stores once.
            bytes_of = [np.rint(net._ranges[-1].scale * net(x)[0]) for net in (one, other)]
            self.assertLessEqual(abs(bytes_of[0] - bytes_of[1]).max(), 4)
            self.assertGreater((bytes_of[0] == bytes_of[1]).mean(), 0.9)

    def test_states_lengths_and_out(self):
        net = tr.GRU(5, 7, 2, batch_first=True)
        x = RANDOM.uniform(-1, 1, (3, 6, 5)).astype(np.float32)
        eight = net.quantize(x)
        y, h = eight(x)
        first, middle = eight(x[:, :4])
        rest, last = eight(x[:, 4:], middle)
        np.testing.assert_array_equal(np.concatenate([first, rest], 1), y)
        np.testing.assert_array_equal(last, h)
        out = np.empty_like(y)
        got, state = eight(x, lengths=[6, 2, 0], out=out)
        self.assertIs(got.base if got.base is not None else got, out)
        np.testing.assert_array_equal(out[1, :2], y[1, :2])
        self.assertFalse(out[1, 2:].any() or out[2].any() or state[:, 2].any())
        wide = RANDOM.uniform(-1, 1, (40, 300, 5)).astype(np.float32)
        np.testing.assert_array_equal(eight(wide)[0][7], eight(wide[7:8])[0][0])  # more than is copied

    def test_a_large_input_has_a_factor(self):
        net, x = exact(tr.LSTM)
        want = net.quantize(x)(x)[0]
        weights, large = {name: array.copy() for name, array in net.weights[0].items()}, 64 * x
        weights["weights_layer"] /= 64
        np.testing.assert_array_equal(tr.LSTM(16, 12, weights=[weights]).quantize(large)(large)[0], want)

    def test_values_outside_are_cut_off(self):
        net, x = exact(tr.LSTM)
        eight = net.quantize(x)
        np.testing.assert_array_equal(eight(np.where(x == x.max(), 99, x).astype(np.float32))[0], eight(x)[0])

    def test_directions_that_cancel_in_their_sum_are_not_cut_off(self):
        net = tr.LSTM(4, 8, direction="sum")
        weights = {name: array.copy() for name, array in net.weights[0].items()}
        bias = weights["bias"]
        bias[:] = 0
        bias[0, 0, 2], bias[0, 1, 2] = 3, -3  # the candidates, with open input and output gates and a closed forget gate
        bias[0, :, [0, 3]], bias[0, :, 1] = 3, -3
        net.set_weights([weights])
        x = RANDOM.uniform(0, 1, (6, 3, 4)).astype(np.float32)  # whose range has no negative number
        eight = net.quantize(x)
        h, want = eight(x)[1][0], net(x)[1][0]
        # The second direction's h, near -0.7, was a tenth of that in the range of x and the sum.
        self.assertTrue((want[1] < -0.5).all() and (h[1] < want[1] / 2).all(), (h[1], want[1]))

    def test_what_a_projection_reads_is_not_cut_off(self):
        for direction in "left2right", "concat", "sum":
            net = tr.LSTM(4, 8, dic=2, layers=2, direction=direction)
            layers = [{name: np.zeros_like(array) for name, array in weights.items()} for weights in net.weights]
            for weights in layers:
                weights["bias"][:, :, [0, 3]], weights["bias"][:, :, 1], weights["bias"][:, :, 2] = 3, -3, -3
                weights["weights_projection"][:, :, 0] = 0.1
            net.set_weights(layers)
            x = RANDOM.uniform(0, 1, (6, 3, 4)).astype(np.float32)  # whose range has no negative number
            # h before the projection is below -0.6, and was cut off at -0.1, the least output.
            self.assertLess(net(x)[0].max(), -0.06)
            np.testing.assert_allclose(net.quantize(x)(x)[0], net(x)[0], rtol=0, atol=0.015)

    def test_nan_is_the_byte_0_and_beyond_a_length_nothing(self):
        net, x = exact(tr.LSTM)
        eight, holes, low = net.quantize(x), x.copy(), x.copy()
        holes[0, 2, 3], low[0, 2, 3] = np.nan, -1
        behind = np.concatenate([x, np.full_like(x, np.nan)])
        behind[1, 0], behind[1, 1] = 3e38, -np.inf
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            np.testing.assert_array_equal(eight(holes)[0], eight(low)[0])
            np.testing.assert_array_equal(eight(behind, lengths=[1] * 4)[0][0], eight(x)[0][0])
        with self.assertRaisesRegex(ValueError, "samples: have a NaN"):
            net.quantize(holes)

    def test_weights_only_is_the_float_network_where_bytes_hold_the_weights(self):
        net, x = exact(tr.LSTM)
        y, state = net(x)
        got, last = net.quantize(weights_only=True)(x)
        np.testing.assert_allclose(got, y, rtol=0, atol=1e-6)
        np.testing.assert_allclose(last[1], state[1], rtol=0, atol=1e-5)

    def test_dynamic_takes_the_range_of_each_row(self):
        for kind in (tr.LSTM, tr.GRU, tr.LBRGRU, tr.RNN):
            net, x = exact(kind)
            y, eight = net(x)[0], net.quantize()
            np.testing.assert_allclose(eight(x)[0][:, :2], y[:, :2], rtol=0, atol=1e-5)  # rows of 255 steps of 1 / 128
            small = x * np.float32([1, 2**-8, 1, 1]).reshape(1, 4, 1)
            np.testing.assert_allclose(eight(small)[0][:, 1], net(small)[0][:, 1], rtol=0, atol=1e-5)
            np.testing.assert_array_equal(eight(small)[0][:, 0], eight(x)[0][:, 0])

    def test_the_reference_quantizes_the_same_rows(self):
        for kind, options in ((tr.LSTM, {"dic": 5}), (tr.LSTM, {"peephole": True, "layers": 2}), (tr.GRU, {"direction": "sum"}),
                              (tr.LBRGRU, {"layers": 2, "direction": "concat"})):
            mine = kind(9, 8, **options)
            theirs = getattr(reference, kind.__name__)(9, 8, weights=mine.weights, **options)
            x = RANDOM.uniform(-2, 2, (4, 3, 9)).astype(np.float32)
            for weights_only in (False, True):
                one, other = mine.quantize(weights_only=weights_only), theirs.quantize(weights_only=weights_only)
                self.assertTrue(other.implementation().startswith("ref"), other.implementation())
                self.assertFalse(one.implementation().startswith("ref"))
                self.assertGreater(abs(one(x)[0] - mine(x)[0]).max(), 0)
                # A value next to the middle between two bytes may become either.
                np.testing.assert_allclose(one(x)[0], other(x)[0], rtol=0, atol=1e-5 if weights_only else 0.02)

    def test_refusals(self):
        x = np.ones((1, 1, 5), np.float32)
        for net, sentence in ((tr.LBRGRU(5, 7), "not for lbr_gru"), (tr.LSTM(5, 7, peephole=True), "peephole"),
                              (tr.RNN(5, 7), "not for vanilla_rnn")):
            with self.assertRaisesRegex(ValueError, sentence):
                net.quantize(x)
        with self.assertRaisesRegex(ValueError, "samples: are given, but weights_only"):
            tr.GRU(5, 7).quantize(x, weights_only=True)
        with self.assertRaisesRegex(ValueError, "samples: are none"):
            tr.GRU(5, 7).quantize([])
        with self.assertRaisesRegex(ValueError, r"x: has shape \(1, 1, 4\)"):
            tr.GRU(5, 7).quantize(x)(x[:, :, :4])
