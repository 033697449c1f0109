"""Many streams that one network runs at once, a step or some steps at a time."""
import numpy as np


def _each(function, *states):
    """A function of h arrays, on h and, for LSTM, on c."""
    return tuple(map(function, *states)) if isinstance(states[0], tuple) else function(*states)


def stack(states):
    """One state of all the rows of several, in their order. A state is h, or (h, c): (layers D, N, channels)."""
    return _each(lambda *arrays: np.concatenate(arrays, axis=1), *states)


def split(state):
    """A state of one row for each row."""
    rows = (state[0] if isinstance(state, tuple) else state).shape[1]
    return [take(state, [row]) for row in range(rows)]


def take(state, rows):
    """The state of these rows, in this order: some are dropped, others may be there twice, as the beams of a decoder.

    rows: their numbers, or a boolean mask with a value for each row.
    """
    rows, count = np.asarray(rows), (state[0] if isinstance(state, tuple) else state).shape[1]
    if rows.dtype == bool:
        if rows.shape != (count,):
            raise ValueError(f"rows: are a mask of {', '.join(map(str, rows.shape))}, but there are {count}")
        rows = np.flatnonzero(rows)
    elif rows.size == 0:
        rows = rows.astype(np.intp)
    return _each(lambda array: array.take(rows, axis=1), state)


class Streams:
    """The streams of a network and their states. y = streams(x), x: (T, N, slc), N the number of streams at present."""

    def __init__(self, net, count=1):
        self.net, self.state = net, None
        self.add(count)

    def __len__(self):
        return (self.state[0] if isinstance(self.state, tuple) else self.state).shape[1]

    def __call__(self, x, lengths=None):
        """The outputs of the next steps; lengths: how many of them each stream has, 0 for one that waits."""
        y, self.state = self.net(x, self.state, lengths)
        return y

    def add(self, count=1):
        """New streams behind the others."""
        new = self.net.zero_state(count)
        self.state = new if self.state is None else stack([self.state, new])

    def keep(self, rows):
        """Only these streams go on, in this order; a row may be there twice. Or a boolean mask."""
        self.state = take(self.state, rows)
