"""One layer of a network through Tandem's C API, with the ctypes wrapper of examples/lstm_inference.py."""
import ctypes as c

import numpy as np

import lstm_inference as api

TANH, CONCAT, WEIGHTS_PROJECTION = 0x21, 3, 36


class Network:
    """Calls are network(cell, tensors of one layer, src_layer): dst_layer."""

    def __init__(self, library):
        self.dnnl = api.Dnnl(library)
        self.cpu = self.dnnl.new("engine_create", c.c_int(api.CPU), c.c_size_t(0))
        self.stream = self.dnnl.new("stream_create", self.cpu, c.c_uint(api.IN_ORDER))

    def plain(self, dims):
        return self.dnnl.new("memory_desc_create_with_strides", c.c_int(len(dims)), (c.c_int64 * 12)(*dims),
                             c.c_int(api.F32), None)

    def primitive_desc(self, cell, mds):
        """mds: src_layer, weights_layer, weights_iter, weights_projection, bias, dst_layer."""
        src, layer, recurrent, projection, bias, dst, direction = mds
        head, tail = [self.cpu, c.c_int(api.FORWARD_INFERENCE)], [c.c_uint(0)]
        if cell == "lstm":
            middle = [src, None, None, layer, recurrent, None, projection, bias, dst, None, None]
        else:
            middle = [src, None, layer, recurrent, bias, dst, None]
        if cell == "vanilla_rnn":
            head.append(c.c_int(TANH))
            tail += [c.c_float(0), c.c_float(0)]
        return self.dnnl.new(cell + "_forward_primitive_desc_create", *head, c.c_int(direction), *middle, *tail, None)

    def __call__(self, cell, tensors, x):
        directions = tensors["weights_layer"].shape[1]
        width = tensors["weights_projection" if "weights_projection" in tensors else "weights_iter"].shape
        units = width[-1]
        dst = np.empty((*x.shape[:2], directions * units), np.float32)
        arrays = {api.SRC_LAYER: np.ascontiguousarray(x), api.DST_LAYER: dst}
        for arg, name in ((api.WEIGHTS_LAYER, "weights_layer"), (api.WEIGHTS_ITER, "weights_iter"), (api.BIAS, "bias"),
                          (WEIGHTS_PROJECTION, "weights_projection")):
            if name in tensors:
                arrays[arg] = np.ascontiguousarray(tensors[name])
        mds = {arg: self.plain(array.shape) for arg, array in arrays.items()}
        order = (api.SRC_LAYER, api.WEIGHTS_LAYER, api.WEIGHTS_ITER, WEIGHTS_PROJECTION, api.BIAS, api.DST_LAYER)
        direction = CONCAT if directions == 2 else api.LEFT2RIGHT
        pd = self.primitive_desc(cell, [mds.get(arg) for arg in order] + [direction])
        primitive = self.dnnl.new("primitive_create", pd)
        memories = {arg: self.dnnl.new("memory_create", mds[arg], self.cpu, array.ctypes.data_as(c.c_void_p))
                    for arg, array in arrays.items()}
        args = (api.ExecArg * len(memories))(*(api.ExecArg(arg, memory) for arg, memory in memories.items()))
        self.dnnl.primitive_execute(primitive, self.stream, c.c_int(len(args)), args)
        return dst
