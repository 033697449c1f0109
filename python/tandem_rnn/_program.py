"""This module finds the judge's program, `tandem`, and runs it."""
import os
import shutil
import subprocess

_OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "judge_files", "conformance", "cli", "tandem")


def path():
    """Returns TANDEM_PROGRAM of the environment, else the wheel's own program, else the one of an installation (PATH)."""
    found = os.environ.get("TANDEM_PROGRAM") or (_OWN if os.access(_OWN, os.X_OK) else shutil.which("tandem"))
    if not found:
        raise FileNotFoundError("the judge's program, tandem, is not in PATH and not in this package, as in one for Windows or that was "
                                "built with --quick; TANDEM_PROGRAM of the environment can name it")
    return found


def output(arguments):
    """Returns the program's output. If it refuses, its sentence is the exception."""
    done = subprocess.run([path(), *arguments], capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL,
                          check=False)
    if done.returncode:
        raise ValueError(sentence(done.stderr) or f"{arguments[0]} ended with {done.returncode}")
    return done.stdout


def sentence(stderr):
    """Returns the program's sentence about its arguments, without its name."""
    return " ".join(stderr.partition("tandem: ")[2].split())[:500]
