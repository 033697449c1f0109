"""A PyTorch module's weights become a network, and autograd records its executions."""
import ctypes
import functools
import os
from typing import NamedTuple

import numpy as np
import torch

from . import _masked
from . import _plan
from . import _torch_equations
from . import convert
from . import convert_torch
from . import torch_weights

_memcmp = ctypes.CDLL("msvcrt" if os.name == "nt" else None).memcmp
_memcmp.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]


def to_numpy(tensor):
    return (tensor.detach() if tensor.requires_grad else tensor).numpy()


def state_of(h, c):
    if h is None:
        return None
    return to_numpy(h) if c is None else (to_numpy(h), to_numpy(c))


@functools.lru_cache(maxsize=None)
def _names_of(layers, is_bidirectional, has_bias, is_projected):
    kinds = ["weight_ih", "weight_hh"] + ["bias_ih", "bias_hh"] * has_bias + ["weight_hr"] * is_projected
    return tuple(f"{kind}_l{layer}{end}" for layer in range(layers) for end in ("", "_reverse")[:1 + is_bidirectional]
                 for kind in kinds)


_OF_CELLS = "weight_ih", "weight_hh", "bias_ih", "bias_hh"


def names(module):
    """Returns the names of a module's weights."""
    if isinstance(module, torch.nn.RNNCellBase):
        return _OF_CELLS[:4 if module.bias else 2]
    return _names_of(module.num_layers, module.bidirectional, module.bias, module.proj_size > 0)


def _updated(module, arrays):
    """Returns the weights of each layer, in the specification's order, for a module whose network has had others."""
    if isinstance(module, torch.nn.RNNCellBase):
        parts = [[torch_weights.from_torch(module._cell, *arrays)]]
    else:
        directions, kinds = 1 + module.bidirectional, 2 + 2 * module.bias + (module.proj_size > 0)
        names_of = [name.partition("_l")[0] for name in names(module)[:kinds]]
        cells = [torch_weights.from_torch(module._cell, **dict(zip(names_of, arrays[n:n + kinds]))) for n in range(0, len(arrays), kinds)]
        parts = [cells[n:n + directions] for n in range(0, len(cells), directions)]
    return tuple(_plan.Weights.of({name: np.stack([part[name] for part in each])[np.newaxis] for name in each[0]}) for each in parts)


def _gradients(module, weights):
    """Returns the parameters' gradients by their names, from those of the specification's tensors."""
    result = {}
    for layer, parts in enumerate(weights):
        for direction in range(1 + module.bidirectional):
            one = {name: array[0, direction] for name, array in parts.items()}
            for name, array in torch_weights.gradients_to_torch(module._cell, **one).items():
                result[f"{name}_l{layer}" + "_reverse" * direction] = array
    return result


class Kept:
    """This is the network of a module's weights, with a copy of them that tells whether they are still the same.

    PyTorch counts writes to a tensor, but not those through p.data or an array of numpy.
    """

    def __init__(self, module, weights, net=None):
        """net: the network of earlier weights, which gets these."""
        version = self._version(weights)
        self.copies = [w.detach().clone(memory_format=torch.contiguous_format) for w in weights]
        arrays = [to_numpy(copy) for copy in self.copies]
        if net is None:
            tensors = convert_torch.to_specification(module._cell, dict(zip(names(module), arrays)))
            options = {"activation": module.nonlinearity} if module._cell == "vanilla_rnn" else {}
            net = convert.torch_network(module._cell, tensors, **options)
        else:
            net._take_weights(_updated(module, arrays))
        self.net = net
        self._look(weights, version)

    @staticmethod
    def _version(weights):
        # PyTorch counts no writes to a tensor that was made in inference mode.
        return [(w.data_ptr(), w.is_inference() or w._version) for w in weights]

    def _look(self, weights, version):
        # These arrays keep the tensors' memory, so that nothing else comes to lie there.
        self._seen = version, [to_numpy(w) for w in weights]

    def counts_as(self, weights):
        """Returns whether PyTorch has counted no write since the weights were compared."""
        return self._seen[0] == self._version(weights)

    def is_of(self, weights):
        """Returns whether the weights have the same values."""
        version = self._version(weights)
        for weight, copy in zip(weights, self.copies):
            dense = weight.contiguous()
            if dense.shape != copy.shape or _memcmp(dense.data_ptr(), copy.data_ptr(), 4 * copy.numel()):
                return False
        if version != self._seen[0]:
            self._look(weights, version)
        return True


