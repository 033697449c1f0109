"""Models of audio files are compared with the equations of their formats, step by step."""
import os
import tempfile
import unittest

import numpy as np

import tandem_rnn as tr
from audio_testing import (UNIT, cell_error, draw, guitarml, keras_gru, keras_layer, keras_lstm, nam, nam_parts, rnnoise,
                           rnnoise_gru, rtneural, rtneural_layer, sigmoid, sum_error, text_of, torch_gru, torch_lstm, torch_state)
from gates_testing import step_error
from tandem_rnn import audio

STEPS, ROWS = 6, 3


class Audio(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "model.json")

    def read(self, reader, data, **options):
        with open(self.path, "wb") as file:
            file.write(text_of(data))
        return reader(self.path, **options)

    def near(self, got, want, bound):
        self.assertEqual(got.shape, want.shape)
        self.assertLessEqual(np.abs(got - want).max(), bound)

    def hold(self, model, step):
        """Compares each step of the model with step(x, its states before): y, the states, and how far both may be off.

        A step begins with the state that the model had, so that errors of earlier steps do not count.
        """
        x, state = 2 * draw(STEPS, ROWS, model.slc, seed=7), None
        outputs = []
        for one in x:
            before = model.first_state(ROWS) if state is None else state
            y, state = model(one[np.newaxis], state)
            want, want_states, y_bound, state_bound = step(one.astype(np.float64), before)
            self.near(y[0], want, y_bound)
            for got, wanted in zip(state, want_states, strict=True):
                for part, wanted_part in zip(got if isinstance(got, tuple) else (got,), wanted, strict=True):
                    self.near(part, wanted_part, state_bound)
            outputs.append(y)
        # The products of several steps may be summed in another order than those of one, as in networks.
        np.testing.assert_allclose(np.concatenate(outputs), model(x)[0], rtol=0, atol=STEPS * 100 * UNIT)


class RTNeural(Audio):
    def test_lstm_and_dense(self):
        lstm, weights = keras_layer("lstm", 2, 5)
        kernel, bias = draw(5, 1, seed=8), draw(1, seed=9)
        for kind in "dense", "time-distributed-dense":
            model = self.read(tr.from_rtneural, rtneural(2, lstm, rtneural_layer(kind, "", 1, [kernel, bias])))
            self.assertIsInstance(model.nets[0], tr.LSTM)
            self.assertEqual((len(model.layers), model.skip, model.sample_rate), (2, 0, None))

            def step(x, state):
                h, c = keras_lstm(x, *(part[0] for part in state[0]), weights)
                error = cell_error(8)
                return h @ kernel + bias, [(h[np.newaxis], c[np.newaxis])], sum_error(6, error), error

            self.hold(model, step)

    def test_gru_between_other_layers(self):
        gru, weights = keras_layer("gru", 3, 5)
        first, last, more = (draw(2, 3, seed=8), draw(3, seed=9)), (draw(5, 2, seed=10),), draw(2, 3, seed=11)
        functions = {"tanh": np.tanh, "relu": lambda v: np.where(v > 0, v, 0), "sigmoid": sigmoid, "": lambda v: v,
                     "linear": lambda v: v, "elu": lambda v: np.where(v > 0, v, np.exp(v) - 1),
                     "softmax": lambda v: np.exp(v) / np.exp(v).sum(axis=1, keepdims=True)}
        for kind, function in functions.items():
            activation = [rtneural_layer("activation", kind, 2)] if kind not in ("", "linear") else []
            model = self.read(tr.from_rtneural, rtneural(
                2, rtneural_layer("dense", kind, 3, first), gru, rtneural_layer("dense", kind, 2, last), *activation,
                rtneural_layer("dense", "", 3, [more])))
            self.assertIsInstance(model.nets[0], tr.LBRGRU)
            self.assertEqual(len(model.dense), 3)

            def step(x, state):
                before = function(x @ first[0] + first[1])
                h = keras_gru(before, state[0][0], weights)
                y = function(h @ last[0])
                y = function(y) if activation else y
                # Slopes of the functions are at most 1, and they are at most 8 ulp off.
                error = cell_error(10, sum_error(3) + 16 * UNIT)
                return y @ more, [h[np.newaxis, np.newaxis]], sum_error(2, sum_error(5, error) + 32 * UNIT), error

            self.hold(model, step)

    def test_several_networks_and_what_aidax_adds(self):
        lstm, lstm_weights = keras_layer("lstm", 1, 4)
        gru, gru_weights = keras_layer("gru", 4, 1, seed=5)
        model = self.read(tr.from_rtneural, rtneural(1, lstm, gru, in_skip=1, in_gain=0, out_gain=0.0, samplerate="48000"))
        self.assertEqual((len(model.nets), model.skip, model.sample_rate), (2, 1, 48000))

        def step(x, state):
            h, c = keras_lstm(x, *(part[0] for part in state[0]), lstm_weights)
            y = keras_gru(h, state[1][0], gru_weights)
            error = cell_error(7, cell_error(6))
            return y + x, [(h[np.newaxis], c[np.newaxis]), y[np.newaxis, np.newaxis]], error + 2 * UNIT, error

        self.hold(model, step)


