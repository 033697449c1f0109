"""The networks are compared with their equations, with the reference, and with differences of their own outputs."""
import copy
import os
import pickle
import subprocess
import sys
import threading
import unittest

import numpy as np

import tandem_rnn as tr
import tandem_rnn.reference

SEED = int(os.environ.get("TEST_RANDOM_SEED", "1"))
UNIT = 2.0**-24
KINDS = (tr.LSTM, tr.GRU, tr.LBRGRU, tr.RNN, tr.AUGRU, tr.LBRAUGRU)


def draw(*shape, seed=SEED):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)


def inputs(kind, steps=6, batch=3, slc=5):
    """Returns x, and the attention if the cell has it."""
    more = {"attention": draw(steps, batch, 1) / 2 + 0.5} if "AUGRU" in kind.__name__ else {}
    return draw(steps, batch, slc), more


def lstm(x, weights, direction=0, state=None):
    """Computes an LSTM in float64: h of every step, and c after the last. state: h and c before the first."""
    w, u, b = (weights[name].astype(np.float64)[0, direction] for name in ("weights_layer", "weights_iter", "bias"))
    h, c = state if state is not None else np.zeros((2, x.shape[1], b.shape[1]))
    outputs = []
    for step in x.astype(np.float64):
        gates = np.einsum("ni,igo->gno", step, w) + np.einsum("ni,igo->gno", h, u) + b[:, None]
        i, f, o = (1 / (1 + np.exp(-gates[k])) for k in (0, 1, 3))
        c = f * c + i * np.tanh(gates[2])
        h = o * np.tanh(c)
        outputs.append(h)
    return np.stack(outputs), c


class Equations(unittest.TestCase):
    def test_lstm_is_its_equations(self):
        net = tr.LSTM(5, 7)
        y, (h, c) = net(draw(1, 3, 5))
        want, want_c = lstm(draw(1, 3, 5), net.weights[0])
        # One step from zero states sums 7 terms, each below 1. Then functions with slope at most 1 are 4 ulp off.
        bound = (7 * 8 + 4 * 8) * UNIT
        self.assertLessEqual(np.abs(y - want).max(), bound)
        self.assertLessEqual(np.abs(c[0] - want_c).max(), 2 * bound)
        np.testing.assert_array_equal(h[0], y[-1])

    def test_the_state_goes_on_where_it_stopped(self):
        for kind in KINDS:
            x, more = inputs(kind)
            net = kind(5, 7)
            whole, end = net(x, **more)
            parts, state = [], None
            for t in range(len(x)):
                y, state = net(x[t:t + 1], state, **{name: a[t:t + 1] for name, a in more.items()})
                parts.append(y)
            # The products of several steps may be summed in another order than those of one.
            np.testing.assert_allclose(np.concatenate(parts), whole, rtol=0, atol=len(x) * 100 * UNIT)
            np.testing.assert_allclose(np.asarray(state), np.asarray(end), rtol=0, atol=len(x) * 100 * UNIT)

    def test_a_row_has_the_outputs_that_it_has_alone(self):
        net, x = tr.LSTM(5, 7, 2, direction="concat"), draw(6, 3, 5)
        y, (h, c) = net(x, lengths=[6, 2, 0])
        alone, (h_alone, c_alone) = net(x[:2, 1:2])
        np.testing.assert_allclose(y[:2, 1:2], alone, rtol=0, atol=400 * UNIT)
        np.testing.assert_allclose(h[:, 1:2], h_alone, rtol=0, atol=400 * UNIT)
        np.testing.assert_allclose(c[:, 1:2], c_alone, rtol=0, atol=400 * UNIT)
        self.assertFalse(y[2:, 1].any() or y[:, 2].any() or h[:, 2].any())

    def test_without_a_state_it_is_zero(self):
        for net in (tr.LSTM(5, 7), tr.GRU(5, 7)):
            want, state = net(draw(4, 2, 5))
            self.assertFalse(np.array_equal(net(draw(4, 2, 5), state)[0], want))
            np.testing.assert_array_equal(net(draw(4, 2, 5))[0], want)

    def test_options(self):
        x = draw(4, 2, 5)
        y, (h, c) = tr.LSTM(5, 8, 2, peephole=True, dic=3, direction="concat", bias=False)(x)
        self.assertEqual((y.shape, h.shape, c.shape), ((4, 2, 6), (4, 2, 3), (4, 2, 8)))
        self.assertEqual(tr.RNN(5, 7, direction="sum", activation="relu", alpha=0.5)(x)[0].shape, (4, 2, 7))
        plain = tr.RNN(5, 7, activation="affine", alpha=0.5, beta=0.25)
        steps = [np.zeros((2, 7), np.float32)]
        w = plain.weights[0]
        for row in x:
            a = row @ w["weights_layer"][0, 0, :, 0] + steps[-1] @ w["weights_iter"][0, 0, :, 0] + w["bias"][0, 0, 0]
            steps.append(0.5 * a + 0.25)
        np.testing.assert_allclose(plain(x)[0], steps[1:], atol=1e-6)
        turned = tr.GRU(5, 7, batch_first=True)
        np.testing.assert_array_equal(turned(x.transpose(1, 0, 2))[0], tr.GRU(5, 7)(x)[0].transpose(1, 0, 2))
        exact, rounded = tr.LSTM(5, 7)(x)[0], tr.LSTM(5, 7, precision="bfloat16")(x)[0]
        self.assertLess(np.abs(exact - rounded).max(), 2.0**-5)

    def test_options_that_a_cell_does_not_have(self):
        for make in (lambda: tr.LSTM(5, 8, activation="relu"), lambda: tr.GRU(5, 8, activation="relu", alpha=.3),
                     lambda: tr.GRU(5, 8, dic=3), lambda: tr.LBRGRU(5, 8, peephole=True), lambda: tr.AUGRU(5, 8, alpha=.3)):
            with self.assertRaisesRegex(ValueError, "has no such option"):
                make()
        for make in (lambda: tr.LSTM(5, 8, num_layers=2), lambda: tr.reference.GRU(5, 8, num_layers=2)):
            with self.assertRaisesRegex(TypeError, "num_layers: is no option of (LSTM|GRU)"):
                make()
        with self.assertRaises(AttributeError):  # objects that were made for shapes would not follow
            tr.GRU(5, 8).batch_first = True
        self.assertEqual(repr(tr.GRU(5, 8, 2)), "GRU(slc=5, dhc=8, layers=2, direction='left2right')")
        for dic in (0, -1, True, 2.5):
            with self.assertRaisesRegex(ValueError, "dic: is .*, but must be a positive integer"):
                tr.LSTM(5, 8, dic=dic)

    def test_other_weights(self):
        net, other, x = tr.LSTM(5, 7), tr.LSTM(5, 7, seed=2), draw(4, 2, 5)
        before = net(x)[0]
        net.set_weights(other.weights)
        np.testing.assert_array_equal(net(x)[0], other(x)[0])
        self.assertFalse(np.array_equal(before, net(x)[0]))
        with self.assertRaises(ValueError):
            net.weights[0]["bias"][:] = 0


