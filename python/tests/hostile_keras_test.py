"""Files of Keras want to harm. They are bounded, and refused with a sentence that names the file."""
import io
import json
import os
import unittest
import zipfile

import numpy as np

import keras_testing as keras
import tandem_rnn as tr
from audio_testing import draw
from files_testing import Files
from keras_testing import h5py

PLACE = "layers/lstm/cell/vars/"


def arrays():
    return [draw(5, 16), draw(4, 16, seed=2), draw(16, seed=3)]


@unittest.skipIf(h5py is None, keras.LEFT_OUT)
class HostileKeras(Files):
    def refused(self, content, sentence):
        path = self.path("model.keras", content)
        error = self.read(tr.from_keras, path, sentence)
        self.assertIsNotNone(error, sentence)
        self.assertTrue(str(error).startswith(path), error)

    def file(self, change):
        """Returns a .weights.h5 file whose arrays change(file) changed."""
        buffer = io.BytesIO(keras.weights([keras.layer_of("LSTM", "lstm", arrays())]))
        with h5py.File(buffer, "r+") as file:
            change(file)
        return buffer.getvalue()

    def replaced(self, **options):
        def change(file):
            del file[PLACE + "1"]
            file.create_dataset(PLACE + "1", **options)
        return self.file(change)

    def test_the_files_are_read_as_they_are(self):
        layers = [keras.layer_of("LSTM", "lstm", arrays())]
        for content in keras.weights(layers), keras.legacy(layers), keras.archive(layers):
            self.assertIsNone(self.read(tr.from_keras, self.path("model", content)))

    def test_what_is_no_file_of_keras(self):
        layers = [keras.layer_of("LSTM", "lstm", arrays())]
        whole, packed = keras.weights(layers), keras.archive(layers)
        for content in (b"", b"\xff" * 50, b"PK", b"PK\x03\x04" + bytes(100), whole[:8], whole[:len(whole) // 2], whole[:-200],
                        packed[:len(packed) // 2], packed[:-30]):
            self.refused(content, "is no file of Keras, or is damaged")
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as file:
            file.writestr("config.json", "{}")
        self.refused(buffer.getvalue(), "is an archive without model.weights.h5")

    def test_arrays_that_grow(self):
        huge = (2**20, 2**20)
        for options in ({"shape": huge, "dtype": "f4", "chunks": (64, 64)}, {"shape": huge, "dtype": "f4"},
                        {"data": np.zeros((4000, 4000), "f4"), "compression": "gzip"}, {"shape": (10**6, 16), "maxshape": (None, 16),
                                                                                       "dtype": "f4", "chunks": (2**10, 16)}):
            is_plain = not {"chunks", "compression"} & set(options)
            self.refused(self.replaced(**options), "1: does not have the bytes" if is_plain else "1: is compressed, in parts")
        self.refused(self.replaced(data=np.ones((4, 16), "S4")), r"1: is \|S4, but must have floating numbers")
        self.refused(self.replaced(data=h5py.Empty("f4")), "1: is float32, but must have floating numbers")
        for shape in (4, 17), (4, 16, 1), (64,), ():
            self.refused(self.replaced(data=np.ones(shape, "f4")), "gates; LSTM has 4|weights: ")

    def test_other_files_are_not_read(self):
        secret = self.path("secret", draw(4, 16).tobytes())
        other = self.path("other.h5", self.file(lambda file: None))
        self.refused(self.replaced(shape=(4, 16), dtype="f4", external=[(secret, 0, 256)]), "in another file, which Keras does not write")

        def virtual(file):
            del file[PLACE + "1"]
            layout = h5py.VirtualLayout((4, 16), "f4")
            layout[...] = h5py.VirtualSource(other, PLACE + "1", (4, 16))
            file.create_virtual_dataset(PLACE + "1", layout)

        def link(file):
            del file[PLACE + "1"]
            file[PLACE + "1"] = h5py.ExternalLink(other, PLACE + "1")

        self.refused(self.file(virtual), "in another file, which Keras does not write")
        self.refused(self.file(link), "layer: is None, but must be one of none")

    def test_groups_without_an_end(self):
        def ring(file):
            file["layers/lstm/again"] = file["layers"]

        self.assertIsNone(self.read(tr.from_keras, self.path("ring", self.file(ring))))
        deep = self.file(lambda file: file.create_group("/".join("g" * 600)))
        self.assertIsNone(self.read(tr.from_keras, self.path("deep", deep)))

    def test_archives_and_configurations_that_grow(self):
        layers = [keras.layer_of("LSTM", "lstm", arrays())]
        self.refused(keras.archive(layers, zipfile.ZIP_DEFLATED, **{"config.json": " " * 10**6}), "has more than four times its bytes inside")
        self.refused(keras.archive(layers, **{"config.json": "[" * 10**6}), "has a configuration that is long beside its weights")
        for config in ("[" * 20000, "{", "[]", "null", '{"config": 5}', '{"config": {"layers": [5]}}', '{"config": [{"class_name": "LSTM"}]}',
                       '{"config": [{"class_name": "LSTM", "config": {"name": "a"}}]}' * 2,
                       json.dumps({"config": [{"class_name": "LSTM", "config": {"activation": {}}}]}),
                       json.dumps({"config": [{"class_name": "Bidirectional", "config": {"name": "a"}}]})):
            content = keras.archive(layers, **{"config.json": config})
            error = self.read(tr.from_keras, self.path("model.keras", content))
            self.assertTrue(error is None or "its configuration is damaged" in str(error) or "must have" in str(error), error)

    def test_a_pipe_and_a_device_are_no_files(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        for path in pipe, "/dev/zero":
            with self.assertRaisesRegex(ValueError, "is no regular file"):
                tr.from_keras(path)
