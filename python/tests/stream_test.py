"""net.stream() and net.stream_group() have the bits of one call of the network on all steps."""
import copy
import pickle
import threading
import unittest

import numpy as np

import tandem_rnn as tr
import tandem_rnn.reference

CELLS = {"LSTM": tr.LSTM, "GRU": tr.GRU, "LBRGRU": tr.LBRGRU, "RNN": tr.RNN, "AUGRU": tr.AUGRU, "LBRAUGRU": tr.LBRAUGRU}
PRECISIONS = "float32", "bfloat16", "float16"


def draw(*shape, seed=1):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)


def of_channels(*shape):
    """Returns inputs whose channels have different sizes, so that a network in 8 bits divides them."""
    return draw(*shape) * np.float32(4) ** np.float32(np.arange(shape[-1]) % 5 - 2)


def networks():
    """Returns networks by their descriptions."""
    result = {}
    for name, kind in CELLS.items():
        layers = (None,) if name.endswith("AUGRU") else (1, 2, 3)
        for count in layers:
            for precision in PRECISIONS:
                sizes = (5, 7) if count is None else (5, 7, count)
                result[f"{name} {count} {precision}"] = kind(*sizes, precision=precision)
    result["projection"] = tr.LSTM(5, 7, 2, dic=3)
    result["peephole"] = tr.LSTM(5, 7, 2, peephole=True)
    result["both, without bias"] = tr.LSTM(5, 7, 2, dic=3, peephole=True, bias=False)
    result["relu"] = tr.RNN(5, 7, 2, activation="relu", alpha=0.1)
    result["batch_first"] = tr.GRU(5, 7, 2, batch_first=True)
    result["more channels than a vector"] = tr.LSTM(40, 100, 2, precision="bfloat16")
    result["reference"] = tandem_rnn.reference.LSTM(5, 7, 2)
    return result


def in_8_bits():
    result = {}
    for name in ("LSTM", "GRU", "LBRGRU", "RNN"):
        for layers in 1, 3:
            net = CELLS[name](5, 7, layers)
            result[f"{name} {layers} dynamic"] = net.quantize()
            result[f"{name} {layers} weights_only"] = net.quantize(weights_only=True)
            if name in ("LSTM", "GRU"):
                result[f"{name} {layers} samples"] = net.quantize([of_channels(9, 3, 5)])
    result["AUGRU dynamic"] = tr.AUGRU(5, 7).quantize()
    result["projection dynamic"] = tr.LSTM(5, 7, 2, dic=3).quantize()
    result["projection samples"] = tr.LSTM(5, 7, 2, dic=3, batch_first=True).quantize([of_channels(3, 9, 5)])
    return result


def sequence(net, steps, rows):
    """Returns x, y: (steps, rows, channels), the keyword of attention by step, and the states after the last step."""
    plain = getattr(net, "net", net)
    x = of_channels(steps, rows, plain.layers[0].slc)
    attention = abs(draw(steps, rows, 1, seed=2)) if plain.cell.endswith("augru") else None
    turned = (lambda array: array.transpose(1, 0, 2)) if plain.batch_first else (lambda array: array)
    y, state = net(turned(x), attention=None if attention is None else turned(attention))
    return x, turned(y), (lambda *at: {} if attention is None else {"attention": attention[at]}), state


def parts(state):
    return state if isinstance(state, tuple) else (state,)


