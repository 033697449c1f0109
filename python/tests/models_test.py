"""Small models have the formats of many frameworks. Each is loaded in at most three lines and equals float64."""
import io
import os
import tempfile
from typing import Callable, NamedTuple

import numpy as np

import keras_testing as keras
import onnx_numbers_test as equations
import onnx_testing
import tandem_rnn as tr
import tflite_test
import tflite_testing as tflite
from audio_testing import (draw, keras_gru, keras_lstm, lstm_step, rnnoise, rnnoise_gru, sigmoid, torch_gru, torch_lstm)
from readers_test import SLC, TERMS, UNITS, Beside, keras_arrays
from tandem_rnn._safetensors import write_safetensors


class Model(NamedTuple):
    """lines: a program that makes `net` of the file at `path`; step(x, h) or step(x, h, c): the equations in float64."""
    content: Callable
    lines: str
    step: Callable
    lacks: str = ""
    terms: int = TERMS


def npz(arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def onnx_model(operation, gates, step):
    arrays = onnx_testing.weights_of(gates)
    w, r, b = (np.float64(arrays[name][0]) for name in "WRB")

    def content():
        helper = onnx_testing.helper
        node = helper.make_node(operation, ["X", "W", "R", "B"], ["Y"], name="rnn", hidden_size=onnx_testing.UNITS)
        graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("X", 1, ["T", "N", SLC])],
                                  [helper.make_tensor_value_info("Y", 1, None)], onnx_testing.constants(arrays))
        return helper.make_model(graph).SerializeToString()
    lack = onnx_testing.LEFT_OUT if onnx_testing.onnx is None else ""
    return Model(content, "net = tr.from_onnx(path)", lambda *states: step(*states, w, r, *np.split(b, 2)), lack, SLC + onnx_testing.UNITS + 2)


def keras_model(kind, write, step, arrays, **config):
    layer = keras.layer_of(kind, "rnn", arrays, **config)
    lack = keras.LEFT_OUT if keras.h5py is None else ""
    return Model(lambda: write([layer]), "net = tr.from_keras(path)", lambda *states: step(*states, arrays), lack)


def of_cudnn():
    """Returns CuDNNLSTM's arrays, and the same as Keras's LSTM has them."""
    kernel, recurrent, bias = keras_arrays("LSTM")
    turned = [np.concatenate([np.ascontiguousarray(gate.T).reshape(gate.shape) for gate in np.split(array, 4, axis=1)], axis=1)
              for array in (kernel, recurrent)]
    return [*turned, np.concatenate([bias, bias / 2])], [kernel, recurrent, bias + bias / 2]


def tensorflow1(x, h, c, arrays):
    i, j, f, o = np.split(np.concatenate([x, h], 1) @ np.float64(arrays[0]) + arrays[1], 4, axis=1)
    return lstm_step((i, f + 1, j, o), c)


def flax(x, h, arrays):
    sums = {gate: (x @ np.float64(arrays[f"cell/i{gate}/kernel"]) + arrays[f"cell/i{gate}/bias"], h @ np.float64(arrays[f"cell/h{gate}/kernel"]))
            for gate in "rzn"}
    r, z = (sigmoid(sum(sums[gate])) for gate in "rz")
    return ((1 - z) * np.tanh(sums["n"][0] + r * (sums["n"][1] + arrays["cell/hn/bias"])) + z * h,)


def madmom(x, h, c, arrays):
    sums = [x @ np.float64(arrays[f"rnn/{gate}/weights"]) + h @ np.float64(arrays[f"rnn/{gate}/recurrent_weights"]) + arrays[f"rnn/{gate}/bias"]
            for gate in ("input_gate", "forget_gate", "cell", "output_gate")]
    return lstm_step(sums, c)


