"""This recipe for Conan 2 builds the tree that it is in, with the Highway that third_party/deps.bzl pins."""

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, load

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)
SOURCES = ["CMakeLists.txt", "LICENSE", "api/*", "examples/*", "optimized/*", "reference/*", "third_party/*", "tools/package/*"]


class Tandem(ConanFile):
    name = "tandem"
    description = "The RNN primitive of the oneDNN specification, vectorized, with its reference"
    license = "Apache-2.0"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "reading": ["spec", "onednn"],
        "threads": ["OpenMP", "pool", "none"],
    }
    default_options = {"shared": False, "fPIC": True, "reading": "spec", "threads": "OpenMP"}

    def set_version(self):
        text = load(self, os.path.join(TREE, "tools", "package", "install.sh"))
        self.version = re.search(r"^tandem_version=(.*)$", text, re.MULTILINE).group(1)

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, TREE, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("eigen/3.4.0")

    def source(self):
        pins = load(self, os.path.join(self.source_folder, "third_party", "deps.bzl"))
        url = re.search(r'urls = \["([^"]*highway[^"]*)"\]', pins).group(1)
        get(self, url, sha256=re.search(r'sha256 = "([0-9a-f]{64})"', pins).group(1), destination="highway", strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({
            "TANDEM_INSTALL": True,
            "TANDEM_EIGEN": "system",
            "TANDEM_HIGHWAY": os.path.join(self.source_folder, "highway"),
            "TANDEM_READING": str(self.options.reading),
            "TANDEM_THREADS": str(self.options.threads),
        })
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # Programs find the CMake package that is installed.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "tandem"))
