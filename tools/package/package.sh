# ./tandem and the package test read this file, after tools/package/install.sh. It makes an archive, and Debian's packages.
# shellcheck shell=sh disable=SC2154

# Package SOURCE BUILT MACHINE puts the archive and, on Debian, two packages into $output, and their names into $written. SOURCE
# and BUILT are those of Install; MACHINE runs the programs, as uname -m has it.
Package() {
  ParseInstall --prefix=/usr
  umask 022
  work_folder=$(mktemp -d) || Fail "package: no temporary directory could be made"
  written=''
  if { mkdir -p "$output" && MakePackages "$@"; }; then
    rm -rf "$work_folder"
  else
    rm -rf "$work_folder"
    Fail "package: the packages could not be written to $output"
  fi
}

MakePackages() {
  Archive "$@" || return 1
  if ! command -v dpkg-shlibdeps >/dev/null 2>&1; then
    Say "package: there is no dpkg-shlibdeps, so that no Debian packages are made"
    return 0
  fi
  if [ "$3" != "$(uname -m)" ]; then
    Say "package: Debian packages are made for this machine's processor only"
    return 0
  fi
  DebianPackage StageJudge tandem \
    "judge of RNN implementations against the oneDNN specification" "Suggests: gcc, python3-numpy, python3-torch, nodejs" \
    "$@" &&
    DebianPackage StageLibrary libtandem-dev \
      "RNN primitives of the oneDNN specification, headers and libraries" "Conflicts: libdnnl-dev" "$@"
}

# Archive makes the whole installation in one folder, which works wherever it is unpacked.
Archive() {
  whole=tandem-$tandem_version-linux-$3
  mkdir -p "$work_folder/$whole" && Stage "$1" "$2" "$work_folder/$whole" &&
    PackedTree "$work_folder" "$whole" "$output/$whole.tar.gz" && written="$written $whole.tar.gz"
}

# PackedTree FOLDER NAME FILE packs FOLDER/NAME into an archive whose bytes depend on names, contents and Epoch alone.
PackedTree() {
  tar -C "$1" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(Epoch)" -cf "$1/archive.tar" "$2" &&
    gzip -n9 "$1/archive.tar" && mv "$1/archive.tar.gz" "$3"
}

# All packed files have this time.
Epoch() { echo "${SOURCE_DATE_EPOCH:-$(date +%s)}"; }

# DebianPackage STAGE NAME TITLE FIELD SOURCE BUILT MACHINE makes one package.
DebianPackage() {
  tree=$work_folder/$2
  mkdir -p "$tree/usr" "$tree/DEBIAN" && "$1" "$5" "$6" "$tree/usr" &&
    /usr/bin/python3 -B "$5/tools/package/installed_document.py" "$tree/usr/share/tandem" || return 1
  # The files go to Debian's places. The license has a folder of its own, because both packages have one.
  mkdir -p "$tree/usr/share/doc/$2" &&
    cat "$tree/usr/share/doc/tandem/LICENSE" "$tree/usr/share/doc/tandem/NOTICE" >"$tree/usr/share/doc/$2/copyright" &&
    rm "$tree/usr/share/doc/tandem/LICENSE" "$tree/usr/share/doc/tandem/NOTICE" || return 1
  rmdir "$tree/usr/share/doc/tandem" 2>/dev/null || :
  [ ! -e "$tree/usr/share/man/man1/tandem.1" ] || gzip -n9 "$tree/usr/share/man/man1/tandem.1" || return 1
  debian=$(dpkg --print-architecture)
  {
    echo "Package: $2"
    echo "Version: $tandem_version"
    echo "Architecture: $debian"
    echo "Maintainer: ${DEBFULLNAME:-Tandem's maintainers} <${DEBEMAIL:-root@localhost}>"
    echo "Section: devel"
    echo "Priority: optional"
    Dependencies "$tree" || exit 1
    echo "$4"
    echo "Description: $3"
  } >"$work_folder/control" || return 1
  mv "$work_folder/control" "$tree/DEBIAN/control" &&
    SOURCE_DATE_EPOCH=$(Epoch) dpkg-deb --root-owner-group -Zgzip --build "$tree" "$work_folder/deb" >&2 &&
    mv "$work_folder/deb" "$output/$2_${tandem_version}_$debian.deb" && written="$written $2_${tandem_version}_$debian.deb"
}

# Dependencies prints the packages whose libraries the programs below $1 need. The adapter for a library that not everybody has
# only suggests it. Libraries of this package are no other package's. OpenMP's runtime is loaded if it is there.
Dependencies() {
  mkdir -p "$work_folder/dependencies/debian"
  printf 'Source: tandem\n\nPackage: tandem\nArchitecture: any\n' >"$work_folder/dependencies/debian/control"
  (
    cd "$work_folder/dependencies"
    # shellcheck disable=SC2046  # names without blanks
    set -- -dDepends $(find "$1" -type f \( -name '*.so*' -o -name tandem -o -name tandem_worker \) \
      ! -name onednn_plugin.so ! -name 'libtandem_c*') \
      -dRecommends $(find "$1" -type f -name onednn_plugin.so)
    dpkg-shlibdeps -O "$@" 2>"$work_folder/warnings" || {
      cat "$work_folder/warnings" >&2
      exit 1
    }
  ) | sed 's/^shlibs:\([A-Za-z]*\)=/\1: /' | awk '
    sub(/^Recommends: /, "&libgomp1, ") { recommends = 1 }
    { print }
    END { if (!recommends) print "Recommends: libgomp1" }'
}