class _Read(torch.autograd.Function):
    """Returns a weight as forward read it, whatever is written to it since."""

    @staticmethod
    def forward(ctx, weight, value):
        return value.view_as(value)

    @staticmethod
    def backward(ctx, diff):
        return diff, None


class How(NamedTuple):
    """lengths: (N,), or None where all rows have all steps; masks: a _masked.Masks, or None."""
    lengths: np.ndarray
    masks: _masked.Masks


def infer(net, x, state, how):
    """y, state of a network for x, (T, N, channels)."""
    return net(x, state, how.lengths) if how.masks is None else _masked.infer(net, x, state, *how)


class Recorded(torch.autograd.Function):
    """Returns y, h and, for LSTM, c. kept: a Kept; how: a How; x: (T, N, channels), h, c: tensors that nobody else has, or None."""

    @staticmethod
    def forward(ctx, module, kept, how, x, h, c, *weights):
        ctx.module, ctx.how, ctx.weights, ctx.values = module, how, weights, kept.copies
        inputs = to_numpy(x), state_of(h, c)
        ctx.tape = kept.net._record(*inputs, how.lengths) if how.masks is None else _masked.record(kept.net, *inputs, *how)
        # An operation in place on the output, as relu_(), is allowed in PyTorch; backward may read the tape's.
        y = torch.from_numpy(ctx.tape.y if ctx.tape.y.flags.writeable else ctx.tape.y.copy())
        ctx.save_for_backward(x, h, c)  # and autograd refuses a second backward without retain_graph
        state = ctx.tape.state if module.mode == "LSTM" else (ctx.tape.state,)
        return (y, *map(torch.from_numpy, state))

    @staticmethod
    def backward(ctx, *diffs):
        inputs = ctx.saved_tensors
        if torch.is_grad_enabled():  # the call has create_graph=True
            return None, None, None, *_differentiable(ctx, inputs, diffs)
        return None, None, None, *_by_tandem(ctx, diffs)


def _differentiable(ctx, inputs, diffs):
    """Returns gradients that have gradients."""
    module, (lengths, masks) = ctx.module, ctx.how
    if masks is not None and masks.inside[0]:
        raise NotImplementedError("create_graph: second derivatives through recurrent_dropout or zoneout are not implemented")
    weights = [_Read.apply(*pair) for pair in zip(ctx.weights, ctx.values)]
    call = _torch_equations.Call(module.mode, module.num_layers, 1 + module.bidirectional,
                                 None if lengths is None else torch.from_numpy(lengths), masks.between if masks else ())
    results = _torch_equations.run(call, *inputs, dict(zip(names(module), weights)))
    sources = [(number, t) for number, t in enumerate((*inputs, *weights)) if ctx.needs_input_grad[3 + number]]
    found = torch.autograd.grad(results, [t for _, t in sources], diffs, create_graph=True, allow_unused=True)
    by_number = dict(zip((number for number, _ in sources), found))
    return [by_number.get(number) for number in range(3 + len(weights))]


def _by_tandem(ctx, diffs):
    diff_y, *diff_state = map(to_numpy, diffs)
    is_lstm = ctx.module.mode == "LSTM"
    found = ctx.tape.backward(diff_y, tuple(diff_state) if is_lstm else diff_state[0])
    named = _gradients(ctx.module, found.weights)
    state = found.state if is_lstm else (found.state, None)
    state = [None if s is None or not n else torch.from_numpy(s) for s, n in zip(state, ctx.needs_input_grad[4:6])]
    return (torch.from_numpy(found.x), *state, *(torch.from_numpy(named[name]) for name in names(ctx.module)))
