#!/bin/sh
# Runs a wheel, its judge included, in a Debian 11 (glibc 2.31) that has nothing of ours, not even libgomp. Needs root,
# debootstrap and the network; for a processor that is not the machine's, its emulator.
#
#     usage: tools/package/old_linux.sh WHEEL [FOLDER OF A DEBIAN]
#
# Without the folder, a Debian is made, and removed at the end.
set -eu
[ $# -ge 1 ] || {
  sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
wheel=$(readlink -f "$1")
case $wheel in
  *aarch64.whl) machine=aarch64 architecture=arm64 ;;
  *) machine=x86_64 architecture=amd64 ;;
esac
made=''
if [ $# -ge 2 ]; then
  debian=$2
else
  debian=$(mktemp -d)
  made=1
  # Packages of another processor are unpacked only: their scripts are that processor's.
  foreign=''
  [ "$machine" = "$(uname -m)" ] || foreign=--foreign
  debootstrap --variant=minbase --arch=$architecture $foreign --include=python3,python3-numpy bullseye "$debian" >&2
  [ -z "$foreign" ] || for package in "$debian"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$debian"; done
  rm -f "$debian"/usr/lib/*/libgomp.so*
fi
site=$debian/opt/tandem
rm -rf "$site"
mkdir -p "$site"
/usr/bin/python3 -m zipfile -e "$wheel" "$site"
find "$site" \( -name tandem -o -name tandem_worker \) -type f -exec chmod +x {} +
cat >"$site/run.py" <<'EOF'
import hashlib, platform, sys
import numpy as np, tandem_rnn
print(platform.machine(), *platform.libc_ver(), "Python", platform.python_version(), "numpy", np.__version__)
net = tandem_rnn.LSTM(slc=64, dhc=128, layers=2, direction="concat")
x = np.random.default_rng(1).uniform(-1, 1, (20, 16, 64)).astype(np.float32)
reference = tandem_rnn.reference.LSTM(slc=64, dhc=128, layers=2, direction="concat")
reference.set_weights(net.weights)
y = net(x)[0]
assert abs(reference(x)[0] - y).max() < 1e-6
print("sha256 of y", hashlib.sha256(y.tobytes()).hexdigest())
if "--judge" in sys.argv:
    print(tandem_rnn.judge(net, cases=5))
EOF
if [ "$machine" = "$(uname -m)" ]; then
  mount -t proc proc "$debian/proc"
  trap 'umount "$debian/proc"; [ -z "$made" ] || rm -rf "$debian"' EXIT
  chroot "$debian" env PYTHONPATH=/opt/tandem python3 /opt/tandem/run.py --judge
else
  trap '[ -z "$made" ] || rm -rf "$debian"' EXIT
  libraries=$debian/usr/lib/$machine-linux-gnu
  PYTHONHOME=$debian/usr PYTHONPATH=$site:$debian/usr/lib/python3/dist-packages "qemu-$machine" -L "$debian" \
    -E LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack" "$debian/usr/bin/python3" "$site/run.py"
fi
