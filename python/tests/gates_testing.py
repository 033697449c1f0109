"""These are float64 equations of cells with other functions. Weights have the specification's names and one direction."""
import numpy as np

FUNCTIONS = {
    "relu": lambda x, alpha=0.0: np.where(x > 0, x, alpha * x),
    "tanh": np.tanh,
    "logistic": lambda x: 1 / (1 + np.exp(-x)),
    "thresholded_relu": lambda x, alpha: np.where(x > alpha, x, 0),
    "hard_sigmoid": lambda x, alpha, beta: np.clip(alpha * x + beta, 0, 1),
    "softsign": lambda x: x / (1 + abs(x)),
    "softplus": lambda x: np.log1p(np.exp(x)),
    "elu": lambda x, alpha: np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0))),
    "affine": lambda x, alpha, beta: alpha * x + beta,
    "scaled_tanh": lambda x, alpha, beta: alpha * np.tanh(beta * x),
}


def function(given):
    name, *numbers = (given,) if isinstance(given, str) else given
    return lambda x: FUNCTIONS[name](x, *numbers)


def sums(x, weights):
    return np.einsum("ni,igo->gno", x, weights.astype(np.float64))


def lstm_step(x, state, w, activations=("logistic", "tanh", "tanh"), clip=np.inf, input_forget=False):
    """Returns h and c after a step. w: weights_layer and weights_iter (in, 4, dhc), bias (4, dhc), weights_peephole (3, dhc)."""
    f, g, h = map(function, activations)
    (before, c), p = state, w.get("weights_peephole", np.zeros((3, w["bias"].shape[1])))
    a = sums(x, w["weights_layer"]) + sums(before, w["weights_iter"]) + w["bias"][:, None]
    cut = lambda values: np.clip(values, -clip, clip)  # noqa: E731
    i, forget = f(cut(a[0] + p[0] * c)), f(cut(a[1] + p[1] * c))
    c = (1 - i if input_forget else forget) * c + i * g(cut(a[2]))
    return f(cut(a[3] + p[2] * c)) * h(c), c


def gru_step(x, h, w, activations=("logistic", "tanh"), clip=np.inf, linear_before_reset=False):
    """Returns h after a step. w: weights_layer and weights_iter (in, 3, dhc), bias (3, dhc), or (4, dhc) with linear_before_reset."""
    f, g = map(function, activations)
    cut = lambda values: np.clip(values, -clip, clip)  # noqa: E731
    of_x, of_h, bias = sums(x, w["weights_layer"]), sums(h, w["weights_iter"]), w["bias"][:, None]
    u, r = (f(cut(of_x[k] + of_h[k] + bias[k])) for k in (0, 1))
    if linear_before_reset:
        o = g(cut(of_x[2] + r * (of_h[2] + bias[3]) + bias[2]))
    else:
        o = g(cut(of_x[2] + sums(r * h, w["weights_iter"])[2] + bias[2]))
    return u * h + (1 - u) * o


def run(step, x, state, w, **options):
    """Returns all outputs, for x (T, N, slc), in float64."""
    outputs = []
    for each in x.astype(np.float64):
        state = step(each, state, w, **options)
        outputs.append(state[0] if isinstance(state, tuple) else state)
    return np.stack(outputs)


def step_error(terms, largest=1.0):
    """Returns how far float32 is off after one step of a cell from the same state.

    terms: a gate sums this many products of numbers and weights up to 1/2.

    largest, M: no number, gate, state or result of a function is larger, and it is 1 or more. Functions are no steeper than 1 and
    4 ulp off, so that a gate is off by E = (terms^2 + 8) M u. LSTM: c = f c' + i g is off by 3 M E, and o h(c) by M E + M 3 M E.
    GRU: u weighs a difference of up to 2 M; the candidate is off by E, and by what r does to terms of M / 2 and to a sum's error,
    and is weighed by up to 1 + M. The last part is for the roundings of these two products and their sum.
    """
    unit, m = 2.0**-24, largest
    gate = (terms**2 + 8) * m * unit
    return gate * max((1 + 3 * m) * m, 2 * m + (1 + m) * (1 + m + terms * m / 2)) + 8 * unit * m**3
