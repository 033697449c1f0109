"""A translator has an encoder, and a decoder whose cell reads, at each step, a mean of the encoder's outputs by attention.

The program prints the time of PyTorch divided by ours for a greedy decoding without gradients, and for a step of training.
"""
import time

import torch
import tandem_rnn
import tandem_rnn.torch

WORDS, UNITS, STEPS, ROWS = 100, 128, 20, 4


class Translator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(WORDS, UNITS)
        self.encoder = torch.nn.LSTM(UNITS, UNITS, bidirectional=True)
        self.keys = torch.nn.Linear(2 * UNITS, UNITS)
        self.cell = torch.nn.LSTMCell(3 * UNITS, UNITS)
        self.words = torch.nn.Linear(UNITS, WORDS)

    def forward(self, source, target=None):
        """Returns STEPS, ROWS, WORDS scores. In training a step gets a word of target, else the best one of the last step."""
        outputs, _ = self.encoder(self.embed(source))
        keys, word = self.keys(outputs), torch.zeros(source.shape[1], dtype=torch.long)
        h, c, scores = torch.zeros(source.shape[1], UNITS), torch.zeros(source.shape[1], UNITS), []
        for step in range(STEPS):
            weights = torch.softmax((keys * h).sum(2), 0)
            context = (weights.unsqueeze(2) * outputs).sum(0)
            h, c = self.cell(torch.cat([self.embed(word), context], 1), (h, c))
            scores.append(self.words(h))
            word = scores[-1].argmax(1) if target is None else target[step]
        return torch.stack(scores)


def decode(model, source, target):
    with torch.no_grad():
        return model(source)


def train(model, source, target):
    model.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(source, target).flatten(0, 1), target.flatten())
    loss.backward()
    return loss.detach()


def times(function, models, arguments):
    """Returns the least seconds of each model; they take turns."""
    found = [float("inf")] * len(models)
    for _ in range(6):
        for number, model in enumerate(models):
            start = time.process_time()
            function(model, *arguments)
            found[number] = min(found[number], time.process_time() - start)
    return found


torch.set_num_threads(1)
tandem_rnn.set_num_threads(1)
torch.manual_seed(1)
theirs, ours = Translator(), Translator()
ours.load_state_dict(theirs.state_dict())
tandem_rnn.torch.accelerate(ours)
assert len(tandem_rnn.torch.report(ours).replaced) == 2
words = torch.randint(0, WORDS, (2, STEPS, ROWS))
for name, function in ("training", train), ("decoding", decode):
    if function is decode:
        tandem_rnn.torch.freeze(ours.eval())  # the weights do not change any more
    first, second = (function(model, *words) for model in (theirs, ours))
    assert (first - second).abs().max() < 1e-4
    before, now = times(function, (theirs, ours), words)
    print(f"{name}: PyTorch {1000 * before:.2f} ms, Tandem {1000 * now:.2f} ms, {before / now:.2f} times as fast")
for mine, other in zip(ours.parameters(), theirs.parameters()):
    assert (mine.grad - other.grad).abs().max() < 1e-4
