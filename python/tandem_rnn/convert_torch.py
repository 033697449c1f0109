#!/usr/bin/env python3
"""Converts the weights of torch.nn.LSTM, GRU and RNN to the specification's tensors and back; needs numpy.

usage: convert_torch.py to-specification CELL STATE_DICT OUT.safetensors [MODULE]
       convert_torch.py to-torch CELL IN.safetensors STATE_DICT

CELL is lstm, lbr_gru (torch.nn.GRU) or vanilla_rnn (torch.nn.RNN). STATE_DICT is a safetensors file with PyTorch's names
(weight_ih_l0, ...; of nn.LSTMCell and the like weight_ih, ...) or, if PyTorch 1.13 or later is installed, a state dict that
torch.save wrote (.pt, .pth); reading it runs no code of the file. MODULE is the name of the RNN module in it, if there are
several; names of other layers are passed over.

The specification's file has, for each layer l of the module, l.weights_layer, l.weights_iter, and if the module has them
l.bias and l.weights_projection: the tensors of a problem of one layer, with one direction or both (bidirectional_concat),
dense, with the dims of docs/equations.md. dst_layer of one layer is src_layer of the next. C++ runs it by tandem/network.hpp.
"""
import inspect
import itertools
import re
import sys
import zipfile

import numpy as np

if __package__:
    from . import torch_weights
    from ._files import name_of, open_file, whole_file
    from ._safetensors import read_safetensors, write_safetensors
else:  # run by its path
    import torch_weights
    from _files import name_of, open_file, whole_file
    from _safetensors import read_safetensors, write_safetensors

    if __name__ == "__main__":
        del sys.path[0]  # the program's folder has a torch.py, which would be taken for PyTorch

# The pattern matches a module's name, a weight's, its layer, and whether it is reverse. Cells have neither of the last two.
_NAME = re.compile(r"(?:(.*)\.)?(weight_ih|weight_hh|weight_hr|bias_ih|bias_hh)(?:_l([0-9]{1,9})(_reverse)?)?", re.DOTALL)


_TENSOR = r"([0-9]{1,9})\.(weights_\w+|bias)"


def _check_archive(path, file, size):
    """Makes sure that a file is one that torch.save writes since PyTorch 1.6, and has no more bytes inside than outside.

    In the formats before, and in those of TorchScript, torch.load runs code or lets it run, whatever its arguments are.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            parts = archive.infolist()
    except (NotImplementedError, ValueError, zipfile.BadZipFile):
        parts = []
    if not any(part.filename.endswith("/data.pkl") for part in parts):
        raise ValueError(f"{path}: is no file of torch.save() of PyTorch 1.6 or later, or is damaged")
    if any(part.filename.endswith("/constants.pkl") for part in parts):
        raise ValueError(f"{path}: is a file of TorchScript; save module.state_dict()")
    if sum(part.file_size for part in parts) > size:
        raise ValueError(f"{path}: is compressed, which torch.save() does not do")


def _load(path):
    """Returns what torch.save wrote, if that is tensors, numbers and texts in dictionaries and lists."""
    import torch  # only its own format needs it

    if "weights_only" not in inspect.signature(torch.load).parameters:
        raise ValueError(f"{path}: torch.load() of PyTorch {torch.__version__} runs code that a file has; take PyTorch 1.13 or "
                         "later, or a safetensors file")
    with open_file(path) as (file, size):
        path = name_of(path)
        _check_archive(path, file, size)
        file.seek(0)
        try:
            found = torch.load(file, map_location="cpu", weights_only=True)
        except Exception as error:  # errors of many classes for damaged files
            reason = str(error).partition("\n")[0]
            raise ValueError(f"{path} holds more than tensors, or is damaged: save module.state_dict() ({reason})") from None
    if not isinstance(found, dict):
        raise ValueError(f"{path} holds a {type(found).__name__}, but must have module.state_dict()")
    # A tensor with strides of 0 has any shape with a few bytes.
    tensors = {name: tensor for name, tensor in found.items() if isinstance(tensor, torch.Tensor) and _NAME.fullmatch(str(name))}
    if sum(4 * tensor.numel() for tensor in tensors.values()) > 4 * size:
        raise ValueError(f"{path}: its tensors have more numbers than the file has bytes")
    return {str(name): tensor.detach().float().numpy() for name, tensor in tensors.items()}


def read_state_dict(path):
    """Returns a state dict's arrays by name: all tensors, or in a file of PyTorch those that may be an RNN's."""
    return read_safetensors(path)[0] if name_of(path).endswith(".safetensors") else _load(path)


def write_state_dict(path, tensors):
    if path.endswith(".safetensors"):
        write_safetensors(path, tensors)
        return
    import torch

    with whole_file(path) as file:
        torch.save({name: torch.from_numpy(np.array(array)) for name, array in tensors.items()}, file)


def is_weight(name):
    """Returns whether a name may be that of a weight of an RNN module, or of the specification's tensors."""
    return _NAME.fullmatch(name) is not None or re.fullmatch(_TENSOR, name) is not None


