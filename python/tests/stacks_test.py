"""States and gradients of stacks of several layers are those of the equations, and of each layer alone."""
import unittest

import numpy as np

import tandem_rnn as tr
from network_test import UNIT, draw, lstm


def states_of(net, batch):
    """Returns values that differ in each layer, direction and row: h, or (h, c)."""
    zeros = net.zero_state(batch)
    if not isinstance(zeros, tuple):
        return draw(*zeros.shape, seed=5)
    return tuple(draw(*zeros.shape, seed=seed) for seed, zeros in enumerate(zeros, 5))


def rows_of(state, part):
    return tuple(array[part] for array in state) if isinstance(state, tuple) else state[part]


class Stacks(unittest.TestCase):
    def test_states_of_layers_and_directions_are_those_of_the_equations(self):
        net, x = tr.LSTM(5, 7, 3, direction="concat"), draw(4, 3, 5)
        h, c = states_of(net, 3)
        y, (h_last, c_last) = net(x, (h, c))
        source = x.astype(np.float64)
        for layer, weights in enumerate(net.weights):
            # The direction is the faster index: rows 2 layer and 2 layer + 1. The second one reads from the end.
            row = 2 * layer
            there, c_there = lstm(source, weights, 0, (h[row], c[row]))
            back, c_back = lstm(source[::-1], weights, 1, (h[row + 1], c[row + 1]))
            for got, want in ((h_last[row], there[-1]), (c_last[row], c_there), (h_last[row + 1], back[-1]), (c_last[row + 1], c_back)):
                np.testing.assert_allclose(got, want, rtol=0, atol=4 * 3 * 100 * UNIT)  # steps, layers, a step's error
            source = np.concatenate([there, back[::-1]], axis=2)
        np.testing.assert_allclose(y, source, rtol=0, atol=4 * 3 * 100 * UNIT)

    def each(self):
        """Yields stacks, and the networks of each of their layers alone."""
        for kind, more in ((tr.LSTM, {}), (tr.LSTM, {"dic": 3, "peephole": True}), (tr.GRU, {}), (tr.LBRGRU, {}), (tr.RNN, {})):
            for direction in ("left2right", "right2left", "concat", "sum"):
                net = kind(5, 7, 3, direction=direction, **more)
                alone = [kind(layer.slc, 7, direction=direction, weights=[weights], **more)
                         for layer, weights in zip(net.layers, net.weights)]
                yield net, alone, net.layers[0].directions

    def test_a_layer_has_its_part_of_the_states(self):
        x, lengths = draw(4, 3, 5), [4, 2, 0]
        for net, alone, directions in self.each():
            state = states_of(net, 3)
            y, last = net(x, state, lengths)
            source = x
            for layer, one in enumerate(alone):
                part = slice(layer * directions, (layer + 1) * directions)
                source, own = one(source, rows_of(state, part), lengths)
                np.testing.assert_array_equal(np.concatenate(own, axis=None), np.concatenate(rows_of(last, part), axis=None))
            np.testing.assert_array_equal(y, source)

    def test_a_layer_has_its_part_of_the_gradients(self):
        x = draw(4, 3, 5)
        for net, alone, directions in self.each():
            state, diff_y = states_of(net, 3), draw(4, 3, net.layers[-1].dlc, seed=9)
            diff_last = rows_of(state, slice(None, None, -1))
            gradients = net.record(x, state).backward(diff_y, diff_last)
            parts = [slice(layer * directions, (layer + 1) * directions) for layer in range(3)]
            tapes, source = [], x
            for one, part in zip(alone, parts):
                tapes.append(one.record(source, rows_of(state, part)))
                source = tapes[-1].y
            for layer in (2, 1, 0):
                own = tapes[layer].backward(diff_y, rows_of(diff_last, parts[layer]))
                np.testing.assert_array_equal(np.concatenate(own.state, axis=None),
                                              np.concatenate(rows_of(gradients.state, parts[layer]), axis=None))
                for name, array in own.weights[0].items():
                    np.testing.assert_array_equal(array, gradients.weights[layer][name])
                diff_y = own.x
            np.testing.assert_array_equal(diff_y, gradients.x)
