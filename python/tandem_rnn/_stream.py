"""A stream has the states of one row, or of rows that come and go, one step at a time (docs/streams.md)."""
import copy
import functools
import operator

import numpy as np

from . import _abi as abi
from . import _arrays
from . import _plan
from . import _run
from . import _schema as s

_ARRAY, _FLOAT32 = np.ndarray, _arrays.FLOAT32
_TYPES = {s.F32: np.float32, s.U8: np.uint8}
_lib, _int64 = abi.lib, abi.c.c_int64

# A stream keeps buffers for this many sizes of small blocks, that of one step included.
_KEPT_SIZES = 4


class _Part:
    """These layers from `begin` to `end` pass floats on as they are. prepare: makes the lowest one's input; or None."""

    def __init__(self, layers, weights, begin, end):
        layers, weights = layers[begin:end], weights[begin:end]
        first, last = layers[0], layers[-1]
        self.begin, self.end, self.dlc = begin, end, last.dlc
        self.prepare = self.encoded = None
        if not weights[0].reads_x:
            self.prepare, self.encoded = weights[0].preparation, (first.slc, _TYPES[weights[0].data_type])
        described = []
        for layer, own in zip(layers, weights):
            plan = own.plan(layer, _plan.Use(1, 1, False, False))
            described.append((plan.desc, {s.TENSORS[name][0]: own.memory(name, plan.mds[name]) for name in layer.weights}))
        self.plan = abi.StreamPlan(described)

    def buffers(self, shape, is_last):
        """Returns the arrays that it writes for inputs of this shape, without channels: its prepared inputs and its outputs."""
        encoded = self.encoded and np.empty((*shape, self.encoded[0]), self.encoded[1])
        return encoded, None if is_last else np.empty((*shape, self.dlc), np.float32)


class Stack:
    """These are a network's layers with the weights that it has now, as the library's plans. Streams share them."""

    def __init__(self, layers, weights, first_state):
        first = layers[0]
        if first.direction != "left2right":
            raise ValueError(f"stream: the network is {first.direction}, but a stream goes left2right: the first output of "
                             "another direction needs all inputs")
        self.layers, self.weights, self.first_state = layers, weights, first_state
        self.has_attention = first.cell.endswith("augru")
        begins = [n for n in range(len(layers)) if not n or not weights[n].reads_x]
        self.parts = [_Part(layers, weights, *ends) for ends in zip(begins, begins[1:] + [len(layers)])]

    def buffers(self, *shape):
        return [part.buffers(shape, part is self.parts[-1]) for part in self.parts]


class _Staged:
    """These are the calls for one size of inputs, between buffers whose addresses they have. rows: their numbers, in a group."""
    __slots__ = ("x", "attention", "rows", "y", "calls")

    def __init__(self, x, attention, y, rows=None):
        self.x, self.attention, self.y, self.rows, self.calls = x, attention, y, rows, ()


