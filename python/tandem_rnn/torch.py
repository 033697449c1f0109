"""Tandem computes torch.nn.LSTM, GRU, RNN and their Cells: the same arguments, parameters and state dict, forward and autograd.

    model = tandem_rnn.torch.accelerate(model)     # or tandem_rnn.torch.LSTM(80, 256) in place of torch.nn.LSTM

Tandem computes tensors of the CPU in float32; a PackedSequence, too; dropout between layers, and recurrent_dropout and zoneout,
which PyTorch does not have (help(tandem_rnn.torch.LSTM)). Other tensors, calls of few steps that record gradients, traces (for
ONNX), scripts, torch.func and forward derivatives are left to PyTorch; torch.compile leaves the modules as they are. Second
derivatives (create_graph=True) are computed by operations of PyTorch.
"""
import copy
import logging
import warnings
from typing import NamedTuple

import torch
import torch.fx
from torch.autograd import forward_ad
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from . import _torch_masks
from ._schema import NUM_GATES
from ._torch_network import How, Kept, Recorded, infer, names, state_of, to_numpy

__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNCell", "Report", "accelerate", "freeze", "report", "restore"]

# A call that records gradients takes less time in PyTorch with fewer steps, or with fewer steps times rows.
LEAST_STEPS, LEAST_STEPS_AND_ROWS = 4, 8
# PyTorch also computes a step of a Cell with fewer products than this in all rows and gates, if its weights are not frozen.
LEAST_PRODUCTS = {"lstm": 8192, "lbr_gru": 0, "vanilla_rnn": 16384}


def _not_compiled(function):
    """Marks a function that torch.compile (PyTorch 2.1 and later) must call, and not look into: it calls C."""
    compiler = getattr(torch, "compiler", None)
    return compiler.disable(function) if hasattr(compiler, "disable") else function


def _nothing():
    return None


# This is the transform of torch.func at the moment (PyTorch 2); such tensors have no memory.
_transform = getattr(getattr(torch._C, "_functorch", None), "peek_interpreter_stack", _nothing)


def _is_ours(tensor):
    # Derived classes may have no memory, or an arithmetic of their own.
    return type(tensor) in (torch.Tensor, torch.nn.Parameter) and tensor.dtype is torch.float32 and tensor.is_cpu


class _Tandem:
    """All modules share this."""

    def _weights(self):
        """Returns the tensors in the order of names(). weight_norm() and the like put an attribute in a parameter's place."""
        try:
            return [self._parameters[name] for name in names(self)]
        except KeyError:
            return [getattr(self, name) for name in names(self)]

    def _network(self, weights):
        """Returns a Kept of these weights, converted anew when one has changed; None: not for Tandem."""
        kept = self.__dict__.get("_kept")
        if kept is not None and "_is_frozen" in self.__dict__ and kept.counts_as(weights):
            return kept
        if not all(map(_is_ours, weights)):
            return None
        if kept is None or not kept.is_of(weights):
            kept = self.__dict__["_kept"] = Kept(self, weights, kept and kept.net)
        return kept

    def train(self, mode=True):
        """Sets the mode as the module of PyTorch does. Training ends the effect of freeze()."""
        if mode:
            self.__dict__.pop("_is_frozen", None)
        return super().train(mode)

    def __setattr__(self, name, value):
        if name == "qconfig":  # quantize_dynamic() and the like ask for the classes of PyTorch
            warnings.warn(f"tandem_rnn.torch.{type(self).__name__} stays in float32, whatever torch.quantization makes of the model; "
                          "tandem_rnn.torch.restore(model) first gives it PyTorch's module", stacklevel=2)
        super().__setattr__(name, value)

    def __getstate__(self):
        theirs = getattr(super(), "__getstate__", None)  # PyTorch 2 leaves out members that it makes anew
        state = self.__dict__ if theirs is None else theirs()
        return {name: value for name, value in state.items() if name not in ("_kept", "_is_frozen")}

    def __prepare_scriptable__(self):
        """Returns the module that torch.jit.script compiles: PyTorch's module of the same parameters."""
        return restore(copy.copy(self))

    def _proxy(self, input, hx):
        """torch.fx keeps PyTorch's modules whole by the name of their Python module; so it does ours."""
        return input.tracer.create_proxy("call_module", input.tracer.path_of_module(self), (input, hx), {})


def _is_watched():
    """Returns whether TorchScript, ONNX, torch.func or forward derivatives look on: they need PyTorch's operations."""
    return torch.jit.is_tracing() or _transform() is not None or forward_ad._current_level >= 0


