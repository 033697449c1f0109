"""The reference computes the classes of tandem_rnn here. It is slow, and written to be read next to the equations."""
from . import _network


def _of_reference(kind):
    def __init__(self, *args, **more):
        kind.__init__(self, *args, backend="reference", **more)

    return type(kind.__name__, (kind,), {"__init__": __init__, "__doc__": kind.__doc__, "__module__": __name__})


LSTM = _of_reference(_network.LSTM)
GRU = _of_reference(_network.GRU)
LBRGRU = _of_reference(_network.LBRGRU)
RNN = _of_reference(_network.RNN)
AUGRU = _of_reference(_network.AUGRU)
LBRAUGRU = _of_reference(_network.LBRAUGRU)