def models():
    cudnn, as_keras = of_cudnn()
    tf1 = {"rnn/kernel": draw(SLC + UNITS, 4 * UNITS), "rnn/bias": draw(4 * UNITS, seed=2)}
    linen = {f"cell/{side}{gate}/kernel": draw(rows, UNITS, seed=n) for n, gate in enumerate("rzn") for side, rows in (("i", SLC), ("h", UNITS))}
    linen.update({f"cell/{gate}/bias": draw(UNITS, seed=9 + n) for n, gate in enumerate(("ir", "iz", "in", "hn"))})
    gates = {f"rnn/{gate}/{part}": draw(*shape, seed=10 * n + len(part)) for n, gate in enumerate(("input_gate", "forget_gate", "cell", "output_gate"))
             for part, shape in (("weights", (SLC, UNITS)), ("recurrent_weights", (UNITS, UNITS)), ("bias", (UNITS,)))}
    torch_names = "weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"
    gru, lstm = ({f"encoder.rnn.{name}": draw(*shape, seed=n) for n, (name, shape) in enumerate(zip(torch_names, (
        (count * UNITS, SLC), (count * UNITS, UNITS), (count * UNITS,), (count * UNITS,))))} for count in (3, 4))
    noise, small = rnnoise("vad_gru", SLC, UNITS), {key: array // 4 for key, array in rnnoise("layer1", SLC, UNITS, seed=2).items()}
    opus = {key.replace("recurrent", "recur"): array for key, array in small.items()}
    hybrid, real = tflite_test.lstm_arrays(), tflite_test.lstm_arrays()
    for number in range(1, 9):
        hybrid[number], real[number] = tflite_test.as_int8(real[number], np.float32(0.5 / 127))
    no_flatbuffers = tflite.LEFT_OUT if tflite.flatbuffers is None else ""

    def safetensors():
        buffer = io.BytesIO()
        write_safetensors(buffer, lstm, {})
        return buffer.getvalue()

    return {
        "ONNX LSTM": onnx_model("LSTM", 4, lambda x, h, c, w, r, wb, rb: equations.lstm(x, (h, c), w, r, wb + rb, np.zeros(3 * len(w) // 4))),
        "ONNX GRU": onnx_model("GRU", 3, lambda x, h, w, r, wb, rb: equations.gru(x, (h,), w, r, wb, rb, 0)),
        "ONNX RNN": onnx_model("RNN", 1, lambda x, h, w, r, wb, rb: (np.tanh(x @ w.T + h @ r.T + wb + rb),)),
        "Keras .keras": keras_model("LSTM", keras.archive, keras_lstm, keras_arrays("LSTM")),
        "Keras .h5": keras_model("GRU", keras.legacy, lambda x, h, arrays: (keras_gru(x, h, arrays),), keras_arrays("GRU"), reset_after=True),
        "Keras for cuDNN": keras_model("CuDNNLSTM", keras.legacy, lambda x, h, c, _: keras_lstm(x, h, c, as_keras), cudnn),
        "TensorFlow 1": Model(lambda: npz(tf1), 'net = tr.from_state_dict(np.load(path), "rnn", framework="tensorflow1")',
                              lambda x, h, c: tensorflow1(x, h, c, list(tf1.values())), terms=TERMS + 2),
        "TensorFlow Lite": Model(lambda: tflite.model([tflite.lstm("y", hybrid)]), "net = tr.from_tflite(path)",
                                 lambda x, h, c: tflite_test.lstm_equations(x, h, c, real), no_flatbuffers),
        "Flax": Model(lambda: npz(linen), 'net = tr.from_state_dict(np.load(path), "cell", framework="flax")', lambda x, h: flax(x, h, linen)),
        "madmom": Model(lambda: npz(gates), 'net = tr.from_state_dict(np.load(path), "rnn", framework="madmom")',
                        lambda x, h, c: madmom(x, h, c, gates)),
        "PyTorch state dict": Model(lambda: npz(gru), 'net = tr.from_state_dict(np.load(path), "encoder.rnn")',
                                    lambda x, h: (torch_gru(x, h, list(gru.values())),)),
        "PyTorch safetensors": Model(safetensors, 'net = tr.from_safetensors(path, "encoder.rnn")',
                                     lambda x, h, c: torch_lstm(x, h, c, list(lstm.values()))),
        "RNNoise": Model(lambda: npz(noise), 'net = tr.rnnoise_grus(np.load(path), {"vad_gru": "tanh"})["vad_gru"]',
                         lambda x, h: (rnnoise_gru(x, h, noise, "vad_gru"),)),
        "Opus": Model(lambda: npz(opus), 'net = tr.rnnoise_grus(np.load(path), {"layer1": "tanh"}, scale=128)["layer1"]',
                      lambda x, h: (rnnoise_gru(x, h, {key: 2.0 * array for key, array in small.items()}, "layer1"),)),
    }


class Models(Beside):
    def test_each_is_loaded_in_three_lines_and_equals_float64(self):
        found = models()
        self.assertGreaterEqual(len(found), 12)
        for name, model in found.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                if model.lacks:
                    self.skipTest(model.lacks)
                names = {"tr": tr, "np": np, "path": os.path.join(folder, "model")}
                with open(names["path"], "wb") as file:
                    file.write(model.content())
                self.assertLessEqual(len(model.lines.splitlines()), 3)
                exec(model.lines, names)
                self.beside(names["net"], model.step, model.terms)
