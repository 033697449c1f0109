"""Weights of PyTorch, Keras and others become networks. docs/coming_from.md says how each maps to the specification's."""
import os
from collections.abc import Mapping

import numpy as np

from . import _gates
from . import _keras_files
from . import _quantized
from . import _saved as _saved_form
from . import _state_dicts
from . import convert_torch
from . import torch_weights
from ._files import name_of
from ._network import CELLS, LBRGRU, LSTM, RNN
from .gate_orders import places

_TORCH = {"lstm": LSTM, "lbr_gru": LBRGRU, "vanilla_rnn": RNN}


def torch_network(cell, tensors, **options):
    """Returns the network of the tensors that convert_torch.to_specification made."""
    weights = convert_torch.layers_of(tensors)
    first = weights[0]["weights_layer"].shape
    if "weights_projection" in weights[0]:
        options["dic"] = weights[0]["weights_projection"].shape[3]
    return _TORCH[cell](first[2], first[4], len(weights), direction="concat" if first[1] == 2 else "left2right",
                        bias="bias" in weights[0], weights=weights, **options)


def torch_cell(module):
    """Returns the specification's cell of nn.LSTM, GRU, RNN and their single-step Cells, and the options that it sets."""
    for kind in type(module).__mro__:
        if kind.__module__.startswith("torch.nn.modules.rnn") and kind.__name__ in _KINDS:
            break
    else:
        raise TypeError(f"{type(module).__name__} is no nn.LSTM, GRU, RNN, LSTMCell, GRUCell or RNNCell")
    options = {"batch_first": bool(getattr(module, "batch_first", False))}
    cell = _KINDS[kind.__name__]
    if cell == "vanilla_rnn":
        options["activation"] = module.nonlinearity
    return cell, options


_KINDS = {"LSTM": "lstm", "GRU": "lbr_gru", "RNN": "vanilla_rnn", "LSTMCell": "lstm", "GRUCell": "lbr_gru",
          "RNNCell": "vanilla_rnn"}


def from_torch(module, **options):
    """Returns the network of an nn.LSTM, nn.GRU or nn.RNN, or of their Cells (one step: x has T = 1).

    x, states and outputs are as the module's, batch_first too. Dropout between layers is for training and left out.
    options: precision, backend. GRU becomes LBRGRU.
    """
    cell, found = torch_cell(module)
    state = {name: _state_dicts.to_array(array, name) for name, array in module.state_dict().items()}
    for name in getattr(module, "_flat_weights_names", ("weight_ih", "weight_hh")):
        if name not in state:
            raise ValueError(f"{name}: is computed from other parameters (weight_norm, pruning, a parametrization); make it a "
                             "parameter first, as torch.nn.utils.remove_weight_norm() and the like do")
    return torch_network(cell, convert_torch.to_specification(cell, state), **{**found, **options})


def from_safetensors(path, prefix=None, *, cell=None, **options):
    """Returns the network of an RNN module in a safetensors file with PyTorch's names, or of a file that its save() wrote.

    prefix: the module's name, if there are several (encoder for encoder.weight_ih_l0). cell: lstm, lbr_gru or
    vanilla_rnn; None looks at the number of gates. options: batch_first, activation (of vanilla_rnn), precision, backend.
    """
    try:
        return _of_file(*convert_torch.read_safetensors(path), prefix, cell, options)
    except ValueError as error:
        name = name_of(path)
        raise ValueError(str(error) if name in str(error) else f"{name}: {error}") from None


def from_state_dict(state, prefix=None, *, framework="pytorch", cell=None, forget_bias=1.0, **options):
    """Returns the network of a dictionary, perhaps nested, of arrays or PyTorch's tensors, by the names of a framework.

    pytorch: the names of a state dict (weight_ih_l0), also of a part of a checkpoint; tensorflow1: the variables of BasicLSTMCell,
    LSTMCell, GRUCell or BasicRNNCell (kernel, bias; forget_bias is added to the forget gate, as the cell does); flax: the
    parameters of linen's LSTMCell, OptimizedLSTMCell, GRUCell or SimpleCell; madmom: the gates' arrays of an LSTMLayer
    (input_gate.weights), with its init and cell_init; keras: kernel, recurrent_kernel and bias, as from_keras(). Dots and slashes
    in names are the same. prefix: what is before those names, if there are several; of all but pytorch, a layer has one
    prefix, or a pair of them for both directions. cell: lstm, gru, lbr_gru or vanilla_rnn, if the names do not tell.
    options: direction, batch_first, activation (of vanilla_rnn), precision, backend.
    """
    if framework == "keras":
        return from_keras(state, prefix, cell=cell, **options)
    if framework == "pytorch":
        named = {name: value for name, value in _state_dicts.flattened(state).items() if hasattr(value, "shape")}
        arrays = {name: _state_dicts.to_array(value, name) for name, value in named.items() if convert_torch.is_weight(name)}
        return _of_file(arrays, {}, prefix, cell, options)
    if framework not in ("flax", "madmom", "tensorflow1"):
        raise ValueError(f"framework: is {framework!r}, but must be pytorch, keras, tensorflow1, flax or madmom")
    return _state_dicts.network(state, prefix, framework, cell, forget_bias, options)


