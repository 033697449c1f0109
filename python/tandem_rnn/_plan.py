"""One layer becomes primitives: objects that are made once for a shape, and the buffers of one execution."""
import threading
from typing import NamedTuple

import numpy as np

from . import _abi as abi
from . import _gates
from . import _schema as s
from . import _threads

DIRECTIONS = {"left2right": s.LEFT2RIGHT, "right2left": s.RIGHT2LEFT, "concat": s.BIDIRECTIONAL_CONCAT,
              "sum": s.BIDIRECTIONAL_SUM}
PRECISIONS = {"float32": s.FPMATH_STRICT, "bfloat16": s.FPMATH_BF16, "float16": s.FPMATH_F16}

# A network keeps at most these bytes for shapes of inputs that may come again. A new plan takes 0.2 ms.
KEPT_BYTES = 1 << 24


class Layer(NamedTuple):
    """These do not depend on the input's length and batch; sizes have the specification's names."""
    cell: str
    direction: str
    activation: str
    alpha: float
    beta: float
    slc: int
    dhc: int
    dic: int
    weights: tuple  # the names of those that the layer has
    precision: str
    backend: str
    reproducible: bool
    gates: _gates.Gates

    @property
    def directions(self):
        return 2 if self.direction in ("concat", "sum") else 1

    @property
    def dlc(self):
        return self.dic * (2 if self.direction == "concat" else 1)

    def shape(self, tensor, steps=0, batch=0):
        sizes = {"L": 1, "D": self.directions, "T": steps, "N": batch, "slc": self.slc, "sic": self.dic, "dhc": self.dhc,
                 "dic": self.dic, "dlc": self.dlc, "gates": s.NUM_GATES[self.cell],
                 "bias gates": len(s.CELLS[self.cell][1]), "1": 1, "3 (i, f, o)": 3}
        return tuple(sizes[axis] for axis in s.TENSORS[tensor][1])

    def tensors(self):
        """Returns the tensors of forward, inputs first, without lengths."""
        names = ["src_layer", "src_iter"] + ["src_iter_c"] * (self.cell == "lstm")
        names += ["augru_attention"] * self.cell.endswith("augru")
        return names + list(self.weights) + ["dst_layer", "dst_iter"] + ["dst_iter_c"] * (self.cell == "lstm")


class Use(NamedTuple):
    """This says how a layer is executed."""
    steps: int
    batch: int
    lengths: bool
    training: bool
    masks: tuple = ()  # a _masked.Masks.kind()

    def inside(self):
        """The names of the primitive's masks."""
        return self.masks[1:]


def _kind(layer, propagation):
    flags = s.DIFF_WEIGHTS_OVERWRITE if propagation == s.BACKWARD else 0
    activation = s.ACTIVATIONS[layer.activation] if layer.cell == "vanilla_rnn" else 0
    return abi.RnnKind(propagation, s.CELLS[layer.cell][0], DIRECTIONS[layer.direction], activation, flags, layer.alpha,
                       layer.beta)


class Plan:
    """This is the primitive of a layer and a use, and how its tensors lie. It is immutable.

    quantized: weights in s8. Their quantize() tells the attributes how 8 bits stand for numbers; src_layer has their data_type.
    """

    def __init__(self, layer, use, forward=None, quantized=None):
        _threads.apply()
        self.layer, self.use = layer, use
        self.names = layer.tensors()
        if forward is not None:
            self.names = self.names + [s.DESCRIBED[name] for name in self.names]
        mds = {}
        for name in self.names:
            shape = layer.shape(name, use.steps, use.batch)
            data_type = s.F32
            if quantized is not None:
                data_type = quantized.data_type if name == "src_layer" else s.S8 if name in s.WEIGHTS else s.F32
            mds[name] = (abi.any_layout if name in s.WEIGHTS else abi.memory_desc)(shape, data_type)
        attributes = abi.Attributes(fpmath_mode=PRECISIONS[layer.precision], sequence_lengths=use.lengths,
                                    deterministic=layer.reproducible, rnn_masks=sum(s.RNN_MASKS[name] for name in use.inside()))
        layer.gates.add_to(attributes)
        if quantized is not None:
            quantized.quantize(attributes)
        propagation = s.BACKWARD if forward is not None else (
            s.FORWARD_TRAINING if use.training else s.FORWARD_INFERENCE)
        self.desc = abi.RnnPrimitiveDesc(_kind(layer, propagation), mds, attributes, forward and forward.desc)
        if layer.backend == "reference" and forward is None and not self.implementation().startswith("ref"):
            self.desc.advance()
        self.primitive = abi.primitive(self.desc)
        self.bytes = self.desc.scratchpad_bytes() + (1 << 16)  # the descriptors have 64 kB
        self.mds = {name: self.desc.md(s.TENSORS[name][0]) if name in s.WEIGHTS else md for name, md in mds.items()}
        if use.lengths:
            self.mds["sequence_lengths"] = abi.memory_desc((use.batch,), s.S32)
        for name in use.inside():
            self.mds[name] = abi.memory_desc(layer.shape(name, use.steps, use.batch))
        if use.training:
            self.mds["workspace"] = self.desc.md(s.ARG_WORKSPACE)

    def implementation(self):
        return self.desc.implementation()