class Bits(unittest.TestCase):
    def same(self, got, want):
        np.testing.assert_array_equal(np.ascontiguousarray(got).view(np.uint32), np.ascontiguousarray(want).view(np.uint32))

    def same_state(self, got, want):
        self.assertEqual(len(parts(got)), len(parts(want)))
        for one, other in zip(parts(got), parts(want)):
            self.same(one, other)

    def check(self, net):
        """Runs a stream by steps, by blocks, into `out` and bound, and the rows of a group in another order in each step."""
        x, y, attention, state = sequence(net, 6, 1)
        voice = net.stream()
        self.same_state(voice.state, net.zero_state(1))
        self.same(np.stack([voice(x[t, 0], **attention(t, 0)) for t in range(6)]), y[:, 0])
        self.same_state(voice.state, state)
        voice.reset()
        out = np.full_like(y[:, 0], np.nan)
        self.assertIs(voice(x[0, 0], out[0], **attention(0, 0)).base, out)
        half = voice.state
        for repeated in range(3):
            voice.state = half
            self.same(voice(x[1:4, 0], **attention(slice(1, 4), 0)), y[1:4, 0])
        voice(x[4:, 0], out=out[4:], **attention(slice(4, 6), 0))
        voice.state = half
        voice(x[1:4, 0], out[1:4], **attention(slice(1, 4), 0))
        self.same(out, y[:, 0])
        voice.reset()
        now, then, given = x[0, 0].copy(), np.empty_like(y[0, 0]), {k: v.copy() for k, v in attention(0, 0).items()}
        step = voice.bind(now, then, **given)
        for t in range(3):
            now[...] = x[t, 0]
            for name, value in attention(t, 0).items():
                given[name][...] = value
            self.assertIs(step(), then)
            self.same(then, y[t, 0])
        given = {name: value.copy() for name, value in attention(slice(3, 6), 0).items()}
        block = voice.bind(x[3:, 0].copy(), out[3:], **given)
        out.fill(np.nan)
        self.same(block(), y[3:, 0])
        self.check_group(net)

    def check_group(self, net):
        x, y, attention, state = sequence(net, 6, 4)
        desk, done = net.stream_group(4), [0] * 4
        for rows in ([2], [3, 0, 2], np.array([1, 3], np.uint8), (0, 1, 2, 3), [], [3, 1, 0, 2], [1, 0, 3], [2, 0, 1],
                     [3, 1, 0, 2]):
            at = [done[row] for row in rows], list(rows)
            got = desk(x[at], rows, **attention(*at))
            self.same(got, y[at])
            for row in rows:
                done[row] += 1
        self.assertEqual(done, [6, 6, 6, 6])
        for row in range(4):
            self.same_state(desk.state(row), tuple(part[:, row:row + 1] for part in parts(state)))

    def test_networks(self):
        for name, net in networks().items():
            with self.subTest(name):
                self.check(net)

    def test_networks_in_8_bits(self):
        for name, net in in_8_bits().items():
            with self.subTest(name):
                self.check(net)

    def test_large_blocks_are_read_and_written_where_they_are(self):
        for net in tr.LSTM(5, 7, 2), tr.LSTM(5, 7, 2).quantize(), tr.AUGRU(5, 7):
            x, y, attention, state = sequence(net, 2000, 1)
            voice, every = net.stream(), attention(slice(None), 0)
            self.same(voice(x[:, 0], **every), y[:, 0])
            self.same_state(voice.state, state)
            shared = np.empty(15000, np.float32)
            for first in 0, 999, 4000:  # x and y overlap
                given, out = shared[first:first + 10000].reshape(2000, 5), shared[1000:].reshape(2000, 7)
                given[...] = x[:, 0]
                voice.reset()
                self.assertIs(voice(given, out=out, **every), out)
                self.same(out, y[:, 0])
            voice.reset()
            out = np.empty_like(y[:, 0])
            self.assertIs(voice(np.asfortranarray(x[:, 0]), out, **every), out)
            self.same(out, y[:, 0])

    def test_one_step_with_more_channels_than_a_stage_has(self):
        for net in tr.RNN(5000, 3), tr.AUGRU(5000, 3):
            x, y, attention, _ = sequence(net, 2, 1)
            voice = net.stream()
            self.same(np.stack([voice(x[t, 0], **attention(t, 0)) for t in range(2)]), y[:, 0])
            voice.reset()
            for t in range(2):
                self.same(voice(x[t, 0], **{name: float(value[0]) for name, value in attention(t, 0).items()}), y[t, 0])

    def test_layouts_and_blocks_of_many_sizes(self):
        net = tr.GRU(5, 7)
        x, y, _, _ = sequence(net, 45, 1)
        voice, at = net.stream(), 0
        for steps in range(10):
            self.same(voice(np.asfortranarray(x[at:at + steps, 0])), y[at:at + steps, 0])
            at += steps
        self.assertLess(len(voice._staged), 5)
        voice.reset()
        apart = np.zeros((45, 10), np.float32)
        apart[:, ::2] = x[:, 0]
        self.same(np.stack([voice(row[::2]) for row in apart]), y[:, 0])

    def test_subnormal_numbers_and_nans(self):
        for net in tr.LSTM(5, 7), tr.LSTM(5, 7).quantize(), tr.LSTM(5, 7).quantize([draw(4, 2, 5)]):
            x = draw(4, 1, 5)
            x[0, 0, 1], x[1, 0, 0], x[2, 0, 3] = 1e-40, 3e38, np.nan
            with np.errstate(over="raise", invalid="raise"):
                want, voice = net(x)[0][:, 0], net.stream()
                self.same(np.stack([voice(row) for row in x[:, 0]]), want)


