"""An ONNX model is cut into three parts: those before an RNN, the RNN, and those after it."""
import numpy as np

_STATES = 5, 6  # h and c are these inputs of a node


def _values_of(node):
    """Returns the names that a node reads, and those that graphs in it read."""
    found = set(node.input)
    for attribute in node.attribute:
        for graph in [attribute.g] if attribute.HasField("g") else attribute.graphs:
            for inner in graph.node:
                found |= _values_of(inner)
            found.update(value.name for value in graph.output)
    return found


def _part(model, wanted, given, ranks):
    """Returns the model, as bytes, that computes wanted from its inputs and the given values. ranks: of undescribed values."""
    from onnx import TensorProto, helper

    def described(name):
        kind = TensorProto.INT32 if ranks[name] == 1 else TensorProto.FLOAT  # lengths are integers
        return helper.make_tensor_value_info(name, kind, [None] * ranks[name])
    part, needed, nodes = type(model)(), set(wanted), []
    part.CopyFrom(model)
    for node in reversed(model.graph.node):
        if needed.intersection(node.output).difference(given):
            nodes.append(node)
            needed |= _values_of(node)
    graph = part.graph
    known = {value.name: value for value in (*model.graph.input, *model.graph.output, *model.graph.value_info)}
    constants = [tensor for tensor in model.graph.initializer if tensor.name in needed]
    names = {tensor.name for tensor in constants}
    for field, values in (("node", nodes[::-1]), ("initializer", constants), ("value_info", ()),
                          ("input", [value for value in model.graph.input if value.name in needed - names]),
                          ("output", [known.get(name) or described(name) for name in wanted])):
        graph.ClearField(field)
        getattr(graph, field).extend(values)
    graph.input.extend(described(name) for name in given if name in needed)
    return part.SerializeToString()


class Cut:
    """before, after: ONNX models as bytes, for onnxruntime.InferenceSession and the like. before makes the RNN's inputs from
    those of the model; after reads the model's inputs and the RNN's outputs. net: the network of the RNN.

    before_outputs, after_inputs: the names of these values in the model. A before of no outputs needs no run.
    """

    def __init__(self, model, stack, net):
        if any(layer.scope.outer is not None for layer in stack):
            raise ValueError(f"{stack[0].name}: is in a branch or a loop; a model is cut at an RNN of its own graph")
        if net.batch_first:
            raise ValueError(f"{stack[0].name}: has layout = 1; make the node one of layout = 0")
        self.net, self._stack = net, stack
        inputs = {value.name for value in model.graph.input}
        self._constants = {tensor.name for tensor in model.graph.initializer}
        self._x, self._lengths = stack[0].node.input[0], self._given(stack[0], 4)
        self._states = [[self._given(layer, place) for layer in stack] for place in _STATES[:2 if net.cell == "lstm" else 1]]
        read = [self._x, self._lengths, *(name for names in self._states for name in names)]
        self._read = list(dict.fromkeys(filter(None, read)))
        self.before_outputs = [name for name in self._read if name not in inputs]
        made = [name for layer in stack for name in layer.node.output if name]
        ranks = {**dict.fromkeys([*self._read, *made], 3), **{layer.node.output[0]: 4 for layer in stack}, self._lengths: 1}
        self.before = _part(model, self.before_outputs, (), ranks)
        self.after = _part(model, [value.name for value in model.graph.output], made, ranks)
        read_later = {value.name for value in type(model).FromString(self.after).graph.input}
        self.after_inputs = [name for name in made if name in read_later]

    def _given(self, layer, place):
        """Returns the name of an input that a call gives; nothing for a constant, which the network has."""
        name = layer.node.input[place] if len(layer.node.input) > place else ""
        is_known = name in self._constants or place in _STATES and layer.states[place - _STATES[0]] is not None
        return "" if is_known else name

    def __call__(self, values):
        """Returns the RNN's outputs by the model's names. It reads the model's inputs and the outputs of `before`."""
        net, stack = self.net, self._stack
        missing = [name for name in self._read if name not in values]
        if missing:
            raise ValueError(f"values: have no {', '.join(missing)}")
        x, lengths = values[self._x], values[self._lengths] if self._lengths else None
        first = net.initial_state(x.shape[1])
        parts, directions = first if net.cell == "lstm" else (first,), len(stack[0].parts)
        for part, names in zip(parts, self._states):
            for number, name in enumerate(names):
                if name:
                    part[number * directions:(number + 1) * directions] = values[name]
        y, state = net(x, first, lengths)
        result = {}
        for number, layer in enumerate(stack):
            states = [part[number * directions:(number + 1) * directions] for part in (state if net.cell == "lstm" else (state,))]
            for name, value in zip(layer.node.output, [self._as_onnx(y, directions), *states]):
                if name in self.after_inputs:
                    result[name] = value
        return result

    @staticmethod
    def _as_onnx(y, directions):
        """Turns (T, N, D units) into (T, D, N, units)."""
        steps, rows, _ = y.shape
        return np.ascontiguousarray(y.reshape(steps, rows, directions, -1).transpose(0, 2, 1, 3))
