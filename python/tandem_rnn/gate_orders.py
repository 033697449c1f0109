"""This has the order of the gates in the weights of each framework. The readers use it, and docs/coming_from.md shows it."""

# The specification's gates of LSTM are i, f, c for c~, o; those of GRU are u, which keeps the state, r, o for the candidate.
ORDERS = {
    "specification": {"lstm": "ifco", "gru": "uro", "peephole": "ifo"},
    "pytorch": {"lstm": "ifco", "gru": "ruo"},
    "onnx": {"lstm": "iofc", "gru": "uro", "peephole": "iof"},
    "keras": {"lstm": "ifco", "gru": "uro"},
    "cudnn": {"lstm": "ifco", "gru": "ruo"},
    "tensorflow1": {"lstm": "icfo", "gru": "ruo", "peephole": "ifo"},
    "flax": {"lstm": "ifco", "gru": "ruo"},
    "madmom": {"lstm": "ifco", "peephole": "ifo"},
    "opus": {"gru": "uro"},
    "tflite": {"lstm": "ifco", "peephole": "ifo"},
}


def order(framework, cell):
    """Returns the gates' letters of a framework's cell: lstm, gru, lbr_gru, vanilla_rnn, or peephole."""
    kind = "gru" if cell == "lbr_gru" else cell
    if kind == "vanilla_rnn":
        return "o"
    if kind not in ORDERS[framework]:
        raise ValueError(f"cell: is {cell!r}, but weights of {framework} are of {', '.join(ORDERS[framework])}")
    return ORDERS[framework][kind]


def places(framework, cell):
    """Returns for each of the specification's gates its place in the framework."""
    found = order(framework, cell)
    return [found.index(gate) for gate in order("specification", cell)]
