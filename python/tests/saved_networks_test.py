"""The saved networks of api/tests/network/golden, which C++ and JavaScript read, too, are read, saved and refused."""
import glob
import io
import os
import runpy
import tempfile
import unittest

import numpy as np

import tandem_rnn as tr
from tandem_rnn._safetensors import read_safetensors, write_safetensors

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "api", "tests", "network", "golden")
DEFAULT = {"beta": "0.0"}  # a file need not have these
PATHS = sorted(glob.glob(os.path.join(FOLDER, "*.safetensors")))


def near(got, want, precision):
    # The numbers are sums of a few products of numbers below 16. Under bfloat16 a processor may round x and h, too.
    np.testing.assert_allclose(got, want, rtol=0, atol=2.0**-6 if precision == "bfloat16" else 2.0**-16)


def own(tensors):
    return {name: array for name, array in tensors.items() if not name.startswith("user.")}


class SavedNetworks(unittest.TestCase):
    def test_the_numbers_of_every_language(self):
        self.assertGreaterEqual(len(PATHS), 15)
        for path in PATHS:
            with self.subTest(path=os.path.basename(path)):
                tensors, metadata = read_safetensors(path)
                net = tr.from_safetensors(path)
                self.assertEqual(getattr(net, "net", net).layers[0].precision, metadata["precision"])
                y, state = net(tensors["user.x"], **{"attention": tensors[name] for name in ["user.attention"] if name in tensors})
                for name, array in zip(("y", "h", "c"), (y, *(state if isinstance(state, tuple) else (state,)))):
                    near(array, tensors["user." + name], metadata["precision"])

    def test_save_writes_what_was_read(self):
        for path in PATHS:
            file = io.BytesIO()
            tr.from_safetensors(path).save(file)
            (got, said), (want, metadata) = read_safetensors(io.BytesIO(file.getvalue())), read_safetensors(path)
            self.assertEqual({**DEFAULT, **said}, {**DEFAULT, **metadata})
            self.assertEqual(list(got), list(own(want)))
            for name, array in got.items():
                np.testing.assert_array_equal(array, want[name])

    def test_the_files_are_those_of_their_program(self):
        with tempfile.TemporaryDirectory() as folder:
            runpy.run_path(os.path.join(FOLDER, "make.py"))["write"](folder)
            self.assertEqual(sorted(os.listdir(folder)), [os.path.basename(path) for path in PATHS])
            for path in PATHS:
                (got, said), (want, metadata) = read_safetensors(os.path.join(folder, os.path.basename(path))), read_safetensors(path)
                self.assertEqual(({**DEFAULT, **said}, list(got)), ({**DEFAULT, **metadata}, list(want)))
                for name in got:
                    near(np.float32(got[name]), want[name], metadata["precision"])

    def refused(self, name, change, sentence):
        tensors, metadata = read_safetensors(os.path.join(FOLDER, name + ".safetensors"))
        tensors = dict(tensors)
        change(tensors, metadata)
        file = io.BytesIO()
        write_safetensors(file, tensors, metadata)
        with self.assertRaisesRegex(ValueError, sentence):
            tr.from_safetensors(io.BytesIO(file.getvalue()))

    def test_files_of_another_form(self):
        for key, value, sentence in (("tandem_network", "2", "tandem_network: is '2', but this package reads 1"),
                                     ("aktivation", "relu", "the metadata has the unknown key 'aktivation'"),
                                     ("batch_first", "true", "batch_first: is 'true', but must be True or False"),
                                     ("alpha", "0,1", "alpha: is '0,1', but must be a number"),
                                     ("precision", "int4", "precision: is 'int4', but must be one of")):
            self.refused("vanilla_rnn", lambda _, metadata: metadata.update({key: value}), sentence)
        for name, shape, sentence in (("0.bais", (1,), "has the unknown tensor '0.bais'"),
                                      ("first_state.y", (1,), "has the unknown tensor 'first_state.y'"),
                                      ("first_state.c", (2, 4), r"first_state.c has shape \(2, 4\), but must have \(2, 5\)"),
                                      ("0.weights_iter", (1, 1, 4, 4, 5), "weights_iter")):
            self.refused("lstm", lambda tensors, _: tensors.update({name: np.ones(shape)}), sentence)
        self.refused("lstm", lambda tensors, _: tensors.pop("first_state.c"), "first_state: has h, but must have h, c")
        self.refused("vanilla_rnn", lambda tensors, _: tensors.update({"first_state.c": np.ones((1, 5))}), "has c, h, but must have h")
        with self.assertRaisesRegex(ValueError, "is no safetensors file"):
            tr.from_safetensors(io.BytesIO(bytes(1000)))

    def test_gates_of_another_form(self):
        for name, key, value, sentence in (
                ("lstm_gates", "activations", "tanh+relu:0", "must be 3, of recurrent, candidate, output"),
                ("gru_gates", "activations", "logistic+relu", "activations: has 'relu', which is no function with its numbers"),
                ("gru_gates", "activations", "logistic+relu:a", "activations: has 'relu:a', which is no function"),
                ("gru_gates", "activations", "logistic+gelu", "activations: has 'gelu', which is no function"),
                ("gru_gates", "activations", "", "activations: has '', which is no function"),
                ("vanilla_rnn", "activations", "tanh", "vanilla_rnn has no such option"),
                ("lstm_gates", "clip", "1,5", "clip: is '1,5', but must be a number"),
                ("lstm_gates", "clip", "-1", "clip: is -1.0, but must not be negative"),
                ("augru", "clip", "1", "augru has no such option"),
                ("lstm_gates", "input_forget", "1", "input_forget: is '1', but must be True or False"),
                ("gru_gates", "input_forget", "True", "gru has no such option")):
            with self.subTest(value=value):
                self.refused(name, lambda _, metadata: metadata.update({key: value}), sentence)

    def test_numbers_of_gates_are_written_without_a_plus_sign(self):
        net = tr.GRU(3, 4, activations=(("hard_sigmoid", 1e20, 1 / 6), ("relu", -0.1)), clip=3e-9)
        file = io.BytesIO()
        net.save(file)
        _, metadata = read_safetensors(io.BytesIO(file.getvalue()))
        self.assertEqual((metadata["activations"], metadata["clip"]), ("hard_sigmoid:1e20:0.16666667+relu:-0.1", "3e-09"))
        self.assertEqual(tr.from_safetensors(io.BytesIO(file.getvalue())).layers, net.layers)

    def test_what_is_yours_is_passed_over(self):
        tensors, metadata = read_safetensors(PATHS[0])
        file = io.BytesIO()
        write_safetensors(file, {**tensors, "head.weight": np.ones(3)}, {**metadata, "user.note": "ours"})
        self.assertIsInstance(tr.from_safetensors(io.BytesIO(file.getvalue())), tr.AUGRU)
