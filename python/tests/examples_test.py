"""The programs of python/examples run, and their assertions hold."""
import importlib.util
import os
import subprocess
import sys
import unittest

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../examples")
OF_TORCH = {"data_parallel.py", "decoder_with_attention.py"}


class Examples(unittest.TestCase):
    def test_each_runs(self):
        programs = sorted(name for name in os.listdir(FOLDER) if name.endswith(".py"))
        self.assertGreaterEqual(len(programs), 4)
        for name in programs:
            with self.subTest(name):
                if name in OF_TORCH and importlib.util.find_spec("torch") is None:
                    self.skipTest(f"LEFT OUT: {name} (PyTorch is not installed)")
                done = subprocess.run([sys.executable, "-B", os.path.join(FOLDER, name)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                print(done.stdout, end="")
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertTrue(done.stdout)