def module_cells(state_dict, module=None):
    """Returns the weights of one RNN module: (layer, direction) to a dictionary of arrays by PyTorch's names without the end."""
    modules = {}
    for name in state_dict:
        match = _NAME.fullmatch(name)
        if match is not None:
            place = int(match[3] or 0), int(match[4] is not None)
            found = modules.setdefault(match[1] or "", {}).setdefault(place, {})
            if match[2] in found:
                raise ValueError(f"{name} is there twice, as a layer's weight and as a cell's")
            found[match[2]] = name
    if module is None and len(modules) == 1:
        module = next(iter(modules))
    if not modules:
        raise ValueError("no name is that of a weight of an RNN module, such as weight_ih_l0")
    if module not in modules:
        asked = "there are several" if module is None else f"{module} is none of them"
        raise ValueError(f"the RNN modules are {', '.join(repr(name) for name in sorted(modules))}: {asked}")
    return {place: {mine: np.asarray(state_dict[name], np.float32) for mine, name in names.items()}
            for place, names in modules[module].items()}


def check_layer(place, weights):
    """Makes sure that a layer has the matrices and vectors that it needs."""
    missing = {"weight_ih", "weight_hh"} - set(weights)
    if missing:
        raise ValueError(f"layer {place[0]} has no {missing.pop()}")
    if ("bias_ih" in weights) != ("bias_hh" in weights):
        raise ValueError(f"layer {place[0]} has one bias of two")
    for name, array in weights.items():
        if array.ndim != 2 - name.startswith("bias"):
            raise ValueError(f"layer {place[0]}: {name} has {array.ndim} dims")


def check_cell(cell, place, weights):
    """Makes sure that a layer's weights are of this cell; PyTorch's modules differ in the number of gates."""
    check_layer(place, weights)
    rows, channels = weights["weight_hh"].shape
    units = weights["weight_hr"].shape[1] if "weight_hr" in weights else channels
    if rows != len(torch_weights.GATES[cell]) * units or len(weights["weight_ih"]) != rows:
        raise ValueError(f"layer {place[0]} is not of {cell}: weight_hh has {rows} rows for {units} units, which are "
                         f"{rows / max(units, 1):g} gates, and {cell} has {len(torch_weights.GATES[cell])}")
    for name, shape in (("bias_ih", (rows,)), ("bias_hh", (rows,)), ("weight_hr", (channels, units))):
        if name in weights and weights[name].shape != shape:
            raise ValueError(f"layer {place[0]}: {name} has shape {weights[name].shape}, but must have {shape}")


def to_specification(cell, state_dict, module=None):
    """Returns the specification's tensors by names such as 0.weights_layer, from PyTorch's by theirs."""
    cells = module_cells(state_dict, module)
    for place, weights in cells.items():
        check_cell(cell, place, weights)
    layers, directions = len({layer for layer, _ in cells}), 1 + any(direction for _, direction in cells)
    for layer, direction in itertools.product(range(layers), range(directions)):
        if (layer, direction) not in cells:
            raise ValueError(f"layer {layer} has no weights" + " of the reverse direction" * direction)
    result = {}
    for layer in range(layers):
        parts = [torch_weights.from_torch(cell, **cells[layer, d]) for d in range(directions)]
        for name in parts[0]:
            result[f"{layer}.{name}"] = np.stack([part[name] for part in parts])[np.newaxis]
    return result


def layers_of(tensors):
    """Returns a dictionary for each layer, from tensors with names such as 0.weights_layer; others are left out."""
    names = {}
    for name in tensors:
        match = re.fullmatch(_TENSOR, name)
        if match is not None:
            names.setdefault(int(match[1]), {})[match[2]] = name
    if not any("weights_layer" in layer for layer in names.values()):
        return []  # 0.bias may be that of any layer of PyTorch
    for number in range(1 + max(names)):
        for name in ("weights_layer", "weights_iter"):
            if name not in names.get(number, {}):
                raise ValueError(f"layer {number} has no {name}")
    layers = [{mine: tensors[name] for mine, name in names[number].items()} for number in range(len(names))]
    for number, layer in enumerate(layers):
        for name, dims in (("weights_layer", 5), ("weights_iter", 5), ("weights_projection", 4)):
            if name in layer and layer[name].ndim != dims:
                raise ValueError(f"layer {number}: {name} has {layer[name].ndim} dims, but must have {dims}")
    return layers


def to_torch(cell, tensors):
    """Returns a state dict of PyTorch's names. Its second bias is zero if one bias says as much."""
    layers, result = layers_of(tensors), {}
    if not layers:
        raise ValueError("no name is that of a tensor of the specification, such as 0.weights_layer")
    if layers[0]["weights_layer"].dtype == np.int8:
        raise ValueError("weights are in 8 bits; tandem_rnn.from_safetensors(path).net.save() writes them as numbers")
    for layer, parts in enumerate(layers):
        for direction in range(parts["weights_layer"].shape[1]):
            weights = {name: np.asarray(array, np.float32)[0, direction] for name, array in parts.items()}
            for name, array in torch_weights.to_torch(cell, **weights).items():
                result[f"{name}_l{layer}" + "_reverse" * direction] = array
    return result


def main(arguments):
    if len(arguments) not in (4, 5) or arguments[0] not in ("to-specification", "to-torch"):
        sys.exit(__doc__)
    direction, cell, source, target, *module = arguments
    if cell not in torch_weights.GATES:
        sys.exit(f"{cell} is none of {', '.join(torch_weights.GATES)}")
    try:
        if direction == "to-torch":
            write_state_dict(target, to_torch(cell, read_safetensors(source)[0]))
        else:
            write_safetensors(target, to_specification(cell, read_state_dict(source), *module), {"cell": cell})
    except (OSError, ValueError) as error:
        sys.exit(str(error) if source in str(error) else f"{source}: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
