"""A caller may give any shape, type and layout: results are right, or an exception has a sentence."""
import gc
import resource
import unittest
import weakref

import numpy as np

import tandem_rnn as tr
from tandem_rnn import _plan

try:
    from hypothesis import given, settings, strategies as st
    from hypothesis.extra import numpy as hnp
except ImportError:
    given = None

NET = tr.LSTM(5, 7)


def draw(*shape):
    return np.random.default_rng(1).uniform(-1, 1, shape).astype(np.float32)


class OfShape:
    """This is not an array, but has DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Layouts(unittest.TestCase):
    def test_any_layout_gives_the_same(self):
        for size in (3, 300):  # small arrays are copied, large ones are read where they lie
            x = draw(6, size, 5)
            want = NET(x)[0]
            read_only = x.copy()
            read_only.flags.writeable = False
            unaligned = np.frombuffer(b"1" + x.tobytes(), np.uint8)[1:].view(np.float32).reshape(x.shape)
            wide = np.zeros((12, size, 10), np.float32)
            wide[::2, :, ::2] = x
            for other in (read_only, unaligned, wide[::2, :, ::2], np.asfortranarray(x), x[::-1].copy()[::-1],
                          OfShape(x)):
                np.testing.assert_array_equal(NET(other)[0], want)
            one_row = np.broadcast_to(x[:, :1], x.shape)
            np.testing.assert_array_equal(NET(one_row)[0], NET(one_row.copy())[0])

    def test_masked_elements_are_no_numbers(self):
        x = draw(6, 3, 5)
        np.testing.assert_array_equal(NET(np.ma.array(x, mask=False))[0], NET(x)[0])
        for call in (lambda: NET(np.ma.array(x, mask=x > 0.9)), lambda: NET(x, lengths=np.ma.array([6, 5, 1], mask=[0, 0, 1]))):
            with self.assertRaisesRegex(TypeError, "has masked elements"):
                call()

    def test_out_of_any_layout(self):
        for size in (3, 300):
            x = draw(6, size, 5)
            want = NET(x)[0]
            wide = np.zeros((12, size, 14), np.float32)
            NET(x, out=wide[::2, :, ::2])
            np.testing.assert_array_equal(wide[::2, :, ::2], want)
            self.assertFalse(wide[1::2].any() or wide[:, :, 1::2].any())


class Empty(unittest.TestCase):
    """y of no steps or no rows is empty, and the state does not change."""

    def test_calls(self):
        for net in (tr.LSTM(5, 7, 2), tr.GRU(5, 7, direction="concat"), tr.LSTM(5, 7, dic=3, batch_first=True), tr.LSTM(5, 7).quantize(),
                    tr.LSTM(5, 7).quantize(draw(6, 3, 5))):
            for shape in (0, 3, 5), (6, 0, 5), (0, 0, 5):
                x, first = np.empty(shape, np.float32), getattr(net, "net", net).batch_first
                steps, rows = shape[1::-1] if first else shape[:2]
                zeros = net.zero_state(rows)
                state = tuple(draw(*part.shape) for part in zeros) if isinstance(zeros, tuple) else draw(*zeros.shape)
                for given, want in ((None, zeros), (state, state)):
                    for _ in range(2):
                        y, last = net(x, given)
                        self.assertEqual(y.shape, (*shape[:2], net.layers[-1].dlc))
                        for a, b in zip(last, want):
                            np.testing.assert_array_equal(a, b)
                out = np.empty((*shape[:2], net.layers[-1].dlc), np.float32)
                net(x, lengths=[0] * rows, out=out)
                with self.assertRaisesRegex(ValueError, f"lengths: are {steps + 1} to" if rows else "lengths: have shape"):
                    net(x, lengths=[steps + 1] * max(rows, 1))
                with self.assertRaisesRegex((TypeError, ValueError), "state"):
                    net(x, net.zero_state(rows + 1))

    def test_training(self):
        for net, more in ((tr.LSTM(5, 7, 2), {}), (tr.AUGRU(5, 7), {"attention": np.empty((0, 3, 1), np.float32)})):
            tape = net.record(np.empty((0, 3, 5), np.float32), **more)
            state = net.zero_state(3)
            ones = tuple(np.ones_like(part) for part in state) if isinstance(state, tuple) else np.ones_like(state)
            gradients = tape.backward(np.empty((0, 3, 7), np.float32), ones)
            np.testing.assert_array_equal(np.asarray(gradients.state), np.asarray(ones))
            self.assertEqual(gradients.x.shape, (0, 3, 5))
            for part, weights in zip(gradients.weights, net.weights):
                self.assertEqual({name: array.shape for name, array in part.items()},
                                 {name: array.shape for name, array in weights.items()})
                self.assertFalse(any(array.any() for array in part.values()))

    def test_what_needs_an_element(self):
        for call in (tr.LSTM(5, 7).quantize, lambda x: tr.trace(NET, x)):
            with self.assertRaisesRegex(ValueError, r"have shape \(0, 3, 5\), without an element|x: has shape"):
                call(np.empty((0, 3, 5), np.float32))


class Refusals(unittest.TestCase):
    def refused(self, kind, sentence, *args, net=NET, **more):
        with self.assertRaisesRegex(kind, sentence):
            net(*args, **more)

    def test_what_a_tensor_needs(self):
        class Tensor(OfShape):
            """This is like a tensor of PyTorch that numpy cannot look at."""

            def __init__(self, **fields):
                super().__init__(draw(6, 3, 5))
                vars(self).update(fields)

            def __dlpack__(self, **options):
                raise BufferError("no")

        for fields, sentence in (({"requires_grad": True}, r"\(no\); it needs detach\(\)$"), ({"device": "cuda:0"}, r"; it needs cpu\(\)$"),
                                 ({"dtype": "torch.bfloat16", "device": "cpu", "requires_grad": False}, r"; it needs float\(\)$"),
                                 ({"dtype": "torch.bfloat16", "requires_grad": True}, r"; it needs detach\(\) and float\(\)$"),
                                 ({}, r"numpy cannot look at this Tensor \(no\)$")):
            self.refused(TypeError, sentence, Tensor(**fields))

    def test_weights(self):
        net, largest = tr.LSTM(5, 7), np.float32(65504)
        weights = net.weights[0]
        for value in None, [None], weights, "weights":
            with self.assertRaisesRegex(TypeError, "weights: are not a list with a dictionary for each layer"):
                net.set_weights(value)
        for array, word in ((None, "object"), ("a", "<U1"), (weights["bias"] + 1j, "complex64")):
            with self.assertRaisesRegex(TypeError, f"bias: is {word}, but must be numbers"):
                net.set_weights([{**weights, "bias": array}])
        with self.assertRaisesRegex(ValueError, "weights of layer 0: are 3, bias, "):
            net.set_weights([{**weights, 3: 4}])
        half = tr.LSTM(5, 7, precision="float16")
        for name in ("weights_layer", "weights_iter"):
            for factor in 1, -1:
                with self.assertRaisesRegex(ValueError, f"{name}: has 65520, but float16 ends at 65504"):
                    half.set_weights([{**weights, name: np.full_like(weights[name], factor * 65520)}])
                half.set_weights([{**weights, name: np.full_like(weights[name], factor * largest)}])
                self.assertTrue(np.isfinite(half(draw(6, 3, 5))[0]).all())
        half.set_weights([{**weights, "bias": weights["bias"] + 70000}])  # the bias stays float32
        net.set_weights([{**weights, "weights_layer": weights["weights_layer"] * 1e6}])

    def test_counts_and_names(self):
        for batch in -1, 1.5, "a", None, True:
            with self.assertRaisesRegex(ValueError, "batch: is .*, but must be an integer, 0 or more"):
                NET.zero_state(batch)
        for make in (lambda: tr.LSTM(5, 7, direction=["sum"]), lambda: tr.RNN(5, 7, activation=["tanh"])):
            with self.assertRaisesRegex(ValueError, r"is \['\w+'\], but must be one of"):
                make()
        with self.assertRaisesRegex(TypeError, "alpha: is 'a', but must be a number"):
            tr.RNN(5, 7, alpha="a")
        self.refused(TypeError, "lengths: are not one dim of integers", draw(6, 3, 5), lengths=[[1], [2, 3], 4])

    def test_sentences(self):
        x, h, c = draw(6, 3, 5), draw(1, 3, 7), draw(1, 3, 7)
        self.refused(ValueError, r"x: has shape \(6, 3, 4\), but must have \(any, any, 5\)", draw(6, 3, 4))
        self.refused(ValueError, "x: has shape", draw(6, 5))
        self.refused(ValueError, r"x: has shape \(6, 3, 0\), but must have \(any, any, 5\)", draw(6, 3, 0))
        self.refused(TypeError, "x: is float64, but must be float32", x.astype(np.float64))
        self.refused(TypeError, "x: is >f4, but must be float32", x.astype(">f4"))
        self.refused(TypeError, "x: is a list", x.tolist())
        self.refused(ValueError, r"state h: has shape \(3, 7\), but must have \(1, 3, 7\)", x, (h[0], c))
        self.refused(TypeError, "state c: is float64", x, (h, c.astype(np.float64)))
        for state in (h, (h,), (h, c, c), 5):
            self.refused(TypeError, r"state: is a \w+, but must be the two arrays \(h, c\)", x, state)
        self.refused(TypeError, "state: is a tuple", x, (h, c), net=tr.GRU(5, 7))
        for diff_state in (h, (h,), (h, c, c), 5):
            for steps in x, x[:0]:
                with self.assertRaisesRegex(TypeError, r"diff_state: is a \w+, but must be the two arrays \(h, c\)"):
                    NET.record(steps).backward(None, diff_state)
        with self.assertRaisesRegex(TypeError, "diff_state h: is a tuple"):
            tr.GRU(5, 7).record(x).backward(None, (h, c))
        self.refused(ValueError, "lengths: are 0 to 7, but must be 0 to 6", x, lengths=[0, 1, 7])
        self.refused(ValueError, "lengths: have shape", x, lengths=[1, 2])
        self.refused(TypeError, "lengths: are float64", x, lengths=[1.0, 2.0, 3.0])
        self.refused(ValueError, "out: has shape", x, out=draw(6, 3, 5))
        read_only = draw(6, 3, 7)
        read_only.flags.writeable = False
        self.refused(ValueError, "out: is read-only$", x, out=read_only)
        if not np.from_dlpack(x).flags.writeable:  # numpy before 2.1 has this
            self.refused(ValueError, "out: is read-only: numpy only reads a OfShape; its numpy()", x, out=OfShape(h.repeat(6, 0)))
        self.refused(ValueError, "attention: is given", x, attention=draw(6, 3, 1))
        NET(x)  # the second call of this shape asks less
        self.refused(ValueError, "attention: is given", x, attention="garbage")
        self.refused(ValueError, "attention: an augru needs it", x, net=tr.AUGRU(5, 7))
        self.refused(ValueError, "attention: has shape", x, net=tr.AUGRU(5, 7), attention=draw(6, 2, 1))
        net, x = tr.AUGRU(5, 7, batch_first=True), draw(3, 6, 5)  # x has 3 rows of 6 steps
        self.refused(ValueError, r"attention: an augru needs it, with shape \(3, 6, 1\)", x, net=net)
        self.refused(ValueError, r"attention: has shape \(3, 4, 1\), but must have \(3, 6, 1\)", x, net=net,
                     attention=draw(3, 4, 1))
        self.refused(ValueError, r"x: has shape \(3, 6, 4\), but must have \(any, any, 5\)", draw(3, 6, 4), net=net)
        self.refused(ValueError, r"out: has shape \(6, 3, 7\), but must have \(3, 6, 7\)", x, net=net,
                     attention=draw(3, 6, 1), out=draw(6, 3, 7))
        with self.assertRaisesRegex(ValueError, r"diff_y: has shape \(6, 3, 7\), but must have \(3, 6, 7\)"):
            net.record(x, attention=draw(3, 6, 1)).backward(draw(6, 3, 7))
        for make in (lambda: tr.LSTM(0, 7), lambda: tr.LSTM(5, 7, direction="both"), lambda: tr.RNN(5, 7, activation="x"),
                     lambda: tr.LSTM(5, 7, weights=[]), lambda: tr.LSTM(5, 7, precision="int4")):
            with self.assertRaisesRegex(ValueError, "must be|has 1"):
                make()

    def test_the_library_speaks(self):
        with self.assertRaisesRegex(tr.Error, "left2right"):
            tr.AUGRU(5, 7, direction="concat")(draw(6, 3, 5), attention=draw(6, 3, 1))


if given is not None:
    class Drawn(unittest.TestCase):
        @settings(max_examples=150, deadline=None)
        @given(hnp.arrays(st.sampled_from([np.float32, np.float64, np.int8, np.float16, ">f4"]),
                          hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=6)),
               st.permutations(range(3)), st.integers(-2, 2), st.lists(st.integers(-1, 8), max_size=6))
        def test_right_or_refused(self, x, order, stride, lengths):
            if x.ndim == 3:
                x = x.transpose(order)
            x = x[::stride or 1]
            try:
                got = NET(x, lengths=np.array(lengths, np.int64) if lengths else None)[0]
            except (TypeError, ValueError) as error:
                self.assertRegex(str(error), "^(x|lengths): ")
            else:
                want = NET(np.array(x, np.float32, order="C"), lengths=lengths or None)[0]
                np.testing.assert_array_equal(got, want)

        @settings(max_examples=40, deadline=None)
        @given(st.lists(hnp.arrays(st.sampled_from([np.float32, np.float32, np.float64, np.int32]),
                                   hnp.array_shapes(min_dims=2, max_dims=4, min_side=1, max_side=3).map(lambda d: d[:-1] + (7,)),
                                   elements=st.integers(-2, 2)), min_size=3, max_size=3),
               st.integers(-2, 2), st.booleans())
        def test_states_and_out(self, drawn, stride, is_read_only):
            h, c, out = (array[..., ::stride or 1] for array in drawn)
            out.flags.writeable = not is_read_only
            x = draw(3, 2, 5)
            try:
                y, _ = NET(x, (h, c), out=out)
            except (TypeError, ValueError) as error:
                self.assertRegex(str(error), "^(state h|state c|out): ")
            else:
                self.assertIs(y, out)
                want = NET(x, (np.array(h, order="C"), np.array(c, order="C")))[0]
                np.testing.assert_array_equal(out, want)

        @settings(max_examples=100, deadline=None)
        @given(st.sampled_from([(1, 2, 7), (1, 3, 7), (2, 2, 7)]), st.sampled_from([(3, 2, 7), (3, 2, 6), (2, 2, 7)]),
               st.permutations(range(3)), st.permutations(range(3)))
        def test_states_and_out_that_nearly_fit(self, state, shape, order, back):
            h = draw(*(state[n] for n in np.argsort(order))).transpose(order)
            out = np.zeros([shape[n] for n in np.argsort(back)], np.float32).transpose(back)
            fits = state == (1, 2, 7) and shape == (3, 2, 7)
            try:
                NET(draw(3, 2, 5), (h, h), out=out)
            except ValueError as error:
                self.assertFalse(fits, error)
                self.assertRegex(str(error), "^(state h|state c|out): ")
            else:
                self.assertTrue(fits)
                np.testing.assert_array_equal(out, NET(draw(3, 2, 5), (h.copy(), h.copy()))[0])
else:
    print("LEFT OUT: arrays of any shape and type (python3 has no hypothesis)")


class Leaks(unittest.TestCase):
    def test_a_network_does_not_keep_the_callers_arrays(self):
        x, net = np.zeros((500, 2, 2000), np.float32), tr.GRU(2000, 1)
        seen = weakref.ref(x)
        net(x)
        del x
        self.assertIsNone(seen())

    def test_memory_for_shapes_is_bounded_and_goes_with_the_network(self):
        def plans():
            gc.collect()
            return sum(isinstance(each, _plan.Plan) for each in gc.get_objects())

        before, net = plans(), tr.LSTM(64, 64)
        for steps in range(1, 61):
            x = draw(steps, 64, 64)
            net.record(x).backward(x)
            net(x)
        self.assertLess(plans() - before, 60)  # there were 180
        del net
        self.assertEqual(plans(), before)

    def growth(self, function, times):
        """Returns the growth of the process in KiB after `times` calls, once it has what it keeps."""
        for _ in range(times // 10):
            function()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(times):
            function()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before

    def test_calls_and_modules_leak_nothing(self):
        x, long = draw(1, 1, 5), draw(300, 3, 5)
        self.assertLess(self.growth(lambda: NET(x), 100000), 1024)
        self.assertLess(self.growth(lambda: NET(long), 1000), 1024)
        self.assertLess(self.growth(lambda: tr.LSTM(5, 7)(x), 2000), 1024)
        self.assertLess(self.growth(lambda: NET.record(long).backward(draw(300, 3, 7)), 500), 2048)
