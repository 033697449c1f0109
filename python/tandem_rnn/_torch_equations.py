"""These are the cells' equations in PyTorch's operations, with derivatives of any order, but slow. docs/book/cells.md

Weights are PyTorch's, by their names without a layer's number. x has the gates' sums of a step's input, with bias_ih.
"""
import functools
from typing import NamedTuple

import torch
from torch.nn.functional import linear


class Call(NamedTuple):
    """A module is asked for this. mode: as nn.RNNBase has it; lengths: (N,), or None if all rows have all steps."""
    mode: str
    layers: int
    directions: int
    lengths: torch.Tensor
    between: list = ()  # for each layer above the first, by what its input is multiplied


def _lstm(x, h, c, w):
    i, f, g, o = (x + linear(h, w["weight_hh"], w.get("bias_hh"))).chunk(4, 1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    h = o.sigmoid() * c.tanh()
    return linear(h, w["weight_hr"]) if "weight_hr" in w else h, c


def _gru(x, h, c, w):
    (r, z, n), (hr, hz, hn) = x.chunk(3, 1), linear(h, w["weight_hh"], w.get("bias_hh")).chunk(3, 1)
    z = (z + hz).sigmoid()
    return z * h + (1 - z) * (n + (r + hr).sigmoid() * hn).tanh(), c


def _rnn(function, x, h, c, w):
    return function(x + linear(h, w["weight_hh"], w.get("bias_hh"))), c


_CELLS = {"LSTM": _lstm, "GRU": _gru, "RNN_TANH": functools.partial(_rnn, torch.tanh), "RNN_RELU": functools.partial(_rnn, torch.relu)}


def _direction(call, x, h, c, w, is_reverse):
    """Returns y, and h and c after each row's last step, of one layer and direction."""
    sums, y = linear(x, w["weight_ih"], w.get("bias_ih")), [None] * len(x)
    for t in reversed(range(len(x))) if is_reverse else range(len(x)):
        y[t], after = _CELLS[call.mode](sums[t], h, c, w)
        if call.lengths is None:
            h, c = y[t], after
        else:
            is_there = (call.lengths > t).unsqueeze(1)
            h, c = torch.where(is_there, y[t], h), c if c is None else torch.where(is_there, after, c)
            y[t] = torch.where(is_there, y[t], torch.zeros_like(y[t]))
    return torch.stack(y), h, c


def run(call, x, h, c, weights):
    """Returns y, h and, for LSTM, c. x: (T, N, channels); h, c: (layers directions, N, units) or None; weights: by name."""
    states = []
    for layer in range(call.layers):
        parts = []
        for d in range(call.directions):
            end = f"_l{layer}" + "_reverse" * d
            w = {name[:-len(end)]: weight for name, weight in weights.items() if name.endswith(end)}
            number = layer * call.directions + d
            before = [each[number] for each in (h, c) if each is not None]
            if not before:
                before = [x.new_zeros(x.shape[1], n) for n in (w["weight_hh"].shape[1], len(w["weight_ih"]) // 4)]
            y, *after = _direction(call, x, before[0], before[1] if call.mode == "LSTM" else None, w, d == 1)
            parts.append(y)
            states.append(after)
        x = torch.cat(parts, 2)
        if layer < len(call.between):
            x = x * torch.from_numpy(call.between[layer])
    return (x, *(torch.stack(each) for each in list(zip(*states))[:1 + (call.mode == "LSTM")]))
