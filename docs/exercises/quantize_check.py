"""The second half of exercise 5: quantizes the trained cell of quantize_cell.json and asks it about 1,000 sequences.

  python3 docs/exercises/quantize_check.py FILE     exit code 0 if the bytes are right and every answer is kept
"""
import json
import os
import sys

import numpy as np
import plumbing

SCALE, SHIFT = 127.0, 1.0  # bytes 0 to 254 stand for -1 to 1
STEPS, CHANNELS, COUNT = 8, 4, 1000


def lstm(cell, x):
    """The last h in floating point."""
    h = c = np.zeros((COUNT, CHANNELS))
    for x_t in x:
        i, f, g, o = np.split(x_t @ cell["W"] + h @ cell["U"] + cell["B"], 4, axis=1)
        c = c / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
        h = np.tanh(c) / (1 + np.exp(-o))
    return h


def main(path):
    exercise = plumbing.load(path)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "quantize_cell.json")) as file:
        cell = {name: np.array(value) for name, value in json.load(file).items() if name in "WUBR"}
    complaints = []
    # W and U of a gate share the scales of its channels.
    both = np.concatenate([cell["W"], cell["U"]])
    scales = np.asarray(exercise.weight_scales(both))
    q = np.asarray(exercise.quantize_weights(both, scales))
    if (q != np.round(q)).any() or not (np.abs(q).max(axis=0) == 127).all():
        complaints.append("a channel's largest weight must become the byte 127 or -127")
    if not (np.abs(q / scales - both) <= 0.5 / scales + 1e-12).all():
        complaints.append("a weight differs from what its byte stands for by more than half a step")
    x = np.random.default_rng(2).uniform(-1, 1, (STEPS, COUNT, 1))
    x[0] = np.sign(x[0]) * (0.1 + 0.9 * np.abs(x[0]))  # as the cell was trained
    q_x = exercise.quantize(x, SCALE, SHIFT)
    if not (np.abs(exercise.dequantize(q_x, SCALE, SHIFT) - x) <= 0.5 / SCALE + 1e-6).all():
        complaints.append("a number differs from what its byte stands for by more than half a step")
    zero = exercise.quantize(np.zeros((COUNT, CHANNELS)), SCALE, SHIFT)
    q_h, _ = plumbing.lstm_int8(exercise, {"data_scale": SCALE, "data_shift": SHIFT}, q_x, np.split(q[:1], 4, axis=1),
                                np.split(q[1:], 4, axis=1), np.split(cell["B"], 4), np.split(scales, 4), zero,
                                np.zeros((COUNT, CHANNELS)))
    before = np.sign(lstm(cell, x) @ cell["R"])
    after = np.sign(exercise.dequantize(q_h[-1], SCALE, SHIFT) @ cell["R"])
    truth = np.sign(x[0])
    print(f"of {COUNT} answers {(before == truth).sum()} are right in floating point, {(after == truth).sum()} in 8 bits")
    if (before != after).any():
        complaints.append("the cell in 8 bits answers otherwise than in floating point")
    for complaint in complaints:
        print("FAIL", complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
