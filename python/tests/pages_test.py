"""The programs of the README and of the page on Python run as they stand there, page by page in one namespace."""
import os
import re
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

try:
    import torch
except ImportError:
    torch = None


class Pages(unittest.TestCase):
    def run_page(self, path, least):
        with open(os.path.join(HERE, "../..", path), encoding="utf-8") as file:
            programs = re.findall(r"(?ms)^```python( torch)?\n(.*?)^```", file.read())
        self.assertGreaterEqual(len(programs), least)
        names = {}
        for needs_torch, program in programs:
            if needs_torch and torch is None:
                print(f"LEFT OUT: a program of {path} (PyTorch is not installed)")
                continue
            exec(compile(program, path, "exec"), names)

    def test_readme(self):
        self.run_page("README.md", 1)

    def test_page(self):
        self.run_page("docs/python.md", 4)
