"""mypy sees a wrong type by the stubs of the package. It takes a minute to read those of numpy."""
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import mypy
except ImportError:
    mypy = None

RIGHT = """
import numpy as np
import tandem_rnn

x = np.zeros((6, 3, 5), np.float32)
y, (h, c) = tandem_rnn.LSTM(5, 7, 2, direction="concat")(x, lengths=[6, 2, 0])
total: float = float(y.sum() + h.sum() + c.sum())
_, state = tandem_rnn.GRU(5, 7)(x)
tandem_rnn.GRU(5, 7)(x, state)
tandem_rnn.GRU(5, 7).record(x).backward(y).state.sum()
"""
WRONG = {'tandem_rnn.LSTM(5, 7, direction="both")': "direction", 'tandem_rnn.LSTM(5, 7)("x")': "__call__",
         "tandem_rnn.LSTM(5, 7)(x, y)": "__call__", "tandem_rnn.LSTM(5)": "dhc"}


class Mypy(unittest.TestCase):
    @unittest.skipIf(mypy is None, "LEFT OUT: mypy is not installed")
    def test_mypy_sees_wrong_types(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(RIGHT + "\n".join(WRONG) + "\n")
            said = subprocess.run([sys.executable, "-m", "mypy", "--strict", path], cwd=folder, capture_output=True,
                                  text=True).stdout.splitlines()
        first = RIGHT.count("\n") + 1
        for number, word in enumerate(WRONG.values()):
            self.assertTrue([line for line in said if f":{first + number}: error:" in line and word in line], said)
        self.assertEqual(len([line for line in said if ": error:" in line]), len(WRONG), said)