class _Rows:
    """This has states of rows, and the library's calls that step them."""

    def __init__(self, stack, count):
        self._stack, self._count = stack, count
        self._slc, self._dlc = stack.layers[0].slc, stack.layers[-1].dlc
        self._handles = [abi.Stream(part.plan, count) for part in stack.parts]
        for row in range(count if stack.first_state is not None else 0):
            self._load(row, None)

    def __copy__(self):
        result = type(self).__new__(type(self))
        result._begin(self._stack, self._count)
        for row in range(self._count):
            result._load(row, self._save(row))
        return result

    def __deepcopy__(self, memo):
        return copy.copy(self)  # its other members do not change

    def __reduce_ex__(self, protocol):
        raise TypeError(f"a {type(self).__name__} cannot be pickled; pickle the network and the stream's state")

    def _calls(self, staged, buffers):
        """Returns the library's calls from staged.x to staged.y, from the lowest part to the highest; each returns a status."""
        calls, x = [], staged.x
        attention = staged.attention if staged.attention is None else abi.address(staged.attention)
        function, sizes = _lib.tandem_rnn_stream_step, ()
        if staged.rows is not None:
            function, sizes = _lib.tandem_rnn_stream_step_rows, (_int64(len(staged.rows)), abi.address(staged.rows))
        elif x.ndim == 2:
            function, sizes = _lib.tandem_rnn_stream_run, (_int64(len(x)),)
        for part, handle, (encoded, above) in zip(self._stack.parts, self._handles, buffers):
            if encoded is not None:
                calls.append(part.prepare(x, encoded))
                x = encoded
            y = staged.y if above is None else above
            calls.append(functools.partial(function, handle.pointer, *sizes, abi.address(x), attention, abi.address(y)))
            x = y
        return tuple(calls)

    def _checked_attention(self, attention, shape):
        if not self._stack.has_attention:
            if attention is not None:
                raise ValueError(f"attention: is given, but {self._stack.layers[0].cell} has none")
        elif attention is None:
            wanted = ", ".join(map(str, (*shape, 1))) + "," * (not shape)
            raise ValueError(f"attention: an {self._stack.layers[0].cell} needs it, with shape ({wanted})")
        elif shape or not isinstance(attention, (int, float, np.integer, np.floating)):
            attention = _arrays.checked(attention, "attention", (*shape, 1))
        return attention

    def _save(self, row):
        """Returns the state of a row as a network returns it, with N = 1."""
        first, count = self._stack.layers[0], len(self._stack.layers)
        h = np.empty((count, 1, first.dic), np.float32)
        c = np.empty((count, 1, first.dhc), np.float32) if first.cell == "lstm" else None
        self._each_state(_lib.tandem_rnn_stream_save, row, h, c)
        return h if c is None else (h, c)

    def _load(self, row, state):
        first, count = self._stack.layers[0], len(self._stack.layers)
        state = self._stack.first_state if state is None else state
        h, c = state, None
        if first.cell == "lstm":
            try:
                h, c = state if state is not None else (None, None)
            except (TypeError, ValueError):
                raise _arrays.no_pair(state, "state") from None
        loaded = []
        for value, channels, name in ((h, first.dic, "state h"), (c, first.dhc, "state c"))[:1 + (first.cell == "lstm")]:
            loaded.append(np.empty((count, 1, channels), np.float32))
            _arrays.fill(loaded[-1], value, name if first.cell == "lstm" else "state")
        self._each_state(_lib.tandem_rnn_stream_load, row, *loaded)

    def _each_state(self, function, row, h, c=None):
        for part, handle in zip(self._stack.parts, self._handles):
            states = [states if states is None else abi.address(states[part.begin:part.end]) for states in (h, c)]
            abi.check(function(handle.pointer, _int64(row), *states))

    def _reset(self, row):
        for handle in self._handles:
            abi.check(_lib.tandem_rnn_stream_reset(handle.pointer, _int64(row)))
        if self._stack.first_state is not None:
            self._load(row, None)


