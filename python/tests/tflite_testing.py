"""Operators and their weights become models of TensorFlow Lite as the library of flatbuffers writes them."""
import numpy as np

try:
    import flatbuffers
except ImportError:
    flatbuffers = None

LEFT_OUT = "LEFT OUT: python3-flatbuffers is not installed"
TYPES = {"float32": 0, "float16": 1, "int32": 2, "int8": 9}
DEQUANTIZE, RNN, LSTM = 6, 35, 44


class _Writer(flatbuffers.Builder if flatbuffers else object):
    def vector(self, values, kind=None):
        """Writes a vector of numbers, or of tables and texts, which are places."""
        if kind is not None:
            return self.CreateNumpyVector(np.asarray(values, kind))
        self.StartVector(4, len(values), 4)
        for place in reversed(values):
            self.PrependUOffsetTRelative(place)
        return self.EndVector()

    def table(self, *fields):
        """Fields are None, numbers with their type, or places."""
        self.StartObject(len(fields))
        for number, field in enumerate(fields):
            if isinstance(field, tuple):
                getattr(self, f"Prepend{field[0]}Slot")(number, field[1], None)
            elif field is not None:
                self.PrependUOffsetTRelativeSlot(number, field, 0)
        return self.EndObject()


def _tensor(writer, buffers, name, array, scales=None, axis=0):
    """array: None for a computed tensor, a shape for one without numbers, numbers of any of the types."""
    quantization = None
    if scales is not None:
        scales = np.asarray(scales, np.float32)
        quantization = writer.table(None, None, writer.vector(scales, np.float32), writer.vector(np.zeros(scales.size), np.int64), None, None,
                                    ("Int32", axis))
    buffer, shape, kind = 0, (), "float32"
    if isinstance(array, np.ndarray):
        shape, kind, buffer = array.shape, array.dtype.name, len(buffers)
        buffers.append(writer.table(writer.vector(np.frombuffer(array.tobytes(), np.uint8), np.uint8)))
    text = writer.CreateString(name)
    return writer.table(writer.vector(shape, np.int32), ("Int8", TYPES[kind]), ("Uint32", buffer), text, quantization)


def model(operators, is_old=False):
    """Returns a file. operators: (code, x and its weights, options' fields, name of the output); weights: arrays, triples (int8
    array, scales, axis), float16 arrays, which another operator makes float32, or None. is_old: codes lie as in 2019."""
    writer = _Writer(1024)
    buffers, tensors, made, codes = [writer.table()], [], [], [DEQUANTIZE, RNN, LSTM]

    def add(name, *what):
        tensors.append(_tensor(writer, buffers, name, *what))
        return len(tensors) - 1

    def operator(code, inputs, output, options):
        made.append(writer.table(("Uint32", codes.index(code)), writer.vector(inputs, np.int32), writer.vector([output], np.int32), ("Uint8", 1),
                                 writer.table(*options)))

    for code, weights, options, name in operators:
        inputs = [add(f"{name}_x", None)]
        for number, weight in enumerate(weights):
            if weight is None:
                inputs.append(-1)
                continue
            inputs.append(add(f"{name}_{number + 1}", *(weight if isinstance(weight, tuple) else (weight,))))
            if not isinstance(weight, tuple) and weight.dtype == np.float16:
                whole = add(f"{name}_{number + 1}_float", None)
                operator(DEQUANTIZE, inputs[-1:], whole, [])
                inputs[-1] = whole
        operator(code, inputs, add(name, None), options)
    table = [writer.table(("Int8", code), None, ("Int32", 1), *([] if is_old else [("Int32", code)])) for code in codes]
    graph = writer.table(writer.vector(tensors), None, None, writer.vector(made), writer.CreateString("main"))
    root = writer.table(("Uint32", 3), writer.vector(table), writer.vector([graph]), writer.CreateString("made for tests"), writer.vector(buffers))
    writer.Finish(root, file_identifier=b"TFL3")
    return bytes(writer.Output())


def lstm(name, arrays, cell_clip=0.0, projection_clip=0.0, time_major=False, activation=4):
    """arrays: by the numbers of the operator's inputs, from 1 on."""
    return (LSTM, [arrays.get(number) for number in range(1, 1 + max(arrays))],
            [("Int8", activation), ("Float32", cell_clip), ("Float32", projection_clip), ("Bool", time_major)], name)


def rnn(name, arrays, time_major=False, activation=4):
    return RNN, arrays, [("Bool", time_major), ("Int8", activation)], name
