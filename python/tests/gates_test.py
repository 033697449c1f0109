"""Gates with other functions, a clip and a coupled forget gate are exact on numbers of few bits, and the judge judges them."""
import copy
import pickle
import unittest

import numpy as np

import tandem_rnn as tr
import tandem_rnn.reference
from gates_testing import gru_step, lstm_step

# Float32 computes these functions of numbers of few bits without an error.
RECURRENT, CANDIDATE, OUTPUT = ("hard_sigmoid", 0.25, 0.5), ("relu", 0.25), ("affine", 0.5, 0.25)
LSTM = {"activations": (RECURRENT, CANDIDATE, OUTPUT), "clip": 1.5}
GRU = {"activations": (RECURRENT, CANDIDATE), "clip": 1.5}
WORDS = "--attr-rnn-activations=hard_sigmoid:0.2:0.5+softsign+relu:0.1 --attr-rnn-clip=0.5"
OF_GRU = "--attr-rnn-activations=hard_sigmoid:0.2:0.5+elu:0.5+tanh --attr-rnn-clip=0.5"


def few_bits(seed, *shape, step=1 / 4):
    return (np.random.default_rng(seed).integers(-4, 5, shape) * step).astype(np.float32)


def network(kind, seed=1, **options):
    """Returns a network of numbers of few bits, x of one step, and a state."""
    net = kind(3, 4, **options)
    net.set_weights([{name: few_bits(seed + place, *array.shape) for place, (name, array) in enumerate(part.items())}
                     for part in net.weights])
    h, c = few_bits(8, 1, 2, 4), few_bits(9, 1, 2, 4)
    return net, few_bits(7, 1, 2, 3), (h, c) if net.cell == "lstm" else h


def weights_of(net):
    return {name: array[0, 0] for name, array in net.weights[0].items()}


