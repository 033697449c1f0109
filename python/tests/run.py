"""Runs the tests of the package, and prints why a test was skipped: `./tandem test` repeats these lines at its end."""

import os
import sys
import unittest


def run():
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.discover(os.path.dirname(__file__), "*_test.py"))
    for test, reason in result.skipped:
        print(reason if reason.startswith("LEFT OUT: ") else f"LEFT OUT: {test.id()} ({reason})")
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(run())
