#!/bin/sh
# scripts_test.sh [MODULE] runs the scripts of the live pages in node: they have the book's numbers, and the trainer trains.
set -eu
. tools/own_environment.sh
command -v node >/dev/null 2>&1 || {
  echo "SKIPPED: node is not installed"
  exit 0
}
node web/lesson/tests/book.mjs
node web/lesson/tests/trainer.mjs "$@"