class Stream(_Rows):
    """A stream is the states of one row, at first the network's first_state or zeros. net.stream() returns it.

    y = voice(x) makes a step, or the steps of a block. Steps have the same bits as one call of the network on all of them. The
    stream keeps the weights that the network has now, whatever set_weights() does later. One thread at a time uses a stream;
    steps leave the GIL. copy.copy() gives a stream with the same states, which goes on by itself; pickle is refused.
    """

    def __init__(self, net):
        self._begin(net._stack(), 1)

    def _begin(self, stack, count):
        super().__init__(stack, count)
        # These are small inputs by their shape. A cell with attention has nothing in _quick, where no more questions are asked.
        self._staged = {}
        self._quick = {} if stack.has_attention else self._staged
        self._stage(())

    def __call__(self, x, out=None, attention=None):
        """Returns y of a step, (dlc,), or of a block, (steps, dlc), in `out` if that is given, which may overlap with x.

        x: (slc,) or (steps, slc), float32, numpy's or anything with DLPack, in any layout. attention: (1,) or a number, and
        (steps, 1) for a block; for AUGRU only.
        """
        if x.__class__ is _ARRAY and x.dtype is _FLOAT32 and attention is None:
            staged = self._quick.get(x.shape)
            if staged is not None:
                if out is not None:
                    out = _arrays.writable(out, "out", staged.y.shape)
                staged.x[...] = x
                for call in staged.calls:
                    if call():
                        abi.fail()
                if out is None:
                    return staged.y.copy()
                out[...] = staged.y
                return out
        return self._call(x, out, attention)

    def _call(self, x, out, attention):
        x, attention, shape = self._inputs(x, attention)
        if out is not None:
            out = _arrays.writable(out, "out", (*shape, self._dlc))
        steps = shape[0] if shape else 1
        if max(self._slc, self._dlc) * steps * 4 <= _run.STAGED:
            staged = self._staged.get(x.shape) or self._stage(shape)
            staged.x[...] = x
            if attention is not None:
                staged.attention[...] = attention
            self._make(staged.calls)
            y = staged.y if out is not None else staged.y.copy()
        else:
            fits = out is not None and out.flags.c_contiguous and out.flags.aligned and not any(
                np.may_share_memory(out, array) for array in (x, attention))
            y = out if fits else np.empty((*shape, self._dlc), np.float32)
            if attention is not None:
                attention = _arrays.dense(np.asarray(attention, np.float32))  # it may be a number for one step
            self._make(self._calls(_Staged(_arrays.dense(x), attention, y), self._stack.buffers(*shape)))
        if out is None or y is out:
            return y
        out[...] = y
        return out

    def bind(self, x, y, attention=None):
        """Returns a function without arguments that makes the step, or the steps, from the contents of x to y, and returns y.

        x: (slc,) or (steps, slc), y: (dlc,) or (steps, dlc), attention: (1,) or (steps, 1); dense float32 arrays without a
        common byte. A call takes less time than that of the stream: nothing is checked, copied or allocated.
        """
        x, attention, shape = self._inputs(x, attention)
        y = _arrays.writable(y, "y", (*shape, self._dlc))
        for name, array in ("x", x), ("y", y), ("attention", attention):
            if array is not None and not (isinstance(array, _ARRAY) and array.flags.c_contiguous and array.flags.aligned):
                raise ValueError(f"{name}: is not a dense array, whose place a bound call could keep")
            if array is not None and array is not y and np.may_share_memory(array, y):
                raise ValueError(f"y: shares memory with {name}")
        calls = self._calls(_Staged(x, attention, y), self._stack.buffers(*shape))
        call = calls[0]

        # make_one() and make_all() keep the stream alive.
        def make_one():
            if call():
                self._fail()
            return y

        def make_all():
            self._make(calls)
            return y

        return make_one if len(calls) == 1 else make_all

    def reset(self):
        """Sets the states to those at first."""
        self._reset(0)

    @property
    def state(self):
        """This is a copy of the states, as the network returns them for one row. Set it to None for those at first."""
        return self._save(0)

    @state.setter
    def state(self, state):
        self._load(0, state)

    def _inputs(self, x, attention):
        """Returns x and attention, and the shape of x without channels."""
        x = x if x.__class__ is _ARRAY else _arrays.to_array(x, "x")
        x = _arrays.checked(x, "x", (self._slc,) if x.ndim < 2 else (None, self._slc))
        return x, self._checked_attention(attention, x.shape[:-1]), x.shape[:-1]

    def _stage(self, shape):
        if len(self._staged) == _KEPT_SIZES:
            del self._staged[list(self._staged)[1]]  # the first one is for one step and stays
        x, y = (np.zeros((*shape, channels), np.float32) for channels in (self._slc, self._dlc))
        attention = np.zeros((*shape, 1), np.float32) if self._stack.has_attention else None
        staged = self._staged[x.shape] = _Staged(x, attention, y)
        staged.calls = self._calls(staged, self._stack.buffers(*shape))
        return staged

    def _make(self, calls):
        for call in calls:
            if call():
                self._fail()

    @staticmethod
    def _fail():
        abi.fail()


