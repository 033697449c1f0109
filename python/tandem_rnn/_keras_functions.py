"""Functions in the configuration of Keras's layers become options of a network."""

# Each of Keras's names has the function of tandem_rnn.RNN and its numbers. SimpleRNN also has relu6 and hard_tanh, which are relu and
# x itself with a clip. An LSTM's clip would limit all of its gates.
_FUNCTIONS = {
    "tanh": ("tanh",), "sigmoid": ("logistic",), "relu": ("relu", 0.0), "softsign": ("softsign",), "softplus": ("softplus",),
    "elu": ("elu", 1.0), "linear": ("affine", 1.0, 0.0), "leaky_relu": ("relu", 0.2),
}
_HARD = "hard_sigmoid"
_CLIPPED = {"relu6": (("relu", 0.0), 6.0), "hard_tanh": (("affine", 1.0, 0.0), 1.0)}


def _hard_sigmoid(name, version):
    """Returns the hard_sigmoid of the Keras that wrote the file. version: None if it is not known."""
    generation = (version or "").partition(".")[0]
    if generation not in ("1", "2", "3"):
        raise ValueError(f"{name}: has hard_sigmoid, which is 0.2 x + 0.5 in Keras 2 and x / 6 + 0.5 in Keras 3, but no keras_version "
                         "says which; give its arrays with activations=...")
    return (_HARD, 1 / 6 if generation == "3" else 0.2, 0.5)


def _function(name, key, word, version):
    """Returns the function of an entry of a layer's configuration."""
    if word == _HARD:
        return _hard_sigmoid(name, version)
    if not isinstance(word, str) or word not in _FUNCTIONS:
        raise ValueError(f"{name}: has {key} {str(word)[:40]!r}, but must have {', '.join((*_FUNCTIONS, _HARD))}")
    return _FUNCTIONS[word]


def options_of(kind, name, config, version):
    """Returns the options of a layer. kind: LSTM, GRU, SimpleRNN or a layer for cuDNN, whose functions are the usual ones."""
    word = config.get("activation", "tanh")
    if kind == "SimpleRNN":
        (own, *numbers), clip = _CLIPPED.get(word) if word in tuple(_CLIPPED) else (_function(name, "activation", word, version), 0.0)
        return {"activation": own, "clip": clip, **dict(zip(("alpha", "beta"), numbers))}
    candidate = _function(name, "activation", word, version)
    recurrent = _function(name, "recurrent_activation", config.get("recurrent_activation", "sigmoid"), version)
    return {"activations": (recurrent, candidate) + (candidate,) * kind.endswith("LSTM")}