class States(unittest.TestCase):
    def test_a_copy_goes_on_by_itself(self):
        for net in tr.LSTM(5, 7, 2, dic=3), tr.GRU(5, 7).quantize([draw(9, 2, 5)]), tr.RNN(5, 7, 3).quantize():
            x, voice = draw(3, 5), net.stream()
            voice(x[0])
            for copied in copy.copy(voice), copy.deepcopy({"voice": voice})["voice"]:
                saved = voice.state
                want = copied(x[1])
                np.testing.assert_array_equal(parts(voice.state)[0], parts(saved)[0])
                np.testing.assert_array_equal(voice(x[1]), want)
                voice.state = saved
            desk = net.stream_group(3)
            desk(x[:2], [2, 0])
            copied = copy.copy(desk)
            np.testing.assert_array_equal(copied(x, [0, 1, 2]), desk(x, [0, 1, 2]))
            self.assertEqual(len(copied), 3)

    def test_a_network_goes_on_from_a_stream_and_back(self):
        net = tr.LSTM(5, 7, 2)
        x = draw(6, 1, 5)
        y, _ = net(x)
        voice, desk = net.stream(), net.stream_group(3)
        voice(x[:2, 0])
        middle, state = net(x[2:4], voice.state)
        np.testing.assert_array_equal(middle, y[2:4])
        desk.set_state(1, state)
        np.testing.assert_array_equal(desk(x[4], [1]), y[4])
        voice.state = desk.state(1)
        np.testing.assert_array_equal(voice(x[5, 0]), y[5, 0])
        desk.reset(1)
        np.testing.assert_array_equal(desk(x[0], [1]), y[0])
        for nothing in None, (None, None):
            desk.set_state(1, nothing)
            np.testing.assert_array_equal(desk(x[0], [1]), y[0])

    def test_a_stream_keeps_its_weights(self):
        net, other = tr.GRU(5, 7), tr.GRU(5, 7, seed=3)
        x = draw(2, 5)
        before, after = net.stream()(x), other.stream()(x)
        voice = net.stream()
        net.set_weights(other.weights)
        np.testing.assert_array_equal(copy.copy(voice)(x), before)
        np.testing.assert_array_equal(voice(x), before)
        np.testing.assert_array_equal(net.stream()(x), after)
        step = net.stream().bind(x[0].copy(), np.empty(7, np.float32))
        del net, voice
        np.testing.assert_array_equal(step(), after[0])

    def test_weights_are_packed_once(self):
        net = tr.LSTM(5, 7, 2)
        net(draw(3, 2, 5)), net.stream(), net.stream_group(9)
        self.assertEqual([len(weights._packed) for weights in net._now[0]], [3, 3])
        self.assertIs(net.stream()._stack, net.stream_group(2)._stack)

    def test_networks_are_copied_with_their_streams_made(self):
        for net in tr.LSTM(5, 7), tr.LSTM(5, 7).quantize():
            x, voice = draw(2, 5), net.stream()
            other = pickle.loads(pickle.dumps(net)).stream()
            np.testing.assert_array_equal(other(x), voice(x))

    def test_threads_have_streams_of_one_network(self):
        net = tr.LSTM(5, 7, 2)
        x = draw(300, 5)
        want, got = net.stream()(x), [None] * 4

        def work(n):
            voice = net.stream()
            got[n] = np.stack([voice(row) for row in x])

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for one in got:
            np.testing.assert_array_equal(one, want)