class Copies(unittest.TestCase):
    def test_copies_and_pickles_compute_the_same(self):
        x, more = inputs(tr.LSTM)
        nets = [kind(5, 7) for kind in KINDS] + [tr.LSTM(5, 7, 2, direction="concat", dic=3, precision="bfloat16")]
        nets += [tandem_rnn.reference.GRU(5, 7, batch_first=True), nets[0].quantize(), nets[0].quantize(weights_only=True),
                 nets[1].quantize(x)]
        for net in nets:
            more = inputs(type(net))[1]
            want = net(x, **more)[0]
            for other in (copy.copy(net), copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
                self.assertEqual((type(other), other.layers), (type(net), net.layers))
                np.testing.assert_array_equal(other(x, **more)[0], want)
        other = copy.copy(nets[0])
        other.set_weights(tr.LSTM(5, 7, seed=2).weights)
        other.record(x).backward()
        self.assertFalse(np.array_equal(other(x)[0], nets[0](x)[0]))


class Backends(unittest.TestCase):
    def test_both_say_the_same(self):
        for kind in KINDS:
            x, more = inputs(kind)
            fast, slow = kind(5, 7), kind(5, 7, backend="reference")
            self.assertNotEqual(fast.implementation(), slow.implementation())
            np.testing.assert_allclose(fast(x, **more)[0], slow(x, **more)[0], rtol=0, atol=600 * UNIT)

    def test_large_arrays_are_not_copied_and_right(self):
        x = draw(40, 30, 5)
        fast, slow = tr.LSTM(5, 7)(x)[0], tr.LSTM(5, 7, backend="reference")(x)[0]
        np.testing.assert_allclose(fast, slow, rtol=0, atol=4000 * UNIT)
        out = np.empty_like(fast)
        self.assertIs(tr.LSTM(5, 7)(x, out=out)[0].base, None)
        np.testing.assert_array_equal(out, fast)


class Training(unittest.TestCase):
    def check(self, net, x, more, lengths=None):
        """A step along the gradient changes the loss by the square of its length, but for terms of second order."""
        target = draw(*net.record(x, lengths=lengths, **more).y.shape, seed=7)

        def loss(x, weights):
            net.set_weights(weights)
            return float((net(x, lengths=lengths, **more)[0].astype(np.float64) * target).sum())

        tape = net.record(x, lengths=lengths, **more)
        np.testing.assert_allclose(tape.y, net(x, lengths=lengths, **more)[0], rtol=0, atol=600 * UNIT)
        gradients, weights = tape.backward(target), net.weights
        step = 2.0**-8
        for name in [None] + list(weights[0]):
            def moved(sign):
                if name is None:
                    return x + sign * scale * gradients.x, weights
                return x, [{**w, name: w[name] + sign * scale * g[name]} for w, g in zip(weights, gradients.weights)]

            parts = [gradients.x] if name is None else [g[name] for g in gradients.weights]
            size = sum(float((part.astype(np.float64)**2).sum()) for part in parts)
            scale = np.float32(step / size**0.5)
            got = (loss(*moved(1)) - loss(*moved(-1))) / (2 * float(scale))
            net.set_weights(weights)
            self.assertLess(abs(got - size), 0.02 * size, f"{type(net).__name__} {name or 'x'}")

    def test_gradients(self):
        for kind in KINDS:
            x, more = inputs(kind)
            self.check(kind(5, 7), x, more)
        x = draw(6, 3, 5)
        self.check(tr.LSTM(5, 7, 2, direction="concat"), x, {}, lengths=[6, 2, 4])
        self.check(tr.LSTM(5, 7, peephole=True, dic=3), x, {})
        self.check(tr.GRU(5, 7, 2, batch_first=True), x, {})

    def test_gradients_of_states(self):
        x, net = draw(2, 3, 5), tr.LSTM(5, 7)
        state = (draw(1, 3, 7), draw(1, 3, 7, seed=2))
        gradients = net.record(x, state).backward(None, (None, np.ones((1, 3, 7), np.float32)))
        h, c = gradients.state
        step = np.float32(2.0**-8)

        def total(h_moved, c_moved):
            return float(net(x, (state[0] + h_moved, state[1] + c_moved))[1][1].astype(np.float64).sum())

        got = (total(step * h, step * c) - total(-step * h, -step * c)) / (2 * float(step))
        want = float((h.astype(np.float64)**2).sum() + (c.astype(np.float64)**2).sum())
        self.assertLess(abs(got - want), 0.02 * want)

    def test_a_tape_keeps_what_it_read(self):
        net, x = tr.LSTM(5, 7), draw(6, 3, 5)
        tape = net.record(x)
        want = net.record(x).backward(np.ones_like(tape.y))
        x += 1
        net.set_weights(tr.LSTM(5, 7, seed=3).weights)
        got = tape.backward(np.ones_like(tape.y))
        np.testing.assert_array_equal(got.x, want.x)
        for name in got.weights[0]:
            np.testing.assert_array_equal(got.weights[0][name], want.weights[0][name])

    def test_buffers_of_a_tape_that_is_gone_serve_the_next(self):
        for kind, direction in (tr.LSTM, "concat"), (tr.LBRGRU, "left2right"):
            net, new = (kind(5, 7, 2, direction=direction, seed=seed) for seed in (1, 2))
            first = net.record(draw(6, 3, 5))
            y, kept, used = first.y, first.y.copy(), first._run
            gradients = first.backward(np.ones_like(y))
            saved = gradients.x.copy(), gradients.weights[0]["bias"].copy()
            other = net.record(draw(6, 3, 5, seed=2))
            self.assertIsNot(other._run, used)
            del first
            net.set_weights(new.weights)
            self.assertIs(net.record(draw(6, 3, 5))._run, used)
            x, lengths = draw(6, 3, 5, seed=3), [6, 2, 0]
            for tape, want in ((net.record(x), new.record(x)), (net.record(x, None, lengths), new.record(x, None, lengths)), (net.record(x), new.record(x))):
                np.testing.assert_array_equal(tape.y, want.y)
                for _ in range(2):  # backward may be called twice
                    got, wanted = (each.backward(np.full_like(y, 0.5)) for each in (tape, want))
                    np.testing.assert_array_equal(got.x, wanted.x)
                    for mine, theirs in zip(got.weights, wanted.weights):
                        for name, array in theirs.items():
                            np.testing.assert_array_equal(mine[name], array)
            np.testing.assert_array_equal(y, kept)
            np.testing.assert_array_equal(gradients.x, saved[0])
            np.testing.assert_array_equal(gradients.weights[0]["bias"], saved[1])

    def test_few_buffers_wait(self):
        net = tr.LSTM(5, 7)
        for steps in range(1, 100):
            net.record(draw(steps, 1, 5)).backward()
        self.assertLessEqual(sum(map(len, net._idle._runs.values())), net._idle._MOST)


class ReadLate:
    """This array does something first when it is read."""

    def __init__(self, array, action):
        self.array, self.action = array, action

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        thread = threading.Thread(target=self.action)
        thread.start()
        thread.join()
        return self.array.__dlpack__(**options)


class Threads(unittest.TestCase):
    def test_weights_that_change_during_the_first_call_are_seen_by_the_next(self):
        net, new, x = tr.LSTM(5, 8), tr.LSTM(5, 8, seed=2), draw(2, 1, 5)
        h, c = net.zero_state(1)
        net(x, (ReadLate(h, lambda: net.set_weights(new.weights)), c))
        np.testing.assert_array_equal(net(x)[0], new(x)[0])

    def test_a_tape_keeps_the_weights_of_its_forward(self):
        net, new, x = tr.LSTM(5, 8), tr.LSTM(5, 8, seed=2), draw(2, 1, 5)
        h, c = net.zero_state(1)
        want = net.record(x).backward(np.ones((2, 1, 8), np.float32))
        tape = net.record(x, (ReadLate(h, lambda: net.set_weights(new.weights)), c))
        np.testing.assert_array_equal(tape.backward(np.ones((2, 1, 8), np.float32)).x, want.x)

    def test_threads_share_a_network(self):
        net = tr.GRU(5, 7)
        wants = [net(draw(6, 3, 5, seed=seed))[0] for seed in range(4)]
        wrong = []

        def work(seed):
            for _ in range(200):
                if not np.array_equal(net(draw(6, 3, 5, seed=seed))[0], wants[seed]):
                    wrong.append(seed)

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_child_of_fork_computes(self):
        net, x = tr.LSTM(64, 64), draw(20, 16, 64)
        want = net(x)[0]
        child = os.fork()
        if child == 0:
            os._exit(0 if np.array_equal(net(x)[0], want) else 3)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Library(unittest.TestCase):
    CAPACITY = ("import ctypes, tandem_rnn._abi as abi; n = ctypes.c_int(); "
                "abi.check(abi.lib.tandem_get_primitive_cache_capacity(ctypes.byref(n))); print(n.value)")

    def capacity(self, **environment):
        done = subprocess.run([sys.executable, "-B", "-c", self.CAPACITY], env={**os.environ, **environment}, check=True,
                              stdout=subprocess.PIPE, text=True)
        return int(done.stdout)

    def test_keeps_few_primitives_that_nothing_uses(self):
        self.assertEqual(self.capacity(), 64)

    def test_what_it_needs_is_told(self):
        program = ("import ctypes, numpy\ndef load(path, *more):\n    raise OSError({!r})\nctypes.CDLL = load\n"
                   "try:\n    import tandem_rnn\nexcept ImportError as error:\n    print(error)")
        for said, told in (("libgomp.so.1: cannot open shared object file: No such file or directory", "it needs GCC's libgomp"),
                           ("libc.so.6: version `GLIBC_2.34' not found (required by x)", "it needs a newer glibc"),
                           ("Error loading shared library ld-linux-x86-64.so.2: (needed by x)", "it needs glibc"),
                           ("x: wrong ELF class: ELFCLASS32", "cannot be loaded: x: wrong ELF class")):
            done = subprocess.run([sys.executable, "-B", "-c", program.format(said)], check=True, stdout=subprocess.PIPE, text=True)
            self.assertIn(told, done.stdout)
            self.assertIn(said, done.stdout)

    def test_keeps_as_many_as_the_environment_says(self):
        for name in ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "DNNL_PRIMITIVE_CACHE_CAPACITY"):
            self.assertEqual(self.capacity(**{name: "7"}), 7)
