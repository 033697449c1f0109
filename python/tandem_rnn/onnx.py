"""Nodes of an ONNX model become networks. Debian's python3-onnx reads the file."""
import collections
import os

import numpy as np

from ._files import name_of, read_file
from ._network import GRU, LBRGRU, LSTM, RNN
from ._onnx_functions import options_of
from ._onnx_graph import Constants, Scope, graphs_of, operation_of
from ._onnx_cut import Cut
from ._onnx_stacks import Layer, may_be_one, stacks_of
from ._state_dicts import joined_biases, of_layers
from .gate_orders import places

_DYNAMIC = "com.microsoft.DynamicQuantizeLSTM"
_GATES = {"LSTM": places("onnx", "lstm"), _DYNAMIC: places("onnx", "lstm"), "GRU": places("onnx", "gru"), "RNN": [0]}
_PEEPHOLES = places("onnx", "peephole")
_DIRECTIONS = {"forward": "left2right", "reverse": "right2left", "bidirectional": "concat"}
_LISTED = 20  # an error names at most this many nodes


def _nodes(scope, place=""):
    """Yields (node, scope, its names) of a graph and of those nested in its nodes, as in branches of If. A name has two parts."""
    for node in scope.graph.node:
        name, output = node.name, next(filter(None, node.output), "")
        if operation_of(node) in _GATES:
            yield node, scope, [(before, key) for before in ("", place) for key in (name, output) if key]
        for attribute, nested in graphs_of(node):
            yield from _nodes(Scope(nested, scope), f"{place}{name or output}.{attribute}/")


def _own_names(nodes):
    """Returns for each result of _nodes() a name that no other one has, if there is one: branches often have the same names."""
    counts = collections.Counter(key for _, _, keys in nodes for key in set(keys))
    return ["".join(next((key for key in keys if counts[key] == 1), keys[-1])) if keys else node.op_type for node, _, keys in nodes]


def _choose(nodes, wanted):
    """Returns the only result of _nodes(), or the only one that has the name."""
    chosen = [found for found in nodes if wanted is None or any(wanted == "".join(key) for key in found[2])]
    if len(chosen) == 1:
        return chosen[0]
    known = _own_names(nodes)[:_LISTED]
    more = f" and {len(nodes) - _LISTED} more" if len(nodes) > _LISTED else ""
    raise ValueError(f"node: is {wanted!r}, but must be one of {', '.join(sorted(known)) or 'none: there is no RNN'}{more}")


def _given(node, name):
    """Returns the attributes of a node by name. It refuses those of another type than ONNX's."""
    from onnx import AttributeProto, helper
    types = {"activation_alpha": AttributeProto.FLOATS, "activation_beta": AttributeProto.FLOATS, "activations": AttributeProto.STRINGS,
             "clip": AttributeProto.FLOAT, "direction": AttributeProto.STRING}
    types.update(dict.fromkeys(("hidden_size", "input_forget", "layout", "linear_before_reset"), AttributeProto.INT))
    found = {}
    for attribute in node.attribute:
        if attribute.name in types:
            if attribute.type != types[attribute.name]:
                raise ValueError(f"{name}: its attribute {attribute.name} has another type than ONNX's")
            found[attribute.name] = helper.get_attribute_value(attribute)
    return found


def _attributes(node, name):
    """Returns the network's options with ONNX's defaults, and whether the GRU is linear before reset. It refuses the others."""
    found = _given(node, name)
    direction = found.get("direction", b"forward").decode(errors="replace")
    if direction not in _DIRECTIONS:
        raise ValueError(f"{name}: has direction {direction}, but must have one of {', '.join(_DIRECTIONS)}")
    if found.get("layout", 0) and any([*node.input[5:7], *node.output[1:]]):
        raise ValueError(f"{name}: has layout = 1 with states, which are (N, D, H) there; a network's are (D, N, H): make the "
                         "node one of layout = 0, or remove its states")
    operation = operation_of(node)
    gates = options_of("LSTM" if operation == _DYNAMIC else operation, name, found, 2 if direction == "bidirectional" else 1)
    result = {"direction": _DIRECTIONS[direction], "batch_first": bool(found.get("layout", 0)), **gates}
    return result, bool(found.get("linear_before_reset", 0)), found.get("hidden_size")


