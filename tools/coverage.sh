#!/bin/sh
# Which lines of api/, reference/ and optimized/ the tests execute, and which functions they never call:
#
#   tools/coverage.sh OUT [TARGET...]
#
# Runs the tests (TARGET; else all of the three folders, the corpora of the fuzz targets, and the conformance tests that
# execute both implementations in worker processes) and leaves in OUT lines.txt, the table by file; missed.txt, the
# lines that nothing executed; functions.txt, what nothing called. A process that is killed is counted up to its end.
# Needs clang 14 and llvm-14, which ./tandem installs.
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || {
  sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- //api/... //reference/... //optimized/... //fuzz/... \
  //conformance/judge:judge_test //conformance/pages:pages_test

rm -rf "$out/profiles"
mkdir "$out/profiles"
# With %c the counters are in the file all the time. With %4m each program has four files, which its processes share.
bazel test --config=coverage --distdir="${XDG_CACHE_HOME:-$HOME/.cache}/tandem/distdir" --nocache_test_results \
  --keep_going --test_env=LLVM_PROFILE_FILE="$out/profiles/%c%4m.profraw" "$@" ||
  echo "some tests failed; what they executed is counted all the same" >&2

# Each program and plugin has its own copy of the library's functions, and llvm-cov joins them. The list has only those of these
# tests, because bazel-bin also keeps programs that were built before from other sources.
bin=$(bazel info --config=coverage bazel-bin)
bazel query --noshow_progress "kind('cc_(test|binary) rule', deps(tests(set($*)) except attr(tags, manual, set($*))))" |
  sed 's|^//||; s|:|/|' |
  while read -r program; do
    if readelf -S "$bin/$program" 2>/dev/null | grep -q __llvm_covmap; then printf '%s\n' "$bin/$program"; fi
  done >"$out/programs.txt"
[ -s "$out/programs.txt" ] || {
  echo "no program has been built for coverage" >&2
  exit 1
}
set --
while read -r program; do set -- "$@" -object "$program"; done <"$out/programs.txt"

# "Functions have mismatched data" are inline functions in programs that do not use them: they are counted elsewhere.
llvm-profdata-14 merge -sparse -o "$out/all.profdata" "$out"/profiles/*.profraw
others='--ignore-filename-regex=(^|/)(external|usr|tests|fuzz)/|_test\.(c|cc)$|_testing\.h$|_bench\.cc$'
llvm-cov-14 export --format=lcov "$others" -instr-profile="$out/all.profdata" "$@" >"$out/coverage.lcov"
python3 tools/coverage_tables.py "$out"