class _Layers(_Tandem):
    """This is the base of LSTM, GRU and RNN."""

    # Of modules that accelerate() made; of a module's own by its arguments.
    recurrent_dropout, zoneout = 0.0, (0.0, 0.0)

    def __init__(self, *args, recurrent_dropout=0.0, zoneout=0.0, **more):
        super().__init__(*args, **more)
        self.recurrent_dropout = _torch_masks.probability("recurrent_dropout", recurrent_dropout)
        self.zoneout = _torch_masks.zoneouts(zoneout, self.mode == "LSTM")

    def extra_repr(self):
        """PyTorch's, and our own arguments."""
        own = [f"recurrent_dropout={self.recurrent_dropout}"] * (self.recurrent_dropout > 0)
        return ", ".join([super().extra_repr(), *own, *[f"zoneout={self.zoneout}"] * any(self.zoneout)])

    def _by_pytorch(self, input, hx):
        """The call in PyTorch, which must not leave out what it does not have."""
        if _torch_masks.needs_tandem(self):
            raise NotImplementedError(f"{type(self).__name__}: recurrent_dropout and zoneout are computed by Tandem only, of float32 "
                                      "tensors of the CPU, not in traces and transforms")
        return super().forward(input, hx)

    def _state_shapes(self, input):
        """Returns the shapes of h and c."""
        if isinstance(input, PackedSequence):
            rows = (int(input.batch_sizes[0]),)
        else:
            rows = () if input.dim() == 2 else (input.shape[0 if self.batch_first else 1],)
        count = self.num_layers * (1 + self.bidirectional)
        return (count, *rows, self.proj_size or self.hidden_size), (count, *rows, self.hidden_size)

    def _is_short(self, input, x):
        """Returns whether so few steps, or steps times rows, are recorded that PyTorch takes less time."""
        if isinstance(input, PackedSequence):
            steps = len(input.batch_sizes)
        else:
            steps = input.shape[1 if self.batch_first and input.dim() == 3 else 0]
        return steps < LEAST_STEPS or x.numel() < LEAST_STEPS_AND_ROWS * self.input_size

    def _is_short_step(self, input, x):
        """Returns whether PyTorch computes the call, by the fewest questions: they take 3 us of a step, all of them 10."""
        weight = self._parameters.get("weight_hh_l0")
        if weight is None or not weight.requires_grad or not isinstance(x, torch.Tensor) or x.dim() not in (2, 3):
            return False
        return self._is_short(input, x) and not _torch_masks.needs_tandem(self)

    def _is_for_tandem(self, input, x, hx):
        if _is_watched():
            return False
        # PyTorch refuses another shape, because its error names the shape that the caller knows.
        if x.dim() not in (2, 3) or x.shape[-1] != self.input_size:
            return False
        if not _is_ours(x) or x.numel() == 0:
            return False
        if hx is None:
            return True
        states = hx if self.mode == "LSTM" else (hx,)
        return (isinstance(states, (tuple, list)) and len(states) == 1 + (self.mode == "LSTM")
                and all(isinstance(s, torch.Tensor) and _is_ours(s) for s in states)
                and all(s.shape == shape for s, shape in zip(states, self._state_shapes(input))))

    @_not_compiled
    def forward(self, input, hx=None):
        """Computes as the module of PyTorch does."""
        if isinstance(input, torch.fx.Proxy):
            return self._proxy(input, hx)
        is_packed = isinstance(input, PackedSequence)
        x = input.data if is_packed else input
        if torch.is_grad_enabled() and self._is_short_step(input, x):
            return super().forward(input, hx)
        if not self._is_for_tandem(input, x, hx):
            return self._by_pytorch(input, hx)
        weights = self._weights()
        states = hx if isinstance(hx, (tuple, list)) else (hx,)
        is_recorded = torch.is_grad_enabled() and any(t is not None and t.requires_grad for t in (x, *states, *weights))
        is_short = is_recorded and self._is_short(input, x) and not _torch_masks.needs_tandem(self)
        kept = None if is_short else self._network(weights)
        if kept is None:
            return self._by_pytorch(input, hx)
        if is_packed:
            x, lengths = pad_packed_sequence(input)
            y, state = self._run(kept, weights, x, hx, How(lengths.numpy(), _torch_masks.draw(self, x, input)))
            return self._packed(y, lengths, input), state
        is_single = input.dim() == 2
        turned = self.batch_first and not is_single
        x = input.unsqueeze(1) if is_single else input.transpose(0, 1) if turned else input
        if is_single and hx is not None:
            hx = hx.unsqueeze(1) if isinstance(hx, torch.Tensor) else tuple(s.unsqueeze(1) for s in hx)
        y, state = self._run(kept, weights, x, hx, How(None, _torch_masks.draw(self, x, None)))
        if is_single:
            return y.squeeze(1), tuple(s.squeeze(1) for s in state) if isinstance(state, tuple) else state.squeeze(1)
        return y.transpose(0, 1) if turned else y, state

    def _run(self, kept, weights, x, hx, how):
        is_lstm = self.mode == "LSTM"
        h, c = hx if is_lstm and hx is not None else (hx, None)
        if torch.is_grad_enabled() and any(t is not None and t.requires_grad for t in (x, h, c, *weights)):
            # Copies are recorded, because x may be written to, and after x += y it would hold the graph that holds it.
            own = [None if t is None else t.clone(memory_format=torch.contiguous_format) for t in (x, h, c)]
            y, *state = Recorded.apply(self, kept, how, *own, *weights)
        else:
            y, state = infer(kept.net, to_numpy(x), state_of(h, c), how)
            y, state = torch.from_numpy(y), tuple(map(torch.from_numpy, state if is_lstm else (state,)))
        return y, tuple(state) if is_lstm else state[0]

    @staticmethod
    def _packed(y, lengths, input):
        if input.sorted_indices is not None:
            y, lengths = y.index_select(1, input.sorted_indices), lengths[input.sorted_indices]
        packed = pack_padded_sequence(y, lengths)
        return PackedSequence(packed.data, packed.batch_sizes, input.sorted_indices, input.unsorted_indices)


