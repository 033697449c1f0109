#!/bin/sh
# CMake builds the library in two ways: installed from the tree with GCC, and by FetchContent from an archive of the source with
# clang. Programs use each of them, and the installed one has the promised bits.
set -eu
if [ "${1:-}" = clang ]; then
  echo "SKIPPED: the package that it is compared with is GCC's, this is a clang configuration"
  exit 0
fi
# Compiling kernels takes most of the time, so only one target of Highway has them, unoptimized if a program need only run.
quick="-DTANDEM_VECTORS=sse2 -DCMAKE_BUILD_TYPE=Debug"
. tools/package/installed.sh
highway=$(cd ../highway && pwd -P)
tree=$(dirname "$(readlink -f WORKSPACE)")
jobs=2

# Build NAME TARGETS ARGUMENT... configures and builds the targets in $work/NAME.
Build() {
  name=$1 targets=$2
  shift 2
  # shellcheck disable=SC2086
  cmake -B "$work/$name" -DTANDEM_HIGHWAY="$highway" "$@" && cmake --build "$work/$name" -j $jobs --target $targets
}

# The tree is installed as ./tandem install does it.
tests="execute_test memory_test special_values_test threads_test"
Installed() {
  Build tree "tandem tandem_c tandem_static $tests" -S "$tree" -DTANDEM_VECTORS=sse2 -DTANDEM_BUILD_TESTS=ON \
    -DTANDEM_AS_DNNL=ON -DTANDEM_READING=$reading -DCMAKE_INSTALL_PREFIX="$work/cmake" && cmake --install "$work/tree"
}
ParseInstall --prefix="$work/bazel" --as-dnnl
Claim "CMake builds and installs the tree" Installed
mkdir "$work/bazel"
StageLibrary . . "$work/bazel"
List() { (cd "$1" && find . ! -type d -printf '%p %l\n' | LC_ALL=C sort); }
SameFiles() { List "$work/bazel" >"$work/list" && List "$work/cmake" | diff "$work/list" -; }
Claim "it installs the files and links of ./tandem install" SameFiles
SameTexts() {
  for folder in include share lib/cmake lib/pkgconfig; do diff -r "$work/bazel/$folder" "$work/cmake/$folder" || return 1; done
}
Claim "with the same headers, CMake package and pkg-config files" SameTexts
Exported() { nm -D --defined-only "$1/lib/$2.so" | awk '{ print $2, $3 }' | LC_ALL=C sort; }
SameSymbols() {
  for library in libtandem libtandem_c; do
    Exported "$work/bazel" $library >"$work/symbols" && Exported "$work/cmake" $library | diff "$work/symbols" - || return 1
  done
}
Claim "and libraries that export the same symbols" SameSymbols
for test in $tests; do Claim "$test passes" "$work/tree/$test" --gtest_brief=1; done
prefix=$work/cmake
Client() { Build "$1" all -S "$here/$1" -DCMAKE_PREFIX_PATH="$prefix" && shift && for program; do "$work/$program" || return 1; done; }
Claim "programs find it by find_package" Client cmake_client cmake_client/shared_client cmake_client/static_client
Claim "and programs in C" Client cmake_c_client cmake_c_client/c_client
Claim "and those that ask for dnnl" Client dnnl_client dnnl_client/reading dnnl_client/c_client
Bits() {
  (cd "$tree/python" && TANDEM_LIBRARY="$prefix/lib/libtandem.so" PYTHONPATH=. /usr/bin/python3 -B -m unittest tests/bits_test.py)
}
Claim "its results have the hashes that the documents promise" Bits

# An archive has what the documents name, and nothing else. It is compiled by Clang, with the library's own pool of threads.
if Have clang++-14; then quick="$quick -DCMAKE_CXX_COMPILER=clang++-14"; fi
Fetched() {
  mkdir "$work/away" && (cd "$tree" && tar -c --exclude=tests CMakeLists.txt LICENSE api examples optimized reference third_party \
    tools/package) | tar -x -C "$work/away" &&
    # shellcheck disable=SC2086
    Build fetched all -S "$work/away/examples/cmake" $quick -DTANDEM_THREADS=pool && "$work/fetched/example"
}
Claim "the example gets it by FetchContent" Fetched
exit $((failures > 0))
