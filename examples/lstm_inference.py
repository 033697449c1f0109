#!/usr/bin/env python3
"""Runs an LSTM through libtandem_c, with ctypes and numpy, and compares it with the equations in numpy.

    lstm_inference.py PREFIX/lib/libtandem_c.so

The program runs the network of lstm_inference.cc and prints its line. Then it runs a network with random weights, whose every
output must be within the rounding errors that float32 allows.
"""
import ctypes as c
import sys

import numpy as np

# These are values of the C headers' enumerators (oneapi/dnnl/dnnl_enums.h, dnnl_query.h, dnnl_format_tags.h, dnnl_args.h).
CPU, IN_ORDER, F32, FORWARD_INFERENCE, LEFT2RIGHT = 1, 1, 3, 96, 1
IMPL_INFO_STR, WEIGHTS_MD = 8, 131
FROM, TO = 1, 17
# api/schema: python_arguments
SRC_LAYER = 1
SRC_ITER = 2
SRC_ITER_C = 3
AUGRU_ATTENTION = 4
WEIGHTS_LAYER = 33
WEIGHTS_ITER = 34
WEIGHTS_PEEPHOLE = 35
WEIGHTS_PROJECTION = 36
BIAS = 41
DST_LAYER = 17
DST_ITER = 18
DST_ITER_C = 19
SEQUENCE_LENGTHS = 224
NORM_GAIN = 232
NORM_OFFSET = 233
MASK_LAYER = 240
MASK_ITER = 241
ZONEOUT_ITER = 242
ZONEOUT_ITER_C = 243
# api/schema: end
TAG_ANY = 1
ALLOCATE = c.c_void_p(-1)


class ExecArg(c.Structure):
    _fields_ = [("arg", c.c_int), ("memory", c.c_void_p)]


class Dnnl:
    """This is the library: every dnnl_* function is a method that raises the library's sentence if it fails."""

    def __init__(self, path):
        self.library = c.CDLL(path)
        self.library.tandem_last_error.restype = c.c_char_p

    def __getattr__(self, name):
        function = getattr(self.library, "dnnl_" + name)

        def call(*args):
            if function(*args) != 0:
                raise RuntimeError(f"{name}: {self.library.tandem_last_error().decode()}")

        return call

    def new(self, name, *args):
        """Returns the handle that the function gives through its first parameter."""
        handle = c.c_void_p()
        getattr(self, name)(c.byref(handle), *args)
        return handle


class Lstm:
    """One layer, left to right, has no peephole and projection. weights_* are (inputs, 4 gates i f c o, units)."""

    def __init__(self, dnnl, shape, units):
        steps, batch, inputs = shape
        self.dnnl, self.units = dnnl, units
        self.cpu = dnnl.new("engine_create", c.c_int(CPU), c.c_size_t(0))
        self.stream = dnnl.new("stream_create", self.cpu, c.c_uint(IN_ORDER))
        self.src, self.dst = self.plain(shape), self.plain((steps, batch, units))
        self.state = self.plain((1, 1, batch, units))
        self.bias = self.plain((1, 1, 4, units))
        any_layer, any_iter = (self.tagged((1, 1, i, 4, units), TAG_ANY) for i in (inputs, units))
        self.pd = dnnl.new("lstm_forward_primitive_desc_create", self.cpu, c.c_int(FORWARD_INFERENCE),
                           c.c_int(LEFT2RIGHT), self.src, None, None, any_layer, any_iter, None, None, self.bias,
                           self.dst, self.state, self.state, c.c_uint(0), None)
        self.primitive = dnnl.new("primitive_create", self.pd)

    def tagged(self, dims, tag):
        return self.dnnl.new("memory_desc_create_with_tag", c.c_int(len(dims)), (c.c_int64 * 12)(*dims), c.c_int(F32),
                             c.c_int(tag))

    def plain(self, dims):
        return self.dnnl.new("memory_desc_create_with_strides", c.c_int(len(dims)), (c.c_int64 * 12)(*dims),
                             c.c_int(F32), None)

    def memory(self, md, data):
        """Makes a memory on an array's buffer, or on one of the library's own."""
        pointer = data.ctypes.data_as(c.c_void_p) if isinstance(data, np.ndarray) else data
        return self.dnnl.new("memory_create", md, self.cpu, pointer)

    def execute(self, primitive, memories):
        args = (ExecArg * len(memories))(*(ExecArg(arg, memory) for arg, memory in memories.items()))
        self.dnnl.primitive_execute(primitive, self.stream, c.c_int(len(args)), args)

    def packed(self, weights, index):
        """Returns the weights in the layout that the implementation chose. It is made once, for many executions."""
        md = c.c_void_p()
        self.dnnl.primitive_desc_query(self.pd, c.c_int(WEIGHTS_MD), c.c_int(index), c.byref(md))
        source = self.memory(self.plain((1, 1) + weights.shape), weights)
        result = self.memory(md, ALLOCATE)
        pd = self.dnnl.new("reorder_primitive_desc_create", source_desc(self, source), self.cpu, md, self.cpu, None)
        self.execute(self.dnnl.new("primitive_create", pd), {FROM: source, TO: result})
        return result

    def name(self):
        text = c.c_char_p()
        self.dnnl.primitive_desc_query(self.pd, c.c_int(IMPL_INFO_STR), c.c_int(0), c.byref(text))
        return text.value.decode()

    def run(self, x, weights_layer, weights_iter, bias):
        steps, batch, _ = x.shape
        dst = np.empty((steps, batch, self.units), np.float32)
        h, cell = (np.empty((batch, self.units), np.float32) for _ in range(2))
        self.execute(self.primitive, {
            SRC_LAYER: self.memory(self.src, x),
            WEIGHTS_LAYER: self.packed(weights_layer, 0),
            WEIGHTS_ITER: self.packed(weights_iter, 1),
            BIAS: self.memory(self.bias, bias),
            DST_LAYER: self.memory(self.dst, dst),
            DST_ITER: self.memory(self.state, h),
            DST_ITER_C: self.memory(self.state, cell),
        })
        return dst, h, cell


