"""Networks come from other libraries' weights: their outputs, gates and refusals are tested."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np

import tandem_rnn as tr
from tandem_rnn import convert_torch

UNIT = 2.0**-24

try:
    import torch
except ImportError:
    torch = None


def draw(*shape, seed=1):
    return np.random.default_rng(seed).uniform(-0.5, 0.5, shape).astype(np.float32)


def rewrite(path, old, new):
    with open(path, "rb") as file:
        content = file.read()
    assert content.count(old) == 1 and len(old) == len(new), content[:2000]
    with open(path, "wb") as file:
        file.write(content.replace(old, new))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@unittest.skipIf(torch is None, "LEFT OUT: PyTorch is not installed")
class Torch(unittest.TestCase):
    MODULES = [("LSTM", {}), ("LSTM", {"num_layers": 2, "bidirectional": True, "batch_first": True}),
               ("LSTM", {"proj_size": 3, "bias": False}), ("GRU", {"num_layers": 2}), ("GRU", {"bidirectional": True}),
               ("RNN", {"nonlinearity": "relu"}), ("RNN", {})]

    def test_the_module_says_the_same(self):
        for name, options in self.MODULES:
            torch.manual_seed(1)
            module = getattr(torch.nn, name)(5, 7, **options)
            x = draw(6, 3, 5)
            with torch.no_grad():
                want, state = module(torch.from_numpy(x))
            y, got = tr.from_torch(module)(x)
            # Both are float32 and off by some hundred roundings at most.
            np.testing.assert_allclose(y, want.numpy(), rtol=0, atol=600 * UNIT)
            for mine, theirs in zip(got if name == "LSTM" else [got], state if name == "LSTM" else [state]):
                np.testing.assert_allclose(mine, theirs.numpy(), rtol=0, atol=600 * UNIT)

    def test_cells_and_refusals(self):
        torch.manual_seed(1)
        cell, x = torch.nn.LSTMCell(5, 7), draw(1, 3, 5)
        want = cell(torch.from_numpy(x[0]))[0].detach().numpy()
        np.testing.assert_allclose(tr.from_torch(cell)(x)[0][0], want, rtol=0, atol=600 * UNIT)
        with self.assertRaisesRegex(TypeError, "Linear is no nn.LSTM"):
            tr.from_torch(torch.nn.Linear(5, 7))
        with self.assertRaisesRegex(TypeError, "needs detach"):
            tr.LSTM(5, 7)(torch.ones(6, 3, 5, requires_grad=True))
        with self.assertRaisesRegex(ValueError, "weight_hh_l0: is computed from other parameters"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch 2 has another weight_norm, too
            tr.from_torch(torch.nn.utils.weight_norm(torch.nn.LSTM(5, 7), "weight_hh_l0"))

    def test_the_program_reads_and_writes_pytorchs_files(self):
        module, x = torch.nn.LSTM(5, 7), draw(6, 3, 5)
        by_name, by_path = ["-W", "error::RuntimeWarning", "-m", "tandem_rnn.convert_torch"], [convert_torch.__file__]
        with tempfile.TemporaryDirectory() as folder:
            whole, state, mine, back = (os.path.join(folder, name) for name in ("1.pt", "2.pt", "3.safetensors", "4.pt"))
            torch.save(module, whole)
            torch.save({**module.state_dict(), "epoch": 3}, state)
            for program, source in (by_path, state), (by_name, state), (by_name, whole):
                words = [sys.executable, "-B", *program, "to-specification", "lstm", source, mine]
                done = subprocess.run(words, stderr=subprocess.PIPE, text=True, check=False)
                if source == whole:
                    self.assertRegex(done.stderr, "holds more than tensors, .* save module.state_dict")
                    continue
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                np.testing.assert_array_equal(tr.from_safetensors(mine)(x)[0], tr.from_torch(module)(x)[0])
            subprocess.run([sys.executable, "-B", *by_path, "to-torch", "lstm", mine, back], check=True)
            again = torch.nn.LSTM(5, 7)
            again.load_state_dict(torch.load(back))
            np.testing.assert_array_equal(tr.from_torch(again)(x)[0], tr.from_torch(module)(x)[0])


class Safetensors(unittest.TestCase):
    def test_one_module_of_two(self):
        net = tr.LSTM(5, 7)
        flat = {f"0.{name}": array for name, array in net.weights[0].items()}
        state = {"a.rnn." + name: array for name, array in convert_torch.to_torch("lstm", flat).items()}
        state.update({"b." + name[6:]: array for name, array in state.items()}, fc=draw(3))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.safetensors")
            convert_torch.write_safetensors(path, state)
            x = draw(6, 3, 5)
            np.testing.assert_array_equal(tr.from_safetensors(path, "a.rnn")(x)[0], net(x)[0])
            with self.assertRaisesRegex(ValueError, "'a.rnn', 'b': there are several"):
                tr.from_safetensors(path)
            with self.assertRaisesRegex(ValueError, "not of lbr_gru"):
                tr.from_safetensors(path, "b", cell="lbr_gru")
            sequential = {name.replace("a.rnn.", "1."): array for name, array in state.items() if name[0] == "a"}
            convert_torch.write_safetensors(path, {"0.weight": draw(5, 5), "0.bias": draw(5), **sequential})
            np.testing.assert_array_equal(tr.from_safetensors(path)(x)[0], net(x)[0])


    def test_a_missing_layer_and_wrong_shapes_are_sentences(self):
        lstm = {f"0.{name}": array for name, array in tr.LSTM(5, 7).weights[0].items()}
        torch_state = convert_torch.to_torch("lstm", lstm)
        saved = {f"{n}.{name}": array for n in range(3) for name, array in tr.LSTM(7, 7).weights[0].items()}

        def without(layer):
            return {name: array for name, array in saved.items() if not name.startswith(layer)}

        for tensors, sentence in (
                (without("1."), "layer 1 has no weights_layer"), (without("0."), "layer 0 has no weights_layer"),
                (without("2.weights_iter"), "layer 2 has no weights_iter"),
                ({**lstm, "0.weights_layer": draw(5, 28)}, "weights_layer has 2 dims, but must have 5"),
                ({**torch_state, "bias_ih_l0": draw(35)}, r"bias_ih has shape \(35,\), but must have \(28,\)"),
                ({**torch_state, "bias_hh_l0": draw(28, 1)}, "bias_hh has 2 dims"),
                ({**torch_state, "weight_hh_l0": draw(28)}, "weight_hh has 1 dims")):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model.safetensors")
                convert_torch.write_safetensors(path, tensors, {"cell": "lstm"})
                with self.assertRaisesRegex(ValueError, f"^{path}: .*{sentence}"):
                    tr.from_safetensors(path)
        with self.assertRaisesRegex(ValueError, "layer 1 has no weights_layer"):
            convert_torch.to_torch("lstm", without("1."))

    def test_tensors_that_are_not_needed_may_have_any_type(self):
        net = tr.GRU(5, 7, 2)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.safetensors")
            net.save(path)
            tensors, metadata = convert_torch.read_safetensors(path)
            convert_torch.write_safetensors(path, {**tensors, "step": draw(2), "bias": draw(1), "lm.bias": draw(3)}, metadata)
            rewrite(path, b'"step": {"dtype": "F32", "shape": [2]', b'"step": {"dtype": "I64", "shape": [1]')
            rewrite(path, b'"bias": {"dtype": "F32", "shape": [1]', b'"bias": {"dtype": "F16", "shape": [2]')
            rewrite(path, b'"lm.bias": {"dtype": "F32", "shape": [3]', b'"lm.bias": {"dtype": "BF8", "shape": [6]')
            np.testing.assert_array_equal(tr.from_safetensors(path)(draw(6, 3, 5))[0], net(draw(6, 3, 5))[0])
            self.assertEqual(convert_torch.read_safetensors(path)[0]["bias"].shape, (2,))
            rewrite(path, b'"1.weights_iter": {"dtype": "F32"', b'"1.weights_iter": {"dtype": "I32"')
            with self.assertRaisesRegex(ValueError, "no name is that of a weight of an RNN module"):
                tr.from_safetensors(path, "encoder")
            with self.assertRaisesRegex(ValueError, f"{path}: 1.weights_iter is I32; F32, F64, F16, BF16 are understood"):
                tr.from_safetensors(path)

    def test_weights_of_16_bits_are_the_numbers_they_stand_for(self):
        net = tr.GRU(5, 7)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.safetensors")
            net.save(path)
            tensors, metadata = convert_torch.read_safetensors(path)
            cut = {name: (array.view("<u4") & 0xffff0000).view("<f4") for name, array in tensors.items()}
            header = {"__metadata__": metadata}
            data = b""
            for name, array in cut.items():
                upper = (array.view("<u4") >> 16).astype("<u2").tobytes()
                header[name] = {"dtype": "BF16", "shape": array.shape, "data_offsets": [len(data), len(data) + len(upper)]}
                data += upper
            text = json.dumps(header).encode()
            with open(path, "wb") as file:
                file.write(len(text).to_bytes(8, "little") + text + data)
            for name, array in convert_torch.read_safetensors(path)[0].items():
                np.testing.assert_array_equal(array, cut[name])
            self.assertTrue(np.isfinite(tr.from_safetensors(path)(draw(6, 3, 5))[0]).all())

    def test_broken_files_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.safetensors")
            tr.GRU(5, 7).save(path)
            with open(path, "rb") as file:
                whole = file.read()
            size = int.from_bytes(whole[:8], "little")
            broken = {b"": 0, b"\xff" * 8 + whole[8:]: 0, whole[:size]: 0, whole.replace(b'"dtype"', b'"dtypo"', 1): 0,
                      whole.replace(b"{", b"[", 1): 0, whole.replace(b"[1, 1, 5", b"[1,1, -1", 1): 0,
                      (200000).to_bytes(8, "little") + b"[" * 200000: 0, whole[:-4]: "its tensors have more bytes than the file",
                      whole.replace(b"[1, 1, 5", b"[1, 1, 6", 1): "0.weights_layer does not have the bytes of its shape"}
            for content, sentence in broken.items():
                with open(path, "wb") as file:
                    file.write(content)
                with self.assertRaisesRegex(ValueError, f"{path}: {sentence or 'is no safetensors file'}"):
                    tr.from_safetensors(path)
                said = subprocess.run([sys.executable, "-B", convert_torch.__file__, "to-torch", "lbr_gru", path, path],
                                      capture_output=True, text=True, check=False).stderr
                self.assertEqual((said.count(path), said.count("\n")), (1, 1), said)

    def test_what_is_saved_comes_back(self):
        for net in (tr.LSTM(5, 7, 2, direction="concat", dic=3, peephole=True, precision="bfloat16"),
                    tr.RNN(5, 7, activation="relu", alpha=0.25, direction="right2left", bias=False),
                    tr.GRU(5, 7, direction="sum", batch_first=True), tr.LBRAUGRU(5, 7, precision="float16")):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model.safetensors")
                net.save(path)
                again = tr.from_safetensors(path)
                self.assertEqual((type(again), again.layers, again.batch_first), (type(net), net.layers, net.batch_first))
                self.assertEqual(tr.from_safetensors(path, precision="float32").layers[0].precision, "float32")


class Keras(unittest.TestCase):
    def test_no_units_are_a_sentence(self):
        with self.assertRaisesRegex(ValueError, "have no units"):
            tr.from_keras([draw(5, 4), draw(0, 4)])

    def test_gru_with_reset_after(self):
        kernel, recurrent, bias, x = draw(5, 21), draw(7, 21, seed=2), draw(2, 21, seed=3), draw(3, 2, 5, seed=4)
        h = np.zeros((3, 7))
        for t in range(2):
            z, r, new = np.split(x[:, t] @ kernel + bias[0], 3, axis=1)
            hz, hr, hn = np.split(h @ recurrent + bias[1], 3, axis=1)
            z, r = sigmoid(z + hz), sigmoid(r + hr)
            h = z * h + (1 - z) * np.tanh(new + r * hn)
        net = tr.from_keras([kernel, recurrent, bias])
        self.assertIsInstance(net, tr.LBRGRU)
        np.testing.assert_allclose(net(x)[0][:, 1], h, rtol=0, atol=200 * UNIT)

    def test_layers_for_cudnn_have_other_matrices_and_two_biases(self):
        """cuDNN multiplies x by a matrix of units rows for each gate; Keras keeps these bytes as an array of inputs rows."""
        for kind, gates in ("LSTM", 4), ("LBRGRU", 3):
            matrices = [[draw(7, channels, seed=10 * channels + gate) for gate in range(gates)] for channels in (5, 7)]
            first, second = draw(gates * 7, seed=3), draw(gates * 7, seed=4)
            kept = [np.concatenate([m.reshape(m.shape[1], 7) for m in each], axis=1) for each in matrices]
            usual = [np.concatenate([m.T for m in each], axis=1) for each in matrices]
            got = tr.from_keras([*kept, np.concatenate([first, second])])
            want = tr.from_keras([*usual, np.stack([first, second]) if gates == 3 else first + second])
            self.assertIsInstance(got, getattr(tr, kind))
            for name, array in want.weights[0].items():
                np.testing.assert_array_equal(got.weights[0][name], array)

    def test_two_layers_are_no_bidirectional(self):
        square, wide = [draw(7, 28), draw(7, 28), draw(28)], [draw(5, 28), draw(7, 28), draw(28)]
        for pair in square + square, square[:2] + square[:2]:
            with self.assertRaisesRegex(ValueError, "may be of one Bidirectional or of two layers; say direction="):
                tr.from_keras(pair)
            for direction in "concat", "sum":
                self.assertEqual(tr.from_keras(pair, direction=direction).layers[0].direction, direction)
        with self.assertRaisesRegex(ValueError, "weights: are of two layers"):
            tr.from_keras(wide + square)
        self.assertEqual(tr.from_keras(wide + wide).layers[0].direction, "concat")

    def test_what_is_no_list_of_weights_is_a_sentence(self):
        class Layer:
            def get_weights(self):
                return []

        for given, sentence in ((3, "not iterable"), (Layer(), "is a Layer, but must be what its get_weights"),
                                ([draw(5, 28), "recurrent"], "has an array of <U9, but must have numbers")):
            with self.assertRaisesRegex(TypeError, sentence):
                tr.from_keras(given)

    def test_kinds_and_refusals(self):
        lstm = [draw(5, 28), draw(7, 28), draw(28)]
        y = tr.from_keras(lstm + lstm)(draw(3, 6, 5))[0]
        self.assertEqual(y.shape, (3, 6, 14))
        self.assertIsInstance(tr.from_keras([draw(5, 21), draw(7, 21), draw(21)]), tr.GRU)
        self.assertIsInstance(tr.from_keras([draw(5, 7), draw(7, 7)]), tr.RNN)
        with self.assertRaisesRegex(ValueError, "gru or lbr_gru"):
            tr.from_keras([draw(5, 21), draw(7, 21)])
        with self.assertRaisesRegex(ValueError, "2 gates"):
            tr.from_keras([draw(5, 14), draw(7, 14)])
        for wrong, sentence in (([draw(5, 24), *lstm[1:]], r"kernel has shape \(5, 24\), but must have \(5, 28\)"),
                                ([*lstm[:2], draw(27)], "bias has shape"),
                                ([*lstm, draw(6, 28), *lstm[1:]], "kernel has shape"),
                                ([draw(5, 21), draw(7, 21), draw(1, 21)], r"bias has shape .*, but must have \(2, 21\)")):
            with self.assertRaisesRegex(ValueError, sentence):
                tr.from_keras(wrong)
        with self.assertRaisesRegex(ValueError, "are 1 arrays"):
            tr.from_keras([draw(5, 14)])
