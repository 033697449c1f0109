"""Hashes of outputs hold the bits that docs/numerics.md promises. web/tests/checks.mjs has those without a fused multiply-add."""
import unittest

import numpy as np

import tandem_rnn as tr

# Each network and its precision have a hash with a fused multiply-add, and one without.
BITS = {
    ("LSTM", "float32"): (480275070, 861014823),
    ("LSTM", "float16"): (4224933946, 861014823),
    ("LSTM", "bfloat16"): (2671177682, 4092548265),
    ("LSTM", "8 bits"): (3135549457, 525030170),
    ("GRU", "float32"): (2950110655, 2653058440),
    ("LBRGRU", "float32"): (887261702, 3701627346),
    ("RNN", "float32"): (3469457456, 2551834195),
}
FIRST = {"weights_layer": 0, "weights_iter": 100, "bias": 200}


def numbers(shape, first):
    """Returns numbers that are exact in float32 and in JavaScript."""
    at = np.arange(first, first + np.prod(shape))
    return ((at * 7919 % 16001 - 8000) / 32768).astype(np.float32).reshape(shape)


def hash_of(array):
    """Returns the FNV-1a hash of the bytes."""
    result = 0x811C9DC5
    for byte in array.tobytes():
        result = (result ^ byte) * 0x01000193 % 2**32
    return result


def outputs(cell, precision):
    in_bytes = precision == "8 bits"
    net = getattr(tr, cell)(9, 21, 2, precision="float32" if in_bytes else precision, reproducible=True)
    net.set_weights([{name: numbers(array.shape, FIRST[name] + 500 * layer) for name, array in weights.items()}
                     for layer, weights in enumerate(net.weights)])
    if in_bytes:
        net = net.quantize()
    return net(numbers((7, 3, 9), 1000))[0], net.implementation()


class Bits(unittest.TestCase):
    def test_each_network_has_the_bits_of_its_class(self):
        for (cell, precision), hashes in BITS.items():
            with self.subTest(cell=cell, precision=precision):
                y, implementation = outputs(cell, precision)
                is_fused = not implementation.startswith(("hwy:sse", "hwy:ssse", "hwy:emu128"))
                self.assertEqual(hash_of(y), hashes[not is_fused], implementation)
