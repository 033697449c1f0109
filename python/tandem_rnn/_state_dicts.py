"""Dictionaries of arrays become networks, for each framework of gate_orders.py. docs/coming_from.md"""
from collections.abc import Mapping

import numpy as np

from . import gate_orders
from ._network import GRU, LBRGRU, LSTM, RNN

KINDS = {"lstm": LSTM, "gru": GRU, "lbr_gru": LBRGRU, "vanilla_rnn": RNN}
# A gate's letter has the names of its weights, and the entries of each: for x, for h, their biases, and for c.
_GATES = {
    "flax": {"lstm": dict(zip("ifco", "ifgo")), "lbr_gru": dict(zip("ruo", "rzn")), "vanilla_rnn": {"o": ""},
             "entries": ("i{}.kernel", "h{}.kernel", "i{}.bias", "h{}.bias", None)},
    "madmom": {"lstm": dict(zip("ifco", ("input_gate", "forget_gate", "cell", "output_gate"))),
               "entries": ("{}.weights", "{}.recurrent_weights", "{}.bias", None, "{}.peephole_weights")},
}
_TENSORFLOW_PEEPHOLES = {gate: f"w_{gate}_diag" for gate in gate_orders.order("tensorflow1", "peephole")}


def flattened(state, place=""):
    """Returns a dictionary of arrays by names with dots. The given one may have dictionaries in it and names with slashes."""
    result = {}
    for name, value in state.items():
        name = place + str(name).replace("/", ".").removesuffix(":0")
        if isinstance(value, Mapping):
            result.update(flattened(value, name + "."))
        else:
            result[name] = value
    return result


def to_array(value, name):
    """Returns float32 numbers of an array, or of PyTorch's tensor."""
    value = value.detach().cpu().float() if hasattr(value, "detach") else value
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: is {array.dtype}, but must have numbers")
    return np.asarray(array, np.float32)


class _Entries:
    """These are the arrays whose names begin with a prefix."""

    def __init__(self, state, prefix):
        begin = prefix.replace("/", ".").rstrip(".") + "." if prefix else ""
        self._arrays = {name[len(begin):]: value for name, value in state.items() if name.startswith(begin)}
        self._prefix = begin

    def __contains__(self, name):
        return name in self._arrays

    def get(self, name, *shape):
        """Returns an array with this shape, in which None is any size."""
        if name not in self._arrays:
            raise ValueError(f"{self._prefix}{name}: is not there; there are "
                             f"{', '.join(sorted(self._arrays)[:20]) or 'no names with this prefix'}")
        array = to_array(self._arrays[name], self._prefix + name)
        if array.ndim != len(shape) or any(wanted not in (None, size) for wanted, size in zip(shape, array.shape)):
            raise ValueError(f"{self._prefix}{name}: has shape {array.shape}, but must have "
                             f"({', '.join('any' if size is None else str(size) for size in shape)})")
        return array

    def state(self, units):
        """Returns h and c before the first step, if madmom's layer has them."""
        return [self.get(name, units) if name in self else np.zeros(units, np.float32) for name in ("init", "cell_init")]


def _of_gates(framework, entries, cell):
    """Returns weights by the specification's names, from those of single gates. The names of the gates tell the cell."""
    known = _GATES[framework]
    *_, of_h, of_x_bias, of_h_bias, of_c = (None, *known["entries"])
    of_x = known["entries"][0]
    found = [name for name in known if name != "entries" and of_x.format(next(iter(known[name].values()))) in entries]
    if cell is None and len(found) == 1:
        cell = found[0]
    if cell not in known or cell == "entries":
        raise ValueError(f"cell: is {cell!r}, but names of {framework} are of {', '.join(set(known) - {'entries'})}")
    names = [known[cell][gate] for gate in gate_orders.order("specification", cell)]
    first = entries.get(of_x.format(names[0]), None, None)
    channels, units = first.shape
    result = {"weights_layer": np.stack([entries.get(of_x.format(name), channels, units) for name in names], 1),
              "weights_iter": np.stack([entries.get(of_h.format(name), units, units) for name in names], 1)}
    biases = [[entries.get(of.format(name), units) if of and of.format(name) in entries else None for name in names]
              for of in (of_x_bias, of_h_bias)]
    if any(bias is not None for each in biases for bias in each):
        zeros = np.zeros(units, np.float32)
        first, second = (np.stack([zeros if bias is None else bias for bias in each]) for each in biases)
        result["bias"] = joined_biases(cell, first, second)
    if of_c and of_c.format(names[0]) in entries:
        result["weights_peephole"] = np.stack([entries.get(of_c.format(known[cell][gate]), units)
                                               for gate in gate_orders.order("specification", "peephole")])
    return cell, result


