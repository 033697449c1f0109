#!/bin/sh
# .ci/run runs `./tandem test --all`, which is this script. Each stage is one `./tandem test`. In the end there is a line for
# each, with its cases and its seconds, and the last line counts the cases of all. CONTRIBUTING.md says what each stage proves.
set -eu
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/stages"
status=0

# Stage TITLE ARGUMENT... runs ./tandem test with the arguments.
Stage() {
  title=$1
  shift
  start=$(date +%s)
  echo "== $title"
  {
    code=0
    "$root/tandem" test "$@" </dev/null || code=$?
    echo $code >"$work/code"
  } | tee "$work/output"
  [ "$(cat "$work/code")" = 0 ] || status=1
  totals=$(tail -n 1 "$work/output")
  case $totals in
    [0-9]*" passed, "*" failed, "*" skipped") ;;
    *)
      echo "FAILED: \"$title\" ended without its totals"
      totals="0 passed, 1 failed, 0 skipped"
      ;;
  esac
  echo "$title: $totals; $(($(date +%s) - start)) s" | tee -a "$work/stages"
}

# Tests with these tags wait for the stage that installs what they need.
Stage "what a commit must pass" --test_tag_filters=-extra,-libraries,-browser
# This stage builds all that can be built, tests or not.
Stage "packages, other workspaces, exercises" --nobuild_tests_only --test_tag_filters=extra,-libraries
Stage "new random problems" --config=new_problems --test_tag_filters=new_problems
Stage "foreign environment" --run_under=//tools:foreign_environment --test_tag_filters=environment
# Bazel does not see that a browser or a library was installed.
Stage "pages in a browser" --pages --nocache_test_results --test_tag_filters=browser
Stage "PyTorch, ONNX Runtime, speech" --speech --nocache_test_results --test_tag_filters=libraries
# Few files are compiled, and the kernels are not among them.
Stage "no futex, no OpenMP" --config=portable //api/core/os:os_test //optimized/threads:threads_test //api/tests:process_test
Stage "aarch64, kernels and a list of problems" --arch=aarch64 //tools/cross:problems_optimized_test \
  //tools/cross:problems_reference_test //tools/cross:large_pages_test //tools/cross:instructions_test \
  //optimized/kernels/... //optimized/threads/... //conformance/sandbox/...
# Activations are functions of f32 and do not depend on the order of bytes.
Stage "s390x, byte order and readers" --arch=s390x '--test_filter=-*Activations*' //optimized/kernels/... //reference/reorder/... \
  //conformance/problem/base/... //conformance/vectors/...

echo "== all stages"
cat "$work/stages"
awk '{ sub(/.*: /, ""); passed += $1; failed += $3; skipped += $5 }
  END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 }' "$work/stages" || status=1
exit $status
