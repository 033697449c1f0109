#!/bin/sh
# Does what docs/test_your_library.md tells a user who has nothing but Debian's package, in a Debian that has nothing else.
# Needs root, debootstrap and the network.
#
#     usage: tools/package/bare_debian.sh tandem_VERSION_ARCHITECTURE.deb [FOLDER OF A DEBIAN]
#
# Prints the seconds that each command took, and ends with the check's last line. Without the folder, a Debian is made, and
# removed at the end.
set -eu
[ $# -ge 1 ] || {
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
package=$(readlink -f "$1")
made=''
root=$(cd "$(dirname "$0")/../.." && pwd -P)
if [ $# -ge 2 ]; then
  debian=$2
else
  debian=$(mktemp -d)
  chmod 755 "$debian"  # the user "vendor" has to enter it
  made=1
  debootstrap --variant=minbase bookworm "$debian" >&2
fi
cp "$package" "$debian/root/"
mount -t proc proc "$debian/proc"
trap 'umount "$debian/proc"; [ -z "$made" ] || rm -rf "$debian"' EXIT
chroot "$debian" sh -c 'id vendor >/dev/null 2>&1 || useradd --create-home vendor'

# These are the indented lines of the guide's chapter: the first is root's.
sed -n '/^## From the package/,/^## 1/s/^    //p' "$root/docs/test_your_library.md" |
  sed "s/tandem_[^ ]*\.deb/$(basename "$package")/" >"$debian/root/commands"
# Timed COMMAND USER FOLDER runs the command and prints its seconds.
Timed() {
  echo "$ $1"
  start=$(date +%s)
  code=0
  chroot --userspec="$2" "$debian" env -i HOME="$3" PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
    sh -c "cd $3 && $1" >"$debian/root/said" 2>&1 </dev/null || code=$?
  tail -n 1 "$debian/root/said"
  echo "  $(($(date +%s) - start)) s, exit code $code"
}
Timed "apt-get update" root:root /root
user=root:root home=/root
while read -r command <&3; do
  Timed "$command" $user $home
  user=vendor:vendor home=/home/vendor
done 3<"$debian/root/commands"
