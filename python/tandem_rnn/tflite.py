"""A TensorFlow Lite model's operators become networks. It is a flatbuffer: tables whose fields have places and numbers."""
import struct
import warnings

import numpy as np

from ._files import name_of, read_file
from ._network import LSTM, RNN
from ._onnx_operations import Room
from ._state_dicts import of_parts
from .gate_orders import order

# The schema gives these numbers to operators, types of tensors and activations. Fields of tables have the number of their place there.
_DEQUANTIZE, _RNN, _LSTM = 6, 35, 44
_TYPES = {0: np.dtype("<f4"), 1: np.dtype("<f2"), 9: np.dtype("i1")}
# These are an RNN's activations. Numbers 2 and 3 limit their results to -1 and 1, and to 6. A clip of x does the same.
_OF_RNN = {0: {"activation": "affine", "alpha": 1.0}, 1: {"activation": "relu"}, 2: {"activation": "affine", "alpha": 1.0, "clip": 1.0},
           3: {"activation": "relu", "clip": 6.0}, 4: {"activation": "tanh"}}
# An LSTM has one of these for c~ and for c in h = o * activation(c).
_OF_LSTM = {0: ("affine", 1.0, 0.0), 1: "relu", 4: "tanh"}
_FLOAT32, _TANH = 0, 4
# Keras's converter writes this clip. tanh of it is 1 in float32, so that h of the step is the same without a clip.
_LEAST_CLIP = 10.0
_LISTED = 20


class _Table:
    """This is a table at a place of the file."""

    def __init__(self, data, place):
        self._data, self._place = data, place
        self._fields = place - self.read("<i", place)
        self._size = self.read("<H", self._fields)

    def read(self, form, place):
        if place < 0:
            raise ValueError("is damaged: it names a place before the file's begin")
        return struct.unpack_from(form, self._data, place)[0]

    def _find(self, number):
        """Returns the place of a field, or 0 for one that is left out."""
        entry = 4 + 2 * number
        offset = self.read("<H", self._fields + entry) if entry < self._size else 0
        return offset and self._place + offset

    def number(self, field, form, default=0):
        place = self._find(field)
        return self.read(form, place) if place else default

    def _target(self, place):
        return place + self.read("<I", place)

    def table(self, field):
        place = self._find(field)
        return _Table(self._data, self._target(place)) if place else None

    def array(self, field, kind):
        """Returns a vector of numbers; nothing for one that is left out."""
        place = self._find(field)
        if not place:
            return np.empty(0, kind)
        place = self._target(place)
        return np.frombuffer(self._data, kind, self.read("<I", place), place + 4)

    def text(self, field):
        return self.array(field, np.uint8).tobytes().decode(errors="replace")

    def tables(self, field):
        """Yields the tables of a vector."""
        place = self._find(field)
        if place:
            place = self._target(place)
            for entry in range(place + 4, place + 4 + 4 * self.read("<I", place), 4):
                yield _Table(self._data, self._target(entry))

    def at(self, field, number):
        """Returns the table with this number of a vector."""
        place = self._target(self._find(field))
        if not 0 <= number < self.read("<I", place):
            raise ValueError(f"is damaged: it has no {number} in a list of {self.read('<I', place)}")
        return _Table(self._data, self._target(place + 4 + 4 * number))


class _Operator:
    """This is an RNN of a graph. It has its inputs by their numbers, -1 for one that is left out."""

    def __init__(self, file, graph, code, table, dequantized):
        self._file, self._graph, self.code, self._dequantized = file, graph, code, dequantized
        self.inputs = [int(number) for number in table.array(1, "<i4")]
        self.options = table.table(4)
        outputs = table.array(2, "<i4")
        self.name = self._tensor(int(outputs[0])).text(3) if len(outputs) else ""

    def _tensor(self, number):
        return self._graph.at(0, number)

    def has(self, place):
        return place < len(self.inputs) and self.inputs[place] >= 0

    def array(self, place, *shape):
        """Returns the numbers of an input, with this shape, in which None is any size."""
        if not self.has(place):
            raise ValueError(f"has no input {place}")
        number = self.inputs[place]
        tensor = self._tensor(self._dequantized.get(number, number))
        sizes = tuple(int(size) for size in tensor.array(0, "<i4"))
        if len(sizes) != len(shape) or any(wanted not in (None, size) for wanted, size in zip(shape, sizes)):
            raise ValueError(f"{tensor.text(3)}: has shape {sizes}, but must have ({', '.join('any' if size is None else str(size) for size in shape)})")
        return self._file.numbers(tensor, sizes)

    def is_zero(self, place):
        """Says whether an input is left out, is a variable, which has no numbers in the file, or has zeros only."""
        return not self.has(place) or not np.any(self._file.content(self._tensor(self.inputs[place])))

    def check_x(self):
        tensor = self._tensor(self.inputs[0]) if self.has(0) else None
        if tensor is None or tensor.number(1, "<b") != _FLOAT32:
            raise ValueError("is computed in integers throughout; only float32 with weights of float32, float16 or int8 is read")


