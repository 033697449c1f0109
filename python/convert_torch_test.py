"""convert_torch.py: both directions undo each other; with --run=LIBTANDEM_C, PyTorch and Tandem give the same outputs."""
import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.join(HERE, "tandem_rnn")
sys.path[:0] = [PACKAGE, os.path.join(HERE, "../examples"), os.path.join(HERE, "../tools")]
import convert_torch
import torch_weights

UNIT = 2.0**-24
GATES = {"lstm": 4, "lbr_gru": 3, "vanilla_rnn": 1}
failures = 0


def claim(text, holds):
    global failures
    failures += not holds
    print(("ok: " if holds else "FAILED: ") + text)


def random_state_dict(cell, rng, layers=2, directions=2, inputs=5, units=7, projected=None):
    result = {}
    for layer in range(layers):
        for direction in range(directions):
            end = f"_l{layer}" + "_reverse" * direction
            width = inputs if layer == 0 else directions * (projected or units)
            shapes = {"weight_ih": (GATES[cell] * units, width), "weight_hh": (GATES[cell] * units, projected or units),
                      "bias_ih": (GATES[cell] * units,), "bias_hh": (GATES[cell] * units,)}
            if projected:
                shapes["weight_hr"] = (projected, units)
            for name, shape in shapes.items():
                result[name + end] = rng.uniform(-0.5, 0.5, shape).astype(np.float32)
    return result


def check_files(cell, folder, rng):
    """Through files, as a user converts them."""
    torch_file, mine, back, again = (os.path.join(folder, n + ".safetensors") for n in ("torch", "mine", "back", "again"))
    state = random_state_dict(cell, rng, projected=3 if cell == "lstm" else None)
    convert_torch.write_safetensors(torch_file, state)
    script = os.path.join(PACKAGE, "convert_torch.py")
    for words in (("to-specification", cell, torch_file, mine), ("to-torch", cell, mine, back),
                  ("to-specification", cell, back, again)):
        subprocess.run([sys.executable, "-B", script, *words], check=True)
    got, _ = convert_torch.read_safetensors(back)
    same = all(np.array_equal(got[name], state[name]) for name in state if name.startswith("weight"))
    claim(f"{cell}: weights come back as they were", same and got.keys() == state.keys())
    with open(mine, "rb") as first, open(again, "rb") as second:
        claim(f"{cell}: the specification's file comes back as it was", first.read() == second.read())
    last = got["bias_ih_l1"] + got["bias_hh_l1"] == state["bias_ih_l1"] + state["bias_hh_l1"]
    claim(f"{cell}: the sum of two biases comes back", last.all())


