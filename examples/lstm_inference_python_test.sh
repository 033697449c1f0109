#!/bin/sh
# The Python program's line is that of lstm_inference.cc, and its random network is near the equations.
# Arguments: libtandem.so and libtandem_c.so; none in a configuration that does not build them.
set -eu
. tools/own_environment.sh
if [ $# = 0 ]; then
  echo "SKIPPED: the shared libraries are built by GCC, this is a clang configuration"
  exit 0
fi
python3 -c 'import numpy' 2>/dev/null || {
  echo "SKIPPED: python3 has no numpy"
  exit 0
}
for library in "$@"; do
  ln -s "$PWD/$library" "$TEST_TMPDIR/${library##*/}.1"
done
sh examples/lstm_inference_test.sh python3 examples/lstm_inference.py "$TEST_TMPDIR/libtandem_c.so.1" "${TEST_RANDOM_SEED:-1}"
