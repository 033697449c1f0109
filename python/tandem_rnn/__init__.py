"""Recurrent networks on the CPU, by Tandem: LSTM, GRU, LBRGRU, RNN, AUGRU, LBRAUGRU.

    net = tandem_rnn.LSTM(slc=80, dhc=256, layers=2)
    y, (h, c) = net(x)          # x: (T, N, slc), float32

help(tandem_rnn.LSTM) has the options, help(tandem_rnn.LSTM.__call__) the shapes.
"""
import importlib

from ._abi import Error
from ._judge import Complaint, Verdict, judge
from ._network import AUGRU, GRU, LBRAUGRU, LBRGRU, LSTM, RNN, Network, Tape
from ._quantized import Quantized
from ._run import Gradients
from ._stream import Stream, StreamGroup
from ._threads import get_num_threads, set_num_threads
from ._trace import Equation, trace

__all__ = ["AUGRU", "Complaint", "Equation", "Error", "GRU", "Gradients", "LBRAUGRU", "LBRGRU", "LSTM", "Network",
           "Quantized", "RNN", "Stream", "StreamGroup", "Tape", "Verdict", "from_guitarml", "from_keras", "from_nam",
           "from_onnx", "from_rtneural", "from_safetensors", "from_state_dict", "from_tflite", "from_torch", "get_num_threads", "judge",
           "rnnoise_grus", "set_num_threads", "trace"]

_MODULES = ("audio", "reference", "streams", "torch")
_CONVERTERS = {"from_keras": "convert", "from_safetensors": "convert", "from_state_dict": "convert", "from_torch": "convert",
               "from_onnx": "onnx", "from_tflite": "tflite",
               "from_guitarml": "audio", "from_nam": "audio", "from_rtneural": "audio", "rnnoise_grus": "audio"}


def __getattr__(name):
    """Converters are imported when they are asked for: python -m tandem_rnn.convert_torch is one of them. So are other parts."""
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version(__name__)
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name not in _CONVERTERS:
        raise AttributeError(f"module 'tandem_rnn' has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_CONVERTERS[name]}", __name__), name)