def joined_biases(cell, first, second):
    """Returns the specification's bias of one for x and one for h, each gates by units."""
    if cell != "lbr_gru":
        return first + second
    return np.concatenate([first[:2] + second[:2], first[2:], second[2:]])


def _of_tensorflow1(entries, cell, forget_bias):
    """Returns weights of BasicLSTMCell, LSTMCell, GRUCell and BasicRNNCell: one matrix for x and h, one above the other."""
    if "gates.kernel" in entries:
        if cell not in (None, "gru"):
            raise ValueError(f"cell: is {cell!r}, but these weights are of gru")
        bias = np.concatenate([entries.get("gates.bias", None), entries.get("candidate.bias", None)])
        units = len(bias) // 3
        kernel = np.concatenate([entries.get("gates.kernel", None, 2 * units), entries.get("candidate.kernel", None, units)], 1)
        cell = "gru"
    else:
        cell = cell or "lstm"
        bias = entries.get("bias", None)
        kernel = entries.get("kernel", None, len(bias))
    order = gate_orders.places("tensorflow1", cell)
    units, rest = divmod(len(bias), len(order))
    if rest or not units:
        raise ValueError(f"bias: has {len(bias)} numbers, which are not {len(order)} gates of {cell}")
    result = {"bias": bias.reshape(-1, units)[order]}
    if cell == "lstm":
        result["bias"][1] += np.float32(forget_bias)
        if "projection.kernel" in entries:
            result["weights_projection"] = entries.get("projection.kernel", units, None)
        if _TENSORFLOW_PEEPHOLES["i"] in entries:
            result["weights_peephole"] = np.stack([entries.get(_TENSORFLOW_PEEPHOLES[gate], units)
                                                   for gate in gate_orders.order("specification", "peephole")])
    back = result["weights_projection"].shape[1] if "weights_projection" in result else units
    if len(kernel) <= back:
        raise ValueError(f"kernel: has {len(kernel)} rows, but must have one for each channel of x and of {back} of h")
    result["weights_layer"], result["weights_iter"] = np.split(kernel.reshape(len(kernel), -1, units)[:, order], [len(kernel) - back])
    return cell, result


def network(state, prefix, framework, cell, forget_bias, options):
    """Returns the network of one layer; prefix: of its names, or a pair of them for both directions."""
    prefixes = prefix if isinstance(prefix, (tuple, list)) else (prefix or "",)
    parts, states = [], []
    for each in prefixes:
        entries = _Entries(flattened(state), each)
        if framework == "tensorflow1":
            cell, part = _of_tensorflow1(entries, cell, forget_bias)
        else:
            cell, part = _of_gates(framework, entries, cell)
        parts.append(part)
        states.append(entries.state(part["weights_iter"].shape[-1]) if framework == "madmom" else (None, None))
    if len(parts) > 2 or any({name: array.shape for name, array in part.items()}
                             != {name: array.shape for name, array in parts[0].items()} for part in parts):
        raise ValueError("prefix: must be of one direction, or of two with weights of the same shapes")
    states = [None if each[0] is None or not np.any(each) else each for each in zip(*states)]
    return of_parts(KINDS[cell], parts, states, options)


def of_parts(kind, parts, states, options):
    """Returns the network of one layer. parts: its directions' weights; states: h and c before the first step, None for zeros."""
    return of_layers(kind, [(parts, states)], options)


def of_layers(kind, layers, options):
    """Returns the network of a stack: parts and states of each layer, the lowest first."""
    weights = [{name: np.stack([part[name] for part in parts])[np.newaxis] for name in parts[0]} for parts, _ in layers]
    _, directions, channels, _, units = weights[0]["weights_layer"].shape
    options = {"direction": "left2right" if directions == 1 else "concat", **options}
    if "weights_peephole" in weights[0]:
        options["peephole"] = True
    if "weights_projection" in weights[0]:
        options["dic"] = weights[0]["weights_projection"].shape[-1]
    net = kind(channels, units, len(layers), bias="bias" in weights[0], weights=weights, **options)
    if any(state is not None for _, states in layers for state in states):
        first = net.zero_state(1)
        for number, (_, states) in enumerate(layers):
            for part, state in zip(first if net.cell == "lstm" else (first,), states):
                if state is not None:
                    part[number * directions:(number + 1) * directions, 0] = state
        net.first_state = first
    return net
