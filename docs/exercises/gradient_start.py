"""Exercise 4: the gradient of one step of the vanilla RNN with tanh,

    a = W x + U h_prev + B,   h = tanh(a).

diff_h is the gradient of the loss with respect to h, [mb, dhc]. Derive the five others by the chain rule. x is [mb, slc],
h_prev and h are [mb, dhc], W is [slc, dhc], U [dhc, dhc]; W x is x @ W here. W, U and B are shared by all rows, so their
gradients are sums over the rows. The loop over the steps, which adds them up, is written already.
"""
import numpy as np


def backward_step(x, h_prev, h, W, U, diff_h):
    diff_x = np.zeros_like(x)
    diff_h_prev = np.zeros_like(h_prev)
    diff_W = np.zeros_like(W)
    diff_U = np.zeros_like(U)
    diff_B = np.zeros_like(h[0])
    return diff_x, diff_h_prev, diff_W, diff_U, diff_B
