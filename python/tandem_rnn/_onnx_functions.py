"""Functions, clip and coupled forget gate of an ONNX node become options of its network."""
import numpy as np

_LEAKY = float(np.float32(0.01))
# Each of ONNX's names, in lower case, has the function of tandem_rnn.RNN and the defaults of alpha and beta. ONNX's text has no
# defaults for Affine and ScaledTanh, whose operators are gone. ONNX Runtime takes 0 for them.
_FUNCTIONS = {
    "relu": ("relu",), "tanh": ("tanh",), "sigmoid": ("logistic",), "softsign": ("softsign",), "softplus": ("softplus",),
    "leakyrelu": ("relu", _LEAKY), "thresholdedrelu": ("thresholded_relu", 1.0), "elu": ("elu", 1.0),
    "hardsigmoid": ("hard_sigmoid", 0.2, 0.5), "affine": ("affine", None, None), "scaledtanh": ("scaled_tanh", None, None),
}
_USUAL = {"LSTM": ("Sigmoid", "Tanh", "Tanh"), "GRU": ("Sigmoid", "Tanh"), "RNN": ("Tanh",)}
_NO_CLIP = float(np.finfo(np.float32).max)


def _functions(name, words, found):
    """Returns the functions of a node. Those that use alpha or beta take the next number that is given, or the default."""
    given, result = [iter(found.get(key, ())) for key in ("activation_alpha", "activation_beta")], []
    for word in words:
        if word.lower() not in _FUNCTIONS:
            raise ValueError(f"{name}: has the activation {word[:40]!r}, but must have one of {', '.join(_FUNCTIONS)}")
        own, *defaults = _FUNCTIONS[word.lower()]
        numbers = [next(values, default) for values, default in zip(given, defaults)]
        if None in numbers:
            raise ValueError(f"{name}: has {word} without its activation_alpha and activation_beta, for which ONNX has no defaults")
        result.append((own, *map(float, numbers)))
    return result


def _clip(name, found):
    clip = found.get("clip", _NO_CLIP)
    if not clip > 0:
        raise ValueError(f"{name}: its clip is {clip:g}, but must be above 0")
    return {"clip": clip} if clip < _NO_CLIP else {}


def options_of(operation, name, found, directions):
    """Returns the options of a node. operation: LSTM, GRU or RNN; found: its attributes by name, with the right types."""
    usual = _USUAL[operation]
    words = [each.decode(errors="replace") for each in found.get("activations", ())] or list(usual) * directions
    functions, count = _functions(name, words, found), len(usual)
    if len(functions) != count * directions:
        raise ValueError(f"{name}: has {len(functions)} activations, but must have {count * directions}")
    if functions != functions[:count] * directions:
        raise ValueError(f"{name}: its directions have different activations, {functions}, but those of a network have the same")
    result = _clip(name, found)
    if operation == "RNN":
        own, *numbers = functions[0]
        result.update(activation=own, **dict(zip(("alpha", "beta"), numbers)))
    else:
        result["activations"] = tuple(functions[:count])
    coupled = found.get("input_forget", 0)
    if coupled and operation == "LSTM":
        if coupled != 1:
            raise ValueError(f"{name}: its input_forget is {coupled}, but must be 0 or 1")
        result["input_forget"] = True
    return result
