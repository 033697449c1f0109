"""The weights of torch.nn.LSTM, GRU and RNN map to the specification's; this needs numpy only. docs/coming_from.md"""
import numpy as np

if __package__:
    from . import gate_orders
else:  # run by its path
    import gate_orders

# The indices put the specification's gates in PyTorch's order.
GATES = {cell: [gate_orders.order("specification", cell).index(gate) for gate in gate_orders.order("pytorch", cell)]
         for cell in ("lstm", "lbr_gru", "vanilla_rnn")}


def to_torch(cell, weights_layer, weights_iter, bias=None, weights_projection=None):
    """Returns the weights of one layer and direction by PyTorch's names.

    weights_layer, weights_iter: inputs, gates, units; bias: gates (LBR GRU: 4), units; weights_projection: units, projected.
    """
    gates = GATES[cell]

    def matrix(weights):  # turns inputs, gates, units into gates * units, inputs
        return weights[:, gates].reshape(len(weights), -1).T.copy()

    result = {"weight_ih": matrix(weights_layer), "weight_hh": matrix(weights_iter)}
    if weights_projection is not None:
        result["weight_hr"] = weights_projection.T.copy()
    if bias is not None:
        result["bias_ih"] = bias[gates].ravel()
        # PyTorch has two biases. One of them would be enough, but for the last gate of GRU.
        hidden = np.zeros_like(bias[gates])
        if cell == "lbr_gru":
            hidden[2] = bias[3]
        result["bias_hh"] = hidden.ravel()
    return result


def from_torch(cell, weight_ih, weight_hh, bias_ih=None, bias_hh=None, weight_hr=None):
    """Returns a dictionary by the specification's names. Two biases become their sum."""
    gates = GATES[cell]
    units = len(weight_ih) // len(gates)
    back = [gates.index(g) for g in range(len(gates))]

    def matrix(weights):
        return np.ascontiguousarray(weights.T.reshape(-1, len(gates), units)[:, back])

    result = {"weights_layer": matrix(weight_ih), "weights_iter": matrix(weight_hh)}
    if weight_hr is not None:
        result["weights_projection"] = np.ascontiguousarray(weight_hr.T)
    if bias_ih is not None:
        first, second = (b.reshape(-1, units)[back] for b in (bias_ih, bias_hh))
        result["bias"] = first + second
        if cell == "lbr_gru":  # the candidate's two biases stay apart
            result["bias"] = np.concatenate([first[:2] + second[:2], first[2:], second[2:]])
    return result


def gradients_to_torch(cell, weights_layer, weights_iter, bias=None, weights_projection=None):
    """Returns gradients by PyTorch's names. Both biases have the gradient of their sum."""
    result = to_torch(cell, weights_layer, weights_iter, None, weights_projection)
    if bias is not None:
        result["bias_ih"], hidden = bias[GATES[cell]].ravel(), bias[GATES[cell]]
        if cell == "lbr_gru":
            hidden[2] = bias[3]
        result["bias_hh"] = hidden.ravel()
    return result


def gradients_from_torch(cell, weight_ih, weight_hh, bias_ih=None, bias_hh=None, weight_hr=None):
    """Returns gradients by the specification's names. Both biases have the gradient of their sum."""
    result = from_torch(cell, weight_ih, weight_hh, weight_hr=weight_hr)
    if bias_ih is not None:
        units = len(weight_ih) // len(GATES[cell])
        rest = np.zeros_like(bias_hh)
        if cell == "lbr_gru":
            rest[2 * units :] = bias_hh[2 * units :]
        result["bias"] = from_torch(cell, weight_ih, weight_hh, bias_ih, rest)["bias"]
    return result
