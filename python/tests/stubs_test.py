"""The type stubs must describe the package."""
import ast
import dataclasses
import inspect
import os
import subprocess
import sys
import unittest

import tandem_rnn


def body_of(stub):
    path = os.path.join(os.path.dirname(tandem_rnn.__file__), stub)
    with open(path, encoding="utf-8") as file:
        return ast.parse(file.read()).body


class Stubs(unittest.TestCase):
    def check(self, stub, value):
        """Makes sure that a function has the parameters of its stub, in which options that are handed on are written out."""
        real = inspect.signature(value).parameters
        known = [a.arg for a in stub.args.posonlyargs + stub.args.args + stub.args.kwonlyargs]
        handed_on = {name for name, p in real.items() if p.kind is p.VAR_KEYWORD}
        self.assertLessEqual(set(real) - handed_on, set(known), stub.name)
        self.assertTrue(handed_on or set(known) == set(real), stub.name)

    def test_the_package_has_a_version(self):
        self.assertRegex(tandem_rnn.__version__, r"^\d+\.\d+\.\d+$")

    def test_they_say_what_there_is(self):
        body = body_of("__init__.pyi")
        classes = [node for node in body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
        functions = [node for node in body if isinstance(node, ast.FunctionDef)]
        self.assertEqual({c.name for c in classes + functions}, set(tandem_rnn.__all__))
        for stub in functions:
            self.check(stub, getattr(tandem_rnn, stub.name))
        for stub in classes:
            kind = getattr(tandem_rnn, stub.name)
            said = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
            for name, node in said.items():
                if not isinstance(vars(kind).get(name), property):
                    self.check(node, getattr(kind, name))
            if kind.__base__ is object:
                public = {name for name in vars(kind) if not name.startswith("_") and callable(getattr(kind, name))}
                self.assertLessEqual(public, set(said))

    def test_modules_are_there_without_an_import_and_have_stubs(self):
        program = "import tandem_rnn; tandem_rnn.streams.Streams; tandem_rnn.reference.LSTM(5, 7)"
        subprocess.run([sys.executable, "-B", "-c", program], check=True)
        functions = [node for node in body_of("streams.pyi") if isinstance(node, ast.FunctionDef)]
        methods = {node.name: node for node in body_of("streams.pyi")[-1].body if isinstance(node, ast.FunctionDef)}
        self.assertEqual([stub.name for stub in functions], ["stack", "split", "take"])
        for stub in functions:
            self.check(stub, getattr(tandem_rnn.streams, stub.name))
        self.assertEqual(set(methods), {name for name, v in vars(tandem_rnn.streams.Streams).items() if inspect.isfunction(v)})
        for name, stub in methods.items():
            self.check(stub, getattr(tandem_rnn.streams.Streams, name))

    def test_models_of_audio_have_stubs(self):
        body, audio = body_of("audio.pyi"), tandem_rnn.audio
        functions = [node for node in body if isinstance(node, ast.FunctionDef)]
        mine = {name for name, value in vars(audio).items() if inspect.isfunction(value) and value.__module__ == audio.__name__}
        self.assertEqual({stub.name for stub in functions}, {name for name in mine if not name.startswith("_")})
        for stub in functions:
            self.check(stub, getattr(audio, stub.name))
        for stub in (node for node in body if isinstance(node, ast.ClassDef)):
            kind = getattr(audio, stub.name)
            fields = [node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)]
            self.assertEqual(fields, [field.name for field in dataclasses.fields(kind)])
            said = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
            self.assertEqual({*said, *fields}, {*fields, "__call__"} | {name for name in vars(kind) if not name.startswith("_")})
            for name, node in said.items():
                if not isinstance(vars(kind)[name], property):
                    self.check(node, getattr(kind, name))
