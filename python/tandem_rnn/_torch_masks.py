"""The masks of a PyTorch module's dropout and zoneout, drawn from PyTorch's generator."""
import torch
from torch.nn.functional import dropout
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence

from . import _masked


def probability(name, value):
    """The number, checked."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ValueError(f"{name}: is {value!r}, but must be a number from 0 to 1, the probability of a unit")
    return float(value)


def zoneouts(value, is_lstm):
    """Those of h and of c."""
    if not isinstance(value, (tuple, list)):
        return probability("zoneout", value), probability("zoneout", value) if is_lstm else 0.0
    if not is_lstm or len(value) != 2:
        raise ValueError(f"zoneout: is {value!r}, but must be a number, or for LSTM also a pair, of h and of c")
    return tuple(probability("zoneout", each) for each in value)


def needs_tandem(module):
    """Whether the module computes something now that PyTorch's has not."""
    return any(module.zoneout) or (module.training and module.recurrent_dropout > 0)


def _of_ones(p, *shape):
    """Zeros and 1 / (1 - p): what dropout makes of ones. The draws are those of torch.nn.functional.dropout on such a tensor."""
    return dropout(torch.ones(shape), p, training=True)


def _between(module, x, packed):
    """As PyTorch draws them: on the output of each layer but the last, of a PackedSequence on its data."""
    channels = (module.proj_size or module.hidden_size) * (1 + module.bidirectional)
    result = []
    for _ in range(module.num_layers - 1):
        if packed is None:
            result.append(_of_ones(module.dropout, *x.shape[:2], channels))
        else:
            mask = _of_ones(module.dropout, len(packed.data), channels)
            result.append(pad_packed_sequence(PackedSequence(mask, *packed[1:]))[0])
    return [mask.numpy() for mask in result]


def _zoneout(p, is_training, *shape):
    """Draws; without training their expectation."""
    mask = torch.full(shape, p)
    return (torch.bernoulli(mask) if is_training else mask).numpy()


def draw(module, x, packed):
    """A Masks for x, (T, N, channels), or None where the module multiplies by nothing. packed: the PackedSequence that x was."""
    is_training, (of_h, of_c) = module.training, module.zoneout
    has_between = is_training and module.dropout > 0 and module.num_layers > 1
    if not has_between and not needs_tandem(module):
        return None
    between = _between(module, x, packed) if has_between else []
    inside, directions = [], 1 + module.bidirectional
    units, cells = module.proj_size or module.hidden_size, module.hidden_size
    for _ in range(module.num_layers):
        of_layer = {}
        if is_training and module.recurrent_dropout > 0:
            of_layer["mask_iter"] = _of_ones(module.recurrent_dropout, 1, directions, x.shape[1], units).numpy()
        if of_h > 0:
            of_layer["zoneout_iter"] = _zoneout(of_h, is_training, 1, directions, *x.shape[:2], units)
        if of_c > 0:
            of_layer["zoneout_iter_c"] = _zoneout(of_c, is_training, 1, directions, *x.shape[:2], cells)
        inside.append(of_layer)
    return _masked.Masks(between, inside)
