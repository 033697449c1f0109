"""This module reads audio models: JSON of RTNeural and GuitarML, Neural Amp Modeler's .nam, RNNoise's arrays. docs/python.md"""
import dataclasses
import json
import math
from typing import Optional

import numpy as np

from . import _arrays
from . import _state_dicts
from . import convert
from . import convert_torch
from ._files import name_of, read_file
from ._network import Network
from .gate_orders import places

RATE_OF_NAM = 48000.0  # for a .nam file that names none, as the format's description says
_RTNEURAL_CELLS = {"lstm": ("lstm", 4), "gru": ("lbr_gru", 3)}
_TORCH_CELLS = {"LSTM": ("lstm", 4), "GRU": ("lbr_gru", 3)}
_RNNOISE = {"tanh": "tanh", "relu": "relu", "sigmoid": "logistic"}
_DENSE = ("dense", "time-distributed-dense")


def _softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


_FUNCTIONS = {"tanh": np.tanh, "relu": lambda x: np.maximum(x, 0), "sigmoid": lambda x: 0.5 * np.tanh(0.5 * x) + 0.5,
              "elu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))), "softmax": _softmax}


@dataclasses.dataclass(frozen=True)
class Activation:
    """This is a function of each number, or softmax of the channels: tanh, relu, sigmoid, elu (with slope 1 at 0) or softmax."""
    kind: str

    def __call__(self, x):
        return _FUNCTIONS[self.kind](x).astype(np.float32)


@dataclasses.dataclass(frozen=True, eq=False)
class Dense:
    """This is x @ weight + bias. weight: (channels of x, channels of y); bias: (channels of y,). Both are float32."""
    weight: np.ndarray
    bias: np.ndarray

    def __call__(self, x):
        return x @ self.weight + self.bias


@dataclasses.dataclass(eq=False)
class Model:
    """A file describes this model.

    layers: the networks, Dense and Activation, in the order in which they are computed. skip: how many of x's first channels
    are added to y, 0 for none. state: for each network the state before the first step, of one row; None stands for zeros.
    sample_rate: in Hz, None if the file does not name it.
    """
    layers: tuple
    skip: int = 0
    state: Optional[tuple] = None
    sample_rate: Optional[float] = None

    @property
    def nets(self):
        """These are the recurrent networks."""
        return tuple(layer for layer in self.layers if isinstance(layer, Network))

    @property
    def dense(self):
        """These are the dense layers."""
        return tuple(layer for layer in self.layers if isinstance(layer, Dense))

    @property
    def slc(self):
        """This is the number of channels of x."""
        first = next(layer for layer in self.layers if not isinstance(layer, Activation))
        return first.layers[0].slc if isinstance(first, Network) else len(first.weight)

    def first_state(self, batch):
        """Returns the state before the first step for so many rows: one for each network, as the networks have them."""
        zeros = [net.zero_state(batch) for net in self.nets]
        if self.state is None:
            return zeros
        return [tuple(np.repeat(part, batch, axis=1) for part in state) if isinstance(state, tuple)
                else np.repeat(state, batch, axis=1) for state in self.state]

    def __call__(self, x, state=None):
        """Returns y and state: the outputs of all steps, and the states after the last one, a list with one for each network.

        x: (T, N, slc), float32, or (N, T, slc) for networks with batch_first. state: the result of an earlier call; None begins
        with first_state().
        """
        x = y = _arrays.checked(x, "x", (None, None, self.slc))
        if state is None:
            state = self.first_state(x.shape[0 if self.nets[0].batch_first else 1])
        elif len(state) != len(self.nets):
            raise ValueError(f"state: has {len(state)} parts, but must have one for each of {len(self.nets)} networks")
        left, after = list(state), []
        for layer in self.layers:
            if isinstance(layer, Network):
                y, last = layer(y, left.pop(0))
                after.append(last)
            else:
                y = layer(y)
        return (y + x[..., :self.skip] if self.skip else y), after


def _parse(text):
    """Returns the contents of a JSON text, as a dictionary."""
    # A list, a dictionary or a text takes more memory than its characters; a file of weights has many numbers for each.
    if sum(map(text.count, (b"[", b"{", b'"'))) > 1024 + len(text) // 16:
        raise ValueError("has too many lists, dictionaries and texts for a file of weights")
    try:
        # Python needs time that grows with the square of a whole number's digits.
        found = json.loads(text.decode(), parse_int=lambda digits: int(digits) if len(digits) < 20 else float(digits))
    except (RecursionError, ValueError) as error:
        raise ValueError(f"is no JSON, or is damaged ({error})") from None
    if type(found) is not dict:
        raise ValueError("is JSON of another kind than a dictionary")
    return found


def _model_of(path, convert_file, options):
    """Returns convert_file(contents of the JSON, options). A mistake is a sentence that begins with the file's name."""
    text = read_file(path)
    try:
        return convert_file(_parse(text), options)
    except ValueError as error:
        raise ValueError(f"{name_of(path)}: {error}") from None


def _entry(data, key, kind, place=""):
    """Returns an entry of a dictionary, which must be there and have this type."""
    if key not in data:
        raise ValueError(f"{place}{key}: is not there")
    if type(data[key]) is not kind:
        names = {dict: "dictionary", list: "list", str: "text", int: "whole number"}
        raise ValueError(f"{place}{key}: is no {names[kind]}")
    return data[key]


def _size(data, key, place):
    value = _entry(data, key, int, place)
    if value < 1:
        raise ValueError(f"{place}{key}: is {value}, but must be 1 or more")
    return value


def _one_of(data, key, known, place=""):
    value = _entry(data, key, str, place)
    if value not in known:
        raise ValueError(f"{place}{key}: is {value[:40]!r}, but must be one of {', '.join(known)}")
    return value


def _number(data, key, place=""):
    """Returns a number that may be left out."""
    value = data.get(key)
    if isinstance(value, str) and len(value) < 20:  # some programs write "48000"
        try:
            value = float(value)
        except ValueError:
            pass
    if value is not None and (type(value) not in (int, float) or not math.isfinite(value)):
        raise ValueError(f"{place}{key}: is no finite number")
    return None if value is None else float(value)


def _skip(data, key, channels, place=""):
    """Returns how many channels of x are added to y. channels: those of x and of y."""
    value = data.get(key, 0)
    if type(value) not in (int, bool) or value not in (0, channels[1]) or value > channels[0]:
        raise ValueError(f"{place}{key}: must be 0 or {channels[1]}, the channels of y, and at most {channels[0]}, those of x")
    return int(value)


def _array(values, shape, place):
    """Returns float32 numbers of a list, or of a list of lists, which must have this shape."""
    rows = values if len(shape) == 2 else [values]
    if type(rows) is not list or len(shape) == 2 and len(rows) != shape[0]:
        has = f"has {len(rows)} parts" if type(rows) is list else "is no list"
        raise ValueError(f"{place}: {has}, but must be {shape[0]} lists of {shape[1]} numbers")
    for number, row in enumerate(rows):
        what = f"{place}[{number}]" if len(shape) == 2 else place
        if type(row) is not list or len(row) != shape[-1]:
            has = f"has {len(row)} parts" if type(row) is list else "is no list"
            raise ValueError(f"{what}: {has}, but must be {shape[-1]} numbers")
        if not all(type(value) in (int, float) for value in row):
            raise ValueError(f"{what}: has a part that is no number")
    with np.errstate(over="ignore"):
        array = np.array(rows, np.float32).reshape(shape)
    if not np.isfinite(array).all():
        raise ValueError(f"{place}: has a number that is not finite in float32")
    return array


def from_rtneural(path, **options):
    """Returns the Model of a JSON file of RTNeural: lstm, gru, dense, time-distributed-dense and activation, one after the other.

    Each lstm is an LSTM of one layer, each gru an LBRGRU. in_skip = 1, which AIDA-X adds to the format, is the Model's skip.
    options: precision, backend, batch_first. ValueError names the place of what is wrong or of another kind in the file.
    """
    return _model_of(path, _of_rtneural, options)


def _channels(data, key, place=""):
    """Returns the last number of a shape, whose others may be null."""
    shape = _entry(data, key, list, place)
    if not shape or type(shape[-1]) is not int or shape[-1] < 1:
        raise ValueError(f"{place}{key}: does not end with a number of channels")
    return shape[-1]


def _of_rtneural(data, options):
    for key in "in_gain", "out_gain":
        if _number(data, key):
            raise ValueError(f"{key}: is {data[key]}, but a Model has no gain; take it out and apply it to x or y")
    before = channels = _channels(data, "in_shape")
    layers, shares = [], _entry(data, "layers", list)
    for number, share in enumerate(shares):
        place = f"layers[{number}]"
        if type(share) is not dict:
            raise ValueError(f"{place}: is no dictionary")
        after = _channels(share, "shape", place + ".")
        layers += _rtneural_layer(share, before, after, place + ".", options)
        before = after
    model = Model(tuple(layers), _skip(data, "in_skip", (channels, before)), sample_rate=_number(data, "samplerate"))
    if not model.nets:
        raise ValueError("layers: have no lstm and no gru")
    return model


def _rtneural_layer(share, before, after, place, options):
    """Returns the layers for one of the file, with so many channels before and after it: one or two."""
    kind = _one_of(share, "type", (*_RTNEURAL_CELLS, *_DENSE, "activation"), place)
    weights = _entry(share, "weights", list, place)
    if kind in _RTNEURAL_CELLS:
        if share.get("activation", "tanh") not in ("", "tanh"):
            raise ValueError(f"{place}activation: must be tanh: the format has no cells of other functions")
        return [_rtneural_network(kind, weights, before, after, place + "weights", options)]
    function = _one_of({"activation": "", **share}, "activation", ("", "linear", *_FUNCTIONS), place)
    functions = [Activation(function)] if function in _FUNCTIONS else []
    if kind == "activation":
        if before != after or weights:
            raise ValueError(f"{place}shape: an activation has no weights, and as many channels as the layer before it")
        if not functions:
            raise ValueError(f"{place}activation: must be one of {', '.join(_FUNCTIONS)}")
        return functions
    if len(weights) not in (1, 2):
        raise ValueError(f"{place}weights: must be kernel and bias, or the kernel alone")
    kernel = _array(weights[0], (before, after), place + "weights[0]")
    bias = _array(weights[1], (after,), place + "weights[1]") if len(weights) == 2 else np.zeros(after, np.float32)
    return [Dense(kernel, bias), *functions]


def _rtneural_network(kind, weights, before, after, place, options):
    cell, gates = _RTNEURAL_CELLS[kind]
    if len(weights) != 3:
        raise ValueError(f"{place}: must be kernel, recurrent_kernel and bias")
    columns = gates * after
    shapes = (before, columns), (after, columns), (columns,) if cell == "lstm" else (2, columns)
    arrays = [_array(part, shape, f"{place}[{number}]") for number, (part, shape) in enumerate(zip(weights, shapes))]
    return convert.from_keras(arrays, cell=cell, **{"batch_first": False, **options})


def from_guitarml(path, **options):
    """Returns the Model of a JSON file of GuitarML (Proteus, Automated-GuitarAmpModelling): an LSTM or GRU of PyTorch, a dense
    layer, and a skip connection, which adds x to y.

    A GRU becomes an LBRGRU. options: precision, backend, batch_first. ValueError names the place of what is wrong in the file.
    """
    return _model_of(path, _of_guitarml, options)


def _of_guitarml(data, options):
    about, state, place = _entry(data, "model_data", dict), _entry(data, "state_dict", dict), "model_data."
    if about.get("model", "SimpleRNN") != "SimpleRNN":
        raise ValueError(f"{place}model: must be SimpleRNN")
    cell, gates = _TORCH_CELLS[_one_of(about, "unit_type", _TORCH_CELLS, place)]
    channels, units, outputs = (_size(about, f"{name}_size", place) for name in ("input", "hidden", "output"))
    count = _size({"num_layers": 1, **about}, "num_layers", place)
    tensors = {}
    for layer in range(count):  # it ends at the first layer that is not there
        shapes = {"weight_ih": (gates * units, channels if layer == 0 else units), "weight_hh": (gates * units, units),
                  "bias_ih": (gates * units,), "bias_hh": (gates * units,)}
        for name, shape in shapes.items():
            key = f"rec.{name}_l{layer}"
            tensors[key] = _array(_entry(state, key, list, "state_dict."), shape, f"state_dict.{key}")
    weight = _array(_entry(state, "lin.weight", list, "state_dict."), (outputs, units), "state_dict.lin.weight")
    bias = np.zeros(outputs, np.float32)
    if about.get("bias_fl", True) or "lin.bias" in state:
        bias = _array(_entry(state, "lin.bias", list, "state_dict."), (outputs,), "state_dict.lin.bias")
    known = {*tensors, "lin.weight", "lin.bias"}
    for name in state:
        if name not in known:
            raise ValueError(f"state_dict: has {name[:40]!r}, which is no weight of {count} layers and a dense one")
    net = convert.torch_network(cell, convert_torch.to_specification(cell, tensors), **options)
    skip = _skip(about, "skip", (channels, outputs), place)
    return Model((net, Dense(np.ascontiguousarray(weight.T), bias)), skip, sample_rate=_number(about, "sample_rate", place))


def from_nam(path, **options):
    """Returns the Model of a .nam file of Neural Amp Modeler whose architecture is LSTM. Model.state is the file's first state.

    options: precision, backend, batch_first. ValueError names the place of what is wrong, or another architecture.
    """
    return _model_of(path, _of_nam, options)


def _of_nam(data, options):
    _one_of(data, "architecture", ("LSTM",))
    config = _entry(data, "config", dict)
    channels, units = (_size(config, key, "config.") for key in ("input_size", "hidden_size"))
    count = _size({"num_layers": 1, **config}, "num_layers", "config.")
    # Each layer has 4 gates of a matrix for x and h, and a bias; h and c before the first step.
    sizes = [4 * units * (inputs + units + 1) + 2 * units for inputs in (channels, units)]
    wanted = sizes[0] + (count - 1) * sizes[1] + units + 1
    left = _array(_entry(data, "weights", list), (wanted,), "weights")
    tensors, states = {}, []
    for layer in range(count):
        inputs = units if layer else channels
        matrix, bias, state, left = np.split(left, np.cumsum([4 * units * (inputs + units), 4 * units, 2 * units]))
        matrix = matrix.reshape(4 * units, inputs + units)
        tensors.update({f"weight_ih_l{layer}": matrix[:, :inputs], f"weight_hh_l{layer}": matrix[:, inputs:],
                        f"bias_ih_l{layer}": bias, f"bias_hh_l{layer}": np.zeros_like(bias)})
        states.append(state.reshape(2, 1, units))
    net = convert.torch_network("lstm", convert_torch.to_specification("lstm", tensors), **options)
    rate = _number(data, "sample_rate")
    return Model((net, Dense(left[:units].reshape(units, 1), left[units:])), state=(tuple(np.stack(states, axis=1)),),
                 sample_rate=RATE_OF_NAM if rate is None else rate)


def rnnoise_grus(arrays, activations, *, scale=256, **options):
    """Returns networks of the GRUs of RNNoise 0.1, or of Opus's analysis: a dictionary with a GRU for each name of activations.

    arrays: a mapping, such as numpy.load() of an .npz gives, with the arrays of the C file: <name>_weights,
    <name>_recurrent_weights (of Opus <name>_recur_weights) and <name>_bias, flat or with one row for each input. scale: what one is
    as an integer, 256 of RNNoise, 128 of Opus; other numbers are taken as they are.
    activations: for each name, vad_gru, noise_gru or denoise_gru, of Opus layer1, its activation in the C file: tanh, relu or sigmoid, of
    the candidate; both gates are sigmoid in any case. options: precision, backend, batch_first.
    """
    nets = {}
    for name, activation in activations.items():
        if activation not in tuple(_RNNOISE):
            raise ValueError(f"{name}: has the activation {activation!r}, but must have one of {', '.join(_RNNOISE)}")
        recurrent = "recur_weights" if f"{name}_recur_weights" in arrays else "recurrent_weights"
        parts = [_rnnoise_array(arrays, f"{name}_{part}", scale) for part in ("weights", recurrent, "bias")]
        units, rest = divmod(parts[2].size, 3)
        if rest or not units or parts[2].ndim != 1:
            raise ValueError(f"{name}_bias: has shape {parts[2].shape}, but must have 3 gates of as many units")
        inputs = parts[0].size // (3 * units)
        for part, rows, key in zip(parts, (inputs, units), ("weights", recurrent)):
            if part.shape not in ((rows * 3 * units,), (rows, 3 * units)) or not rows:
                raise ValueError(f"{name}_{key}: has shape {part.shape}, but must have rows of {3 * units} numbers"
                                 + f", {units} of them" * (key != "weights"))
        weights = [part.reshape(-1, 3, units)[:, places("opus", "gru")] for part in parts]
        part = {"weights_layer": weights[0], "weights_iter": weights[1], "bias": weights[2][0]}
        nets[name] = _state_dicts.of_parts(_state_dicts.KINDS["gru"], [part], (), {"activations": ("logistic", _RNNOISE[activation]), **options})
    return nets


def _rnnoise_array(arrays, key, scale):
    if key not in arrays:
        raise ValueError(f"{key}: is not there")
    array = np.asarray(arrays[key])
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{key}: is {array.dtype}, but must have numbers")
    with np.errstate(over="ignore"):
        array = array.astype(np.float32) / np.float32(1 if array.dtype.kind == "f" else scale)
    if not np.isfinite(array).all():
        raise ValueError(f"{key}: has a number that is not finite in float32")
    return array
