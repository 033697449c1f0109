#!/bin/sh
# The package's reader of files refuses those that want to harm, without the WebAssembly module.
set -eu
. tools/own_environment.sh
command -v node >/dev/null 2>&1 || {
  echo "SKIPPED: node is not installed"
  exit 0
}
exec node web/tests/hostile_files.mjs
