#!/bin/sh
# Which lines of api/, reference/ and optimized/ the tests execute, and which functions they never call:
#
#   tools/coverage.sh OUT [TARGET...]
#
# Runs the tests (TARGET; else all of the three folders and the corpora of the fuzz targets) and leaves in OUT lines.txt,
# the table by file; missed.txt, the lines that nothing executed; functions.txt, what nothing called. A test that is
# killed leaves no counts. Needs clang 14 and llvm-14, which ./tandem installs.
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || {
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- //api/... //reference/... //optimized/... //fuzz/...

rm -rf "$out/profiles"
mkdir "$out/profiles"
bazel test --config=coverage --distdir="${XDG_CACHE_HOME:-$HOME/.cache}/tandem/distdir" --nocache_test_results \
  --keep_going --test_env=LLVM_PROFILE_FILE="$out/profiles/%4m.profraw" "$@" ||
  echo "some tests failed; what they executed is counted all the same" >&2

# Each program has its own copy of the library's functions, and llvm-cov joins them.
find -L bazel-bin/api bazel-bin/reference bazel-bin/optimized bazel-bin/fuzz -type f -perm -u+x \
  ! -path '*.runfiles/*' ! -name '*.sh' ! -name '*.o' ! -name '*.a' |
  while read -r program; do
    if readelf -S "$program" 2>/dev/null | grep -q __llvm_covmap; then printf '%s\n' "$program"; fi
  done >"$out/programs.txt"
[ -s "$out/programs.txt" ] || {
  echo "no program has been built for coverage" >&2
  exit 1
}
set --
while read -r program; do set -- "$@" -object "$program"; done <"$out/programs.txt"

llvm-profdata-14 merge -sparse -o "$out/all.profdata" "$out"/profiles/*.profraw
others='--ignore-filename-regex=(^|/)(external|usr|tests|fuzz)/|_test\.(c|cc)$|_testing\.h$|_bench\.cc$'
llvm-cov-14 export --format=lcov "$others" -instr-profile="$out/all.profdata" "$@" >"$out/coverage.lcov"
python3 tools/coverage_tables.py "$out"