class Gates(unittest.TestCase):
    def test_one_step_is_its_equations_to_the_last_bit(self):
        for module in tr, tandem_rnn.reference:
            for more in {}, {"input_forget": True}, {"peephole": True}:
                net, x, (h, c) = network(module.LSTM, **LSTM, **more)
                options = {**LSTM, "input_forget": "input_forget" in more}
                want, want_c = lstm_step(x[0], (h[0], c[0]), weights_of(net), **options)
                y, (_, got_c) = net(x, (h, c))
                np.testing.assert_array_equal(y[0], want)
                np.testing.assert_array_equal(got_c[0], want_c)
                self.assertFalse(np.array_equal(want, lstm_step(x[0], (h[0], c[0]), weights_of(net), **{**options, "clip": np.inf})[0]))
            for kind in module.GRU, module.LBRGRU:
                net, x, h = network(kind, **GRU)
                want = gru_step(x[0], h[0], weights_of(net), **GRU, linear_before_reset=net.cell == "lbr_gru")
                np.testing.assert_array_equal(net(x, h)[0][0], want)

    def test_a_vanilla_rnn_has_a_clip(self):
        net, x, h = network(tr.RNN, activation="relu", alpha=0.25, clip=0.75)
        plain, _, _ = network(tr.RNN, activation="affine", alpha=1.0)
        a = np.clip(plain(x, h)[0], -0.75, 0.75)
        self.assertTrue((abs(a) == 0.75).any())
        np.testing.assert_array_equal(net(x, h)[0], np.where(a > 0, a, a / 4))

    def test_streams_and_layers_have_them(self):
        for kind, options in (tr.LSTM, {**LSTM, "input_forget": True}), (tr.LBRGRU, GRU):
            net, x = kind(3, 4, 2, **options), few_bits(3, 5, 1, 3)
            self.assertNotEqual(net(x)[0].tobytes(), kind(3, 4, 2)(x)[0].tobytes())
            for other in net, copy.deepcopy(net), pickle.loads(pickle.dumps(net)):
                np.testing.assert_array_equal(other.stream()(x[:, 0]), net(x)[0][:, 0])

    def test_eight_bits(self):
        """Bytes hold these weights exactly: weights_only has the float network's numbers, dynamic is near."""
        net, x, state = network(tr.LSTM, seed=4, **LSTM, input_forget=True)
        net.set_weights([{name: array if name == "bias" else np.float32(np.sign(array)) for name, array in net.weights[0].items()}])
        want = net(x, state)[0]
        # A scale of 127 rounds each of 7 products of weights of 1 and numbers up to 1, and their sums; a gate and what follows
        # are no steeper than 1.
        np.testing.assert_allclose(net.quantize(weights_only=True)(x, state)[0], want, rtol=0, atol=64 * 2.0**-24)
        eight = net.quantize()
        # A byte of a row of a range up to 2 is off by at most 1 / 255 of it; 7 of them, four gates, and c as large as 2.
        self.assertLess(abs(eight(x, state)[0] - want).max(), 7 * 2 / 255)
        np.testing.assert_array_equal(eight.stream()(x[0, 0]), eight(x[:, :1])[0][0, 0])
        with self.assertRaisesRegex(ValueError, "8 bits throughout are for the specification's gates"):
            net.quantize(x)

    def test_gradients_of_weights_are_differences(self):
        """A piecewise linear network is linear in each single weight, so that a difference of few bits has no error."""
        net, x, state = network(tr.LSTM, seed=5, activations=LSTM["activations"], clip=8.0, input_forget=True)
        tape, diff = net.record(x, state), few_bits(2, 1, 2, 4)
        found, step = tape.backward(diff).weights[0], 2.0**-8
        for name, array in net.weights[0].items():
            for place in np.ndindex(array.shape):
                changed = {key: np.array(value, np.float64) for key, value in weights_of(net).items()}
                losses = []
                for side in step, -2 * step:
                    changed[name][place[2:]] += side
                    losses.append((lstm_step(x[0], (state[0][0], state[1][0]), changed, LSTM["activations"], 8.0, True)[0] * diff[0]).sum())
                self.assertEqual(found[name][place], (losses[0] - losses[1]) / (2 * step), (name, place))
        self.assertFalse(found["weights_layer"][:, :, :, 1].any())  # the forget gate is 1 - i
        self.assertTrue(found["weights_layer"][:, :, :, 0].any())

    def test_they_are_judged(self):
        for kind, words in ((tr.LSTM, f"--alg=VANILLA_LSTM {WORDS} --attr-rnn-input-forget=true"), (tr.GRU, f"--alg=VANILLA_GRU {OF_GRU}"),
                            (tr.LBRGRU, f"--alg=LBR_GRU {OF_GRU}"), (tr.RNN, "--alg=VANILLA_RNN --activation=RELU --attr-rnn-clip=0.5")):
            verdict = tr.judge(kind, problem=f"{words} --prop=FWD_I,FWD_D,BWD_DW --direction=left2right,concat l2t3mb2sic5")
            self.assertTrue(verdict.conforms, verdict)
            self.assertEqual(verdict.counts["PASS"], 6, verdict)

    def test_defaults_are_the_specification(self):
        net = tr.LSTM(3, 4, activations=("logistic", "tanh", "tanh"), clip=0)
        self.assertEqual(net.layers, tr.LSTM(3, 4).layers)
        self.assertEqual(tr.GRU(3, 4, activations=["relu", "relu"]).layers, tr.GRU(3, 4, activations=[("relu", 0), ("relu", 0.0)]).layers)

    def test_what_is_refused(self):
        for make, sentence in (
                (lambda: tr.LSTM(3, 4, activations=("relu", "tanh")), "must be 3, of recurrent, candidate, output"),
                (lambda: tr.GRU(3, 4, activations="relu"), "must be 2, of recurrent, candidate"),
                (lambda: tr.GRU(3, 4, activations=("sigmoid", "tanh")), "recurrent is 'sigmoid', but must be one of relu, tanh, logistic"),
                (lambda: tr.GRU(3, 4, activations=("hard_sigmoid", "tanh")), r"hard_sigmoid with 0 numbers, but must have 2 \(alpha, beta\)"),
                (lambda: tr.GRU(3, 4, activations=("logistic", ("tanh", 1))), "candidate is tanh with 1 numbers"),
                (lambda: tr.GRU(3, 4, activations=("logistic", ("relu", 1e39))), "alpha of candidate: is 1e[+]39, but must be finite"),
                (lambda: tr.RNN(3, 4, activations=("relu",)), "vanilla_rnn has no such option, only lstm, gru, lbr_gru"),
                (lambda: tr.AUGRU(3, 4, clip=1.0), "clip: is given, but augru has no such option"),
                (lambda: tr.LSTM(3, 4, clip=-1), "clip: is -1.0, but must not be negative"),
                (lambda: tr.LSTM(3, 4, clip=float("nan")), "clip: is nan, but must be finite"),
                (lambda: tr.GRU(3, 4, input_forget=True), "input_forget: is given, but gru has no such option, only lstm"),
                (lambda: tr.trace(tr.LSTM(3, 4, clip=1), few_bits(1, 1, 1, 3)), "the equations of a trace are those of the specification")):
            with self.assertRaisesRegex(ValueError, sentence):
                make()
        for make in (lambda: tr.GRU(3, 4, activations=(3, "tanh")), lambda: tr.LSTM(3, 4, clip="1"), lambda: tr.LSTM(3, 4, input_forget=1),
                     lambda: tr.GRU(3, 4, activations=(("relu", "1"), "tanh"))):
            with self.assertRaises(TypeError):
                make()


if __name__ == "__main__":
    unittest.main()
