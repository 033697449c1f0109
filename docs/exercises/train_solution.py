"""Exercise 6, solved."""
import numpy as np


def loss(score, target):
    margin = score * target
    gradient = -target / (1 + np.exp(margin))  # the slope of log(1 + exp(-m)) is -1 / (1 + exp(m))
    return np.log1p(np.exp(-margin)).mean(), gradient / score.size


def clip(gradients, limit):
    length = np.sqrt(sum((g**2).sum() for g in gradients.values()))
    return {name: g * min(1, limit / max(length, 1e-30)) for name, g in gradients.items()}


def update(weights, gradients, memory, step):
    # Adam: the mean of the gradients, divided by the root of the mean of their squares. Both means begin at 0, and the
    # powers of 0.9 and 0.999 correct that.
    for name, g in gradients.items():
        mean, square = memory.get(name, (0, 0))
        mean, square = 0.9 * mean + 0.1 * g, 0.999 * square + 0.001 * g**2
        memory[name] = mean, square
        weights[name] -= 0.01 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
