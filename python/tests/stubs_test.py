"""The type stubs are what the package has."""
import ast
import inspect
import os
import unittest

import tandem_rnn


class Stubs(unittest.TestCase):
    def check(self, stub, value):
        """That a function has the parameters of its stub, in which options that are handed on are written out."""
        real = inspect.signature(value).parameters
        known = [a.arg for a in stub.args.posonlyargs + stub.args.args + stub.args.kwonlyargs]
        handed_on = {name for name, p in real.items() if p.kind is p.VAR_KEYWORD}
        self.assertLessEqual(set(real) - handed_on, set(known), stub.name)
        self.assertTrue(handed_on or set(known) == set(real), stub.name)

    def test_they_say_what_there_is(self):
        path = os.path.join(os.path.dirname(tandem_rnn.__file__), "__init__.pyi")
        with open(path, encoding="utf-8") as file:
            body = ast.parse(file.read()).body
        classes = [node for node in body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
        functions = [node for node in body if isinstance(node, ast.FunctionDef)]
        self.assertEqual({c.name for c in classes + functions} | {n for n in tandem_rnn.__all__ if n.startswith("from_")},
                         set(tandem_rnn.__all__))
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
