#!/bin/sh
# windows_test.sh [BUILD] builds the DLLs and their tests for Windows x86-64 with CMake, in directory BUILD or in one of its
# own, and runs them in wine. Each case of the programs is a test case.
set -eu
. tools/tree.sh
work=${1:-$TEST_TMPDIR}
build=$work/build
export WINEPREFIX="$work/wine" WINEDEBUG=-all
xml=${XML_OUTPUT_FILE:-$work/test.xml}
mkdir -p "$work/results"
rm -f "$work"/results/*

# Step NAME COMMAND... is a test case; its output is shown if it fails.
Step() {
  name=$1
  shift
  if "$@" >"$work/out" 2>&1; then
    echo "ok: $name"
    echo "<testcase classname=\"windows\" name=\"$name\"></testcase>" >>"$work/results/steps.xml"
  else
    echo "FAILED: $name"
    tail -n 40 "$work/out"
    echo "<testcase classname=\"windows\" name=\"$name\"><failure message=\"\"/></testcase>" >>"$work/results/steps.xml"
    status=1
  fi
}
status=0

Exports() { x86_64-w64-mingw32-objdump -p "$1" | sed -n 's/^\t\[ *[0-9]*\] //p' | grep '^[A-Za-z_]' | sort; }
# Declared prints the names that a shared library of Linux would export, as the public headers declare them.
Declared() { cat api/include/dnnl/*.h | tr '\n' ' ' | grep -o 'DNNL_API [^;(]*(' | sed 's/.*[ *]\(tandem_[a-z0-9_]*\)($/\1/' | sort -u; }
ExportsTheHeaders() {
  Exports "$build/tandem.dll" >"$work/exported"
  Declared | diff "$work/exported" -
}
ExportsTheNames() {
  Exports "$build/tandem_c.dll" >"$work/exported"
  awk '$1 ~ /^[dt]/ && $3 ~ /^exported/ { print $1; if ($NF ~ /^dnnl2_/) print $NF }' api/c/names.txt | sort |
    diff "$work/exported" -
}
# ExportsTheHeaders must have run. The DLL must have all functions that the Python package calls.
HasWhatPythonCalls() {
  grep -ohE '(lib|library)\.tandem_[a-z0-9_]+' python/tandem_rnn/*.py | sed 's/.*\.//' | sort -u >"$work/called"
  [ -s "$work/called" ] && ! comm -23 "$work/called" "$work/exported" | grep .
}
# The DLL needs only those of the system: the C++ runtime is linked statically.
NeedsTheSystemAlone() {
  x86_64-w64-mingw32-objdump -p "$build/tandem.dll" | sed -n 's/.*DLL Name: //p' >"$work/needed"
  ! grep -vix 'kernel32.dll\|msvcrt.dll\|api-ms-win-core-synch-l1-2-0.dll' "$work/needed"
}
Wine() { /usr/lib/wine/wine64 "$@"; }
# Contracts are asserted in Bazel's builds alone.
left_out='*DeathTest*'
# The program runs in the source tree's root, where tests find their files.
Program() { Wine "$build/$1.exe" "--gtest_output=xml:Z:$work/results/$1.xml" "--gtest_filter=-$left_out"; }

highway=${XDG_CACHE_HOME:-$HOME/.cache}/tandem/distdir/1.2.0.tar.gz
Configure() {
  cmake -G Ninja -S . -B "$build" -DCMAKE_TOOLCHAIN_FILE="$root/tools/windows/toolchain.cmake" -DTANDEM_THREADS=pool \
    -DTANDEM_HIGHWAY="$highway" -DTANDEM_EIGEN=/usr/include/eigen3 -DTANDEM_VECTORS=sse2_avx2 -DTANDEM_BUILD_TESTS=ON
}
Step "configures" Configure
{
  sed -n 's/^not run on Windows/LEFT OUT/p' "$work/out"
  echo "LEFT OUT: $left_out"
} | tee "$work/left_out"
Step "compiles" cmake --build "$build" -- -k 0
# This makes wine's registry and folders.
Step "starts wine" Wine cmd /c exit
Step "exports what abi.h declares" ExportsTheHeaders
Step "exports the functions that Python calls" HasWhatPythonCalls
Step "exports the C API's names" ExportsTheNames
Step "needs no DLL but the system's" NeedsTheSystemAlone
Step "runs a client in C++" Wine "$build/client.exe"
Step "runs a client in C" Wine "$build/c_client.exe"
for program in core_tests reference_tests api_tests c_tests optimized_tests problem_list; do
  start=$(date +%s)
  Program $program >"$work/$program.log" 2>&1 || {
    status=1
    grep -a -A 20 'FAILED\|Failure' "$work/$program.log" | head -n 60
  }
  # A program that crashed has written no cases.
  Step "$program ends" test -e "$work/results/$program.xml"
  echo "$program: $(grep -a -c '^\[       OK' "$work/$program.log" || :) cases, $(($(date +%s) - start)) s"
done
{
  cat "$work"/results/*.xml
  printf '<testcase classname="windows" name="sources"><system-out><![CDATA[\n'
  cat "$work/left_out"
  printf ']]></system-out></testcase>\n'
} >"$xml"
WINEPREFIX="$work/wine" /usr/lib/wine/wineserver64 -k || :
exit $status
