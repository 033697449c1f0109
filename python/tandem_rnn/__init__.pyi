import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from . import reference as reference, streams as streams

__version__: str
__all__ = ["AUGRU", "Complaint", "Equation", "Error", "GRU", "Gradients", "LBRAUGRU", "LBRGRU", "LSTM", "Network",
           "Quantized", "RNN", "Tape", "Verdict", "from_keras", "from_onnx", "from_safetensors", "from_torch",
           "judge", "trace"]

_Floats = npt.NDArray[np.float32]

class _DLPack(Protocol):
    def __dlpack__(self, *, stream: Any = ...) -> Any: ...

_Input = _Floats | _DLPack
_Lengths = Sequence[int] | npt.NDArray[np.integer[Any]] | _DLPack
_Direction = Literal["left2right", "right2left", "concat", "sum"]
# api/schema: python_activations
_Activation = Literal["relu", "tanh", "logistic"]
# api/schema: end
_Precision = Literal["float32", "bfloat16", "float16"]
_Backend = Literal["optimized", "reference"]
_Weights = Sequence[Mapping[str, npt.ArrayLike]]
# h, and (h, c) for LSTM: as it is returned, and as it is given.
_State = TypeVar("_State")
_Pair = tuple[_Floats, _Floats]
_Path = str | os.PathLike[str]

class Error(RuntimeError): ...

class Complaint(NamedTuple):
    problem: str
    verdict: str
    message: str

class Verdict:
    conforms: bool
    partial: bool
    headline: str
    groups: list[str]
    complaints: list[Complaint]
    counts: dict[str, int]
    refusals: dict[str, int]
    text: str
    report: dict[str, Any]
    def __init__(self, status: int, has_profile: bool, text: str, report: dict[str, Any]) -> None: ...
    def _repr_html_(self) -> str: ...

class Equation(NamedTuple):
    id: str
    text: str
    value: _Floats
    parts: dict[str, _Floats]

_Function = Callable[[dict[str, Any], dict[str, npt.NDArray[Any]]], Mapping[str, npt.ArrayLike]]

def judge(implementation: type[Any] | _Function | Any, profile: str | None = None, cases: int = 100, *,
          problem: str | None = None, seed: int = 1, timeout: float | None = None, fail_fast: bool = False,
          report: str | None = None) -> Verdict: ...
def from_keras(weights: Sequence[npt.ArrayLike], *, cell: str | None = None, **options: Any) -> Network[Any]: ...
def from_onnx(path: _Path, node: str | None = None, **options: Any) -> Network[Any]: ...
def from_safetensors(path: _Path, prefix: str | None = None, *, cell: str | None = None,
                     **options: Any) -> Network[Any] | Any: ...  # or a Quantized
def from_torch(module: Any, **options: Any) -> Network[Any]: ...
def trace(net: Network[Any], x: _Input, state: Any = None, attention: _Input | None = None) -> list[dict[str, Equation]]: ...

class Gradients(Generic[_State]):
    x: _Floats
    state: _State
    attention: _Floats | None
    weights: list[dict[str, _Floats]]
    def __init__(self, x: _Floats, state: _State, attention: _Floats | None,
                 weights: list[dict[str, _Floats]]) -> None: ...

class Tape(Generic[_State]):
    y: _Floats
    state: _State
    def __init__(self, net: Network[_State], run: Any, x: _Floats) -> None: ...
    def backward(self, diff_y: _Input | None = None, diff_state: Any = None) -> Gradients[_State]: ...

class Network(Generic[_State]):
    cell: str
    layers: tuple[Any, ...]
    @property
    def batch_first(self) -> bool: ...
    def __init__(self, slc: int, dhc: int, layers: int = 1, *, direction: _Direction = "left2right", bias: bool = True,
                 batch_first: bool = False, precision: _Precision = "float32", weights: _Weights | None = None,
                 backend: _Backend = "optimized", reproducible: bool = False, seed: int = 0) -> None: ...
    @property
    def weights(self) -> list[dict[str, _Floats]]: ...
    def set_weights(self, weights: _Weights) -> None: ...
    def __call__(self, x: _Input, state: _State | None = None, lengths: _Lengths | None = None,
                 out: _Input | None = None, attention: _Input | None = None) -> tuple[_Floats, _State]: ...
    def record(self, x: _Input, state: _State | None = None, lengths: _Lengths | None = None,
               attention: _Input | None = None) -> Tape[_State]: ...
    def quantize(self, samples: _Input | Sequence[_Input] | None = None,
                 weights_only: bool = False) -> Quantized[_State]: ...
    def save(self, path: _Path) -> None: ...
    def zero_state(self, batch: int) -> _State: ...
    def implementation(self, steps: int = 1, batch: int = 1) -> str: ...

class Quantized(Generic[_State]):
    net: Network[_State]
    layers: tuple[Any, ...]
    def __init__(self, net: Network[_State], samples: _Input | Sequence[_Input] | None = None,
                 weights_only: bool = False) -> None: ...
    def __call__(self, x: _Input, state: _State | None = None, lengths: _Lengths | None = None,
                 out: _Input | None = None, attention: _Input | None = None) -> tuple[_Floats, _State]: ...
    def save(self, path: _Path) -> None: ...
    def zero_state(self, batch: int) -> _State: ...
    def implementation(self, steps: int = 1, batch: int = 1) -> str: ...

class LSTM(Network[_Pair]):
    def __init__(self, slc: int, dhc: int, layers: int = 1, *, peephole: bool = False, dic: int | None = None,
                 direction: _Direction = "left2right", bias: bool = True,
                 batch_first: bool = False, precision: _Precision = "float32", weights: _Weights | None = None,
                 backend: _Backend = "optimized", reproducible: bool = False, seed: int = 0) -> None: ...

class GRU(Network[_Floats]): ...
class LBRGRU(Network[_Floats]): ...

class RNN(Network[_Floats]):
    def __init__(self, slc: int, dhc: int, layers: int = 1, *,
                 activation: _Activation = "tanh", alpha: float = 0.0,
                 direction: _Direction = "left2right", bias: bool = True,
                 batch_first: bool = False, precision: _Precision = "float32", weights: _Weights | None = None,
                 backend: _Backend = "optimized", reproducible: bool = False, seed: int = 0) -> None: ...

class AUGRU(Network[_Floats]):
    def __init__(self, slc: int, dhc: int, *, bias: bool = True,
                 batch_first: bool = False, precision: _Precision = "float32", weights: _Weights | None = None,
                 backend: _Backend = "optimized", reproducible: bool = False, seed: int = 0) -> None: ...

class LBRAUGRU(Network[_Floats]):
    def __init__(self, slc: int, dhc: int, *, bias: bool = True,
                 batch_first: bool = False, precision: _Precision = "float32", weights: _Weights | None = None,
                 backend: _Backend = "optimized", reproducible: bool = False, seed: int = 0) -> None: ...
