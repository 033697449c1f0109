#!/bin/sh
# numbers_test.sh MODULE TANDEM compares the numbers of the lesson's module with those of `tandem trace`, in node.
set -eu
. tools/own_environment.sh
command -v node >/dev/null 2>&1 || {
  echo "FAILED: node is not installed: apt-get install nodejs"
  exit 1
}
node web/lesson/tests/numbers.mjs "$1" "$2"
