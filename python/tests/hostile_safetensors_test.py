"""Files of weights that want to harm: bounded, and refused with a sentence."""
import contextlib
import io
import json
import os
import pickle
import unittest
import zipfile

import numpy as np

import tandem_rnn as tr
from files_testing import Files
from tandem_rnn import convert_torch

try:
    from hypothesis import HealthCheck, given, settings, strategies as st
except ImportError:
    given = None
try:
    import torch
except ImportError:
    torch = None


def file_of(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(shape, begin=0, dtype="F32", size=4):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, begin + size * int(np.prod(shape, dtype=object))]}


def lstm(layer, inputs=5, begin=0):
    """Entries of a layer of an LSTM with 7 units, one after the other."""
    shapes = {"weight_ih": [28, inputs], "weight_hh": [28, 7], "bias_ih": [28], "bias_hh": [28]}
    result = {}
    for name, shape in shapes.items():
        result[f"{name}_l{layer}"] = entry(shape, begin)
        begin = result[f"{name}_l{layer}"]["data_offsets"][1]
    return result, begin


class Safetensors(Files):
    def refused(self, header, sentence, data=b""):
        path = self.path("model.safetensors", file_of(header, data))
        self.assertIsNotNone(self.read(tr.from_safetensors, path, sentence))

    def test_a_layer_of_a_large_number_is_no_stack_of_so_many(self):
        first, begin = lstm(0)
        for number in 30000000, 999999999:
            last, end = lstm(number, 7, begin)
            self.refused({**first, **last}, "layer 1 has no weights", bytes(end))
        names = {f"{number}.{name}": entry([1]) for number in (0, 999999999) for name in ("weights_layer", "weights_iter")}
        self.refused(names, "more bytes than the file|layer 1 has no weights_layer", bytes(16))

    def test_tensors_do_not_share_bytes(self):
        layers, end = lstm(0, 7)
        shared = {name.replace("_l0", f"_l{n}"): value for n in range(200) for name, value in layers.items()}
        self.refused(shared, "its tensors have more bytes than the file", bytes(end))

    def test_headers_that_are_none(self):
        for header in (b"[" * 50000, b"{" * 50000, b'{"a":' * 50000, b"[]", b"null", b"1e999", b'{"a": null}', b'{"a": []}',
                       b"\xff" * 50, b'{"a": [' + b"[]," * 200000 + b"[]]}",
                       b'{"a": [' + b'{"a":0},' * 80000 + b"0]}",
                       {"__metadata__": []}, {"__metadata__": {"cell": ["lstm"]}}, {"__metadata__": None},
                       {"a": {"dtype": "F32", "shape": [1]}}, {"a": {**entry([1]), "data_offsets": [0]}},
                       {"a": {**entry([1]), "data_offsets": [-4, 0]}}, {"a": {**entry([1]), "data_offsets": [0.0, 4.0]}},
                       {"a": {**entry([1]), "shape": [True]}}, {"a": {**entry([1]), "shape": 1}}):
            self.refused(header, "is no safetensors file", bytes(4))

    def test_sizes_that_no_machine_has(self):
        layer, end = lstm(0)
        layer["weight_ih_l0"] = {"dtype": "F32", "shape": ["it"], "data_offsets": [0, 0]}
        for size in 2**62, 2**70, f"{2**40}, {2**40}", "1" + "0" * 5000:
            text = json.dumps(layer).replace('"it"', f"{size}, 0").encode()
            self.refused(text, "weight_ih|is no safetensors file", bytes(end))

    def test_a_pipe_and_a_device_are_no_files(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        for path in pipe, "/dev/zero":
            for reader in tr.from_safetensors, tr.from_onnx, convert_torch.read_state_dict:
                with contextlib.suppress(ModuleNotFoundError), self.assertRaisesRegex(ValueError, "is no regular file"):
                    reader(path)

    if given is not None:
        VALUES = st.one_of(st.none(), st.booleans(), st.integers(-2, 2**66), st.floats(), st.text(max_size=3),
                           st.lists(st.integers(-1, 2**33), max_size=4),
                           st.dictionaries(st.text(max_size=2), st.integers(), max_size=2))

        @settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
        @given(st.data())
        def test_any_header_is_read_or_refused(self, data):
            first, end = lstm(0)
            second, end = lstm(1, 7, end)
            header = {"__metadata__": {"cell": "lstm"}, **first, **second}
            for _ in range(data.draw(st.integers(1, 3))):
                name = data.draw(st.sampled_from(sorted(header)))
                if not isinstance(header[name], dict) or not header[name] or data.draw(st.booleans()):
                    new = data.draw(st.sampled_from([name, name + "_reverse", name[:-1] + "7", "0." + name, "x." + name, "0.bias",
                                                     "0.weights_layer", "0.weights_iter"]))
                    header[new] = data.draw(st.one_of(self.VALUES, st.just(header.pop(name))))
                else:
                    header[name] = {**header[name], data.draw(st.sampled_from(sorted(header[name]))): data.draw(self.VALUES)}
            content = file_of(header, bytes(end))
            cut = data.draw(st.integers(0, len(content)))
            self.read(tr.from_safetensors, self.path("model.safetensors", content[:cut] if cut % 5 == 0 else content))
    else:
        print("LEFT OUT: drawn files of weights (python3 has no hypothesis)")


class Marker:
    """Pickled, this makes a file where it is read."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (self.path, "w")


@unittest.skipIf(torch is None, "LEFT OUT: PyTorch is not installed")
class StateDicts(Files):
    def archive(self, pickled, compression=zipfile.ZIP_STORED, **parts):
        """Writes a file as torch.save does, with a part that torch.save does not write."""
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", compression) as archive:
            archive.writestr("archive/data.pkl", pickled)
            archive.writestr("archive/version", "3\n")
            for name, data in parts.items():
                archive.writestr(f"archive/{name}", data)
        return self.path("model.pt", content.getvalue())

    def refused(self, path, sentence):
        self.assertIsNotNone(self.read(convert_torch.read_state_dict, path, sentence))

    def test_no_code_is_run(self):
        marker = self.path("was_run")
        for value in Marker(marker), {"weight_ih": Marker(marker)}:
            torch.save(value, self.path("model.pt"))
            self.refused(self.path("model.pt"), "holds more than tensors, or is damaged: save module.state_dict")
            self.refused(self.path("plain.pt", pickle.dumps(value)), "is no file of torch.save")
            self.refused(self.archive(pickle.dumps(value)), "holds more than tensors")
            torch.save(value, self.path("old.pt"), _use_new_zipfile_serialization=False)
            self.refused(self.path("old.pt"), "is no file of torch.save.. of PyTorch 1.6 or later")
            self.assertFalse(os.path.exists(marker))
        torch.save(torch.nn.LSTM(5, 7), self.path("model.pt"))
        self.refused(self.path("model.pt"), "save module.state_dict")
        torch.jit.script(torch.nn.Linear(5, 7)).save(self.path("script.pt"))
        self.refused(self.path("script.pt"), "is a file of TorchScript")

    def test_a_pytorch_that_runs_code_is_refused(self):
        load = torch.load
        self.addCleanup(setattr, torch, "load", load)
        torch.load = lambda file, map_location=None: self.fail("it was called")
        torch.save({}, self.path("model.pt"))
        self.refused(self.path("model.pt"), "runs code that a file has; take PyTorch 1.13 or later")

    def test_a_few_bytes_are_not_many_numbers(self):
        for size in 1000, 20000:
            torch.save({"weight_ih_l0": torch.zeros(1).expand(size, size)}, self.path("model.pt"))
            self.refused(self.path("model.pt"), "its tensors have more numbers than the file has bytes")
        torch.save({"weight": torch.zeros(1).expand(size, size)}, self.path("model.pt"))
        self.assertEqual(convert_torch.read_state_dict(self.path("model.pt")), {})
        self.refused(self.archive(b"0" * 10**6, zipfile.ZIP_DEFLATED), "is compressed")

    def test_what_is_no_state_dict(self):
        for value in torch.zeros(3), [torch.zeros(3)], 5:
            torch.save(value, self.path("model.pt"))
            self.refused(self.path("model.pt"), "but must have module.state_dict")
        torch.save({1: torch.zeros(3), "weight_ih_l0": torch.zeros(28, 5, dtype=torch.bfloat16)}, self.path("model.pt"))
        self.assertEqual(set(convert_torch.read_state_dict(self.path("model.pt"))), {"weight_ih_l0"})

    def test_damaged_files_are_read_or_refused(self):
        torch.save(torch.nn.LSTM(5, 7).state_dict(), self.path("model.pt"))
        with open(self.path("model.pt"), "rb") as file:
            whole = file.read()
        random = np.random.default_rng(1)
        for _ in range(300):
            content = bytearray(whole[:len(whole) if random.random() < 0.8 else random.integers(len(whole))])
            for place in random.integers(0, max(len(content), 1), random.integers(1, 4)) if content else ():
                content[place] = random.integers(256)
            self.read(convert_torch.read_state_dict, self.path("damaged.pt", content))