def _dequantized(name, key, arrays):
    """Returns the numbers of ONNX Runtime's bytes (D, in, 4 units), in the layout of ONNX's LSTM."""
    array, scale, zero_point = arrays[key], arrays[key + "_scale"], arrays[key + "_zero_point"]
    directions, *_, columns = array.shape if array.ndim == 3 else (0, 0)
    for values in scale, zero_point:
        if not directions or values.size not in (directions, directions * columns):
            raise ValueError(f"{name}: its {key} has shape {array.shape} with {values.size} scales or zero points")
    scale, zero_point = (np.asarray(values, np.float32).reshape(directions, 1, -1) for values in (scale, zero_point))
    return ((array.astype(np.float32) - zero_point) * scale).transpose(0, 2, 1)


def _check_shapes(name, gates, arrays, hidden_size):
    w, r = arrays["W"], arrays["R"]
    for key, array in ("W", w), ("R", r):
        if array.ndim != 3 or 0 in array.shape:
            raise ValueError(f"{name}: its {key} has shape {array.shape}, but must have 3 dims, none of them 0")
    directions, units = len(w), r.shape[-1]
    if hidden_size not in (None, units):
        raise ValueError(f"{name}: its hidden_size is {hidden_size}, but its R is for {units}")
    shapes = {"W": (directions, gates * units, w.shape[-1]), "R": (directions, gates * units, units),
              "B": (directions, 2 * gates * units), "P": (directions, 3 * units)}
    for key, array in arrays.items():
        if array.shape != shapes[key]:
            raise ValueError(f"{name}: its {key} has shape {array.shape}, but must have {shapes[key]}")


def _weights(order, arrays, is_linear_before_reset):
    parts, gates = [], len(order)
    for d, (w, r) in enumerate(zip(arrays["W"], arrays["R"])):
        units = r.shape[-1]
        part = {"weights_layer": w.T.reshape(-1, gates, units)[:, order],
                "weights_iter": r.T.reshape(units, gates, units)[:, order]}
        if "B" in arrays:
            first, second = arrays["B"][d].reshape(2, gates, units)[:, order]
            part["bias"] = joined_biases("lbr_gru" if is_linear_before_reset else "", first, second)
        if "P" in arrays:
            part["weights_peephole"] = arrays["P"][d].reshape(3, units)[_PEEPHOLES]
        parts.append(part)
    return parts


def _input(node, place):
    return node.input[place] if len(node.input) > place else ""


def _check_lengths(constants, scope, node, name, layout):
    """Makes sure that a network, which computes all steps, does the same as the node without lengths of a call."""
    lengths = _input(node, 4)
    if not lengths or not constants.is_constant(scope, lengths):
        return
    lengths, steps = constants.array(scope, lengths), scope.size_of(node.input[0], layout)
    if lengths is None or steps is None or np.any(lengths != steps):
        raise ValueError(f"{name}: its sequence_lens is a constant, and the model does not say that all rows have so many steps; "
                         "a network keeps none, so take it out of the node and give it as the lengths of a call")


def _rows(constants, scope, name):
    """Returns a constant, of which the model may make as many rows as x has; None if it cannot be computed."""
    try:
        where, maker, _ = scope.find(name)
        found = constants.array(scope, name)
        is_repeated = found is None and maker.operation in ("Expand", "Tile")
        return constants.array(where, maker.node.input[0]) if is_repeated else found
    except ValueError:
        return None


def _first_states(constants, scope, node, name, shape):
    """Returns constant h and c before the first step; None for zeros, and for states that a call gives. shape: (D, units)."""
    found = []
    for place, what in (5, "initial_h"), (6, "initial_c"):
        if not _input(node, place) or constants.is_zero(scope, node.input[place]) is not False:
            found.append(None)
            continue
        array = _rows(constants, scope, node.input[place])
        if array is None or array.ndim != 3 or array.shape[::2] != shape or array.dtype.kind != "f" or np.any(array != array[:, :1]):
            raise ValueError(f"{name}: its {what} is a constant that is not 0 and not the same state for all rows, or that is not "
                             "known; take it out of the node and give it as the state of a call")
        found.append(np.asarray(array[:, 0], np.float32))
    return found


