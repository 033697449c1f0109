#!/bin/sh
# convert_torch.py; with arguments, libtandem.so and libtandem_c.so, also PyTorch and Tandem side by side.
set -eu
/usr/bin/python3 -c 'import numpy' 2>/dev/null || {
  echo "SKIPPED: python3 has no numpy"
  exit 0
}
for library in "$@"; do
  ln -s "$PWD/$library" "$TEST_TMPDIR/${library##*/}.1"
done
if [ $# = 0 ]; then
  exec /usr/bin/python3 -B python/convert_torch_test.py
fi
export LD_LIBRARY_PATH="$TEST_TMPDIR"
exec /usr/bin/python3 -B python/convert_torch_test.py "$TEST_TMPDIR/libtandem_c.so.1"
