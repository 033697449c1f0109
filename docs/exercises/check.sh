#!/bin/sh
# Judges a solution of an exercise (docs/exercises/README.md):
#   docs/exercises/check.sh numpy_cell|c_cell|find_the_bug|gradient|quantize FILE [OPTION OF CHECK...]
# Exit code 0: it is right. 1: it is not. 2: it could not be judged.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tandem=${TANDEM:-$root/tandem}

Fail() {
  echo "check.sh: $*" >&2
  exit 2
}

[ $# -ge 2 ] || Fail "usage: docs/exercises/check.sh EXERCISE FILE"
exercise=$1
[ -f "$2" ] || Fail "there is no file $2"
file=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
shift 2

# Prints the command that starts Python, with numpy and the modules that the exercises share.
Python() {
  for python in python3 /usr/bin/python3; do
    $python -c 'import numpy' 2>/dev/null || continue
    echo "PYTHONPATH='$root/conformance/plugins:$here' OPENBLAS_NUM_THREADS=1 $python -B"
    return
  done
  Fail "numpy is missing; install python3-numpy"
}

# CheckPipe PROBLEM...: the cell in $file, behind the pipe.
CheckPipe() {
  command="$(Python) '$here/plumbing.py' $exercise '$file'"
  "$tandem" check --impl="pipe:$command" "$@"
}

# The id in the answers must be that of the mistake. `diagnose` then says what it is.
CheckAnswers() {
  wrong=0
  while read -r number problem; do
    right=$(sed -n "s/^$number \([A-Z0-9.]*\).*/\1/p" "$here/find_the_bug_solution.txt")
    answer=$(sed -n "s/^$number  *\([A-Z0-9.?]*\).*/\1/p" "$file")
    if [ "$answer" = "$right" ]; then
      echo "$number [$answer] is right:"
      # shellcheck disable=SC2086  # words without blanks
      "$tandem" diagnose --impl="exercise:$number" $problem | sed 's/^/    /'
    else
      echo "$number [$answer] is not the equation that is computed wrongly: ./tandem check --impl=exercise:$number $problem"
      wrong=1
    fi
  done <"$here/find_the_bug_tasks.txt"
  return $wrong
}

case $exercise in
  numpy_cell)
    CheckPipe "$@" --alg=VANILLA_GRU --absent=none,bias+src_iter,dst_iter l1t5mb3sic16slc9
    ;;
  c_cell)
    library=$(mktemp -d)
    trap 'rm -rf "$library"' EXIT
    cc -std=c11 -O2 -shared -fPIC -I"$root" -o "$library/cell.so" "$here/c_cell_plugin.c" "$file" -lm ||
      Fail "$file does not compile"
    "$tandem" check --impl="$library/cell.so" "$@" --alg=VANILLA_LSTM --absent=none,bias+src_iter+src_iter_c,dst_iter+dst_iter_c \
      l1t5mb3sic16slc9
    ;;
  find_the_bug) CheckAnswers ;;
  gradient)
    CheckPipe "$@" --prop=BWD_DW --activation=TANH --flags=,O --absent=none,bias+src_iter,dst_iter l1t4mb3sic8slc5
    ;;
  quantize)
    status=0
    CheckPipe "$@" --alg=VANILLA_LSTM --cfg=u8u8u8u8 --scaling=common,per_oc l1t4mb3sic16 || status=$?
    eval "$(Python) '$here/quantize_check.py' '$file'" || status=$?
    exit $status
    ;;
  *) Fail "there is no exercise $exercise; they are numpy_cell, c_cell, find_the_bug, gradient and quantize" ;;
esac