class Plans:
    """These are the plans with which a network trains. The oldest go if all of them have too much memory."""

    def __init__(self):
        self._kept, self._bytes, self._lock = {}, 0, threading.Lock()

    def get(self, layer, use, forward=None):
        """Returns the plan of a layer and a use. With `forward`, the plan of its forward pass, it is the one of backward."""
        key = layer, use, forward is None
        with self._lock:
            found = self._kept.pop(key, None)
            if found is None:
                found = Plan(layer, use, forward)
                self._bytes += found.bytes
            self._kept[key] = found
            while self._bytes > KEPT_BYTES:
                self._bytes -= self._kept.pop(next(iter(self._kept))).bytes
        return found


# float16 rounds numbers from this one on to infinity.
_TOO_MUCH_FOR_F16 = 65520


def _floats(name, array):
    """Returns a copy."""
    array = np.asarray(array)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name}: is {array.dtype}, but must be numbers")
    return np.array(array, np.float32, order="C")


class Weights:
    """These are the weights of a layer: dense float32 arrays by the specification's names, and their packed forms."""

    reads_x = True  # the primitive reads a layer's input as it is

    def __init__(self, layer, arrays):
        self.arrays = {name: _floats(name, array) for name, array in arrays.items()}
        for name, array in self.arrays.items():
            if layer.precision == "float16" and name in s.WEIGHTS and (np.isfinite(array) & (abs(array) >= _TOO_MUCH_FOR_F16)).any():
                raise ValueError(f"{name}: has {abs(array[np.isfinite(array)]).max():g}, but float16 ends at 65504")
            if array.shape != layer.shape(name):
                raise ValueError(f"{name}: has shape {array.shape}, but must have {layer.shape(name)}")
            array.flags.writeable = False
        self._packed, self._lock = {}, threading.Lock()

    @classmethod
    def of(cls, arrays):
        """Makes weights of arrays that nobody else has, without a check: float32, with the shapes of a layer whose precision is float32."""
        result = cls.__new__(cls)
        result.__setstate__({"arrays": arrays})
        for array in arrays.values():
            array.flags.writeable = False
        return result

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name not in ("_packed", "_lock")}

    def __setstate__(self, state):
        self.__dict__.update(state, _packed={}, _lock=threading.Lock())

    def plan(self, layer, use):
        """Returns the layer's plan for forward, for these weights."""
        return Plan(layer, use)

    def memory(self, name, md, attributes=None):
        """Returns a tensor in the layout and type that a primitive asks for; it is made once."""
        key = (name, bytes(md))
        with self._lock:
            found = self._packed.get(key)
            if found is None:
                found = abi.Memory(abi.memory_desc(self.arrays[name].shape), self.arrays[name])
                if not abi.lib.tandem_memory_desc_equal(abi.c.byref(found.md), abi.c.byref(md)):
                    found = abi.reorder(found, md, attributes)
                self._packed[key] = found
        return found


def call(plan, weights, arrays, workspace=None):
    """Returns the primitive's call on these arrays; `arrays` has all tensors but the weights."""
    memories = {}
    for name, md in plan.mds.items():
        if name == "workspace":
            memories[s.ARG_WORKSPACE] = workspace if workspace is not None else abi.Memory(md)
        elif name in plan.layer.weights:
            memories[s.TENSORS[name][0]] = weights.memory(name, md)
        elif name in arrays:
            memories[s.TENSORS[name][0]] = abi.Memory(md, arrays[name])
    return abi.Call(plan.primitive, memories)
