"""Exercise 4, solved.

tanh'(a) = 1 - tanh(a)^2 = 1 - h^2, so the gradient with respect to the pre-activation is delta = diff_h (1 - h^2). a is
linear in everything else: da/dx = W, da/dh_prev = U, da/dW = x, da/dU = h_prev, da/dB = 1. Each gradient is delta times
that; what all rows share gets the sum over the rows, which a matrix product with the transpose of x or h_prev computes.
"""


def backward_step(x, h_prev, h, W, U, diff_h):
    delta = diff_h * (1 - h**2)  # [RNN.B1]
    diff_W = x.T @ delta  # [RNN.B2]
    diff_U = h_prev.T @ delta  # [RNN.B3]
    diff_B = delta.sum(axis=0)  # [RNN.B4]
    diff_x = delta @ W.T  # [RNN.B5]
    diff_h_prev = delta @ U.T  # [RNN.B6]
    return diff_x, diff_h_prev, diff_W, diff_U, diff_B
