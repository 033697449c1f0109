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
        self.assertGreaterEqual(len(PATHS), 12)
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

    def test_what_is_yours_is_passed_over(self):
        tensors, metadata = read_safetensors(PATHS[0])
        file = io.BytesIO()
        write_safetensors(file, {**tensors, "head.weight": np.ones(3)}, {**metadata, "user.note": "ours"})
        self.assertIsInstance(tr.from_safetensors(io.BytesIO(file.getvalue())), tr.AUGRU)
