"""Exercise 1, solved: one step of the GRU cell."""
import numpy as np


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


def step(x, h_prev, W, U, B):
    u = sigmoid(x @ W[0] + h_prev @ U[0] + B[0])  # [GRU.1]
    r = sigmoid(x @ W[1] + h_prev @ U[1] + B[1])  # [GRU.2]
    o = np.tanh(x @ W[2] + (r * h_prev) @ U[2] + B[2])  # [GRU.3]
    return u * h_prev + (1 - u) * o  # [GRU.4]