class _File:
    def __init__(self, data):
        if data[4:8] != b"TFL3":
            raise ValueError("does not begin as a model of TensorFlow Lite")
        self._data, self._room, self._taken = data, Room(len(data)), 0
        self._model = _Table(data, struct.unpack_from("<I", data)[0])

    def operators(self):
        """Returns the RNNs of all graphs."""
        codes = {}
        for number, table in enumerate(self._model.tables(1)):
            code = max(table.number(0, "<b"), table.number(3, "<i"))  # codes up to 127 are in the first one, and since 2020 all are in the other
            if code in (_DEQUANTIZE, _RNN, _LSTM):
                codes[number] = code
        found, left = [], len(self._data) // 8  # tables may be named more than once
        for graph in self._model.tables(2):
            dequantized = {}
            for table in graph.tables(3):
                left -= 1
                if left < 0:
                    raise ValueError("has more operators than bytes for them")
                code = codes.get(table.number(0, "<I"))
                if code == _DEQUANTIZE:
                    inputs, outputs = table.array(1, "<i4"), table.array(2, "<i4")
                    if len(inputs) == len(outputs) == 1:
                        dequantized[int(outputs[0])] = int(inputs[0])
                elif code is not None:
                    found.append(_Operator(self, graph, code, table, dequantized))
        return found

    def content(self, tensor):
        buffer = self._model.at(4, tensor.number(2, "<I"))
        offset, size = buffer.number(1, "<Q"), buffer.number(2, "<Q")
        if offset <= 1:  # else the bytes are behind the tables, as in a file of gigabytes
            return buffer.array(0, np.uint8)
        if offset + size > len(self._data):
            raise ValueError(f"{tensor.text(3)}: lies behind the end of the file")
        return np.frombuffer(self._data, np.uint8, size, offset)

    def numbers(self, tensor, shape):
        """Returns a tensor's float32 numbers."""
        name, content = tensor.text(3), self.content(tensor)
        kind = _TYPES.get(tensor.number(1, "<b"))
        if kind is None or tensor.table(6) is not None:
            raise ValueError(f"{name}: has another type than float32, float16 or int8, or is sparse")
        if not all(size > 0 for size in shape) or len(content) != np.prod(shape, dtype=object) * kind.itemsize:
            raise ValueError(f"{name}: has {len(content)} bytes for shape {shape}; it must be a constant")
        size = 4 * (len(content) // kind.itemsize)
        self._room.take((size,), 1)
        self._taken += size
        self._room.check(self._taken)
        array = content.view(kind).reshape(shape).astype(np.float32)
        return _scaled(name, tensor, array) if kind.kind == "i" else array


def _scaled(name, tensor, array):
    quantization = tensor.table(4)
    scale, zero_point = (np.empty(0), np.empty(0)) if quantization is None else (quantization.array(2, "<f4"), quantization.array(3, "<i8"))
    axis = 0 if quantization is None else quantization.number(6, "<i")
    if not 0 <= axis < array.ndim or len(scale) not in (1, array.shape[axis]) or len(zero_point) not in (0, len(scale)):
        raise ValueError(f"{name}: is int8 with {len(scale)} scales for shape {array.shape}")
    along = [1] * array.ndim
    along[axis] = -1
    if len(zero_point):
        array -= zero_point.astype(np.float32).reshape(along)
    array *= scale.reshape(along)
    return array


def _stacked(operator, gates, places, *shape, is_coupled):
    """Returns matrices or vectors of gates, each with this shape, as the specification has them: gates before the last axis.

    is_coupled: the input gate has none, because it is 1 - f. This is sigmoid(-x), a gate with the negative weights of f; f is 1 - i.
    """
    found = order("tflite", gates)
    arrays = {letter: operator.array(places + found.index("f" if is_coupled and letter == "i" else letter), *shape)
              for letter in order("specification", gates)}
    if is_coupled:
        arrays["i"] = -arrays["i"]
    return np.stack([array.T for array in arrays.values()], 1 if len(shape) == 2 else 0)


def _lstm(operator):
    """Returns LSTM weights. Inputs: x, 4 matrices of x, 4 of h, 3 peepholes, 4 biases, projection and bias, h, c, 4 norms."""
    options = operator.options
    activation, cell_clip, projection_clip = options.number(0, "<b"), options.number(1, "<f"), options.number(2, "<f")
    has_clip = cell_clip and not (cell_clip >= _LEAST_CLIP and activation == _TANH)
    has_not = {"layer normalization": any(map(operator.has, range(20, 24))), "an activation that is not tanh, relu or none":
               activation not in _OF_LSTM, f"proj_clip {projection_clip:g}": projection_clip != 0, f"cell_clip {cell_clip:g}": has_clip,
               "a bias of its projection": not operator.is_zero(17),
               "weights of h on the diagonal only": bool(options.number(5, "<?"))}
    for what in filter(has_not.get, has_not):
        raise ValueError(f"has {what}, which a network has not")
    units, channels = operator.array(2, None, None).shape
    part, back = {}, units
    if operator.has(16):
        part["weights_projection"] = operator.array(16, None, units).T
        back = part["weights_projection"].shape[1]
    is_coupled = not operator.has(1)
    part.update(weights_layer=_stacked(operator, "lstm", 1, units, channels, is_coupled=is_coupled),
                weights_iter=_stacked(operator, "lstm", 5, units, back, is_coupled=is_coupled),
                bias=_stacked(operator, "lstm", 12, units, is_coupled=is_coupled))
    if operator.has(10):
        part["weights_peephole"] = _stacked(operator, "peephole", 9, units, is_coupled=is_coupled)
    if cell_clip:
        warnings.warn(f"from_tflite: {operator.name} clips c at {cell_clip:g}, a network does not: results depart once a |c| is larger",
                      stacklevel=4)
    function = _OF_LSTM[activation]
    return LSTM, part, {"batch_first": not options.number(3, "<?"), "activations": ("logistic", function, function),
                        "input_forget": is_coupled}, (18, 19)


def _rnn(operator):
    """Returns a vanilla RNN's weights. Its inputs are x, the matrix of x, that of h, the bias, h."""
    found = _OF_RNN.get(operator.options.number(1, "<b"))
    if found is None:
        raise ValueError("has an activation that is not tanh, relu, relu6, relu_n1_to_1 or none")
    kernel = operator.array(1, None, None)
    units = len(kernel)
    part = {"weights_layer": kernel.T[:, np.newaxis], "weights_iter": operator.array(2, units, units).T[:, np.newaxis],
            "bias": operator.array(3, units)[np.newaxis]}
    return RNN, part, {**found, "batch_first": not operator.options.number(0, "<?")}, (4,)


def _network(operator, options):
    try:
        operator.check_x()
        if operator.options is None:
            raise ValueError("has no options")
        kind, part, found, states = (_lstm if operator.code == _LSTM else _rnn)(operator)
        if not all(map(operator.is_zero, states)):
            raise ValueError("has states that begin with other numbers than 0")
    except ValueError as error:
        raise ValueError(f"{operator.name}: {error}") from None
    return of_parts(kind, [part], (), {**found, **options})


def from_tflite(path, node=None, **options):
    """Returns the network of a UnidirectionalSequenceLSTM or UnidirectionalSequenceRNN of TensorFlow Lite; node: if the model
    has several, the name of its output, or "*" for a dictionary of all of them.

    Weights may be float32, float16 or int8 (hybrid: x and states are float32). The network has the numbers that int8 weights
    stand for; quantize() makes bytes of them again. An LSTM may have an input gate that is 1 - f, and an activation that is relu
    or none; an RNN may have any but sign_bit. x is (N, T, slc) if the operator is not time_major. A cell_clip of 10 or more, as
    Keras's converter sets it, is a UserWarning, because a network does not clip c; a smaller one is refused. A Bidirectional of
    Keras is two operators, of which one gets x reversed. options: precision, backend.
    """
    try:
        operators = _File(read_file(path)).operators()
        names = [operator.name for operator in operators]
        if node == "*" and len(set(names)) == len(names):
            return {operator.name: _network(operator, options) for operator in operators}
        chosen = [operator for operator in operators if node in (None, operator.name)]
        if len(chosen) != 1:
            raise ValueError(f"node: is {node!r}, but must be one of {', '.join(sorted(names)[:_LISTED]) or 'none: there is no RNN'}")
        return _network(chosen[0], options)
    except struct.error as error:
        raise ValueError(f"{name_of(path)}: is damaged ({error})") from None
    except ValueError as error:
        raise ValueError(f"{name_of(path)}: {error}") from None