class GuitarML(Audio):
    def hold_stack(self, unit_type, step_of_cell, layers, channels, outputs, **more):
        state, units = torch_state({"LSTM": 4, "GRU": 3}[unit_type], channels, 5, layers, outputs), 5
        if not more.get("bias_fl", True):
            del state["lin.bias"]
        model = self.read(tr.from_guitarml, guitarml(unit_type, state, channels, units, layers, **more))
        skip = more.get("skip", 1)

        def step(x, before):
            parts = before[0] if unit_type == "LSTM" else (before[0],)
            after, y, error = [], x, 0.0
            for layer in range(layers):
                weights = [state[f"rec.{name}_l{layer}"] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
                result = step_of_cell(y, *(part[layer] for part in parts), weights)
                after.append(result if unit_type == "LSTM" else (result,))
                y, error = after[-1][0], cell_error(units + max(units, channels) + 2, error)
            y = y @ state["lin.weight"].T + state.get("lin.bias", 0) + (x[:, :skip] if skip else 0)
            return y, [tuple(np.stack(part) for part in zip(*after))], sum_error(units + 2, error), error

        self.hold(model, step)
        return model

    def test_lstm(self):
        model = self.hold_stack("LSTM", torch_lstm, layers=1, channels=1, outputs=1)
        self.assertEqual((model.skip, model.sample_rate, model.state), (1, None, None))
        self.hold_stack("LSTM", torch_lstm, layers=2, channels=2, outputs=1, sample_rate=44100.0)
        self.hold_stack("LSTM", torch_lstm, layers=1, channels=1, outputs=2, skip=0, bias_fl=False)

    def test_without_bias_fl_the_dense_layer_has_a_bias(self):
        data = guitarml("LSTM", torch_state(4, 1, 5), 1, 5)
        del data["model_data"]["bias_fl"], data["state_dict"]["lin.bias"]
        with self.assertRaisesRegex(ValueError, "state_dict.lin.bias: is not there"):
            self.read(tr.from_guitarml, data)

    def test_gru(self):
        model = self.hold_stack("GRU", torch_gru, layers=1, channels=2, outputs=1)
        self.assertIsInstance(model.nets[0], tr.LBRGRU)
        self.hold_stack("GRU", torch_gru, layers=2, channels=2, outputs=2, skip=2)


class NAM(Audio):
    def test_lstm_with_its_first_state(self):
        for layers, channels in (1, 1), (2, 1), (1, 3):
            parts, units = nam_parts(channels, 5, layers), 5
            model = self.read(tr.from_nam, nam(parts, channels, units, layers))
            for number, state in enumerate(model.first_state(ROWS)[0]):  # h, c
                for layer in range(layers):
                    np.testing.assert_array_equal(state[layer], np.tile(parts[4 * layer + 2 + number], (ROWS, 1)))

            def step(x, before):
                y, after, error = x, [], 0.0
                for layer in range(layers):
                    matrix, bias = parts[4 * layer:4 * layer + 2]
                    weights = matrix[:, :y.shape[1]], matrix[:, y.shape[1]:], bias, np.zeros(1)
                    after.append(torch_lstm(y, *(part[layer] for part in before[0]), weights))
                    y, error = after[-1][0], cell_error(units + max(units, channels) + 1, error)
                y = y @ parts[-2] + parts[-1]
                return y[:, np.newaxis], [tuple(np.stack(part) for part in zip(*after))], sum_error(units + 1, error), error

            self.hold(model, step)

    def test_sample_rates(self):
        parts = nam_parts(1, 2, 1)
        for rate, want in (44100, 44100.0), (None, 48000.0), (96000.5, 96000.5):
            self.assertEqual(self.read(tr.from_nam, nam(parts, 1, 2, 1, sample_rate=rate)).sample_rate, want)


class RNNoise(Audio):
    SIZES = {"vad_gru": (4, 3), "noise_gru": (5, 6), "denoise_gru": (6, 4)}
    FUNCTIONS = {"vad_gru": "tanh", "noise_gru": "relu", "denoise_gru": "relu"}
    OF_FLOAT64 = {"tanh": (np.tanh, lambda terms, _: cell_error(terms)), "relu": (lambda x: np.maximum(x, 0), step_error)}

    def test_grus_of_bytes_by_name(self):
        arrays = {}
        for seed, (name, sizes) in enumerate(self.SIZES.items()):
            arrays.update(rnnoise(name, *sizes, seed=seed))
        with open(self.path, "wb") as file:
            np.savez(file, **arrays)
        with np.load(self.path) as loaded:
            nets = tr.rnnoise_grus(loaded, self.FUNCTIONS)
        self.assertEqual(list(nets), list(self.SIZES))
        for name, (channels, units) in self.SIZES.items():
            self.assertIsInstance(nets[name], tr.GRU)

            def step(x, state):
                function, bound = self.OF_FLOAT64[self.FUNCTIONS[name]]
                h = rnnoise_gru(x, state[0][0], arrays, name, function)[np.newaxis]
                error = bound(channels + units + 1, max(1, abs(h).max()))
                return h[0], [h[np.newaxis]], error, error

            self.hold(audio.Model((nets[name],)), step)

    def test_rows_and_numbers_that_are_no_bytes(self):
        arrays = rnnoise("vad_gru", 4, 3)
        want = tr.rnnoise_grus(arrays, {"vad_gru": "tanh"})["vad_gru"].weights[0]
        rows = {key: array if "bias" in key else array.reshape(-1, 9) for key, array in arrays.items()}
        for other in rows, {key: array.astype(np.float64) / 256 for key, array in rows.items()}:
            got = tr.rnnoise_grus(other, {"vad_gru": "tanh"})["vad_gru"].weights[0]
            for key, array in want.items():
                np.testing.assert_array_equal(got[key], array)

    def test_what_is_wrong_is_named(self):
        arrays = rnnoise("vad_gru", 4, 3)
        for wrong, activation, sentence in (
                ({}, "elu", "vad_gru: has the activation 'elu', but must have one of tanh, relu, sigmoid"),
                ({"vad_gru_weights": None}, "tanh", "vad_gru_weights: is object, but must have numbers"),
                ({"vad_gru_weights": np.zeros(35)}, "tanh", r"vad_gru_weights: has shape \(35,\), but must have rows of 9"),
                ({"vad_gru_weights": np.zeros(8)}, "tanh", r"vad_gru_weights: has shape \(8,\)"),
                ({"vad_gru_weights": np.zeros((9, 4))}, "tanh", r"vad_gru_weights: has shape \(9, 4\)"),
                ({"vad_gru_recurrent_weights": np.zeros(36)}, "tanh", "must have rows of 9 numbers, 3 of them"),
                ({"vad_gru_bias": np.zeros(10)}, "tanh", "vad_gru_bias: has shape .10,., but must have 3 gates"),
                ({"vad_gru_bias": np.zeros((2, 9))}, "tanh", "vad_gru_bias: has shape .2, 9., but must have 3 gates"),
                ({"vad_gru_bias": np.zeros(0)}, "tanh", "vad_gru_bias: has shape .0,., but must have 3 gates"),
                ({"vad_gru_bias": np.full(9, 1e39)}, "tanh", "vad_gru_bias: has a number that is not finite in float32")):
            with self.assertRaisesRegex(ValueError, sentence):
                tr.rnnoise_grus({**arrays, **wrong}, {"vad_gru": activation})
        with self.assertRaisesRegex(ValueError, "noise_gru_weights: is not there"):
            tr.rnnoise_grus(arrays, {"vad_gru": "tanh", "noise_gru": "tanh"})


class Models(Audio):
    def test_options_reach_the_networks(self):
        lstm, _ = keras_layer("lstm", 1, 4)
        files = ((tr.from_rtneural, rtneural(1, lstm, in_skip=0)), (tr.from_nam, nam(nam_parts(1, 4, 1), 1, 4, 1)),
                 (tr.from_guitarml, guitarml("LSTM", torch_state(4, 1, 4), 1, 4)))
        x = draw(STEPS, ROWS, 1)
        for reader, data in files:
            turned = self.read(reader, data, batch_first=True)
            y = self.read(reader, data)(x)[0]
            # numpy sums four products, a bias and x in an order that depends on the layout.
            np.testing.assert_allclose(turned(x.transpose(1, 0, 2))[0], y.transpose(1, 0, 2), rtol=0, atol=2 * sum_error(6))
            self.assertEqual(self.read(reader, data, precision="bfloat16").nets[0].layers[0].precision, "bfloat16")
        nets = tr.rnnoise_grus(rnnoise("vad_gru", 4, 3), {"vad_gru": "tanh"}, precision="bfloat16")
        self.assertEqual(nets["vad_gru"].layers[0].precision, "bfloat16")

    def test_calls_that_are_wrong(self):
        model = self.read(tr.from_nam, nam(nam_parts(1, 4, 1), 1, 4, 1))
        with self.assertRaisesRegex(ValueError, r"x: has shape \(6, 3, 2\), but must have \(any, any, 1\)"):
            model(draw(STEPS, ROWS, 2))
        with self.assertRaisesRegex(TypeError, "x: is float64, but must be float32"):
            model(np.zeros((STEPS, ROWS, 1)))
        with self.assertRaisesRegex(ValueError, "state: has 0 parts, but must have one for each of 1 networks"):
            model(draw(STEPS, ROWS, 1), [])