class _Cells(_Tandem):
    """This is the base of LSTMCell, GRUCell and RNNCell, which make one step."""

    def _is_recorded(self, input, states):
        # Nearly always the first weight tells.
        weight = self._parameters.get("weight_ih")
        if weight is not None and weight.requires_grad:
            return True
        return any(t.requires_grad for t in (input, *states, *self._weights()) if isinstance(t, torch.Tensor))

    def _products(self, input):
        rows = input.shape[0] if isinstance(input, torch.Tensor) and input.dim() == 2 else 1
        return rows * self.hidden_size * (self.input_size + self.hidden_size) * NUM_GATES[self._cell]

    def _is_for_tandem(self, input, states):
        if input.dim() not in (1, 2) or input.shape[-1] != self.input_size or not _is_ours(input) or input.numel() == 0:
            return False
        shape = (*input.shape[:-1], self.hidden_size)
        return all(isinstance(s, torch.Tensor) and _is_ours(s) and s.shape == shape for s in states) and not _is_watched()

    @_not_compiled
    def forward(self, input, hx=None):
        """Computes as the module of PyTorch does. PyTorch itself computes steps that record gradients."""
        if isinstance(input, torch.fx.Proxy):
            return self._proxy(input, hx)
        is_lstm = self._cell == "lstm"
        # Comparing the weights with a copy takes more time than a small step saves.
        if "_is_frozen" not in self.__dict__ and self._products(input) < LEAST_PRODUCTS[self._cell]:
            return super().forward(input, hx)
        states = () if hx is None else hx if is_lstm and isinstance(hx, (tuple, list)) else (hx,)
        if torch.is_grad_enabled() and self._is_recorded(input, states):
            return super().forward(input, hx)
        is_complete = not states or len(states) == 1 + is_lstm
        kept = self._network(self._weights()) if is_complete and self._is_for_tandem(input, states) else None
        if kept is None:
            return super().forward(input, hx)
        rows = (1, *(input.shape[:-1] or (1,)), -1)
        state = [to_numpy(s).reshape(rows) for s in states]
        state = None if not state else tuple(state) if is_lstm else state[0]
        after = kept.net(to_numpy(input).reshape(rows), state)[1]
        after = [torch.from_numpy(part).view(*input.shape[:-1], -1) for part in (after if is_lstm else (after,))]
        return tuple(after) if is_lstm else after[0]


class LSTM(_Layers, torch.nn.LSTM):
    """This is torch.nn.LSTM, computed by Tandem, with its arguments and two more, which are drawn from PyTorch's generator as dropout is.

    recurrent_dropout: the probability with which a unit of h is 0 for U, in training, in all steps of a row alike (Gal and Ghahramani
    2016). zoneout: the probability with which a unit keeps its state in a step, or those of h and of c; without training states are
    mixed by it (Krueger et al. 2017).
    """
    _cell = "lstm"


class GRU(_Layers, torch.nn.GRU):
    """This is torch.nn.GRU, computed by Tandem, also with recurrent_dropout and zoneout: help(tandem_rnn.torch.LSTM)."""
    _cell = "lbr_gru"


class RNN(_Layers, torch.nn.RNN):
    """This is torch.nn.RNN, computed by Tandem, also with recurrent_dropout and zoneout: help(tandem_rnn.torch.LSTM)."""
    _cell = "vanilla_rnn"


class LSTMCell(_Cells, torch.nn.LSTMCell):
    """This is torch.nn.LSTMCell, computed by Tandem if it records no gradients."""
    _cell = "lstm"


