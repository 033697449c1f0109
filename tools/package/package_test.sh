#!/bin/sh
# The archive and Debian's packages are tested: files, dependencies, and that they work where they are unpacked.
set -eu
. tools/package/installed.sh
. $here/package.sh
. $here/release.sh

machine=$(uname -m)
export SOURCE_DATE_EPOCH=1000000000
Make() { (ParseOutput package --output="$work/$1" && Package . . "$machine"); }
Make one >"$work/log" 2>&1 || cat "$work/log"
archive=tandem-$tandem_version-linux-$machine.tar.gz
Claim "the archive is written under its name" test -s "$work/one/$archive"
Unpacked() {
  mkdir "$work/anywhere" && tar -C "$work/anywhere" -xzf "$work/one/$archive" &&
    (cd "$work/anywhere" && env -i PATH=/usr/bin:/bin ./tandem-*/bin/tandem check --impl=reference l1t1mb1sic4)
}
Claim "the archive works where it is unpacked" Unpacked
Claim "everybody may read it" test -z "$(find "$work/anywhere" ! -type l ! -perm -o=r)"
# The second archive is made with another umask, time zone and locale.
Same() { diff -r "$work/one" "$work/two"; }
(umask 077 && export TZ=Asia/Tokyo LC_ALL=C.UTF-8 && Make two) >"$work/log" 2>&1
Claim "the same files make the same archive and the same packages" Same
Folders() { ! grep -rlF /execroot/ "$work/anywhere"; }
Claim "no file names a folder of the build" Folders
Unwritable() { : >"$work/file" && ! Make file/below >"$work/said" 2>&1 && grep "could not be written to" "$work/said"; }
Claim "a place that cannot be written is an error" Unwritable
rm -rf "$work/two" "$work/anywhere"

# A release also has a source archive. Here it comes from a repository with one commit.
Git() { git -C "$work/repository" -c user.name=a -c user.email=a@example.org -c init.defaultBranch=main "$@"; }
mkdir -p "$work/repository/tools" "$work/sources" "$work/again"
echo words >"$work/repository/tools/file" && chmod 755 "$work/repository/tools/file" && echo archive >"$work/1.2.0.tar.gz"
Git init -q && Git add . && Git commit -qm first
SourcesOf() { (umask "$2" && output=$work/$1 && SourceArchive "$work/repository" "$work/1.2.0.tar.gz" && Sums "$written"); }
SourcesOf sources 022
(export TZ=Asia/Tokyo && SourcesOf again 077)
Sources() {
  diff -r "$work/sources" "$work/again" && (cd "$work/sources" && sha256sum -c --strict SHA256SUMS) &&
    tar -tvzf "$work/sources/tandem-$tandem_version-source.tar.gz" >"$work/said" && cat "$work/said" &&
    grep -q "^-rwxr-xr-x 0/0 .* 2001-09-09 .*/tools/file$" "$work/said" &&
    grep -q "^-rw-r--r-- 0/0 .* tandem-$tandem_version/third_party/distdir/1.2.0.tar.gz$" "$work/said"
}
Claim "the source archive has the commit and Highway, and the same bytes each time" Sources
CheckCommitted "$work/repository"
echo more >>"$work/repository/tools/file"
Uncommitted() { ! (CheckCommitted "$work/repository") 2>"$work/said" && grep "not in a commit: tools/file" "$work/said"; }
Claim "a change that is in no commit is no release" Uncommitted

if Have dpkg-shlibdeps; then
  debian=${tandem_version}_$(dpkg --print-architecture).deb
  Field() { dpkg-deb -f "$work/one/$1_$debian" "$2"; }
  # Every library that a program is linked with is in a package that it depends on.
  Complete() {
    for package in tandem libtandem-dev; do
      for library in libc6 libgcc-s1; do Field $package Depends | grep -F "$library " || return 1; done
      Field $package Recommends | grep -w libgomp1 || return 1
    done
  }
  Claim "the packages depend on the libraries of the programs" Complete
  OneDnn() { Field tandem Recommends | grep libdnnl2 && ! Field tandem Depends | grep libdnnl; }
  [ ! -e conformance/plugins/onednn_plugin.so ] || Claim "the system's oneDNN is only recommended" OneDnn
  Claim "the library's headers are in the place of libdnnl-dev's" test "$(Field libtandem-dev Conflicts)" = libdnnl-dev
  Contents() { dpkg-deb -c "$work/one/$1_$debian" | awk '$1 !~ /^d/ { print $6 }' | sort; }
  Disjoint() {
    Contents tandem >"$work/judge" && Contents libtandem-dev >"$work/library" && test -s "$work/judge" && test -s "$work/library" &&
      ! comm -12 "$work/judge" "$work/library" | grep .
  }
  Claim "the two packages have no file in common" Disjoint
  Claim "the judge has its example" grep -q '^./usr/share/tandem/examples/plugin/vendor_plugin.c$' "$work/judge"
  Judge() {
    dpkg-deb -x "$work/one/tandem_$debian" "$work/root" &&
      (cd / && env -i PATH=/usr/bin:/bin "$work/root/usr/bin/tandem" check --report="$work/report" --impl=optimized l1t1mb1sic4)
  }
  Claim "the judge's package has all that a check needs" Judge
fi
exit $((failures > 0))
