"""Three loops read sound block by block. They have the shapes of DTLN, Silero VAD and RNNoise, and made-up weights.

Each has numpy around streams of networks, and keeps its states from block to block. In the end each is held to calls of its
networks on all blocks at once. A real model's weights come from tandem_rnn.from_onnx, from_keras or rnnoise_grus.
"""
import numpy as np
import tandem_rnn

RANDOM = np.random.default_rng(1)
SOUND = RANDOM.uniform(-0.5, 0.5, 16000).astype(np.float32)  # one second


def draw(*shape):
    return RANDOM.uniform(-0.1, 0.1, shape).astype(np.float32)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class DtlnLike:
    """Makes a mask for the spectrum, then one for learned features. Blocks of 512 samples overlap; 128 are new each time."""

    def __init__(self):
        self.nets = [tandem_rnn.LSTM(257, 128, 2, seed=1), tandem_rnn.LSTM(256, 128, 2, seed=2)]
        self.masks = [(draw(128, 257), draw(257)), (draw(128, 256), draw(256))]
        self.encoder, self.decoder, self.scale = draw(512, 256), draw(256, 512), 1 + draw(256)

    def begin(self):
        self.voices = [net.stream() for net in self.nets]
        self.heard, self.said = np.zeros(512, np.float32), np.zeros(512, np.float32)

    def mask(self, number, y):
        weight, bias = self.masks[number]
        return sigmoid(y @ weight + bias)

    def features(self, estimate):
        encoded = estimate @ self.encoder
        middle = encoded - encoded.mean(-1, keepdims=True)
        return encoded, (middle / np.sqrt(np.square(middle).mean(-1, keepdims=True) + 1e-7) * self.scale).astype(np.float32)

    def __call__(self, new):
        """Returns 128 samples for 128 samples."""
        self.heard = np.concatenate([self.heard[128:], new])
        spectrum = np.fft.rfft(self.heard)
        magnitude = np.abs(spectrum).astype(np.float32)
        estimate = np.fft.irfft(spectrum * self.mask(0, self.voices[0](magnitude))).astype(np.float32)
        encoded, normal = self.features(estimate)
        self.said = np.concatenate([self.said[128:], np.zeros(128, np.float32)])
        self.said += (encoded * self.mask(1, self.voices[1](normal))) @ self.decoder
        return self.said[:128]

    def at_once(self, sound):
        """Computes a whole sound at once."""
        padded = np.concatenate([np.zeros(384, np.float32), sound])
        blocks = np.lib.stride_tricks.sliding_window_view(padded, 512)[::128]
        spectrum = np.fft.rfft(blocks)
        y = self.nets[0](np.abs(spectrum).astype(np.float32)[:, np.newaxis])[0][:, 0]
        encoded, normal = self.features(np.fft.irfft(spectrum * self.mask(0, y)).astype(np.float32))
        parts = (encoded * self.mask(1, self.nets[1](normal[:, np.newaxis])[0][:, 0])) @ self.decoder
        result = np.zeros(512 + 128 * (len(parts) - 1), np.float32)
        for number, part in enumerate(parts):
            result[128 * number:128 * number + 512] += part
        return result[:128 * len(parts)]


class SileroLike:
    """This network returns the probability of speech in 512 new samples, with the 64 before them."""

    def __init__(self):
        self.net, self.basis = tandem_rnn.LSTM(128, 128, seed=3), draw(576, 128)
        self.weight, self.bias = draw(128), draw(1)

    def begin(self):
        self.voice, self.before = self.net.stream(), np.zeros(64, np.float32)

    def probability(self, y):
        return sigmoid(np.maximum(y, 0) @ self.weight + self.bias)

    def __call__(self, new):
        chunk = np.concatenate([self.before, new])
        self.before = new[-64:]
        return self.probability(self.voice(np.abs(chunk @ self.basis)))

    def at_once(self, sound):
        padded = np.concatenate([np.zeros(64, np.float32), sound])
        chunks = np.lib.stride_tricks.sliding_window_view(padded, 576)[::512]
        return self.probability(self.net(np.abs(chunks @ self.basis)[:, np.newaxis])[0][:, 0])


class RnnoiseLike:
    """Makes gains of 22 bands for 480 samples: a dense layer and three GRUs, which read the outputs of those before them."""
    SIZES = {"vad_gru": (24, 24), "noise_gru": (24 + 24 + 42, 48), "denoise_gru": (24 + 48 + 42, 96)}

    def __init__(self):
        arrays = {f"{name}_{part}": RANDOM.integers(-20, 21, size).astype(np.int8) for name, (channels, units) in self.SIZES.items()
                  for part, size in (("weights", channels * 3 * units), ("recurrent_weights", units * 3 * units), ("bias", 3 * units))}
        self.nets = tandem_rnn.rnnoise_grus(arrays, dict.fromkeys(self.SIZES, "tanh"))
        self.basis, self.dense, self.gains = draw(480, 42), draw(42, 24), draw(96, 22)

    def begin(self):
        self.voices = {name: net.stream() for name, net in self.nets.items()}

    def run(self, features, grus):
        x = np.tanh(features @ self.dense)
        vad = grus["vad_gru"](x)
        noise = grus["noise_gru"](np.concatenate([x, vad, features], -1))
        return sigmoid(grus["denoise_gru"](np.concatenate([vad, noise, features], -1)) @ self.gains)

    def __call__(self, new):
        return self.run(new @ self.basis, self.voices)

    def at_once(self, sound):
        grus = {name: lambda x, net=net: net(x[:, np.newaxis])[0][:, 0] for name, net in self.nets.items()}
        return self.run(sound.reshape(-1, 480) @ self.basis, grus)


for kind, size in ((DtlnLike, 128), (SileroLike, 512), (RnnoiseLike, 480)):
    model, sound = kind(), SOUND[:len(SOUND) // size * size]
    model.begin()
    parts = np.concatenate([np.atleast_1d(model(block)) for block in sound.reshape(-1, size)])
    error = np.abs(parts - model.at_once(sound).reshape(parts.shape)).max()
    print(f"{kind.__name__}: {len(sound) // size} blocks, largest difference from all blocks at once {error:.1e}")
    assert error < 1e-5
