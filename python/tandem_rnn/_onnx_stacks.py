"""A stack of an ONNX model has RNN nodes of which one reads the outputs of the other, with only other shapes between them."""
from typing import NamedTuple

import numpy as np

from ._onnx_graph import Constants

_VIEWS = {"Dropout", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"}
_PROBED = 3, 5  # steps and rows


class Layer(NamedTuple):
    """This is a node, its place, and the parts of its network."""
    node: object
    scope: object
    name: str
    kind: type
    options: dict
    parts: list  # the weights of each direction
    states: list

    @property
    def units(self):
        return self.parts[0]["weights_iter"].shape[-1]

    def _shapes(self):
        found = [{name: array.shape for name, array in part.items() if name != "weights_layer"} for part in self.parts]
        return self.kind, self.options, found

    def takes(self, below):
        """Says whether a network may have this layer above that one."""
        channels = self.parts[0]["weights_layer"].shape[0]
        return self._shapes() == below._shapes() and channels == len(below.parts) * below.units


def source(scope, node):
    """Returns the name of the value that a node's x is a view of; None if others read that value, too."""
    for _ in range(len(scope.graph.node)):
        name = node.input[0] if node.input else ""
        where, maker, number = scope.find(name)
        if scope.uses[name] != 1 or where is not scope or maker is None or maker.node is None or number:
            return None
        if maker.operation not in _VIEWS:
            return name
        node = maker.node
    return None  # a node depends on its own output


def _lengths(layer):
    return layer.node.input[4] if len(layer.node.input) > 4 else ""


def _is_passed_on(upper, lower, size):
    """Says whether x of a layer is Y of the one below, the directions side by side. Y has numbers that all differ."""
    axis = int(lower.options["batch_first"])
    said = [lower.scope.size_of(lower.node.input[0], place) for place in (axis, 1 - axis)]
    _, maker, _ = lower.scope.find(lower.node.output[0])
    for steps, rows in (_PROBED, [told or number for told, number in zip(said, _PROBED)]):
        shape = (rows, steps, len(lower.parts), lower.units) if axis else (steps, len(lower.parts), rows, lower.units)
        if np.prod(shape, dtype=object) * 4 > 4 * size:
            continue
        probe = np.arange(np.prod(shape), dtype=np.int32).reshape(shape)
        try:
            found = Constants(upper.name, None, probe.nbytes, {maker: [probe]}).array(upper.scope, upper.node.input[0])
        except ValueError:
            continue
        wanted = (probe if axis else probe.transpose(0, 2, 1, 3)).reshape(*((rows, steps) if axis else (steps, rows)), -1)
        if found is not None and np.array_equal(found, wanted):
            return True
    return False


def stacks_of(layers, size):
    """Returns lists of layers, the lowest first. size: bytes of the model."""
    by_output = {(id(layer.scope), layer.node.output[0]): layer for layer in layers if layer.node.output}
    stacks = {id(layer): [layer] for layer in layers}
    for upper in layers:
        lower = by_output.get((id(upper.scope), source(upper.scope, upper.node)))
        if lower is None or not upper.takes(lower) or _lengths(upper) != _lengths(lower) or not _is_passed_on(upper, lower, size):
            continue
        stack = stacks[id(lower)]
        stack.extend(stacks.pop(id(upper)))
        stacks.update((id(layer), stack) for layer in stack)
    return [stack for number, stack in stacks.items() if number == id(stack[0])]


def may_be_one(nodes):
    """Says whether each node but one reads another one, as far as it can be told without their weights."""
    outputs = {(id(scope), node.output[0]) for node, scope, _ in nodes if node.output}
    return sum((id(scope), source(scope, node)) in outputs for node, scope, _ in nodes) == len(nodes) - 1
