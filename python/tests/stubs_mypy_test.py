"""mypy must see a wrong type by the stubs of the package."""
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import mypy
except ImportError:
    mypy = None

# Reading PyTorch, which the stubs do not name, takes mypy 50 seconds.
SETTINGS = """
[mypy-torch.*,onnx.*]
follow_imports = skip
follow_imports_for_stubs = True
"""
RIGHT = """
import io
import pathlib

import numpy as np
import tandem_rnn

x = np.zeros((6, 3, 5), np.float32)
y, (h, c) = tandem_rnn.LSTM(5, 7, 2, direction="concat")(x, lengths=[6, 2, 0])
total: float = float(y.sum() + h.sum() + c.sum())
_, state = tandem_rnn.GRU(5, 7)(x)
tandem_rnn.GRU(5, 7)(x, state)
tandem_rnn.GRU(5, 7).record(x).backward(y).state.sum()
tandem_rnn.LSTM(5, 7).quantize([x])(x)[1][0].sum()
good: bool = tandem_rnn.judge(tandem_rnn.LSTM, cases=3).conforms
tandem_rnn.trace(tandem_rnn.GRU(5, 7), x)[0]["u"].value.sum()
streams = tandem_rnn.streams.Streams(tandem_rnn.reference.GRU(5, 7), 3)
streams.keep([0, 2])
rows: int = len(tandem_rnn.streams.split(streams.state))
voice = tandem_rnn.LSTM(5, 7).stream()
voice.state = voice.state
voice(x[0, 0], out=y[0, 0]).sum()
h, c = tandem_rnn.LSTM(5, 7).quantize().stream_group(3).state(1)
tandem_rnn.GRU(5, 7).stream_group(3)(x[0], [0, 2, 1])
tandem_rnn.from_safetensors(pathlib.Path("a")).save(pathlib.Path("b"))
tandem_rnn.from_keras([x[0], x[1]], cell="gru")(x)[0].sum()
tandem_rnn.from_keras(io.BytesIO(), "lstm").first_state = None
tandem_rnn.from_state_dict({"a": x}, ("b", "c"), framework="flax", forget_bias=0.5).initial_state(3)
tandem_rnn.from_torch(None), tandem_rnn.from_onnx("a", "node")
model = tandem_rnn.from_nam("a", precision="bfloat16")
y, parts = model(x, model.first_state(3))
y.sum() + model.dense[0].weight.sum(), tandem_rnn.from_rtneural(pathlib.Path("a")).nets[0](x)
tandem_rnn.LSTM(5, 7, activations=(("hard_sigmoid", 0.2, 0.5), "tanh", ("relu", 0.1)), clip=3.0, input_forget=True)
tandem_rnn.GRU(5, 7, activations=["logistic", "relu"]), tandem_rnn.RNN(5, 7, clip=0.5)
tandem_rnn.from_guitarml("a").sample_rate, tandem_rnn.rnnoise_grus({"a": x}, {"vad_gru": "tanh"})["vad_gru"](x)[1].sum()
"""
WRONG = {'tandem_rnn.LSTM(5, 7, direction="both")': "direction", 'tandem_rnn.LSTM(5, 7)("x")': "__call__",
         "tandem_rnn.LSTM(5, 7)(x, y)": "__call__", "tandem_rnn.LSTM(5)": "dhc",
         "tandem_rnn.judge(tandem_rnn.LSTM).conform": "conform", "streams.keep(0, 2)": "keep", "voice.bind(x)": "bind",
         'tandem_rnn.LSTM(5, 7, activations=("sigmoid", "tanh", "tanh"))': "activations", "tandem_rnn.GRU(5, 7, input_forget=True)": "input_forget",
         "model.first_stat": "first_stat", "tandem_rnn.LSTM(5, 7).quantize(3)": "quantize"}


class Mypy(unittest.TestCase):
    @unittest.skipIf(mypy is None, "LEFT OUT: mypy is not installed")
    def test_mypy_sees_wrong_types(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(RIGHT + "\n".join(WRONG) + "\n")
            settings = os.path.join(folder, "mypy.ini")
            with open(settings, "w", encoding="utf-8") as file:
                file.write("[mypy]" + SETTINGS)
            said = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file", settings, path], cwd=folder,
                                  capture_output=True, text=True, check=False).stdout.splitlines()
        first = RIGHT.count("\n") + 1
        for number, word in enumerate(WRONG.values()):
            self.assertTrue([line for line in said if f":{first + number}: error:" in line and word in line], said)
        self.assertEqual(len([line for line in said if ": error:" in line]), len(WRONG), said)
