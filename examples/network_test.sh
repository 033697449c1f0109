#!/bin/sh
# Networks that Python saves run in C++. Arguments: the programs, and libtandem.so in configurations that build it.
set -eu
. tools/own_environment.sh
if [ $# = 2 ]; then
  echo "SKIPPED: the shared libraries are built by GCC, this is a clang configuration"
  exit 0
fi
/usr/bin/python3 -c 'import numpy' 2>/dev/null || {
  echo "SKIPPED: python3 has no numpy"
  exit 0
}
exec /usr/bin/python3 -B examples/network_test.py "$@"