def source_desc(lstm, memory):
    md = c.c_void_p()
    lstm.dnnl.memory_get_memory_desc(memory, c.byref(md))
    return md


def equations(x, weights_layer, weights_iter, bias):
    """Returns h and c of every step in float64, each with a bound on the error of a float32 computation."""
    unit = 2.0**-24                        # half an ulp of 1: one rounding
    activation = 8 * unit                  # 4 ulp: the error that sigmoid and tanh of the library may have
    terms = x.shape[2] + weights_iter.shape[0] + 2
    x, w, u, b = (a.astype(np.float64) for a in (x, weights_layer, weights_iter, bias))
    h = cell = h_off = cell_off = np.zeros((x.shape[1], bias.shape[1]))
    for step in x:
        gates = np.einsum("ni,igo->gno", step, w) + np.einsum("ni,igo->gno", h, u) + b[:, None]
        size = np.einsum("ni,igo->gno", abs(step), abs(w)) + np.einsum("ni,igo->gno", abs(h), abs(u)) + abs(b)[:, None]
        # The errors are those of `terms` additions in any order, and that of h.
        off = terms * unit / (1 - terms * unit) * size + np.einsum("ni,igo->gno", h_off, abs(u)) * (1 + terms * unit)
        i, f, o = (1 / (1 + np.exp(-gates[k])) for k in (0, 1, 3))
        g = np.tanh(gates[2])
        # The slope of a sigmoid is at most 1/4, that of tanh at most 1.
        i_off, f_off, o_off = (off[k] / 4 + activation for k in (0, 1, 3))
        g_off = off[2] + activation
        cell_off = (f + f_off) * cell_off + abs(cell) * f_off + (i + i_off) * g_off + abs(g) * i_off
        cell = f * cell + i * g
        cell_off = cell_off + 3 * unit * (abs(cell) + 2 * cell_off + 2)
        h_off = (o + o_off) * (cell_off + activation) + abs(np.tanh(cell)) * o_off + unit
        h = o * np.tanh(cell)
        yield h, h_off, cell, cell_off


def main():
    dnnl = Dnnl(sys.argv[1])

    ones = np.ones((8, 1, 4), np.float32)
    tenths = np.full((4, 4, 4), 0.1, np.float32)
    lstm = Lstm(dnnl, ones.shape, 4)
    _, h, cell = lstm.run(ones, tenths, tenths, np.zeros((4, 4), np.float32))
    print(f"{lstm.name()}: h = {h[0, 0]:.5f}, c = {cell[0, 0]:.5f}")

    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    random = np.random.default_rng(seed)
    arrays = [random.uniform(-1, 1, shape).astype(np.float32) for shape in ((6, 3, 5), (5, 4, 7), (7, 4, 7), (4, 7))]
    got, h, cell = Lstm(dnnl, (6, 3, 5), 7).run(*arrays)
    worst = 0.0
    for t, (want, off, want_c, off_c) in enumerate(equations(*arrays)):
        worst = max(worst, np.max(abs(got[t] - want) / off))
    worst = max(worst, np.max(abs(h - want) / off), np.max(abs(cell - want_c) / off_c))
    print(f"seed {seed}: the largest error is {worst:.3f} of what float32 allows", file=sys.stderr)
    if not worst <= 1:
        sys.exit("FAILED: an output is farther from the equations than float32 explains")

    try:
        dnnl.new("memory_desc_create_with_tag", c.c_int(13), (c.c_int64 * 13)(), c.c_int(F32), c.c_int(TAG_ANY))
    except RuntimeError as error:
        print(error, file=sys.stderr)
    else:
        sys.exit("FAILED: a descriptor of 13 dims was accepted")


if __name__ == "__main__":
    main()
