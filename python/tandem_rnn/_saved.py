"""This is the form of a saved network's file, docs/saved_networks.md. convert.py makes the network of one."""
import re

import numpy as np

from . import _gates
from . import _safetensors

# The package writes this form, which has these keys.
FORM = 1
_KEYS = ("tandem_network", "cell", "direction", "activation", "alpha", "beta", "activations", "clip", "input_forget", "precision",
         "batch_first", "quantization")
_OWN = re.compile(r"([0-9]+|first_state)\.")  # tensors with other names do not belong to a network
_TENSORS = re.compile(r"[0-9]+\.(weights_(layer|iter|peephole|projection)|bias|factor|scales|projection_scales|data)|first_state\.[hc]")
_NUMBER, _BOOL = (_gates.NUMBER, "a number"), ("True|False", "True or False")
_WORDS = {"batch_first": _BOOL, "input_forget": _BOOL, "alpha": _NUMBER, "beta": _NUMBER, "clip": _NUMBER}


def write(path, net, layers, metadata):
    """layers: a dictionary of arrays for each layer of the network."""
    tensors = {f"{number}.{name}": array for number, part in enumerate(layers) for name, array in part.items()}
    if net.first_state is not None:
        tensors.update((f"first_state.{name}", part[:, 0]) for name, part in zip("hc", _parts(net, net.first_state)))
    _safetensors.write_safetensors(path, tensors, {"tandem_network": str(FORM), **metadata})


def check(names, metadata):
    """Refuses a newer form and unknown entries. Files without the key tandem_network are older than forms."""
    form = metadata.get("tandem_network")
    if form is None:
        return
    if form != str(FORM):
        raise ValueError(f"tandem_network: is {form!r}, but this package reads {FORM}; a newer one may have written the file")
    for key in metadata:
        if key not in _KEYS and not key.startswith("user."):
            raise ValueError(f"the metadata has the unknown key {key!r}; keys of your own begin with user.")
    for name in names:
        if _OWN.match(name) and not _TENSORS.fullmatch(name):
            raise ValueError(f"has the unknown tensor {name!r}")
    for key, (pattern, words) in _WORDS.items():
        if key in metadata and not re.fullmatch(pattern, metadata[key]):
            raise ValueError(f"{key}: is {metadata[key]!r}, but must be {words}")


def with_first_state(result, tensors):
    """result: a network or a Quantized of one, which gets the first state of the file, if there is one."""
    net = getattr(result, "net", result)
    found = {name[12:]: np.float32(tensors[name]) for name in tensors if name.startswith("first_state.")}
    if not found:
        return result
    wanted = dict(zip("hc", _parts(net, net.zero_state(1))))
    if set(found) != set(wanted):
        raise ValueError(f"first_state: has {', '.join(sorted(found))}, but must have {', '.join(wanted)}")
    for name, part in wanted.items():
        if found[name].shape != part[:, 0].shape:
            raise ValueError(f"first_state.{name} has shape {found[name].shape}, but must have {part[:, 0].shape}")
    state = tuple(found[name][:, np.newaxis] for name in wanted)
    net.first_state = state if net.cell == "lstm" else state[0]
    return result


def _parts(net, state):
    return state if net.cell == "lstm" else (state,)