def on_a_full_disk():
    """As one: no file may grow above 4 kB, and a write above it is an error."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def check_a_full_disk(folder, rng):
    """What is at the target stays as it was, without a part beside it."""
    folder = os.path.join(folder, "full")
    os.mkdir(folder)
    source, target = (os.path.join(folder, n + ".safetensors") for n in ("source", "target"))
    convert_torch.write_safetensors(source, random_state_dict("lstm", rng, units=16))
    with open(target, "wb") as file:
        file.write(b"what was there")
    before = sorted(os.listdir(folder))
    done = subprocess.run([sys.executable, "-B", os.path.join(PACKAGE, "convert_torch.py"), "to-specification", "lstm", source,
                           target], preexec_fn=on_a_full_disk, capture_output=True, text=True, check=False)
    with open(target, "rb") as file:
        kept = file.read() == b"what was there"
    claim("a full disk is an error", done.returncode == 1 and "File too large" in done.stderr)
    claim("a full disk loses nothing and leaves no part", kept and sorted(os.listdir(folder)) == before)


def check_targets(folder, rng):
    """Links are followed, a file keeps its mode, a new one has the usual mode, a device stays one."""
    folder = os.path.join(folder, "targets")
    os.mkdir(folder)
    file, link, new, bare = (os.path.join(folder, name) for name in ("file", "link", "new", "bare"))
    state = random_state_dict("lstm", rng)
    with open(file, "wb"), open(bare, "wb"):
        os.chmod(file, 0o640)
    os.symlink("file", link)
    for path in (link, new, "/dev/null"):
        convert_torch.write_safetensors(path, state)
    claim("a link is followed", os.path.islink(link) and convert_torch.read_safetensors(file)[0].keys() == state.keys())
    claim("a file keeps its mode", stat.S_IMODE(os.stat(file).st_mode) == 0o640)
    claim("a new file has the mode of others", os.stat(new).st_mode == os.stat(bare).st_mode)
    claim("a device stays one", stat.S_ISCHR(os.stat("/dev/null").st_mode))
    claim("no part is left", sorted(os.listdir(folder)) == ["bare", "file", "link", "new"])


def check_gates(rng):
    """Of GRU, the specification's first gate is PyTorch's second one."""
    state = random_state_dict("lbr_gru", rng, layers=1, directions=1)
    mine = convert_torch.to_specification("lbr_gru", state)
    update = state["weight_ih_l0"][7:14]
    claim("u is PyTorch's z", np.array_equal(mine["0.weights_layer"][0, 0, :, 0], update.T))
    claim("the last bias is that of U h", np.array_equal(mine["0.bias"][0, 0, 3], state["bias_hh_l0"][14:]))


def refused(text, cell, state, *module):
    try:
        convert_torch.to_specification(cell, state, *module)
    except ValueError as error:
        return text in str(error)
    return False


def check_wrong(rng):
    """State dicts that are not those of one module of this cell: right, or refused with a sentence."""
    lstm, gru = (random_state_dict(cell, rng, layers=1, directions=1) for cell in ("lstm", "lbr_gru"))
    want = convert_torch.to_specification("lstm", lstm)

    def right(state, *module):
        got = convert_torch.to_specification("lstm", state, *module)
        return got.keys() == want.keys() and all(np.array_equal(got[name], want[name]) for name in want)

    both = {**{"encoder." + name: array for name, array in lstm.items()},
            **{"decoder." + name: array for name, array in gru.items()}}
    claim("two modules are refused with their names", refused("'decoder', 'encoder': there are several", "lstm", both))
    claim("the module that is named is taken", right(both, "encoder"))
    claim("a module that is none is refused", refused("x is none of them", "lstm", both, "x"))
    claim("an LSTM is no GRU", refused("not of lbr_gru", "lbr_gru", lstm) and refused("not of lstm", "lstm", gru))
    claim("other layers are passed over", right({**lstm, "fc.weight": np.ones(3, np.float32)}))
    claim("the names of nn.LSTMCell are understood", right({name[:-3]: array for name, array in lstm.items()}))
    claim("a dict without an RNN is refused", refused("no name is", "lstm", {"fc.weight": np.ones(3, np.float32)}))
    gap = {name.replace("l0", "l1"): array for name, array in lstm.items()}
    claim("a missing layer is refused", refused("layer 0 has no weights", "lstm", gap))
    half = {name: array for name, array in lstm.items() if name != "bias_hh_l0"}
    claim("a missing bias is refused", refused("one bias of two", "lstm", half))


def error_bound(cell, layer, x_size, x_error, steps):
    """Of one layer in f32, from weights; |h| <= 1 except after a projection. All maxima over units."""
    def rows(name):  # the largest sum of magnitudes that enters a unit
        return np.abs(layer[name]).sum(axis=2).max() if name in layer else 0.0

    inputs = layer["weights_layer"].shape[2] + layer["weights_iter"].shape[2]
    bias = np.abs(layer["bias"]).max() if "bias" in layer else 0.0
    w, u = rows("weights_layer"), rows("weights_iter")
    r = rows("weights_projection")
    h_size = r or 1.0
    gamma = (inputs + 4) * UNIT * 1.01
    h = c = 0.0
    for step in range(1, steps + 1):
        size = w * x_size + u * h_size + 2 * bias
        before = gamma * size + w * x_error + u * h
        gate = before / 4 + 8 * UNIT  # sigmoid's slope is at most 1/4; 4 ulp of error
        if cell == "lstm":
            c = c + step * gate + before + 8 * UNIT + gate + 4 * UNIT * (step + 1)
            h = c + gate + 12 * UNIT
            h = gamma * r + r * h if r else h
        elif cell == "lbr_gru":
            h = h + 2 * gate + before + size * gate + 8 * UNIT + 4 * UNIT
        else:
            h = before + 8 * UNIT
    return h, h_size


def run_both(torch, network, cell, options, rng):
    """PyTorch in f64 and Tandem in f32 on the converted weights; the error's share of its bound, layer after layer."""
    make = {"lstm": torch.nn.LSTM, "lbr_gru": torch.nn.GRU, "vanilla_rnn": torch.nn.RNN}[cell]
    torch.manual_seed(int(rng.integers(1 << 30)))
    module = make(6, 8, 2, **options)
    with torch.no_grad():  # small weights, so that the bound does not grow from step to step
        for weight in module.parameters():
            weight *= 0.25
    tensors = convert_torch.to_specification(cell, {k: v.detach().numpy() for k, v in module.state_dict().items()})
    x = rng.uniform(-1, 1, (2, 3, 6)).astype(np.float32)
    with torch.no_grad():
        want = module.double()(torch.from_numpy(x).double())[0].numpy()
    size, off = 1.0, 0.0
    for number in range(2):
        layer = {name[2:]: array for name, array in tensors.items() if name.startswith(f"{number}.")}
        x = network(cell, layer, x)
        off, size = error_bound(cell, layer, size, off, len(x))
    return np.max(np.abs(x - want)) / off


def check_runs(library):
    try:
        import torch
    except ImportError as error:
        print(f"LEFT OUT: PyTorch and Tandem side by side ({error})")
        return
    from tandem_network import Network

    seed = int(os.environ.get("TEST_RANDOM_SEED", "1"))
    network = Network(library)
    for cell, options in (("lstm", {}), ("lstm", {"proj_size": 3}), ("lstm", {"bidirectional": True}), ("lbr_gru", {}),
                          ("lbr_gru", {"bidirectional": True}), ("vanilla_rnn", {}), ("lstm", {"bias": False})):
        share = run_both(torch, network, cell, options, np.random.default_rng(seed))
        claim(f"{cell} {options}: Tandem is within f32's error of PyTorch ({share:.1e} of it, seed {seed})", share <= 1)
    torch_weights.GATES["lbr_gru"] = [0, 1, 2]
    share = run_both(torch, network, "lbr_gru", {}, np.random.default_rng(seed))
    claim(f"a wrong order of gates is outside ({share:.0f} times the error)", share > 1)


rng = np.random.default_rng(1)
with tempfile.TemporaryDirectory() as folder:
    for name in GATES:
        check_files(name, folder, rng)
    check_a_full_disk(folder, rng)
    check_targets(folder, rng)
check_gates(rng)
check_wrong(rng)
for argument in sys.argv[1:]:
    check_runs(argument)
sys.exit(failures > 0)
