#!/usr/bin/python3
"""Trains the cell of quantize_cell.json: an LSTM of four channels that remembers the sign of the first of eight inputs.

  python3 docs/exercises/quantize_train.py >docs/exercises/quantize_cell.json
"""
import json

import numpy as np

STEPS, CHANNELS = 8, 4
rng = np.random.default_rng(1)


def sequences(count):
    """Numbers from -1 to 1, the first of them not between -0.1 and 0.1."""
    x = rng.uniform(-1, 1, (STEPS, count, 1))
    x[0] = np.sign(x[0]) * (0.1 + 0.9 * np.abs(x[0]))
    return x


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


def forward(p, x):
    """The score of each sequence, and what backward needs of each step."""
    h = c = np.zeros((x.shape[1], CHANNELS))
    steps = []
    for x_t in x:
        i, f, g, o = np.split(x_t @ p["W"] + h @ p["U"] + p["B"], 4, axis=1)
        i, f, g, o = sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)
        steps.append((x_t, h, c, i, f, g, o))
        c = f * c + i * g
        h = o * np.tanh(c)
    return h @ p["R"], h, c, steps


def gradients(p, x):
    """Of the mean of log(1 + exp(-score * sign)), and that mean."""
    sign = np.sign(x[0])
    score, h, c, steps = forward(p, x)
    d_score = -sign * sigmoid(-score * sign) / len(sign)
    grad = {name: np.zeros_like(value) for name, value in p.items()}
    grad["R"] = h.T @ d_score
    dh, dc = d_score @ p["R"].T, np.zeros_like(c)
    for x_t, h_prev, c_prev, i, f, g, o in reversed(steps):
        tanh_c = np.tanh(f * c_prev + i * g)
        dc = dc + dh * o * (1 - tanh_c**2)
        delta = np.concatenate([dc * g * i * (1 - i), dc * c_prev * f * (1 - f), dc * i * (1 - g**2),
                                dh * tanh_c * o * (1 - o)], axis=1)
        grad["W"] += x_t.T @ delta
        grad["U"] += h_prev.T @ delta
        grad["B"] += delta.sum(axis=0)
        dh, dc = delta @ p["U"].T, dc * f
    return grad, np.log1p(np.exp(-score * sign)).mean()


p = {"W": rng.normal(0, 1, (1, 4 * CHANNELS)), "U": rng.normal(0, 0.5, (CHANNELS, 4 * CHANNELS)),
     "B": np.zeros(4 * CHANNELS), "R": rng.normal(0, 1, (CHANNELS, 1))}
p["B"][CHANNELS:2 * CHANNELS] = 1  # an open forget gate
mean, square = ({name: np.zeros_like(value) for name, value in p.items()} for _ in range(2))
for step in range(1, 3001):  # Adam
    grad, loss = gradients(p, sequences(64))
    for name, g in grad.items():
        mean[name] = 0.9 * mean[name] + 0.1 * g
        square[name] = 0.999 * square[name] + 0.001 * g * g
        p[name] -= 0.01 * (mean[name] / (1 - 0.9**step)) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
rounded = {name: np.round(value, 4).tolist() for name, value in p.items()}
print(json.dumps({"gates": "i, f, c~, o; W [slc, 4 dhc], U [sic, 4 dhc], B [4 dhc], R [dhc, 1]", "loss": round(loss, 4),
                  **rounded}, indent=1))
