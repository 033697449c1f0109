#!/usr/bin/python3 -B
"""The recipes for vcpkg and Conan agree with the tree. Neither tool runs: a stand-in for Conan's modules loads its recipe."""

import json
import re
import sys
import types
import unittest
from unittest import mock


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def recipe():
    """Returns the recipe's class, and the module that it calls for files."""
    files = mock.Mock(load=lambda _, path: text_of(path))
    modules = {"conan": types.SimpleNamespace(ConanFile=object), "conan.tools": None, "conan.tools.cmake": mock.Mock(),
               "conan.tools.files": files}
    with mock.patch.dict(sys.modules, modules):
        scope = {"__file__": "tools/package/conanfile.py"}
        exec(compile(text_of("tools/package/conanfile.py"), "conanfile.py", "exec"), scope)
    return scope, files


class Ports(unittest.TestCase):
    version = re.search(r"^tandem_version=(.*)$", text_of("tools/package/install.sh"), re.MULTILINE).group(1)
    pins = text_of("third_party/deps.bzl")

    def test_vcpkg_has_the_version_of_the_tree(self):
        port = json.loads(text_of("tools/package/vcpkg/vcpkg.json"))
        self.assertEqual((port["name"], port["version"]), ("tandem", self.version))

    def test_vcpkg_downloads_what_is_pinned(self):
        url, = re.findall(r"URLS (\S+)", text_of("tools/package/vcpkg/portfile.cmake"))
        self.assertIn('"%s"' % url, self.pins)

    def test_conan_has_the_version_of_the_tree(self):
        scope, _ = recipe()
        made = scope["Tandem"]()
        made.set_version()
        self.assertEqual(made.version, self.version)

    def test_conan_downloads_what_is_pinned(self):
        scope, files = recipe()
        made = scope["Tandem"]()
        made.source_folder = ""
        made.source()
        (_, url), options = files.get.call_args
        self.assertIn('"%s"' % url, self.pins)
        self.assertIn('"%s"' % options["sha256"], self.pins)

    def test_both_set_options_that_there_are(self):
        there = set(re.findall(r"TANDEM_[A-Z]+", text_of("CMakeLists.txt")))
        for path in ["tools/package/vcpkg/portfile.cmake", "tools/package/conanfile.py"]:
            used = set(re.findall(r"TANDEM_[A-Z]+", text_of(path)))
            self.assertTrue(used)
            self.assertEqual(used - there, set())


if __name__ == "__main__":
    unittest.main()
