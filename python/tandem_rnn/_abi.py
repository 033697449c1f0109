"""This module calls libtandem.so by its C functions (api/include/dnnl/abi.h) with ctypes: one wheel serves every Python 3."""
import ctypes as c
import functools
import os
import platform

from . import _schema as s

_HERE = os.path.dirname(os.path.abspath(__file__))


class Error(RuntimeError):
    """The library refuses a request; the message is its sentence."""


class MemoryDesc(c.Structure):
    """This is a tensor's descriptor. Only the library reads its fields."""
    _fields_ = [("words", c.c_int64 * (s.SIZE_OF_MEMORY_DESC // 8))]


class RnnDesc(c.Structure):
    _fields_ = [("words", c.c_int64 * (s.SIZE_OF_RNN_DESC // 8))]


class RnnKind(c.Structure):
    _fields_ = [("prop_kind", c.c_int), ("cell_kind", c.c_int), ("direction", c.c_int), ("activation_kind", c.c_int),
                ("flags", c.c_uint), ("alpha", c.c_float), ("beta", c.c_float)]


class ExecArg(c.Structure):
    _fields_ = [("arg", c.c_int), ("memory", c.c_void_p)]


# The wheel's library keeps at most this many primitives that nothing uses. One has 60 kB, between buffers that come and go.
# Inputs of 480 lengths leave 290 MB in use with the library's default of 1024, 90 MB with 64; the time is the same.
_CACHE_CAPACITY = 64
_CACHE_VARIABLES = ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "DNNL_PRIMITIVE_CACHE_CAPACITY")


def _remedy(error):
    """Returns advice for a machine that lacks something that the library needs."""
    if "libgomp" in error:
        return "; it needs GCC's libgomp (Debian: apt-get install libgomp1, Fedora: dnf install libgomp)"
    if "GLIBC" in error:
        return f"; it needs a newer glibc than {' '.join(platform.libc_ver())}: a newer system, or a wheel that was built on this one"
    return "; it needs glibc, which this system, as Alpine, has not" if "ld-linux" in error else ""


def _load():
    """Loads the library of the wheel; TANDEM_LIBRARY names another one."""
    own = os.path.join(_HERE, "tandem.dll" if os.name == "nt" else "libtandem.so.1")
    path = os.environ.get("TANDEM_LIBRARY") or own
    try:
        library = c.CDLL(path)
    except OSError as error:
        raise ImportError(f"tandem_rnn: its library cannot be loaded: {error}{_remedy(str(error))}") from None
    if path == own and not any(name in os.environ for name in _CACHE_VARIABLES):
        library.tandem_set_primitive_cache_capacity(_CACHE_CAPACITY)
    library.tandem_last_error.restype = c.c_char_p
    library.tandem_primitive_desc_get_impl_info.restype = c.c_char_p
    library.tandem_release.restype = None
    library.tandem_release.argtypes = [c.c_void_p]
    library.tandem_memory_set_data.argtypes = [c.c_void_p, c.c_void_p]
    library.tandem_engine_create.argtypes = [c.c_void_p, c.c_int, c.c_size_t]
    library.tandem_rnn_desc_init.argtypes = [c.c_void_p, c.c_size_t, c.c_void_p, c.c_int, c.c_void_p, c.c_void_p]
    library.tandem_rnn_primitive_desc_create_sized.argtypes = [c.c_void_p, c.c_void_p, c.c_size_t] + [c.c_void_p] * 3
    library.tandem_primitive_desc_query_md.argtypes = [c.c_void_p, c.c_int, c.c_int, c.c_void_p]
    library.tandem_primitive_desc_query_int.argtypes = [c.c_void_p, c.c_int, c.c_void_p]
    return library


lib = _load()


def check(status):
    if status != s.SUCCESS:
        fail()


def fail():
    raise Error(lib.tandem_last_error().decode())


class Handle:
    """This is one reference to an object of the library."""
    __slots__ = ("pointer",)

    def __init__(self, function, *args):
        self.pointer = c.c_void_p()
        check(function(c.byref(self.pointer), *args))

    def __del__(self, release=lib.tandem_release):
        pointer = getattr(self, "pointer", None)
        if pointer:
            release(pointer)

    @property
    def _as_parameter_(self):
        return self.pointer


def memory_desc(dims, data_type=s.F32):
    """Returns a dense tensor's descriptor, the last dim fastest."""
    md = MemoryDesc()
    check(lib.tandem_memory_desc_init_by_strides(c.byref(md), len(dims), (c.c_int64 * 12)(*dims), data_type, None))
    return md


def any_layout(dims, data_type=s.F32):
    """Returns a tensor's descriptor whose layout the implementation chooses."""
    md = MemoryDesc()
    check(lib.tandem_memory_desc_init_by_tag(c.byref(md), len(dims), (c.c_int64 * 12)(*dims), data_type, s.ANY))
    return md


_ALLOCATE = c.c_void_p(-1)
_engine = Handle(lib.tandem_engine_create, s.CPU, 0)
stream = Handle(lib.tandem_stream_create, _engine, c.c_uint(s.IN_ORDER))


class Memory(Handle):
    """This is a tensor on an array, which it keeps alive, or on a buffer of the library's own."""
    __slots__ = ("array", "md")

    def __init__(self, md, array=None):
        self.md, self.array = md, array
        data = _ALLOCATE if array is None else c.c_void_p(array.__array_interface__["data"][0])
        super().__init__(lib.tandem_memory_create, c.byref(md), _engine, data)

    def move_to(self, array):
        self.array = array
        check(lib.tandem_memory_set_data(self.pointer, array.__array_interface__["data"][0]))


class Attributes(Handle):
    def __init__(self, **fields):
        super().__init__(lib.tandem_attr_create)
        for name, value in fields.items():
            self.set(name, value)

    def set(self, name, value):
        check(lib.tandem_attr_set(self, getattr(s, "ATTR_" + name.upper()), c.c_int(value)))

    def set_activation(self, place, kind, alpha, beta):
        """Sets the function of gates at a place, one of s.GATE_*."""
        check(lib.tandem_attr_set_rnn_activation(self, c.c_int(place), c.c_int(kind), c.c_float(alpha), c.c_float(beta)))

    def set_clip(self, clip):
        check(lib.tandem_attr_set_rnn_clip(self, c.c_float(clip)))

    def set_data_qparams(self, scale, shift):
        check(lib.tandem_attr_set_rnn_data_qparams(self, c.c_float(scale), c.c_float(shift)))

    def set_weights_qparams(self, which, mask, scales):
        """which: one of s.QPARAMS_*; scales: floats, one for each index of the dims in the mask."""
        values = (c.c_float * len(scales))(*scales)
        check(lib.tandem_attr_set_qparams(self, c.c_int(which), c.c_int(mask), c.c_size_t(len(scales)), values))


class RnnPrimitiveDesc(Handle):
    """kind: an RnnKind; mds: by the specification's names; a hint makes it a descriptor of backward."""

    def __init__(self, kind, mds, attributes, hint=None):
        count = len(s.DESCRIBED)
        pointers = c.c_void_p * count
        address = {name: c.addressof(md) for name, md in mds.items()}
        tensors = pointers(*(address.get(name) for name in s.DESCRIBED))
        diffs = None if hint is None else pointers(*(address.get(name) for name in s.DESCRIBED.values()))
        desc = RnnDesc()
        check(lib.tandem_rnn_desc_init(c.byref(desc), c.sizeof(desc), c.byref(kind), count, tensors, diffs))
        super().__init__(lib.tandem_rnn_primitive_desc_create_sized, c.byref(desc), c.sizeof(desc), attributes, _engine,
                         hint)

    def md(self, argument):
        md = MemoryDesc()
        check(lib.tandem_primitive_desc_query_md(self, s.EXEC_ARG_MD, argument, c.byref(md)))
        return md

    def scratchpad_bytes(self):
        """Returns the bytes that a primitive of it has for itself."""
        result = c.c_int64()
        check(lib.tandem_primitive_desc_query_int(self, s.MEMORY_CONSUMPTION, c.byref(result)))
        return result.value

    def implementation(self):
        return lib.tandem_primitive_desc_get_impl_info(self).decode()

    def advance(self):
        """Moves on to the next implementation of the list."""
        check(lib.tandem_primitive_desc_advance(self))


class Call:
    """This is a primitive with its arguments, a dictionary of memories by argument number. A call executes it."""
    __slots__ = ("memories", "_primitive", "_places", "_args", "execute")

    def __init__(self, primitive, memories):
        self.memories, self._primitive = memories, primitive
        self._args = args = (ExecArg * len(memories))(*(ExecArg(arg, m.pointer) for arg, m in memories.items()))
        self._places = {arg: place for place, arg in enumerate(memories)}
        # The library's function returns a status. Its arguments are bound here and need not be looked up in each execution.
        self.execute = functools.partial(lib.tandem_primitive_execute, primitive.pointer, stream.pointer,
                                         c.c_int(len(memories)), args)

    def __call__(self):
        check(self.execute())

    def bind(self, argument, memory):
        """Takes another memory of the same descriptor in place of one."""
        self.memories[argument] = memory
        self._args[self._places[argument]].memory = memory.pointer


def primitive(desc):
    return Handle(lib.tandem_primitive_create, desc)


class _StreamLayers(c.Structure):
    _fields_ = [("primitive_desc", c.c_void_p), ("nargs", c.c_int), ("args", c.POINTER(ExecArg))]


class StreamPlan(Handle):
    """These are layers with their weights, which streams share.

    layers: pairs of a descriptor and of memories by argument number. The arrays of the memories must live as long.
    """

    def __init__(self, layers):
        given = (_StreamLayers * len(layers))(*(
            _StreamLayers(desc.pointer, len(memories), (ExecArg * len(memories))(*(ExecArg(*pair) for pair in (
                (argument, memory.pointer) for argument, memory in memories.items()))))
            for desc, memories in layers))
        super().__init__(lib.tandem_rnn_stream_plan_create, len(layers), given)


class Stream(Handle):
    """These are the states of so many rows."""

    def __init__(self, plan, rows):
        super().__init__(lib.tandem_rnn_stream_create, plan, c.c_int64(rows))


def address(array):
    """Returns the array's address, which keeps it alive."""
    result = c.c_void_p(array.__array_interface__["data"][0])
    result.array = array
    return result


def _reorder_primitive(source, target, attributes=None):
    return primitive(Handle(lib.tandem_reorder_primitive_desc_create, c.byref(source), _engine, c.byref(target), _engine, attributes))


@functools.lru_cache(maxsize=64)
def _kept_reorder(source, target):
    """Returns a reorder between descriptors that are given as bytes: training asks for the same ones in each step."""
    return _reorder_primitive(MemoryDesc.from_buffer_copy(source), MemoryDesc.from_buffer_copy(target))


def reorder(source, md, attributes=None):
    """Returns a copy of a memory in another layout or type; attributes say how it becomes 8 bits."""
    result = Memory(md)
    made = _kept_reorder(bytes(source.md), bytes(md)) if attributes is None else _reorder_primitive(source.md, md, attributes)
    Call(made, {s.ARG_FROM: source, s.ARG_TO: result})()
    return result
