"""The numbers of the chapter int8.md, computed again with Python alone: python3 docs/book/int8.py"""
import math

CHANNELS, STEPS = 8, 200
# A row names the scale s and shift z of states and inputs ("f32" and "bf16" have none), how weights are stored, and the cell.
ROWS = [
    ("f32 states, s8 weights, a scale for each channel", "f32", "channel"),
    ("f32 states, s8 weights, one scale", "f32", "one"),
    ("s = 127, z = 128: bytes from -1 to 1; exact weights", (127, 128), "exact"),
    ("the same, s8 weights, a scale for each channel", (127, 128), "channel"),
    ("the same, s8 weights, one scale", (127, 128), "one"),
    ("s = 16, z = 128: bytes from -8 to 8; a scale for each channel", (16, 128), "channel"),
    ("s = 254, z = 128: bytes from -0.5 to 0.5; a scale for each channel", (254, 128), "channel"),
    ("bf16 states and weights", "bf16", "bf16"),
    ("GRU, bf16 states and weights", "bf16", "bf16", "GRU"),
    ("GRU, s = 127, z = 128; a scale for each channel", (127, 128), "channel", "GRU"),
]


def numbers():
    """Numbers between -1 and 1 that are the same on every machine."""
    state = 1
    while True:
        state = (state * 1664525 + 1013904223) % 2**32
        yield (state >> 8) / 2**23 - 1


def to_byte(x, s, z):
    """[INT8.1] of the reading onednn. round() takes ties to even."""
    return min(max(round(s * x + z), 0), 255)


def to_bf16(x):
    """The nearest number with 8 binary digits."""
    digits, exponent = math.frexp(x)
    return math.ldexp(round(math.ldexp(digits, 8)), exponent - 8)


def stored(values, data):
    """What is left of values that become bytes and real numbers again, [INT8.2], or bf16."""
    if data == "f32":
        return values
    if data == "bf16":
        return list(map(to_bf16, values))
    s, z = data
    return [(to_byte(x, s, z) - z) / s for x in values]


def quantized(weights, scales):
    """Weights whose largest one, of a channel or of all, is 127."""
    if scales == "exact":
        return weights
    if scales == "bf16":
        return [list(map(to_bf16, row)) for row in weights]
    largest = max(abs(w) for row in weights for w in row)
    result = []
    for row in weights:
        w = 127 / (largest if scales == "one" else max(map(abs, row)))
        result.append([round(weight * w) / w for weight in row])
    return result


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def sums(weights, gate, x, h):
    """W x + U h' of a gate, with W and U side by side."""
    rows = weights[gate * CHANNELS:(gate + 1) * CHANNELS]
    return [sum(w * value for w, value in zip(row, x + h)) for row in rows]


def lstm(weights, x, h, c, data):
    """[LSTM.1] to [LSTM.6]."""
    i, f, candidate, o = (sums(weights, gate, x, h) for gate in range(4))
    c = [sigmoid(f[j]) * c[j] + sigmoid(i[j]) * math.tanh(candidate[j]) for j in range(CHANNELS)]
    return [sigmoid(o[j]) * math.tanh(c[j]) for j in range(CHANNELS)], c


def gru(weights, x, h, c, data):
    """[GRU.1] to [GRU.4]. A product reads r * h', which is stored as h is."""
    u, r = ([sigmoid(a) for a in sums(weights, gate, x, h)] for gate in range(2))
    o = sums(weights, 2, x, stored([r[j] * h[j] for j in range(CHANNELS)], data))
    return [u[j] * h[j] + (1 - u[j]) * math.tanh(o[j]) for j in range(CHANNELS)], c


def errors(data, scales, cell="LSTM"):
    """The largest error of h at each step."""
    drawn = numbers()
    # Channels differ in size, as those of trained networks do: 1, 1/2, 1/4, 1/8.
    step, gates = (lstm, 4) if cell == "LSTM" else (gru, 3)
    weights = [[next(drawn) / 2**(row % 4) for _ in range(2 * CHANNELS)] for row in range(gates * CHANNELS)]
    in_bytes = quantized(weights, scales)
    exact_h = exact_c = h = c = [0.0] * CHANNELS
    found = []
    for _ in range(STEPS):
        x = [next(drawn) for _ in range(CHANNELS)]
        exact_h, exact_c = step(weights, x, exact_h, exact_c, "f32")
        h, c = step(in_bytes, stored(x, data), h, c, data)
        h = stored(h, data)
        found.append(max(abs(a - b) for a, b in zip(exact_h, h)))
    return found


def main():
    for name, *row in ROWS:
        found = errors(*row)
        shown = [found[0], found[9], found[49], found[199], max(found)]
        print("| " + " | ".join([name, *(f"{error:.2g}" for error in shown)]) + " |")
    q = round(2 * (0.44903833 + 3))
    x = q / 2 - 3
    print(f"[INT8.1]  q = {q}\n[INT8.2]  x = {x:g}\n[INT8.3]  p = {(8 * q - 6 * 8) / (4 * 2):g}")


main()
