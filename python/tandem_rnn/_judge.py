"""judge() compares an implementation in this process with the equations by the judge's program."""
import html
import json
import os
import re
import selectors
import shlex
import socket
import subprocess
import sys
import tempfile
from typing import NamedTuple

from . import _judged
from . import _program

_BRIDGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_bridge.py")


class Complaint(NamedTuple):
    """problem: its line, which judge(..., problem=line) judges again. verdict: FAIL, CRASH, ... message: one sentence."""
    problem: str
    verdict: str
    message: str


class Verdict:
    """These are the judge's findings.

    conforms: nothing is wrong, and, if a profile was asked for, all of it was served. partial: something was refused.
    headline: one sentence. groups: a sentence for each group of complaints about what they have in common. complaints: one for
    each problem. counts: problems by verdict. refusals: problems by the reason for which they were refused. text: everything that
    was printed. report: report.json as a dictionary.
    """

    def __init__(self, status, has_profile, text, report):
        found = report["implementations"][0]
        self.text, self.report, self.counts, self.refusals = text, report, found["verdicts"], found["refusals"]
        self.conforms = status == 0 or (status in (3, 5) and not has_profile)
        self.partial, self.headline = found["partial"], f"{found['implementation']} {found['headline']}"
        self.complaints = [Complaint(c["problem"], c["verdict"], c["message"]) for c in found["complaints"]]
        self.groups = re.findall(r"(?m)^\d+ complaints?: .*$", text)

    def __repr__(self):
        first = [f"{c.message}\n  {c.problem}" for c in self.complaints[:3]]
        return "\n".join([f"<Verdict: {self.headline}>", *self.groups, *first])

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{html.escape(c.verdict)}</td><td>{html.escape(c.message)}</td>"
                       f"<td><code>{html.escape(c.problem)}</code></td></tr>" for c in self.complaints[:20])
        groups = "".join(f"<li>{html.escape(group)}</li>" for group in self.groups)
        table = f"<table><tr><th>verdict</th><th>first wrong element</th><th>problem</th></tr>{rows}</table>" if rows else ""
        return f"<p><b>{html.escape(self.headline)}</b></p>" + (f"<ul>{groups}</ul>" if groups else "") + table


def judge(implementation, profile=None, cases=100, *, problem=None, seed=1, timeout=None, fail_fast=False, report=None):
    """Compares an implementation with the equations of the specification. Returns a Verdict.

    implementation: a class of tandem_rnn; an nn.LSTM, nn.GRU, nn.RNN or a class derived from one (a module stands for its class:
    weights and sizes are the judge's); or a function f(problem, inputs) that returns a dictionary with all outputs. Its problem
    is the dictionary of docs/test_your_library.md, inputs are float32 arrays by the specification's names;
    NotImplementedError("no peephole") refuses a problem. It is called in this process and this thread: a crash in it ends the
    process. profile: such as "cells-lstm-inference-f32"; None: inference in float32 of a class's cell, and for a function
    whatever it does not refuse. cases: how many random problems. problem: a line of the judge's notation to be judged alone.
    timeout: seconds for one problem. fail_fast: stop at the first complaint. report: a folder that keeps the report's pages.
    """
    target = _judged.judged(implementation)
    if not isinstance(problem, (str, type(None))):
        raise TypeError(f"problem: is a {type(problem).__name__}, but must be a line of the judge's notation")
    if problem is not None and not problem.strip():
        raise ValueError("problem: is empty, but must be a line of the judge's notation")
    profile = profile or (None if problem else target.profile)
    arguments = ["check", "--jobs=1", "--known=none", f"--seed={seed}"] + ["--fail-fast"] * fail_fast
    arguments += [f"--profile={profile}"] * bool(profile) + [f"--timeout={timeout}"] * (timeout is not None)
    arguments += shlex.split(problem) if problem else [f"--cases={cases}"]
    with tempfile.TemporaryDirectory(prefix="tandem-judge-") as folder:
        status, text, errors = _run(target, arguments + [f"--report={report or folder}"], folder)
        path = os.path.join(report or folder, "report.json")
        if status not in (0, 1, 3, 4, 5) or not os.path.exists(path):
            raise ValueError(_program.sentence(errors) or f"the judge ended with {status}")
        with open(path, encoding="utf-8") as file:
            return Verdict(status, profile is not None, text, json.load(file))


def _run(target, arguments, folder):
    """Returns the judge's exit code and its output. Its --impl= is a bridge to a socket of this process."""
    from .judge_files.conformance.plugins import pipe_program
    program = pipe_program.Program(
        {"name": target.name, "version": sys.version.split()[0], "sequence_lengths": target.lengths, "gates": target.gates},
        target.why_not, target.run)
    # The command must not have a comma, which paths may have: the shell takes them from the environment.
    environment = {**os.environ, "TANDEM_BRIDGE": _BRIDGE, "TANDEM_BRIDGE_PYTHON": sys.executable,
                   "TANDEM_BRIDGE_FOLDER": folder, "NO_COLOR": "1"}
    implementation = 'pipe:exec "$TANDEM_BRIDGE_PYTHON" -I -S "$TANDEM_BRIDGE" "$TANDEM_BRIDGE_FOLDER"'
    handle = os.open(folder, os.O_RDONLY)
    names = [os.path.join(folder, name) for name in ("stdout", "stderr")]
    try:
        with socket.socket(socket.AF_UNIX) as listener, open(names[0], "wb") as out, open(names[1], "wb") as errors:
            listener.bind(f"/proc/self/fd/{handle}/socket")
            listener.listen()
            process = subprocess.Popen([_program.path(), *arguments, "--impl=" + implementation], env=environment,
                                       stdin=subprocess.DEVNULL, stdout=out, stderr=errors)
            try:
                _serve(program, listener, process)
            finally:
                process.terminate()
                process.wait()
    finally:
        os.close(handle)
    texts = []
    for name in names:
        with open(name, encoding="utf-8", errors="replace") as file:
            texts.append(file.read())
    return (process.returncode, *texts)


def _serve(program, listener, process):
    """Answers the bridges' requests until the judge has ended."""
    with selectors.DefaultSelector() as selector:
        selector.register(listener, selectors.EVENT_READ)
        while process.poll() is None:
            for key, _ in selector.select(0.02):
                if key.fileobj is listener:
                    connection, _ = listener.accept()
                    selector.register(connection, selectors.EVENT_READ, connection.makefile("rwb"))
                elif not _answer(program, key.data):
                    selector.unregister(key.fileobj)
                    for file in (key.data, key.fileobj):
                        _close(file)
        for key in list(selector.get_map().values()):
            if key.fileobj is not listener:
                _close(key.data)
                _close(key.fileobj)


def _answer(program, file):
    """Returns whether a request came and was answered. The judge may have ended a bridge that it waited for in vain."""
    try:
        line = file.readline()
        if line:
            program.answer(line, file, file)
        return bool(line)
    except OSError:
        return False


def _close(file):
    try:
        file.close()
    except OSError:  # the other side does not take the rest
        pass
