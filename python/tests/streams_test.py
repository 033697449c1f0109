"""Each of several streams must compute the same as it would alone."""
import unittest

import numpy as np

import tandem_rnn as tr
import tandem_rnn.reference
from tandem_rnn import streams

CLOSE = 600 * 2.0**-24


def draw(*shape, seed=1):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)


class Streams(unittest.TestCase):
    def test_streams_are_what_they_are_alone(self):
        for net in (tr.LSTM(5, 7, 2), tr.GRU(5, 7), tr.LSTM(5, 7).quantize()):
            x = draw(6, 3, 5)
            alone = [net(x[:, n:n + 1])[0][:, 0] for n in range(3)]
            group = streams.Streams(net, 2)
            first = group(x[:2, :2])
            np.testing.assert_allclose(first[:, 1], alone[1][:2], rtol=0, atol=CLOSE)
            group.add()  # row 2 is new and reads row 2 of x from its start
            second = group(np.stack([x[2], x[0]])[:, [0, 1, 2]], lengths=[1, 0, 2])
            np.testing.assert_allclose(second[0, 0], alone[0][2], rtol=0, atol=CLOSE)
            group.keep([1, 1, 0])
            self.assertEqual(len(group), 3)
            third = group(np.stack([x[2, 1], x[2, 1], x[3, 0]])[np.newaxis])
            np.testing.assert_allclose(third[0, 0], alone[1][2], rtol=0, atol=CLOSE)
            np.testing.assert_allclose(third[0, 1], alone[1][2], rtol=0, atol=CLOSE)
            np.testing.assert_allclose(third[0, 2], alone[0][3], rtol=0, atol=CLOSE)

    def test_keep_takes_a_mask(self):
        net = tr.GRU(5, 7)
        whole, group = streams.Streams(net, 3), streams.Streams(net, 3)
        whole(draw(2, 3, 5)), group(draw(2, 3, 5))
        group.keep(np.array([True, False, True]))
        np.testing.assert_array_equal(group.state, whole.state[:, [0, 2]])
        group.keep([False, True])
        np.testing.assert_array_equal(group.state, whole.state[:, [2]])
        with self.assertRaisesRegex(ValueError, "rows: are a mask of 2, but there are 1"):
            group.keep([True, False])

    def test_refusals_name_what_the_caller_gave(self):
        for net in tr.LSTM(5, 7, batch_first=True), tr.GRU(5, 7), tr.GRU(5, 7).quantize():
            group = streams.Streams(net, 3)
            x = draw(2, 4, 5) if "LSTM" in type(net).__name__ else draw(4, 2, 5)
            with self.assertRaisesRegex(ValueError, "x: has 2 rows, but there are 3 streams"):
                group(x)
            for rows in [9], [0, -4], [3, 0]:
                with self.assertRaisesRegex(ValueError, f"rows: have {max(rows, key=abs)}, but there are 3"):
                    group.keep(rows)
            for rows in [0.5], [[0]], "a", 0:
                with self.assertRaisesRegex(TypeError, "rows: are .* dims, but must be integers, or a mask, with one"):
                    group.keep(rows)
            with self.assertRaisesRegex(ValueError, "batch: is -1"):
                group.add(-1)
            self.assertEqual(len(group), 3)
            group.keep([-3, 2])  # negative rows count from the end, as in numpy
            self.assertEqual(len(group), 2)
        with self.assertRaisesRegex(ValueError, "states: are none"):
            streams.stack([])
        for other in tr.GRU(5, 7), tr.LSTM(5, 8), tr.LSTM(5, 7, 2):
            with self.assertRaisesRegex(ValueError, "states: are not all of networks of the same cell"):
                streams.stack([tr.LSTM(5, 7).zero_state(1), other.zero_state(1)])
        for call in (lambda: streams.take(3, [0]), lambda: streams.split(None), lambda: streams.take((), [0])):
            with self.assertRaisesRegex(TypeError, "state: is a .*, but must be h, or"):
                call()
        with self.assertRaisesRegex(TypeError, "net: is a int, but must be a network"):
            streams.Streams(3)

    def test_a_tick_without_streams(self):
        group = streams.Streams(tr.LSTM(5, 7), 2)
        group(draw(1, 2, 5))
        group.keep([])
        self.assertEqual(len(group), 0)
        self.assertEqual(group(np.empty((1, 0, 5), np.float32)).shape, (1, 0, 7))
        group.add()
        np.testing.assert_array_equal(group(draw(2, 1, 5)), tr.LSTM(5, 7)(draw(2, 1, 5))[0])

    def test_split_undoes_stack(self):
        state = tr.LSTM(5, 7)(draw(6, 3, 5))[1]
        for a, b in zip(streams.stack(streams.split(state)), state):
            np.testing.assert_array_equal(a, b)

    def test_the_module_reference(self):
        for name in ("LSTM", "GRU", "LBRGRU", "RNN", "AUGRU", "LBRAUGRU"):
            net = getattr(tandem_rnn.reference, name)(5, 7)
            self.assertIsInstance(net, getattr(tr, name))
            self.assertIn("ref", net.implementation())
