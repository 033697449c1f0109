"""Networks that the package for Python saves run in C++ (examples/network.cc) and give the same numbers. Files that are none
are refused. Then the program of the README runs (examples/network_short.cc).

usage: network_test.py PROGRAM SHORT_PROGRAM LIBRARY
"""
import json
import os
import subprocess
import sys
import tempfile

os.environ["TANDEM_LIBRARY"] = os.path.abspath(sys.argv[3])
sys.path.insert(0, "python")
import numpy as np
import tandem_rnn as tr
from tandem_rnn._safetensors import read_safetensors, write_safetensors

PROGRAM = [os.path.abspath(sys.argv[1]), "network"]
NETS = [tr.LSTM(5, 7, 2, direction="concat"), tr.LSTM(3, 8, dic=4, peephole=True), tr.GRU(4, 6, direction="sum"),
        tr.LBRGRU(4, 6, 3), tr.RNN(5, 4, activation="relu", alpha=0.25, direction="right2left", bias=False),
        tr.LSTM(40, 48, precision="bfloat16"), tr.LSTM(5, 7, batch_first=True)]
LENGTHS = [6, 2, 0]


def run(path, *arguments):
    return subprocess.run([*PROGRAM, path, *map(str, arguments)], capture_output=True, text=True, check=False)


def hold(net, path, lengths):
    """Compares C++ and Python, for a saved network and for the network that is read back."""
    net.save(path)
    done = run(path, 3, *lengths)
    assert done.returncode == 0, done.stderr
    slc, batch_first = net.layers[0].slc, getattr(net, "net", net).batch_first
    x = (np.arange(6 * 3 * slc) * 7 % 13).astype(np.float32) / np.float32(6) - np.float32(1)
    x = x.reshape(3, 6, slc) if batch_first else x.reshape(6, 3, slc)
    for each in (net, tr.from_safetensors(path)):
        _, state = each(x, lengths=lengths or None)
        y, state = each(x, state, lengths or None)
        want = np.concatenate([array.ravel() for array in (y, *(state if isinstance(state, tuple) else (state,)))])
        np.testing.assert_array_equal(np.array(done.stdout.split(), np.float32), want)


def in_8_bits():
    """Networks come in each kind of 8 bits. The program's x is from -1 to 1, times the power of two that the weights lack."""
    for net in (tr.LSTM(5, 7, 2, direction="concat"), tr.LSTM(5, 8, dic=4, direction="sum"), tr.GRU(5, 6, 2),
                tr.LSTM(5, 7, 2, batch_first=True), tr.GRU(5, 6, batch_first=True, bias=False)):
        first, *others = net.weights
        sizes = np.exp2(np.float32([9, -9, 3, 0, -3])).reshape(-1, 1, 1)
        net.set_weights([{**first, "weights_layer": first["weights_layer"] * sizes}, *others])
        samples = np.random.default_rng(1).uniform(-1, 1, (6, 4, 5)).astype(np.float32)
        yield from (net.quantize(), net.quantize(weights_only=True), net.quantize(samples))
    for net in tr.LSTM(5, 7, peephole=True, precision="bfloat16"), tr.LBRGRU(5, 7), tr.RNN(5, 7, activation="relu", alpha=0.25):
        yield from (net.quantize(), net.quantize(weights_only=True))


def refused(path, content, sentence):
    with open(path, "wb") as file:
        file.write(content)
    done = run(path, 3)
    assert done.returncode == 1 and sentence in done.stderr, (content[:80], done.returncode, done.stderr)