def _of_file(tensors, metadata, prefix, cell, options):
    saved = convert_torch.layers_of(tensors) if prefix is None else []
    if saved:
        _saved_form.check(tensors, metadata)
    if saved and "quantization" in metadata:
        net = _quantized.read(saved, tensors, metadata, lambda weights: _saved(weights, metadata, cell, options))
        return _saved_form.with_first_state(net, tensors)
    if saved:
        return _saved_form.with_first_state(_saved(saved, metadata, cell, options), tensors)
    if cell is None:
        place, weights = next(iter(convert_torch.module_cells(tensors, prefix).items()))
        convert_torch.check_layer(place, weights)
        gates = _count_gates(weights["weight_hh"].shape[0], weights.get("weight_hr", weights["weight_hh"]).shape[1])
        cell = {len(order): name for name, order in torch_weights.GATES.items()}[gates]
    if cell not in _TORCH:
        raise ValueError(f"cell: is {cell!r}, but must be one of {', '.join(_TORCH)}")
    return torch_network(cell, convert_torch.to_specification(cell, tensors, prefix), **options)


def _saved(weights, metadata, cell, options):
    """Returns the network of the specification's weights, and of the metadata of net.save()."""
    cell = cell or metadata.get("cell")
    if cell not in CELLS:
        raise ValueError(f"cell: is {cell!r}, but must be one of {', '.join(CELLS)}")
    first = weights[0]["weights_layer"].shape
    found = {"bias": "bias" in weights[0], "weights": weights, "precision": metadata.get("precision", "float32"),
             "batch_first": metadata.get("batch_first") == "True"}
    if not cell.endswith("augru"):
        found.update(layers=len(weights), direction=metadata.get("direction") or ("concat" if first[1] == 2 else "left2right"))
    if cell == "lstm" and "weights_peephole" in weights[0]:
        found["peephole"] = True
    if "weights_projection" in weights[0]:
        found["dic"] = weights[0]["weights_projection"].shape[3]
    if cell == "vanilla_rnn":
        found.update(activation=metadata.get("activation", "tanh"), alpha=float(metadata.get("alpha", 0)),
                     beta=float(metadata.get("beta", 0)))
    found.update(_gates.of_metadata(metadata))
    return CELLS[cell](first[2], first[4], **{**found, **options})


def _count_gates(rows, units):
    if not units:
        raise ValueError("weights: have no units")
    gates, rest = divmod(rows, units)
    if rest or gates not in (1, 3, 4):
        raise ValueError(f"{rows} columns for {units} units are {rows / units:g} gates; LSTM has 4, GRU 3, RNN 1")
    return gates


def _keras_arrays(weights):
    if hasattr(weights, "get_weights"):
        raise TypeError(f"weights: is a {type(weights).__name__}, but must be what its get_weights() gives")
    arrays = [np.asarray(array) for array in weights]
    for array in arrays:
        if array.dtype.kind not in "fiu":
            raise TypeError(f"weights: has an array of {array.dtype}, but must have numbers")
    return [np.asarray(array, np.float32) for array in arrays]


def _is_file(source):
    return isinstance(source, (str, bytes, os.PathLike)) or hasattr(source, "read")


def _of_source(source, layer):
    """Returns (the result of get_weights(), options) of a file, a dictionary by names, or of the list itself."""
    if _is_file(source):
        return _keras_files.read(source, layer)
    if isinstance(source, Mapping):
        found = _state_dicts.flattened(source)
        names = {name.replace(".", "/"): name for name in found}
        layers = _keras_files.layers_of(names)
        return [found[names[name]] for side in layers[_keras_files.choose(layers, layer)] for name in side], {}
    if layer is not None:
        raise ValueError("layer: is given, but the weights are a list without names")
    return source, {}


def _of_cudnn(kernel, recurrent, gates):
    """Returns kernel and recurrent_kernel as other layers have them: cuDNN's matrix of a gate has units rows."""
    units = len(recurrent)
    parts = [[part.reshape(units, len(array)).T for part in np.split(array, gates, axis=1)] for array in (kernel, recurrent)]
    return [np.concatenate(matrices, axis=1) for matrices in parts]