def _arrays(constants, scope, node, name):
    """Returns the weights W, R, B and P that a node has."""
    operation = operation_of(node)
    needed, places = {"W": 1, "R": 2}, {"B": 3}
    if operation in ("LSTM", _DYNAMIC):
        places["P"] = 7
    if operation == _DYNAMIC:
        needed.update(W_scale=8, W_zero_point=9, R_scale=10, R_zero_point=11)
    arrays = {}
    for key, place in {**needed, **places}.items():
        if _input(node, place):
            arrays[key] = constants.array(scope, node.input[place])
            if arrays[key] is None:
                raise ValueError(f"{name}: its input {node.input[place]} is computed, but must be a constant")
            if arrays[key].dtype.kind not in "fiu":
                raise ValueError(f"{name}: its {key} has the type {arrays[key].dtype}, but must have numbers")
        elif key in needed:
            raise ValueError(f"{name}: has no {key}")
    if operation == _DYNAMIC:
        for key in "W", "R":
            arrays[key] = _dequantized(name, key, arrays)
    return {key: np.asarray(arrays[key], np.float32) for key in "WRBP" if key in arrays}


def _layer(constants, found, name=None):
    """Returns the Layer of a node that _nodes() found."""
    node, scope, keys = found
    constants.name = name = name or ("".join(keys[0]) if keys else node.op_type)
    operation = operation_of(node)
    options, is_linear_before_reset, hidden_size = _attributes(node, name)
    arrays = _arrays(constants, scope, node, name)
    constants.check_size(arrays.values())
    _check_shapes(name, len(_GATES[operation]), arrays, hidden_size)
    _check_lengths(constants, scope, node, name, int(options["batch_first"]))
    states = _first_states(constants, scope, node, name, (len(arrays["R"]), arrays["R"].shape[2]))
    kind = {"RNN": RNN, "GRU": LBRGRU if is_linear_before_reset else GRU}.get(operation, LSTM)
    return Layer(node, scope, name, kind, options, _weights(_GATES[operation], arrays, is_linear_before_reset), states)


def _network(stack, options):
    layers = [(layer.parts, layer.states) for layer in stack]
    return of_layers(stack[0].kind, layers, {**stack[0].options, **options})


def _read(path, wanted):
    """Returns (the model, stacks of its layers): those of wanted, of which None is the only one and "*" all of them."""
    try:
        import onnx
    except ImportError:
        raise ImportError("from_onnx needs the package onnx (Debian: python3-onnx)") from None
    data = read_file(path)
    try:
        model = onnx.load_model_from_string(data)
    except Exception as error:  # errors of many classes, from the packages that read
        raise ValueError(f"{name_of(path)}: is no ONNX model, or is damaged ({error})") from error
    nodes = list(_nodes(Scope(model.graph)))
    folder = None if hasattr(path, "read") else os.path.dirname(os.path.abspath(os.fsdecode(path)))
    constants = Constants("", folder, len(data))
    if wanted == "*" or wanted is None and len(nodes) > 1 and may_be_one(nodes):
        stacks = stacks_of([_layer(constants, *each) for each in zip(nodes, _own_names(nodes))], len(data))
        if wanted == "*" or len(stacks) == 1:
            return model, stacks
    return model, [[_layer(constants, _choose(nodes, wanted))]]


def from_onnx(path, node=None, **options):
    """Returns the network of an LSTM, GRU or RNN node; node: if the model has several, its name or that of its first output,
    which may have the branch before it (If_0.then_branch/rnn).

    Nodes of one size of which each reads the outputs of the one below make one network with several layers, if there is nothing
    but Transpose, Squeeze, Unsqueeze, Reshape, Dropout and Identity between them and nobody else reads these values. Without a
    node, this is the only node or the only stack of the model. With "*", it is a dictionary of all of them, in which a stack has
    the name of its lowest node. With a node's name, it is this node alone.

    y is (T, N, D dic), where ONNX's Y is (T, D, N, dic); states are ONNX's of layout = 0. Weights may be computed of constants.
    States and lengths that the model computes of its inputs are those of a call. A constant state becomes first_state; constant
    lengths must be the steps that the model has for x. activations with their alpha and beta, clip and input_forget (f = 1 - i)
    become the network's, as ONNX Runtime computes them; both directions must have the same. options: precision, backend. ONNX
    Runtime's DynamicQuantizeLSTM gives the network of the numbers that its bytes stand for; quantize() makes bytes of them again.
    """
    _, stacks = _read(path, node)
    if node == "*":
        return {stack[0].name: _network(stack, options) for stack in stacks}
    return _network(stacks[0], options)


def cut(path, node=None, **options):
    """Returns a Cut: the model's parts before and after the RNN, for another runtime, and the RNN's network between them.

    path, node, options: those of from_onnx(). The RNN is a node or a stack of the model's own graph, not of a graph in an If.
    """
    model, stacks = _read(path, node)
    if node == "*":
        raise ValueError("node: is '*', but a model is cut at one RNN")
    return Cut(model, stacks[0], _network(stacks[0], options))
