"""Gates may have other functions than the specification's, a clip, or a coupled forget gate (docs/numerics.md)."""
import math
import re
from typing import NamedTuple

import numpy as np

from . import _schema as s

_PLACES = {"lstm": ("recurrent", "candidate", "output"), "gru": ("recurrent", "candidate"), "lbr_gru": ("recurrent", "candidate")}
_CLIPPED = (*_PLACES, "vanilla_rnn")
NUMBER = r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"


class Function(NamedTuple):
    """This is a function of gates. Numbers that it does not use are 0."""
    name: str
    alpha: float = 0.0
    beta: float = 0.0


SIGMOID, TANH = Function("logistic"), Function("tanh")


class Gates(NamedTuple):
    """functions: recurrent, candidate and, for LSTM, output; none stand for the specification's. clip: 0 for none."""
    functions: tuple = ()
    clip: float = 0.0
    input_forget: bool = False

    def add_to(self, attributes):
        """Tells the library's attributes what the gates are."""
        for place, function in enumerate(self.functions):
            attributes.set_activation((s.GATE_RECURRENT, s.GATE_CANDIDATE, s.GATE_OUTPUT)[place], s.ACTIVATIONS[function.name],
                                      function.alpha, function.beta)
        if self.clip:
            attributes.set_clip(self.clip)
        if self.input_forget:
            attributes.set("input_forget", 1)

    def metadata(self):
        """Returns the keys of a saved network. A plus sign separates functions, so that numbers have none."""
        words = "+".join(":".join((name, *(_text(number) for number in numbers[:s.ACTIVATION_NUMBERS[name]])))
                         for name, *numbers in self.functions)
        return {**({"activations": words} if words else {}), **({"clip": _text(self.clip)} if self.clip else {}),
                **({"input_forget": "True"} if self.input_forget else {})}


def _text(number):
    return str(np.float32(number)).replace("e+", "e").removesuffix(".0")


def _number(value, name):
    """Returns a float32 number, which must be finite."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name}: is {value!r}, but must be a number")
    with np.errstate(over="ignore"):
        result = float(np.float32(value))
    if not math.isfinite(result):
        raise ValueError(f"{name}: is {value!r}, but must be finite in float32")
    return result


def _function(given, place):
    """Returns the Function of a name, or of a tuple of a name and its numbers."""
    parts = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, (tuple, list)) else ()
    if not parts or not isinstance(parts[0], str):
        raise TypeError(f"activations: {place} is {given!r}, but must be a name, or a tuple of a name and its numbers")
    name, *numbers = parts
    if name not in s.ACTIVATIONS:
        raise ValueError(f"activations: {place} is {name!r}, but must be one of {', '.join(s.ACTIVATIONS)}")
    count = s.ACTIVATION_NUMBERS[name]
    if name == "relu" and not numbers:
        numbers = [0.0]
    if len(numbers) != count:
        raise ValueError(f"activations: {place} is {name} with {len(numbers)} numbers, but must have {count} "
                         f"({', '.join(('alpha', 'beta')[:count]) or 'none'})")
    return Function(name, *(_number(value, f"activations: {word} of {place}") for value, word in zip(numbers, ("alpha", "beta"))))


def make(cell, activations=None, clip=0.0, input_forget=False):
    """Returns the Gates of a network's options."""
    functions, places = (), _PLACES.get(cell, ())
    if activations is not None:
        if not places:
            raise ValueError(f"activations: are given, but {cell} has no such option, only {', '.join(_PLACES)}")
        if isinstance(activations, str) or not isinstance(activations, (tuple, list)) or len(activations) != len(places):
            raise ValueError(f"activations: are {activations!r}, but must be {len(places)}, of {', '.join(places)}")
        functions = tuple(map(_function, activations, places))
        functions = () if functions == (SIGMOID, TANH, TANH)[:len(places)] else functions
    clip = _number(0.0 if clip is None else clip, "clip")
    if clip < 0:
        raise ValueError(f"clip: is {clip!r}, but must not be negative; 0 stands for none")
    if clip and cell not in _CLIPPED:
        raise ValueError(f"clip: is given, but {cell} has no such option, only {', '.join(_CLIPPED)}")
    if not isinstance(input_forget, (bool, np.bool_)):
        raise TypeError(f"input_forget: is {input_forget!r}, but must be True or False")
    if input_forget and cell != "lstm":
        raise ValueError(f"input_forget: is given, but {cell} has no such option, only lstm")
    return Gates(functions, clip, bool(input_forget))


def of_metadata(metadata):
    """Returns the options that the keys of a saved network stand for."""
    result = {}
    if "activations" in metadata:
        result["activations"] = [_of_text(word) for word in metadata["activations"].split("+")]
    if "clip" in metadata:
        result["clip"] = float(metadata["clip"])
    if "input_forget" in metadata:
        result["input_forget"] = metadata["input_forget"] == "True"
    return result


def _of_text(word):
    """Returns a function of a file, which has all of its numbers there."""
    name, *numbers = word.split(":")
    if len(numbers) != s.ACTIVATION_NUMBERS.get(name) or not all(re.fullmatch(NUMBER, number) for number in numbers):
        raise ValueError(f"activations: has {word!r}, which is no function with its numbers")
    return (name, *map(float, numbers))


def of_problem(cell, gates):
    """Returns the options for the gates of a problem of the pipe protocol."""
    result = {"clip": gates["clip"], "input_forget": gates["input_forget"]}
    if cell in _PLACES:
        result["activations"] = [_of_problem(gates[place]) for place in _PLACES[cell]]
    return result


def _of_problem(said):
    return (said["activation"], *(said["alpha"], said["beta"])[:s.ACTIVATION_NUMBERS[said["activation"]]])
