"""tandem_rnn.torch is compared with torch.nn: forward, gradients, packed sequences, training, calls that are PyTorch's."""
import unittest
import unittest.mock
import warnings

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest("LEFT OUT: PyTorch is not installed") from error
import torch.fx
import torch.nn.utils.prune
from torch.autograd import forward_ad
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence

import tandem_rnn.torch as ours

CLOSE = 1e-5  # two float32 computations of a few hundred terms below 1 may differ by this
OPTIONS = [{}, {"num_layers": 2, "bidirectional": True}, {"batch_first": True}, {"bias": False}]


def pair(name, *args, **options):
    torch.manual_seed(1)
    theirs = getattr(torch.nn, name)(*args, **options)
    mine = getattr(ours, name)(*args, **options)
    mine.load_state_dict(theirs.state_dict())
    return theirs, mine


def flat(result):
    y, state = result
    y = getattr(y, "data", y)
    return [y, *(state if isinstance(state, tuple) else (state,))]


class Modules(unittest.TestCase):
    def same(self, a, b):
        self.assertLessEqual((a - b).abs().max().item(), CLOSE)

    def same_training(self, theirs, mine, x, hx=None):
        """Returns outputs, and the gradients of everything that has one."""
        gradients = []
        for module in (theirs, mine):
            module.zero_grad()
            inputs = [t.detach().clone().requires_grad_() for t in (x, *(hx or ()))]
            state = None if hx is None else tuple(inputs[1:]) if len(hx) == 2 else inputs[1]
            results = flat(module(inputs[0], state))
            torch.manual_seed(2)
            loss = sum((r * torch.rand_like(r)).sum() for r in results)
            loss.backward()
            gradients.append([*results, *(t.grad for t in inputs), *(p.grad for p in module.parameters())])
        for a, b in zip(*gradients):
            # A gradient is a sum over steps and rows of terms as large as itself.
            self.same(a / a.abs().max(), b / a.abs().max())

    def test_forward_and_gradients(self):
        torch.manual_seed(3)
        for name in ("LSTM", "GRU", "RNN"):
            for options in OPTIONS + [{"proj_size": 3}] * (name == "LSTM") + [{"nonlinearity": "relu"}] * (name == "RNN"):
                theirs, mine = pair(name, 5, 7, **options)
                self.same_training(theirs, mine, torch.rand(6, 3, 5))
                with torch.no_grad():
                    x = torch.rand(6, 3, 5)
                    for a, b in zip(flat(theirs(x)), flat(mine(x))):
                        self.same(a, b)
        theirs, mine = pair("LSTM", 5, 7)
        self.same_training(theirs, mine, torch.rand(6, 3, 5), (torch.rand(1, 3, 7), torch.rand(1, 3, 7)))
        theirs, mine = pair("GRU", 5, 7)
        self.same_training(theirs, mine, torch.rand(6, 3, 5), (torch.rand(1, 3, 7),))
        x = torch.rand(9, 5)
        for a, b in zip(flat(theirs(x)), flat(mine(x))):
            self.assertEqual(a.shape, b.shape)
            self.same(a, b)

    def test_packed_sequences(self):
        torch.manual_seed(4)
        rows = [torch.rand(n, 5) for n in (2, 6, 3, 6)]
        padded = torch.nn.utils.rnn.pad_sequence(sorted(rows, key=len, reverse=True))
        for packed in (pack_sequence(rows, enforce_sorted=False), pack_padded_sequence(padded, [6, 6, 3, 2])):
            for name in ("LSTM", "GRU"):
                theirs, mine = pair(name, 5, 7, 2, bidirectional=True)
                results = [module(packed) for module in (theirs, mine)]
                for a, b in zip(flat(results[0]), flat(results[1])):
                    self.same(a, b)
                for field in ("batch_sizes", "sorted_indices", "unsorted_indices"):
                    a, b = (getattr(result[0], field) for result in results)
                    self.assertTrue(a is b or torch.equal(a, b))
                for module, result in zip((theirs, mine), results):
                    sum(part.sum() for part in flat(result)).backward()
                for a, b in zip(theirs.parameters(), mine.parameters()):
                    self.same(a.grad / a.grad.abs().max(), b.grad / a.grad.abs().max())

    def test_ten_steps_of_training(self):
        torch.manual_seed(5)
        x, target = torch.rand(12, 4, 5), torch.rand(12, 4, 14)
        losses = []
        for module in pair("LSTM", 5, 7, 2, bidirectional=True):
            optimizer = torch.optim.Adam(module.parameters(), 0.01)
            losses.append([])
            for _ in range(10):
                optimizer.zero_grad()
                loss = ((module(x)[0] - target)**2).mean()
                loss.backward()
                optimizer.step()
                losses[-1].append(loss.item())
        for a, b in zip(*losses):
            self.assertLessEqual(abs(a - b), CLOSE)
        self.assertLess(losses[1][-1], losses[1][0])

    def test_an_output_may_be_written(self):
        x, found = torch.rand(6, 3, 5), []
        for module in pair("LSTM", 5, 7, batch_first=True):
            y = module(x)[0]
            torch.relu_(y.mul_(3)).sum().backward()
            found.append([p.grad for p in module.parameters()])
        for a, b in zip(*found):
            self.same(a, b)

    def test_a_second_backward_needs_retain_graph(self):
        for is_kept in True, False:
            loss = ours.LSTM(5, 7)(torch.rand(6, 3, 5))[0].sum()
            loss.backward(retain_graph=is_kept)
            if is_kept:
                loss.backward()
            with self.assertRaisesRegex(RuntimeError, "second time"):
                loss.backward()

    def test_weights_that_pytorch_does_not_count_are_seen(self):
        theirs, mine = pair("LSTM", 12, 16, 2)
        x = torch.rand(8, 1, 12)

        def moved(write):
            for module in (theirs, mine):
                write(module)
            self.same(mine(x)[0], theirs(x)[0])

        def write_one(module):
            module.weight_ih_l1.data[5, 5] += 3

        def write_a_quarter(module):
            module.weight_hh_l0.data[::2, 1::2] += 0.1

        mine(x)
        moved(write_one)  # the call has gradients
        with torch.no_grad():
            for x in torch.rand(1, 1, 12), torch.rand(200, 1, 12):
                moved(write_one)
                moved(write_a_quarter)
                moved(lambda module: [p.data.mul_(0.9) for p in module.parameters()])
                moved(lambda module: module.bias_ih_l0.data.fill_(0.3))
                moved(lambda module: module.weight_ih_l0.detach().numpy().fill(0.2))
                moved(lambda module: module.half().float())  # the new memory may be at the old address
                moved(lambda module: torch.nn.Sequential(module.apply(write_one)).eval())

    def test_short_calls_that_record_gradients_are_pytorchs(self):
        for options in {}, {"batch_first": True}:
            theirs, mine = pair("LSTM", 5, 7, **options)
            for steps, rows in (4, 2), (8, 1), (3, 4), (4, 1), (1, 1):
                is_tandem = steps >= 4 and steps * rows >= 8
                x = torch.rand(*(rows, steps) if options else (steps, rows), 5)
                self.same_training(theirs, mine, x, (torch.rand(1, rows, 7), torch.rand(1, rows, 7)))
                packed = pack_sequence([torch.rand(steps, 5) for _ in range(rows)])
                for given in (x, packed) if rows > 1 else (x, packed, torch.rand(steps, 5)):
                    state = mine(given)[1]
                    self.assertEqual("Recorded" in type(state[0].grad_fn).__name__
                                     or "Recorded" in str(state[0].grad_fn.next_functions), is_tandem, (steps, rows))
                    with torch.no_grad(), unittest.mock.patch.object(mine._kept.net.__class__, "__call__", side_effect=KeyError):
                        self.assertRaises(KeyError, mine, given)  # Tandem computes all calls without gradients

    def test_weights_that_are_no_parameters(self):
        torch.manual_seed(7)
        for make in (torch.nn.utils.weight_norm, torch.nn.utils.spectral_norm,
                     lambda module, name: torch.nn.utils.prune.random_unstructured(module, name, 0.5) and module):
            theirs = make(torch.nn.GRU(5, 7), "weight_hh_l0").eval()
            mine = make(torch.nn.GRU(5, 7), "weight_hh_l0").eval()
            mine.load_state_dict(theirs.state_dict())
            self.same_training(theirs, ours.accelerate(mine), torch.rand(6, 3, 5))
        with torch.inference_mode():
            theirs, mine = pair("LSTM", 5, 7)
            for x in (torch.rand(6, 3, 5), torch.rand(1, 1, 5)):
                self.same(mine(x)[0], theirs(x)[0])
            for module in (theirs, mine):
                module.weight_ih_l0.fill_(0.1)
            self.same(mine(x)[0], theirs(x)[0])

    def test_traces_and_states_are_pytorchs(self):
        theirs, mine = pair("LSTM", 5, 7)
        x, h = torch.rand(6, 3, 5), torch.rand(1, 3, 7)
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore", torch.jit.TracerWarning)
            self.same(torch.jit.trace(mine, (x,))(x / 2)[0], theirs(x / 2)[0])
        self.same(mine(x, [h, h])[0], theirs(x, [h, h])[0])
        for modules, states in ((theirs, mine), (h, (h,), (h, h, h), 5)), (pair("GRU", 5, 7), ((h, h), (h,), 5)):
            for state in states:
                told = []
                for module in modules:
                    with self.assertRaises(Exception) as caught:
                        module(x, state)
                    told.append(repr(caught.exception))
                self.assertEqual(*told)

    def test_shapes_are_refused_as_pytorch_does(self):
        def refusal(module, *arguments):
            with self.assertRaises(Exception) as caught:
                module(*arguments)
            return repr(caught.exception)

        packed = pack_sequence([torch.rand(4, 5), torch.rand(2, 5)])
        for name in "LSTM", "GRU", "RNN":
            for options in {}, {"batch_first": True}, {"batch_first": True, "bidirectional": True}:
                modules = pair(name, 5, 7, **options)
                calls = [(torch.rand(2, 3, 6),), (torch.rand(2, 6),), (torch.rand(2, 3, 4, 5),), (torch.rand(5),)]
                for x in torch.rand(2, 3, 5), torch.rand(2, 5), packed:
                    for shape in (1, 9, 7), (9, 7), (1, 3, 8), (3, 2, 7):
                        state = torch.rand(shape)
                        calls.append((x, (state, state) if name == "LSTM" else state))
                for call in calls:
                    self.assertEqual(*[refusal(module, *call) for module in modules])
                    with torch.no_grad():  # PyTorch computes few steps only with gradients
                        self.assertEqual(*[refusal(module, *call) for module in modules])

    def test_scripts_are_pytorchs(self):
        for name in "LSTM", "GRU", "RNN":
            theirs, mine = pair(name, 5, 7, 2, bidirectional=True)
            model = torch.nn.Sequential(mine)
            x = torch.rand(6, 3, 5)
            mine(x)
            self.same(torch.jit.script(model)(x)[0], theirs(x)[0])
            self.assertIs(type(model[0]), getattr(torch.nn, name))  # torch.jit puts the modules in that it compiles
            self.assertIs(type(mine), getattr(ours, name))
            self.same(mine(x)[0], theirs(x)[0])

    def test_restored_modules_are_pytorchs(self):
        theirs, mine = pair("GRU", 5, 7)
        model, x = torch.nn.Sequential(mine), torch.rand(6, 3, 5)
        mine(x)
        self.assertIs(ours.restore(model), model)
        self.assertIs(type(model[0]), torch.nn.GRU)
        torch.testing.assert_close(model(x)[0], theirs(x)[0], rtol=0, atol=0)
        self.assertIs(type(ours.accelerate(model)[0]), ours.GRU)

    @unittest.skipUnless(hasattr(getattr(torch, "compiler", None), "disable"), "LEFT OUT: PyTorch is older than 2.1")
    def test_torch_compile_runs_tandem_and_torch_func_pytorch(self):
        theirs, mine = pair("LSTM", 5, 7, 2)
        model, x = torch.nn.Sequential(mine), torch.rand(6, 3, 5)
        compiled = torch.compile(model, backend="eager")
        for _ in range(2):
            y = compiled(x)[0]
            self.same(y, theirs(x)[0])
        y.sum().backward()
        theirs(x)[0].sum().backward()
        self.same(mine.weight_ih_l0.grad, theirs.weight_ih_l0.grad)
        with torch.no_grad():
            self.same(compiled(x)[0], theirs(x)[0])
        self.assertIn("_kept", vars(mine))

        def gradients(module):
            weights = {name: weight.detach() for name, weight in module.named_parameters()}
            return torch.func.grad(lambda w: torch.func.functional_call(module, w, (x,))[0].sum())(weights)

        for name, gradient in gradients(theirs).items():
            self.same(gradients(mine)[name], gradient)
        exported = torch.export.export(model, (x,), strict=False).module()
        self.same(exported(x)[0], theirs(x)[0])

    def test_torch_fx_keeps_the_modules(self):
        class Stack(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = torch.nn.ModuleList([torch.nn.LSTM(5, 7), torch.nn.GRU(7, 3)])

            def forward(self, x):
                y = self.layers[0](x)
                return self.layers[1](self.layers[0](x, y[1])[0])[0]

        model, x = ours.accelerate(Stack()), torch.rand(6, 3, 5)
        traced = torch.fx.symbolic_trace(model)
        self.same(traced(x), model(x))
        self.assertEqual([type(module) for module in traced.modules() if isinstance(module, torch.nn.RNNBase)],
                         [ours.LSTM, ours.GRU])

    def test_forward_derivatives_are_those_of_pytorch(self):
        theirs, mine = pair("LSTM", 5, 7)
        tangents = []
        for module in (theirs, mine):
            module.requires_grad_(False)
            with forward_ad.dual_level():
                x = forward_ad.make_dual(torch.ones(6, 3, 5), torch.ones(6, 3, 5))
                tangents.append(forward_ad.unpack_dual(module(x)[0]).tangent)
        self.same(*tangents)