class GRUCell(_Cells, torch.nn.GRUCell):
    """This is torch.nn.GRUCell, computed by Tandem if it records no gradients."""
    _cell = "lbr_gru"


class RNNCell(_Cells, torch.nn.RNNCell):
    """This is torch.nn.RNNCell, computed by Tandem if it records no gradients."""
    _cell = "vanilla_rnn"


_OF = {getattr(torch.nn, kind.__name__): kind for kind in (LSTM, GRU, RNN, LSTMCell, GRUCell, RNNCell)}
_RECURRENT = {kind.__name__ for kind in _OF}


class Report(NamedTuple):
    """The report has a model's recurrent modules by name: those that Tandem computes; those that PyTorch computes, with a reason;
    and the classes of PyTorch's modules that accelerate() has replaced. str() has a line of counts, and one for each module."""
    tandem: list
    pytorch: dict
    replaced: dict

    def __str__(self):
        lines = [f"recurrent modules: Tandem computes {len(self.tandem)}, PyTorch {len(self.pytorch)}; accelerate replaced {len(self.replaced)}"]
        lines += [f"{name or 'the model'}: Tandem" + (f" in place of {self.replaced[name]}" if name in self.replaced else "") for name in self.tandem]
        lines += [f"{name or 'the model'}: PyTorch, {reason}" for name, reason in self.pytorch.items()]
        return "\n".join(lines)


def _reason(module):
    """Returns why PyTorch computes a module, if it is recurrent; None for one that Tandem computes."""
    name = type(module).__name__
    if isinstance(module, _Tandem):
        other = next((w for w in module._weights() if not _is_ours(w)), None)
        return None if other is None else f"has weights of {other.dtype} ({type(other).__name__}) on {other.device}"
    if isinstance(module, torch.jit.ScriptModule):
        return "is TorchScript, which has PyTorch's operations" if module.original_name in _RECURRENT else None
    if type(module) in _OF:
        return "was not replaced"
    if isinstance(module, (torch.nn.RNNBase, torch.nn.RNNCellBase)):
        return f"is of the class {name}, which is derived from PyTorch's and may compute something else"
    if name in _RECURRENT and "quantiz" in type(module).__module__:
        return "is quantized by PyTorch"
    return None


def report(model):
    """Returns a Report of the model's modules as they are now. docs/python.md says what each call may leave to PyTorch."""
    modules = dict(model.named_modules())
    reasons = {name: _reason(module) for name, module in modules.items()}
    return Report([name for name, module in modules.items() if isinstance(module, _Tandem) and reasons[name] is None],
                  {name: reason for name, reason in reasons.items() if reason is not None},
                  {name: type(module).__name__ for name, module in modules.items() if module.__dict__.get("_is_replaced")})


def accelerate(model):
    """Makes every nn.LSTM, nn.GRU, nn.RNN and Cell of a model one of ours, in place; returns the model.

    Parameters, hooks and names stay. TorchScript and classes that are derived from PyTorch's do not change: a UserWarning names
    them. report(model) lists both kinds, and the logger tandem_rnn.torch says the same at level INFO.
    """
    for module in model.modules():
        if type(module) in _OF:
            module.__class__ = _OF[type(module)]
            module.__dict__["_is_replaced"] = True
    found = report(model)
    logging.getLogger(__name__).info("accelerate: %s", found)
    if found.pytorch:
        warnings.warn("accelerate: PyTorch computes " + "; ".join(f"{name or 'the model'}, which {reason}"
                                                                  for name, reason in found.pytorch.items()), stacklevel=2)
    elif not found.tandem:
        warnings.warn("accelerate: the model has no nn.LSTM, nn.GRU, nn.RNN and none of their Cells", stacklevel=2)
    return model


def freeze(model):
    """Says that our modules' weights are written only as PyTorch counts it: not through p.data or arrays. Returns the model.

    After freeze() no call compares the weights with a copy, which takes more time than a step. model.train() ends it.
    """
    for module in model.modules():
        if isinstance(module, _Tandem):
            module.__dict__["_is_frozen"] = True
    return model


def restore(model):
    """Makes PyTorch's modules of ours again, in place; returns the model. torch.export needs it."""
    for name, module in model.named_modules():
        if isinstance(module, _Layers) and (module.recurrent_dropout > 0 or any(module.zoneout)):
            raise ValueError(f"restore: {name or 'the model'} has recurrent_dropout or zoneout, which PyTorch's module has not")
    for module in model.modules():
        for theirs, mine in _OF.items():
            if type(module) is mine:
                for name in ("_kept", "_is_frozen", "_is_replaced"):
                    module.__dict__.pop(name, None)
                module.__class__ = theirs
    return model