def header(text):
    return len(text).to_bytes(8, "little") + text.encode()


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "net.safetensors")
    for net in (*NETS, *in_8_bits()):
        for lengths in ([], LENGTHS):
            hold(net, path, lengths)
    for content, sentence in (
            (b"", "has no header"), (b"\xff" * 8, "ends in its header"), (header("[]"), "in place of '{'"),
            (header('{"a"'), "ends too early"), (header("{}"), "does not say which cell"),
            (header('{"__metadata__":{"cell":"cnn"}}'), "has unknown cnn"),
            (header('{"__metadata__":{"cell":"augru"}}'), "has no tensor 0.weights_layer"),
            (header('{"__metadata__":{"cell":"lstm"}}'), "has no tensor 0.weights_layer"),
            (header('{"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}') + bytes(8), "a is F64; F32, BF16, F16 and I8 are understood"),
            (header('{"a":{"dtype":"F32","shape":[4000000000,4000000000],"data_offsets":[0,0]}}'), "no bytes for"),
            (header('{"a":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}') + bytes(8), "a place that is not"),
            (header('{"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}') + bytes(8), "no whole number"),
            (header('{"__metadata__":{"cell":"gru"},"0.weights_layer":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}') +
             bytes(8), "0.weights_layer has 1 dims, but must have 5"),
            (header('{"__metadata__":{"cell":"gru"},"0.weights_layer":{"dtype":"F32","shape":[1,1,1,3,1],"data_offsets":[0,12]},'
                    '"0.weights_iter":{"dtype":"F32","shape":[1,1,1,2,1],"data_offsets":[12,20]}}') + bytes(20),
             path + ": weights_iter: dim 3"),
            (header('{"__metadata__":{"cell":"gru","precision":"int4"}}'), "has unknown int4"),
            (header('{"__metadata__":{"cell":"gru"},"1.weights_layer":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}') +
             bytes(8), "has no tensor 0.weights_layer, but a later layer"),
            (header('{"__metadata__":{"cell":"vanilla_rnn","alpha":"0,1"}}'), "alpha is 0,1, which is no number")):
        refused(path, content, sentence)
    for eight in tr.LSTM(4, 6).quantize(), tr.LSTM(4, 6, dic=3).quantize(np.ones((2, 1, 4), np.float32)):
        eight.save(path)
        tensors, metadata = read_safetensors(path)
        for name in ("0.factor", "0.scales", "0.projection_scales", "0.data"):
            if name in tensors:
                for other, sentence in ((None, "has no tensor " + name), (np.ones(99), f"{name} has 99 numbers, but must have"),
                                        (-np.ones_like(tensors[name]), f"{name} has a number that is not above 0 and finite")):
                    changed = {**tensors, name: other} if other is not None else {n: tensors[n] for n in tensors if n != name}
                    write_safetensors(path + ".other", changed, metadata)
                    with open(path + ".other", "rb") as file:
                        refused(path, file.read(), sentence)
        for changed, said, sentence in (({**tensors, "0.weights_iter": np.float32(tensors["0.weights_iter"])}, metadata, "must be I8"),
                                        (tensors, {**metadata, "quantization": "4 bits"}, "has unknown 4 bits"),
                                        (tensors, {"cell": "lstm"}, "0.weights_layer must be F32")):
            write_safetensors(path + ".other", changed, said)
            with open(path + ".other", "rb") as file:
                refused(path, file.read(), sentence)
    half = tr.LSTM(4, 6, precision="float16")
    hold(half, path, [])
    tensors, metadata = read_safetensors(path)
    for value, code in ((65504, 0), (-65520, 1)):
        write_safetensors(path, {**tensors, "0.weights_iter": np.full_like(tensors["0.weights_iter"], value)}, metadata)
        done = run(path, 3)
        assert done.returncode == code and "nan" not in done.stdout, (value, done)
    assert "0.weights_iter has -65520.000000, but float16 ends at 65504" in done.stderr, done.stderr
    assert "cannot be read" in run(os.path.join(folder, "none"), 3).stderr
    NETS[0].save(path)
    assert "one for each row" in run(path, 3, 1, 2).stderr
    NETS[1].save(path)
    said = subprocess.run([sys.argv[2], path], capture_output=True, text=True, check=True).stdout
    y, _ = NETS[1](np.full((50, 1, 3), 0.5, np.float32))
    assert said == "%.6f\n" % y.ravel()[-1], (said, y.ravel()[-1])
    nothing = subprocess.run([sys.argv[2], path + ".none"], capture_output=True, text=True, check=False)
    assert nothing.returncode == 1 and "cannot be read" in nothing.stderr, nothing.stderr
    # A file that is cut off, or in which a byte of the header has changed, is refused or read; nothing else happens.
    with open(path, "rb") as file:
        whole = file.read()
    size = 8 + int.from_bytes(whole[:8], "little")
    for at in range(0, size, 23):
        for content in (whole[:at], whole[:at] + b"9" + whole[at + 1:], whole[:at] + b'"' + whole[at + 1:]):
            with open(path, "wb") as file:
                file.write(content)
            assert run(path, 3).returncode in (0, 1), (at, json.dumps(content[:size].decode("latin1")))
