"""A network from a node of an ONNX model; reads the file with Debian's python3-onnx."""
import collections

import numpy as np

from ._network import GRU, LBRGRU, LSTM, RNN

# The specification's gates in ONNX's order.
_GATES = {"LSTM": [0, 2, 3, 1], "DynamicQuantizeLSTM": [0, 2, 3, 1], "GRU": [0, 1, 2], "RNN": [0]}
_PEEPHOLES = [0, 2, 1]
_DIRECTIONS = {"forward": "left2right", "reverse": "right2left", "bidirectional": "concat"}
_OF_LSTM = ["sigmoid", "tanh", "tanh"]
_ACTIVATIONS = {"LSTM": _OF_LSTM, "DynamicQuantizeLSTM": _OF_LSTM, "GRU": ["sigmoid", "tanh"]}
_OF_RNN = {"tanh": "tanh", "relu": "relu", "sigmoid": "logistic", "leakyrelu": "relu"}


def _slice(_, array, starts, ends, axes=None, steps=None):
    places = [slice(None)] * array.ndim
    for n, axis in enumerate(range(len(starts)) if axes is None else axes):
        places[axis] = slice(starts[n], ends[n], 1 if steps is None else steps[n])
    return array[tuple(places)]


# How exporters put the gates of PyTorch's weights in ONNX's order: computed here, the results are constants, too.
_FOLDED = {"Identity": lambda _, array: array, "Concat": lambda axis, *arrays: np.concatenate(arrays, axis),
           "Unsqueeze": lambda _, array, axes: np.expand_dims(array, tuple(axes)), "Slice": _slice}


def _graphs(graph, values, place=""):
    """(node, the constants that it sees, what names it) of a graph and of those nested in its nodes, as in branches of If."""
    from onnx import numpy_helper
    values = {**values, **{tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}}
    for node in graph.node:
        attributes = {attribute.name: attribute for attribute in node.attribute}
        if node.op_type == "Constant" and "value" in attributes:
            values[node.output[0]] = numpy_helper.to_array(attributes["value"].t)
        elif node.op_type in _FOLDED and all(name in values for name in node.input):
            axis = attributes["axis"].i if "axis" in attributes else 0
            values[node.output[0]] = _FOLDED[node.op_type](axis, *(values[name] for name in node.input))
        elif node.op_type in ("Expand", "Tile") and node.input[0] in values:
            values[node.output[0]] = values[node.input[0]]  # an initial state for all rows, zero or not
        name, output = node.name, next(filter(None, node.output), "")
        if node.op_type in _GATES:
            yield node, values, [key for key in (name, output, place + name, place + output) if key]
        for attribute in node.attribute:
            for nested in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                yield from _graphs(nested, values, f"{place}{name or output}.{attribute.name}/")


def _choose(nodes, wanted):
    """The only one of what _graphs() found, or the only one that the name is of; branches often have the same names."""
    chosen = [found for found in nodes if wanted is None or wanted in found[2]]
    if len(chosen) == 1:
        return chosen[0]
    counts = collections.Counter(key for _, _, keys in nodes for key in set(keys))
    known = sorted(next((key for key in keys if counts[key] == 1), keys[-1]) for _, _, keys in nodes)
    raise ValueError(f"node: is {wanted!r}, but must be one of {', '.join(known) or 'none: there is no RNN'}")


def _attributes(node):
    """By name, with the defaults of those that the specification has; refuses the others."""
    from onnx import helper
    found = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    if found.get("clip") or found.get("input_forget"):
        raise ValueError(f"{node.name}: has clip or input_forget, which the specification has not")
    direction = found.get("direction", b"forward").decode()
    if direction not in _DIRECTIONS:
        raise ValueError(f"{node.name}: has direction {direction}, but must have one of {', '.join(_DIRECTIONS)}")
    names = [name.decode().lower() for name in found.get("activations", [])]
    directions = 2 if direction == "bidirectional" else 1
    result = {"direction": _DIRECTIONS[direction], "batch_first": bool(found.get("layout", 0))}
    if node.op_type == "RNN":
        names = names or ["tanh"] * directions
        alpha = found.get("activation_alpha") or ([0.01] if names[0] == "leakyrelu" else [0.0])
        if len(set(names)) > 1 or len(set(alpha)) > 1 or names[0] not in _OF_RNN:
            raise ValueError(f"{node.name}: has activations {names}, which one RNN of the specification has not")
        result.update(activation=_OF_RNN[names[0]], alpha=float(alpha[0]) if names[0] == "leakyrelu" else 0.0)
    elif names and names != _ACTIVATIONS[node.op_type] * directions:
        raise ValueError(f"{node.name}: has activations {names}, but the specification's are {_ACTIVATIONS[node.op_type]}")
    return result, bool(found.get("linear_before_reset", 0))


