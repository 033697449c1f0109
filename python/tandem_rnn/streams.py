"""One network runs many streams at once, a step or some steps at a time."""
import numpy as np

from . import _arrays


def _h(state):
    h = state[0] if isinstance(state, tuple) and state else state
    if not isinstance(h, np.ndarray):
        raise TypeError(f"state: is a {type(state).__name__}, but must be h, or (h, c), as a network returns it")
    return h


def _each(function, *states):
    """Applies a function of h arrays to h and, for LSTM, to c."""
    return tuple(map(function, *states)) if isinstance(states[0], tuple) else function(*states)


def stack(states):
    """Returns one state of all the rows of several, in their order. A state is h, or (h, c): (layers D, N, channels)."""
    shapes = {tuple((part.shape[0], *part.shape[2:]) for part in (state if isinstance(state, tuple) else (_h(state),)))
              for state in states}
    if len(shapes) != 1:
        raise ValueError("states: are none" if not shapes else "states: are not all of networks of the same cell, layers and sizes")
    return _each(lambda *arrays: np.concatenate(arrays, axis=1), *states)


def split(state):
    """Returns a state of one row for each row."""
    return [take(state, [row]) for row in range(_h(state).shape[1])]


def take(state, rows):
    """Returns the state of these rows, in this order: some are dropped, others may be there twice, as the beams of a decoder.

    rows: their numbers, or a boolean mask with a value for each row.
    """
    rows, count = np.asarray(rows), _h(state).shape[1]
    if rows.dtype == bool:
        if rows.shape != (count,):
            raise ValueError(f"rows: are a mask of {', '.join(map(str, rows.shape))}, but there are {count}")
        rows = np.flatnonzero(rows)
    elif rows.shape == (0,):
        rows = rows.astype(np.intp)
    elif rows.dtype.kind not in "iu" or rows.ndim != 1:
        raise TypeError(f"rows: are {rows.dtype} with {rows.ndim} dims, but must be integers, or a mask, with one")
    elif rows.min() < -count or rows.max() >= count:
        raise ValueError(f"rows: have {rows.min() if rows.min() < -count else rows.max()}, but there are {count}")
    return _each(lambda array: array.take(rows, axis=1), state)


class Streams:
    """This has the streams of a network and their states. y = streams(x), x: (T, N, slc), N the number of streams at present.

    The streams advance together, some steps at a time, by lengths of their own, or as beams that keep() repeats. For one step at
    a time, of one stream or of those with an input just then, net.stream() and net.stream_group() take less time.
    """

    def __init__(self, net, count=1):
        if not hasattr(net, "zero_state"):
            raise TypeError(f"net: is a {type(net).__name__}, but must be a network of tandem_rnn")
        self.net, self.state = net, None
        self.add(count)

    def __len__(self):
        return _h(self.state).shape[1]

    def __call__(self, x, lengths=None):
        """Returns the outputs of the next steps; lengths: how many of them each stream has, 0 for one that waits."""
        x = _arrays.to_array(x, "x")
        rows = x.shape[0 if getattr(self.net, "net", self.net).batch_first else 1] if x.ndim == 3 else len(self)
        if rows != len(self):
            raise ValueError(f"x: has {rows} rows, but there are {len(self)} streams")
        y, self.state = self.net(x, self.state, lengths)
        return y

    def add(self, count=1):
        """Adds new streams behind the others."""
        new = self.net.initial_state(count)
        self.state = new if self.state is None else stack([self.state, new])

    def keep(self, rows):
        """Keeps only these streams, in this order; a row may be there twice. `rows` may also be a boolean mask."""
        self.state = take(self.state, rows)
