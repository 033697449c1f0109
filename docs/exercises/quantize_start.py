"""Exercise 5: an LSTM in 8 bits. docs/book/int8.md has the equations, with the ids used here.

Data are bytes 0 to 255: byte = scale (x + shift), rounded to the nearest, ties to even, at least 0 and at most 255. Weights
are -128 to 127: byte = scale w, with one scale for each output channel. All arrays are floating point and hold whole
numbers.
"""
import numpy as np


def quantize(x, scale, shift):
    """[INT8.1]: the bytes of the real numbers x."""
    return np.zeros_like(x)


def dequantize(q, scale, shift):
    """[INT8.2]: the real numbers that the bytes q stand for."""
    return np.zeros_like(q)


def weight_scales(w):
    """A scale for each output channel, w being [channels in, channels out]: the largest that keeps all bytes within +-127."""
    return np.ones(w.shape[1])


def quantize_weights(w, scales):
    """The bytes of the weights."""
    return np.zeros_like(w)


def pre_activation(q_x, q_h, q_W, q_U, B, weight_scale, data_scale, data_shift):
    """[INT8.3]: W x + U h + B in real numbers, from bytes.

    q_x is [mb, slc], q_h [mb, dhc], q_W [slc, dhc], q_U [dhc, dhc], B [dhc] real, weight_scale [dhc]. A byte is not
    proportional to what it stands for: the shift of the data has to be taken off the product.
    """
    return np.zeros_like(q_h)
