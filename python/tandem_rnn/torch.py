"""torch.nn.LSTM, GRU and RNN computed by Tandem: the same arguments, parameters and state dict, forward and autograd.

    model = tandem_rnn.torch.accelerate(model)     # or tandem_rnn.torch.LSTM(80, 256) in place of torch.nn.LSTM

Tensors of the CPU in float32; a PackedSequence, too. Other tensors, and dropout between layers while training, are left to
PyTorch. There is no second derivative.
"""
import torch
from torch.autograd.function import once_differentiable
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from . import convert
from . import convert_torch
from . import torch_weights

__all__ = ["GRU", "LSTM", "RNN", "accelerate"]


class _Recorded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, module, net, lengths, x, h, c, *parameters):
        ctx.module = module
        ctx.tape = net.record(_numpy(x), _state(h, c), lengths)
        ctx.tape.y.flags.writeable = True
        y = torch.from_numpy(ctx.tape.y)
        ctx.save_for_backward(y)  # so that autograd sees whether somebody writes to it
        state = ctx.tape.state if module.mode == "LSTM" else (ctx.tape.state,)
        return (y, *map(torch.from_numpy, state))

    @staticmethod
    @once_differentiable
    def backward(ctx, diff_y, *diff_state):
        ctx.saved_tensors
        diffs = tuple(map(_numpy, diff_state))
        is_lstm = ctx.module.mode == "LSTM"
        found = ctx.tape.backward(_numpy(diff_y), diffs if is_lstm else diffs[0])
        named = _gradients(ctx.module, found.weights)
        state = found.state if is_lstm else (found.state, None)
        state = [None if s is None or not n else torch.from_numpy(s) for s, n in zip(state, ctx.needs_input_grad[4:6])]
        return (None, None, None, torch.from_numpy(found.x), *state,
                *(torch.from_numpy(named[name]) for name in ctx.module._parameters))


def _numpy(tensor):
    return (tensor.detach() if tensor.requires_grad else tensor).numpy()


def _state(h, c):
    if h is None:
        return None
    return _numpy(h) if c is None else (_numpy(h), _numpy(c))


def _gradients(module, weights):
    """The parameters' gradients by their names, from those of the specification's tensors."""
    result = {}
    for layer, parts in enumerate(weights):
        for direction in range(1 + module.bidirectional):
            one = {name: array[0, direction] for name, array in parts.items()}
            for name, array in torch_weights.gradients_to_torch(module._cell, **one).items():
                result[f"{name}_l{layer}" + "_reverse" * direction] = array
    return result


def _is_ours(tensor):
    return tensor.dtype is torch.float32 and tensor.is_cpu


class _Tandem:
    """What the three modules share."""

    def _network(self):
        """The network with the parameters as they are now, converted anew when one has changed; None: not for Tandem."""
        parameters = self._parameters
        version = [(p.data_ptr(), p._version) for p in parameters.values()]
        kept = self.__dict__.get("_kept")
        if kept is None or kept[0] != version:
            if not all(map(_is_ours, parameters.values())):
                return None
            tensors = convert_torch.to_specification(self._cell, {name: _numpy(p) for name, p in parameters.items()})
            if kept is None:
                options = {"activation": self.nonlinearity} if self._cell == "vanilla_rnn" else {}
                net = convert.torch_network(self._cell, tensors, **options)
            else:
                net = kept[1]
                net.set_weights(convert.layers_of(tensors))
            kept = self.__dict__["_kept"] = (version, net)
        return kept[1]

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name != "_kept"}

    def _network_for(self, x, hx):
        """The network, or None if PyTorch has to compute this."""
        if not _is_ours(x) or x.numel() == 0 or (self.training and self.dropout > 0 and self.num_layers > 1):
            return None
        if hx is not None:
            for tensor in hx if isinstance(hx, tuple) else (hx,):
                if not _is_ours(tensor):
                    return None
        return self._network()

    def forward(self, input, hx=None):
        """As the module of PyTorch."""
        is_packed = isinstance(input, PackedSequence)
        net = self._network_for(input.data if is_packed else input, hx)
        if net is None:
            return super().forward(input, hx)
        if is_packed:
            x, lengths = pad_packed_sequence(input)
            y, state = self._run(net, x, hx, lengths.numpy())
            return self._packed(y, lengths, input), state
        if input.dim() not in (2, 3):
            raise ValueError(f"input: has {input.dim()} dims, but must have 3, or 2 without a batch")
        is_single = input.dim() == 2
        turned = self.batch_first and not is_single
        x = input.unsqueeze(1) if is_single else input.transpose(0, 1) if turned else input
        if is_single and hx is not None:
            hx = tuple(s.unsqueeze(1) for s in hx) if isinstance(hx, tuple) else hx.unsqueeze(1)
        y, state = self._run(net, x, hx, None)
        if is_single:
            return y.squeeze(1), tuple(s.squeeze(1) for s in state) if isinstance(state, tuple) else state.squeeze(1)
        return y.transpose(0, 1) if turned else y, state

    def _run(self, net, x, hx, lengths):
        is_lstm = self.mode == "LSTM"
        h, c = hx if is_lstm and hx is not None else (hx, None)
        if torch.is_grad_enabled() and any(
                t is not None and t.requires_grad for t in (x, h, c, *self._parameters.values())):
            y, *state = _Recorded.apply(self, net, lengths, x, h, c, *self._parameters.values())
        else:
            y, state = net(_numpy(x), _state(h, c), lengths)
            y, state = torch.from_numpy(y), tuple(map(torch.from_numpy, state if is_lstm else (state,)))
        return y, tuple(state) if is_lstm else state[0]

    @staticmethod
    def _packed(y, lengths, input):
        if input.sorted_indices is not None:
            y, lengths = y.index_select(1, input.sorted_indices), lengths[input.sorted_indices]
        packed = pack_padded_sequence(y, lengths)
        return PackedSequence(packed.data, packed.batch_sizes, input.sorted_indices, input.unsorted_indices)


class LSTM(_Tandem, torch.nn.LSTM):
    """torch.nn.LSTM, computed by Tandem."""
    _cell = "lstm"


class GRU(_Tandem, torch.nn.GRU):
    """torch.nn.GRU, computed by Tandem."""
    _cell = "lbr_gru"


class RNN(_Tandem, torch.nn.RNN):
    """torch.nn.RNN, computed by Tandem."""
    _cell = "vanilla_rnn"


_OF = {torch.nn.LSTM: LSTM, torch.nn.GRU: GRU, torch.nn.RNN: RNN}


def accelerate(model):
    """Makes every nn.LSTM, nn.GRU and nn.RNN of a model one of ours, in place; returns the model.

    Parameters, hooks and names stay. Classes that are derived from them stay PyTorch's.
    """
    for module in model.modules():
        if type(module) in _OF:
            module.__class__ = _OF[type(module)]
    return model