def _dequantized(array, scale, zero_point):
    """The numbers of ONNX Runtime's bytes (D, in, 4 units), in the layout of ONNX's LSTM."""
    def of_channels(values):
        return np.asarray(values, np.float32).reshape(len(array), 1, -1)
    return ((array.astype(np.float32) - of_channels(zero_point)) * of_channels(scale)).transpose(0, 2, 1)


def _weights(node, arrays, is_linear_before_reset):
    order, parts = _GATES[node.op_type], []
    w, r, b, p = arrays
    for name, array in ("W", w), ("R", r):
        if array.ndim != 3 or 0 in array.shape:
            raise ValueError(f"{node.name}: its {name} has shape {array.shape}, but must have 3 dims, none of them 0")
    directions, gates, units = len(w), len(order), r.shape[-1]
    shapes = {"W": (directions, gates * units, w.shape[-1]), "R": (directions, gates * units, units),
              "B": (directions, 2 * gates * units), "P": (directions, 3 * units)}
    for (name, shape), array in zip(shapes.items(), arrays):
        if array is not None and array.shape != shape:
            raise ValueError(f"{node.name}: its {name} has shape {array.shape}, but must have {shape}")
    for d in range(directions):
        part = {"weights_layer": w[d].T.reshape(-1, gates, units)[:, order],
                "weights_iter": r[d].T.reshape(units, gates, units)[:, order]}
        if b is not None:
            first, second = b[d].reshape(2, gates, units)[:, order]
            part["bias"] = first + second
            if is_linear_before_reset:
                part["bias"] = np.concatenate([first[:2] + second[:2], first[2:], second[2:]])
        if p is not None:
            part["weights_peephole"] = p[d].reshape(3, units)[_PEEPHOLES]
        parts.append(part)
    return {name: np.stack([part[name] for part in parts])[np.newaxis] for name in parts[0]}


def from_onnx(path, node=None, **options):
    """The network of an LSTM, GRU or RNN node; node: where the model has several, its name or that of its first output, which
    may have the branch before it (If_0.then_branch/rnn).

    y is (T, N, D dic), where ONNX's Y is (T, D, N, dic); states are ONNX's. options: precision, backend. ONNX Runtime's
    DynamicQuantizeLSTM gives the network of the numbers that its bytes stand for: quantize() makes bytes of them again.
    """
    try:
        import onnx
    except ImportError:
        raise ImportError("from_onnx needs the package onnx (Debian: python3-onnx)") from None
    try:
        nodes = list(_graphs(onnx.load(path).graph, {}))
    except OSError:
        raise
    except Exception as error:  # of many classes, from the packages that read
        raise ValueError(f"{path}: is no ONNX model, or is damaged ({error})") from error
    found, values, keys = _choose(nodes, node)
    node = keys[0]
    names = dict(enumerate(found.input))
    is_dynamic = found.op_type == "DynamicQuantizeLSTM"
    is_lstm = is_dynamic or found.op_type == "LSTM"
    places = [1, 2, 3] + [7] * is_lstm + [8, 9, 10, 11] * is_dynamic
    for place in places:
        if names.get(place) and names[place] not in values:
            raise ValueError(f"{node}: its input {names[place]} is computed, but must be a constant")
    if len(set(np.ravel(values.get(names.get(4), 0)))) > 1:
        raise ValueError(f"{node}: its sequence_lens is a constant with rows of different lengths; a network keeps none, so take "
                         "it out of the node and give it as the lengths of a call")
    for place, name in (5, "initial_h"), (6, "initial_c"):
        if np.any(values.get(names.get(place), 0)):
            raise ValueError(f"{node}: its {name} is a constant that is not 0; a network keeps none, so take it out of the node "
                             "and give it as the state of a call")
    arrays = [np.asarray(values[names[n]], np.float32) if names.get(n) else None for n in places] + [None]
    if is_dynamic:
        arrays[:2] = _dequantized(arrays[0], *arrays[4:6]), _dequantized(arrays[1], *arrays[6:8])
    more, is_linear_before_reset = _attributes(found)
    kind = LSTM if is_lstm else {"RNN": RNN}.get(found.op_type) or (LBRGRU if is_linear_before_reset else GRU)
    if arrays[3] is not None:
        more["peephole"] = True
    weights = _weights(found, arrays[:4], is_linear_before_reset)
    return kind(arrays[0].shape[2], arrays[1].shape[2], bias=arrays[2] is not None, weights=[weights], **{**more, **options})
