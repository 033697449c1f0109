#!/bin/sh
# The scripts of the live pages, in node: they have the book's numbers, and the trainer trains. scripts_test.sh [MODULE].
set -eu
. tools/own_environment.sh
command -v node >/dev/null 2>&1 || {
  echo "SKIPPED: node is not installed"
  exit 0
}
node web/lesson/tests/book.mjs
node web/lesson/tests/trainer.mjs "$@"
