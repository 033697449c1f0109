"""8-bit inference is exact if numbers are bytes, within half a step of storing h, and has the reference's numbers."""
import os
import subprocess
import sys
import unittest
import unittest.mock
import warnings

import numpy as np

import tandem_rnn as tr
import tandem_rnn.reference as reference
from tandem_rnn import _plan, _ranges

RANDOM = np.random.default_rng(3)


def of_bytes(*shape, low, high, step):
    """Returns multiples of a step from low to high, both of which are there."""
    values = RANDOM.integers(low, high + 1, shape)
    values.reshape(-1, shape[-1])[:2] = [[low], [high]]
    return (values * step).astype(np.float32)


def exact(kind, direction="left2right"):
    """Returns a network and an x of one step that 8 bits hold: bytes are 128 (x + 1), 128 w; x needs no factor."""
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


def widest(net, samples):
    """Returns the network in 8 bits, with x divided to be at most 1 and all values of the samples in range."""
    with unittest.mock.patch.object(_ranges._Search, "best", lambda search: (0, search._at((0, 0)))), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return net.quantize(samples)


# The program prints the outputs of each kind of 8 bits, in a process that takes the reading from its environment.
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
                (y, state), (got, last) = net(x), widest(net, x)(x)
                self.assertGreater(abs(got - y).max(), 0)
                # The error is half of a byte's step. Rounding in float32 may also move a value that is near the middle of a step.
                self.assertLessEqual(abs(got - y).max(), 0.5 / 128 * (1 + 2**-15))
                np.testing.assert_array_equal(128 * (got + 1), np.rint(128 * (got + 1)))
                if kind is tr.LSTM:
                    np.testing.assert_allclose(last[1], state[1], rtol=0, atol=32 * 2.0**-23)  # c is no byte

    def test_the_reference_has_the_same_bytes(self):
        for options in ({"dic": 5}, {"layers": 2, "direction": "concat"}, {"direction": "sum", "bias": False}):
            mine = tr.LSTM(9, 8, **options)
            theirs = reference.LSTM(9, 8, weights=mine.weights, **options)
            x = RANDOM.uniform(-2, 2, (1, 3, 9)).astype(np.float32)
            one, other = widest(mine, [x, x / 2]), widest(theirs, [x, x / 2])
            self.assertTrue(other.implementation().startswith("ref"), other.implementation())
            self.assertFalse(one.implementation().startswith("ref"))
            # Both ranges are those of float32 outputs and may differ in their last bits. A value next to the middle between
            # two bytes may become either; each layer and each projection stores once.
            bytes_of = [np.rint(net._weights[-1].coding.data[0] * net(x)[0]) for net in (one, other)]
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
        np.testing.assert_array_equal(eight(wide)[0][7], eight(wide[7:8])[0][0])  # this is more than is copied

    def test_a_large_input_has_a_factor(self):
        net, x = exact(tr.LSTM)
        want = widest(net, x)(x)[0]
        weights, large = {name: array.copy() for name, array in net.weights[0].items()}, 64 * x
        weights["weights_layer"] /= 64
        np.testing.assert_array_equal(widest(tr.LSTM(16, 12, weights=[weights]), large)(large)[0], want)

    def test_values_outside_are_cut_off(self):
        net, x = exact(tr.LSTM)
        eight = widest(net, x)
        np.testing.assert_array_equal(eight(np.where(x == x.max(), 99, x).astype(np.float32))[0], eight(x)[0])

    def test_directions_that_cancel_in_their_sum_are_not_cut_off(self):
        net = tr.LSTM(4, 8, direction="sum")
        weights = {name: array.copy() for name, array in net.weights[0].items()}
        bias = weights["bias"]
        bias[:] = 0
        bias[0, 0, 2], bias[0, 1, 2] = 3, -3  # this opens the input gates and output gates and closes the forget gates
        bias[0, :, [0, 3]], bias[0, :, 1] = 3, -3
        net.set_weights([weights])
        x = RANDOM.uniform(0, 1, (6, 3, 4)).astype(np.float32)  # this range has no negative number
        with self.assertWarns(UserWarning):  # their sum is small
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
            x = RANDOM.uniform(0, 1, (6, 3, 4)).astype(np.float32)  # this range has no negative number
            # h before the projection is below -0.6, and was cut off at -0.1, the least output.
            self.assertLess(net(x)[0].max(), -0.06)
            np.testing.assert_allclose(net.quantize(x)(x)[0], net(x)[0], rtol=0, atol=0.015)

    def test_nan_is_the_byte_0_and_beyond_a_length_nothing(self):
        net, x = exact(tr.LSTM)
        eight, holes, low = widest(net, x), x.copy(), x.copy()
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

    def test_small_weights_of_large_inputs_and_the_reverse(self):
        for kind in (tr.LSTM, tr.GRU, tr.LBRGRU, tr.RNN):
            net, x = kind(9, 8, 2), RANDOM.uniform(-1, 1, (4, 3, 9)).astype(np.float32)
            first, second = net.weights
            for size in np.float32(2.0**-20), np.float32(2.0**20):
                other = kind(9, 8, 2, weights=[{**first, "weights_layer": first["weights_layer"] / size}, second])
                for weights_only in (False, True):
                    want = net.quantize(weights_only=weights_only)(x)[0]
                    np.testing.assert_array_equal(other.quantize(weights_only=weights_only)(x * size)[0], want)

    def test_channels_of_different_sizes(self):
        sizes = np.float32(2.0**RANDOM.integers(-20, 20, 16))
        for kind in (tr.LSTM, tr.GRU, tr.LBRGRU, tr.RNN):
            net, x = exact(kind)
            weights = {name: array.copy() for name, array in net.weights[0].items()}
            weights["weights_layer"][..., 0, 0] = 127 / 128  # all rows have one size
            net.set_weights([weights])
            y = net(x)[0]
            weights["weights_layer"] /= sizes[:, None, None]
            other = kind(16, 12, weights=[weights])
            np.testing.assert_allclose(other.quantize(weights_only=True)(x * sizes)[0], y, rtol=0, atol=1e-5)
            np.testing.assert_allclose(other.quantize()(x * sizes)[0][:, :2], y[:, :2], rtol=0, atol=1e-5)
            if kind in (tr.LSTM, tr.GRU):
                # With all values in range, h is half a byte away at most; the chosen range must not be worse.
                self.assertLess(np.square(other.quantize(x * sizes)(x * sizes)[0] - y).mean()**0.5, 0.5 / 128)

    def test_weights_of_zeros_and_without_a_number(self):
        for name in "weights_layer", "weights_iter":
            net = tr.LSTM(5, 7)
            weights = {**net.weights[0], name: np.zeros_like(net.weights[0][name])}
            net.set_weights([weights])
            x = RANDOM.uniform(-1, 1, (4, 3, 5)).astype(np.float32)
            for eight in net.quantize(), net.quantize(weights_only=True), net.quantize(x):
                np.testing.assert_allclose(eight(x)[0], net(x)[0], rtol=0, atol=0.01)
            for hole in (np.nan, np.inf):
                weights[name].flat[3] = hole
                net.set_weights([weights])
                with self.assertRaisesRegex(ValueError, "weights: have a NaN"):
                    net.quantize()

    def test_samples_most_of_which_are_near_zero(self):
        net = tr.LSTM(64, 64)
        net.set_weights([{**net.weights[0], "weights_layer": 10 * net.weights[0]["weights_layer"]}])
        x = np.minimum(RANDOM.lognormal(-3, 2, (60, 4, 64)), 49).astype(np.float32)
        x[0, 0, 0] = 49
        with self.assertWarnsRegex(UserWarning, "y of the samples departs by [0-9]+ %") as told:
            eight = net.quantize(x)
        self.assertEqual(told.filename, __file__)
        errors = [np.square(found(x)[0] - net(x)[0]).mean() for found in (eight, widest(net, x))]
        share = 100 * np.sqrt(errors[0] / np.square(net(x)[0]).mean())
        self.assertIn(f"departs by {share:.0f} %", str(told.warning))
        self.assertLess(errors[0], errors[1] / 2)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            net.quantize()
            tr.LSTM(64, 64).quantize(RANDOM.uniform(-1, 1, (60, 4, 64)).astype(np.float32))

    def test_the_search_ends_where_no_range_is_much_better(self):
        searches = []

        def searched(search):
            loss, coding = best(search)
            grid = {place: search._loss(search._at(place)) for place in np.ndindex(10, 4)}
            grid.update({(-halvings, 0): search._loss(search._at((-halvings, 0))) for halvings in (1, 2, 3)})
            searches.append((loss, min(grid.values()), grid[0, 0]))
            self.assertEqual(search._loss(coding), loss)
            return loss, coding

        best = _ranges._Search.best
        with unittest.mock.patch.object(_ranges._Search, "best", searched), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            for net, high in (tr.LSTM(24, 16, 2, direction="concat"), 1), (tr.GRU(24, 16), 49), (tr.LSTM(24, 16, dic=8), 5):
                net.quantize(np.minimum(RANDOM.lognormal(-3, 2, (40, 4, 24)), high).astype(np.float32))
        self.assertEqual(len(searches), 4)
        for loss, least, first in searches:
            self.assertLessEqual(loss, least / _ranges._GAIN)
        self.assertGreaterEqual(sum(loss < first / 2 for loss, _, first in searches), 2)

    def test_what_is_kept_for_shapes_that_may_come_again_is_bounded(self):
        net = tr.LSTM(64, 8)
        for eight in net.quantize(), net.quantize(np.ones((2, 1, 64), np.float32)):
            for steps in range(1000, 1020):  # each has 4 MB
                eight(np.zeros((steps, 16, 64), np.float32))
            self.assertLessEqual(sum(run.bytes() for run in eight._runs.values()), _plan.KEPT_BYTES)
            self.assertGreaterEqual(sum(run.x.nbytes for run in eight._runs.values()), _plan.KEPT_BYTES // 4)

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