class StreamGroup(_Rows):
    """The states of so many rows begin with the network's first_state or zeros: net.stream_group(rows). Rows are numbered from 0.

    y = desk(x, rows) makes one step of the rows that are named, in any order: one product for all of them. Bits, weights, threads
    and copies are as those of a Stream. len(desk) is the number of rows.
    """

    def __init__(self, net, rows):
        if isinstance(rows, bool) or not isinstance(rows, (int, np.integer)) or rows < 1:
            raise ValueError(f"rows: is {rows!r}, but must be a positive integer")
        self._begin(net._stack(), int(rows))

    def _begin(self, stack, count):
        super().__init__(stack, count)
        x, y = (np.zeros((count, channels), np.float32) for channels in (self._slc, self._dlc))
        self._whole = _Staged(x, np.zeros((count, 1), np.float32) if stack.has_attention else None, y, np.zeros(count, np.int64))
        self._buffers = stack.buffers(count)
        self._staged = {}  # the key is the number of rows in a step

    def __len__(self):
        return self._count

    def __call__(self, x, rows, out=None, attention=None):
        """Returns y of a step, (len(rows), dlc), in the order of rows, in `out` if that is given, which may overlap with x.

        x: (len(rows), slc), float32. rows: different integers from 0 to len(desk) - 1. attention: (len(rows), 1), for AUGRU only.
        """
        if rows.__class__ is not _ARRAY or rows.dtype.kind not in "iu" or rows.ndim != 1:
            rows = _integers(rows)
        count = len(rows)
        x = _arrays.checked(x, "x", (count, self._slc))
        if attention is not None or self._stack.has_attention:
            attention = self._checked_attention(attention, (count,))
        if out is not None:
            out = _arrays.writable(out, "out", (count, self._dlc))
        staged = self._staged.get(count) or self._stage(rows)
        staged.rows[...] = rows
        staged.x[...] = x
        if attention is not None:
            staged.attention[...] = attention
        for call in staged.calls:
            if call():
                self._refuse(rows)
        if out is None:
            return staged.y.copy()
        out[...] = staged.y
        return out

    def reset(self, row):
        """Sets the states of a row to those at first, because another one takes its place."""
        self._reset(self._number(row))

    def state(self, row):
        """Returns a copy of the states of a row, as the network returns them for one row."""
        return self._save(self._number(row))

    def set_state(self, row, state):
        """Loads the states of a row; None stands for those at first."""
        self._load(self._number(row), state)

    def _number(self, row):
        try:
            number = operator.index(row)
        except TypeError:
            raise TypeError(f"row: is a {type(row).__name__}, but must be an integer") from None
        if not 0 <= number < self._count:
            raise ValueError(f"row: is {number}, but must be 0 to {self._count - 1}")
        return number

    def _stage(self, rows):
        count, whole = len(rows), self._whole
        if count > self._count:
            self._refuse(rows)

        def firsts(*arrays):
            return [array if array is None else array[:count] for array in arrays]

        staged = _Staged(*firsts(whole.x, whole.attention, whole.y, whole.rows))
        staged.calls = self._calls(staged, [firsts(*pair) for pair in self._buffers])
        self._staged[count] = staged
        return staged

    def _refuse(self, rows):
        """Raises an error that says what is wrong with the rows of a step that the library did not make."""
        seen = set()
        for row in rows.tolist():
            if not 0 <= row < self._count:
                raise ValueError(f"rows: have {row}, but must be 0 to {self._count - 1}")
            if row in seen:
                raise ValueError(f"rows: have {row} twice")
            seen.add(row)
        abi.fail()


def _integers(rows):
    """Returns the rows of a step as an array."""
    try:
        array = np.asarray(rows)
    except ValueError:
        raise TypeError("rows: are not one dim of integers") from None
    if array.shape == (0,) and isinstance(rows, (list, tuple, range)):
        return array.astype(np.int64)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise TypeError(f"rows: are {array.dtype} with {array.ndim} dims, but must be integers with one")
    return array