def _keras_cell(arrays, has_bias, wanted):
    """Returns (the cell of a direction's arrays, its gates, the shape of its bias, whether it is a layer for cuDNN)."""
    if any(array.ndim != 2 for array in arrays[:2]):
        raise ValueError("weights: kernel and recurrent_kernel must have 2 dims")
    units = len(arrays[1])
    gates = _count_gates(arrays[1].shape[1], units)
    is_cudnn = has_bias and gates > 1 and arrays[2].shape == (2 * gates * units,)
    cell = {4: "lstm", 1: "vanilla_rnn"}.get(gates) or (
        ("lbr_gru" if is_cudnn or arrays[2].ndim == 2 else "gru") if has_bias else wanted)
    if cell is None or wanted not in (None, cell):
        raise ValueError(f"cell: is {wanted!r}, but these weights are of {cell or 'gru or lbr_gru'}")
    columns = gates * units
    return cell, gates, (2 * columns,) if is_cudnn else (2, columns) if cell == "lbr_gru" else (columns,), is_cudnn


def _check_pair(arrays, units, direction):
    """Makes sure that arrays of two directions are not those of two layers, one above the other."""
    first, second = arrays[0], arrays[len(arrays) // 2]
    if second.shape == first.shape and len(first) == units and direction not in ("concat", "sum"):
        raise ValueError("weights: may be of one Bidirectional or of two layers; say direction=\"concat\" or \"sum\" for "
                         "Bidirectional, or give each layer's weights to a call of its own")
    if len(first) != units and second.shape[:1] == (units,):
        raise ValueError("weights: are of two layers; give each layer's to a call of its own")


def from_keras(weights, layer=None, *, cell=None, **options):
    """Returns the network of Keras's LSTM, GRU, SimpleRNN, or Bidirectional around one. x is (N, T, slc), as Keras has it.

    weights: a file (.keras, .h5, .weights.h5; a path or an open file; h5py reads it), of which layer is the layer's name, if
    there are several; or a dictionary of arrays by names that end with kernel, recurrent_kernel and bias; or the list that
    layer.get_weights() gives. In a list, those of both directions are of Bidirectional with merge_mode concat (options:
    direction="sum" for sum); direction must be given if x has as many channels as the state, because two layers have such
    weights, too. Files with a configuration say the direction, and the activations: tanh, sigmoid, relu, hard_sigmoid, softsign,
    softplus, elu, linear, leaky_relu, and SimpleRNN's relu6 and hard_tanh. Arrays need the option activations for others than tanh.
    cell: gru or lbr_gru (reset_after=True, Keras's default), for a GRU without a bias, which does not tell. Weights of CuDNNLSTM
    and CuDNNGRU are known by their bias of two halves.
    """
    arrays, told = _of_source(weights, layer)
    try:
        return _of_keras(_keras_arrays(arrays), cell or told.pop("cell", None), {**told, **options})
    except ValueError as error:
        raise ValueError(f"{name_of(weights)}: {error}" if _is_file(weights) else str(error)) from None


def _of_keras(arrays, cell, options):
    sizes = {2: (1, False), 3: (1, True), 4: (2, False), 6: (2, True)}
    if len(arrays) not in sizes:
        raise ValueError(f"weights: are {len(arrays)} arrays, but must be kernel, recurrent_kernel, bias, of one direction "
                         "or of two")
    directions, has_bias = sizes[len(arrays)]
    found, gates, bias_shape, is_cudnn = _keras_cell(arrays, has_bias, cell)
    units = len(arrays[1])
    if directions == 2:
        _check_pair(arrays, units, options.get("direction"))
    shapes = {"kernel": (arrays[0].shape[0], gates * units), "recurrent_kernel": (units, gates * units), "bias": bias_shape}
    parts = []
    for d in range(directions):
        kernel, recurrent, *bias = arrays[d * len(arrays) // directions:(d + 1) * len(arrays) // directions]
        for (name, shape), array in zip(shapes.items(), (kernel, recurrent, *bias)):
            if array.shape != shape:
                raise ValueError(f"weights: {name} has shape {array.shape}, but must have {shape}")
        if is_cudnn:
            kernel, recurrent = _of_cudnn(kernel, recurrent, gates)
        order = places("keras", found)
        part = {"weights_layer": kernel.reshape(-1, gates, units)[:, order],
                "weights_iter": recurrent.reshape(units, gates, units)[:, order]}
        if bias:
            halves = bias[0].reshape(-1, gates, units)[:, order]
            part["bias"] = _state_dicts.joined_biases(found, halves[0], halves[1]) if len(halves) == 2 else halves[0]
        parts.append(part)
    return _state_dicts.of_parts(_state_dicts.KINDS[found], parts, (), {"batch_first": True, **options})
