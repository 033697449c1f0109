#!/bin/sh
# Builds the wheel, installs it into a fresh virtual environment and runs its tests there, without downloads. Argument:
# libtandem.so, which a configuration that does not build it leaves out. The judge's program has its path of the source tree.
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
# Pip INTERPRETER WHEEL OPTION... installs the wheel.
Pip() {
  interpreter=$1 wheel=$2
  shift 2
  /usr/bin/python3 -m pip --isolated --python "$interpreter" install --quiet --no-index --no-deps \
    --disable-pip-version-check "$@" "$wheel"
}

# The wheel has the same bytes at any time, whatever the caller's umask is.
export SOURCE_DATE_EPOCH=1000000000
ParseWheel --quick --output="$TEST_TMPDIR/again"
(umask 077 && export TZ=Asia/Tokyo && Wheel . "$(dirname "$1")")
ParseWheel --quick --output="$TEST_TMPDIR/quick"
Wheel . "$(dirname "$1")"
diff -r "$TEST_TMPDIR/quick" "$TEST_TMPDIR/again" || {
  echo "FAILED: two wheels of the same files differ"
  exit 1
}
Pip /usr/bin/python3 "$output/$written" --target="$TEST_TMPDIR/site"
judge=$(find "$TEST_TMPDIR/site" -name tandem -o -name tandem_worker)
[ -z "$judge" ] || {
  echo "FAILED: a quick wheel has $judge"
  exit 1
}
(cd "$TEST_TMPDIR/site" && PATH=/usr/bin:/bin /usr/bin/python3 -B -c '
import numpy, tandem_rnn
net = tandem_rnn.LSTM(slc=3, dhc=4)
net(numpy.ones((2, 1, 3), numpy.float32))
try:
    tandem_rnn.judge(net, cases=1)
except FileNotFoundError as error:
    print("a quick wheel:", error)
else:
    raise SystemExit("a quick wheel has the judge")
') || exit 1

ParseWheel --output="$TEST_TMPDIR/wheels"
Wheel . "$(dirname "$1")"
case $written in
  *-manylinux_2_1[7-9]_* | *-manylinux_2_2[0-8]_*) echo "$written" ;;
  *)
    echo "FAILED: $written is not for glibc 2.28"
    exit 1
    ;;
esac
# numpy, and torch if it is installed, are the system's.
/usr/bin/python3 -m venv --without-pip --system-site-packages "$TEST_TMPDIR/venv"
Pip "$TEST_TMPDIR/venv/bin/python3" "$output/$written"
tests=$PWD/python/tests
cd "$TEST_TMPDIR"
exec venv/bin/python3 -B -W error::DeprecationWarning:tandem_rnn "$tests/run.py"
