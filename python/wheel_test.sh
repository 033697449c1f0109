#!/bin/sh
# The wheel is built, installed into a fresh virtual environment, and its tests pass there; nothing is downloaded.
# Argument: libtandem.so, which a configuration that does not build it leaves out. The judge's program has its path of the
# source tree.
set -eu
. tools/own_environment.sh
if [ $# = 0 ]; then
  echo "SKIPPED: the shared library is built by GCC for this machine, this is another configuration"
  exit 0
fi
/usr/bin/python3 -c 'import numpy, setuptools, wheel, pip' 2>/dev/null || {
  echo "SKIPPED: python3 has no numpy, pip, setuptools or wheel"
  exit 0
}
. tools/prepare.sh
. tools/package/install.sh
. tools/package/wheel.sh
export HOME="$TEST_TMPDIR"
ParseOutput wheel --output="$TEST_TMPDIR/wheels"
Wheel . "$(dirname "$1")" "$(uname -m)"
echo "$written"
# numpy, and torch where it is installed, are the system's.
/usr/bin/python3 -m venv --without-pip --system-site-packages "$TEST_TMPDIR/venv"
/usr/bin/python3 -m pip --isolated --python "$TEST_TMPDIR/venv/bin/python3" install --quiet --no-index --no-deps \
  --disable-pip-version-check "$TEST_TMPDIR/wheels/$written"
tests=$PWD/python/tests
cd "$TEST_TMPDIR"
exec venv/bin/python3 -B -W error::DeprecationWarning:tandem_rnn "$tests/run.py"