class Refusals(unittest.TestCase):
    def refuse(self, kind, sentence, function, *args, **more):
        with self.assertRaisesRegex(kind, sentence):
            function(*args, **more)

    def test_networks_that_do_not_go_left2right(self):
        for direction in "right2left", "concat", "sum":
            for net in tr.GRU(5, 7, direction=direction), tr.GRU(5, 7, direction=direction).quantize():
                for make in net.stream, lambda: net.stream_group(2):
                    self.refuse(ValueError, f"stream: the network is {direction}, but a stream goes left2right", make)
        for rows in 0, -1, True, 2.0, "a":
            self.refuse(ValueError, "rows: is .*, but must be a positive integer", tr.GRU(5, 7).stream_group, rows)

    def test_arrays(self):
        voice, x = tr.GRU(5, 7).stream(), draw(5)
        before = voice(x)
        self.refuse(TypeError, "x: is float64, but must be float32; convert it", voice, x.astype(np.float64))
        self.refuse(TypeError, "x: is a list", voice, [0.0] * 5)
        for wrong in draw(4), draw(2, 4), draw(1, 1, 5), np.array(3, np.float32):
            self.refuse(ValueError, "x: has shape", voice, wrong)
        self.refuse(ValueError, r"out: has shape \(6,\), but must have \(7\)", voice, x, np.empty(6, np.float32))
        self.refuse(TypeError, "out: is float64", voice, x, np.empty(7))
        fixed = np.empty(7, np.float32)
        fixed.flags.writeable = False
        self.refuse(ValueError, "out: is read-only", voice, x, fixed)
        self.refuse(ValueError, "out: is read-only", voice, x[None], fixed[None])
        self.refuse(ValueError, "attention: is given, but gru has none", voice, x, attention=0.5)
        self.refuse(ValueError, "y: is read-only", voice.bind, x, fixed)
        self.refuse(ValueError, "x: is not a dense array", voice.bind, draw(10)[::2], np.empty(7, np.float32))
        whole = np.zeros(12, np.float32)
        self.refuse(ValueError, "y: shares memory with x", voice.bind, whole[:5], whole[4:11])
        other = tr.GRU(5, 7).stream()
        other(x)
        np.testing.assert_array_equal(voice.state, other.state)  # a refusal changes no state
        self.assertTrue(before.any())

    def test_attention(self):
        for voice in tr.AUGRU(5, 7).stream(), tr.LBRAUGRU(5, 7).quantize().stream():
            x = draw(3, 5)
            for _ in range(2):
                self.refuse(ValueError, r"attention: an \w+ needs it, with shape \(1,\)", voice, x[0])
                self.refuse(ValueError, r"attention: an \w+ needs it, with shape \(3, 1\)", voice, x)
                self.refuse(ValueError, "attention: has shape", voice, x, attention=draw(3))
                self.refuse(TypeError, "attention: is a float", voice, x, attention=0.5)
                voice.reset()
                first = voice(x[0], attention=np.float32([0.5]))
                for number in 0.5, np.float32(0.5):
                    voice.reset()
                    np.testing.assert_array_equal(voice(x[0], attention=number), first)
                voice(x, attention=abs(draw(3, 1)))

    def test_rows(self):
        net = tr.LSTM(5, 7)
        for desk in net.stream_group(3), net.quantize().stream_group(3):
            x = draw(4, 5)
            desk(x[:2], [0, 1])
            states = [desk.state(row)[1] for row in range(3)]
            for rows in [0, 3], [-1, 0], np.array([2**64 - 1, 0], np.uint64):
                self.refuse(ValueError, "rows: have -?[0-9]+, but must be 0 to 2", desk, x[:2], rows)
            self.refuse(ValueError, "rows: have 1 twice", desk, x[:2], [1, 1])
            self.refuse(ValueError, "rows: have 2 twice", desk, x, [0, 2, 1, 2])
            for rows in [0.5], [True], [[0]], [[0], [1, 2]], "a", 0, None:
                self.refuse(TypeError, "rows: are ", desk, x[:1], rows)
            self.refuse(ValueError, r"x: has shape \(2, 5\), but must have \(1, 5\)", desk, x[:2], [0])
            self.refuse(ValueError, r"out: has shape", desk, x[:1], [0], np.empty(7, np.float32))
            self.refuse(ValueError, "attention: is given, but lstm has none", desk, x[:1], [0], attention=draw(1, 1))
            for function in desk.reset, desk.state, lambda row: desk.set_state(row, None):
                self.refuse(ValueError, "row: is (3|-1), but must be 0 to 2", function, 3)
                self.refuse(ValueError, "row: is (3|-1), but must be 0 to 2", function, -1)
                self.refuse(TypeError, "row: is a float, but must be an integer", function, 0.0)
            for row in range(3):
                np.testing.assert_array_equal(desk.state(row)[1], states[row])
        desk = tr.AUGRU(5, 7).stream_group(3)
        self.refuse(ValueError, r"attention: an augru needs it, with shape \(2, 1\)", desk, draw(2, 5), [0, 1])

    def test_states(self):
        voice = tr.LSTM(5, 7, 2, dic=3).stream()
        voice(draw(5))
        saved = voice.state
        for state, kind, sentence in ((3, TypeError, "state: is a int, but must be the two arrays"),
                                      ((saved[1], saved[0]), ValueError, r"state h: has shape \(2, 1, 7\)"),
                                      ((saved[0], saved[1][:1]), ValueError, r"state c: has shape \(1, 1, 7\)"),
                                      ((saved[0], saved[1].astype(np.float64)), TypeError, "state c: is float64")):
            self.refuse(kind, sentence, setattr, voice, "state", state)
        for one, other in zip(voice.state, saved):
            np.testing.assert_array_equal(one, other)
        self.refuse(ValueError, "state: has shape", setattr, tr.GRU(5, 7).stream(), "state", saved[0])

    def test_pickle(self):
        for stream in tr.GRU(5, 7).stream(), tr.GRU(5, 7).quantize().stream_group(2):
            self.refuse(TypeError, "a Stream(Group)? cannot be pickled; pickle the network and", pickle.dumps, stream)
