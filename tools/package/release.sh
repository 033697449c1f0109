# ./tandem and the release's test read this file, after tools/package/install.sh and the files of the artefacts. It makes
# everything that a release publishes.
# shellcheck shell=sh disable=SC2154

# CommitTime ROOT prints the time of the commit, which all files of a release have, so that two builds have the same bytes.
CommitTime() { git -c safe.directory='*' -C "$1" log -1 --format=%ct; }

# CheckCommitted ROOT: a release is made from a commit, without changes.
CheckCommitted() {
  changes=$(git -c safe.directory='*' -C "$1" status --porcelain 2>&1) || Fail "release: $1 is no git repository"
  [ -z "$changes" ] || Fail "release: this is not in a commit: $(echo "$changes" | head -n 1 | cut -c 4-)"
}

# SourceArchive ROOT HIGHWAY puts the commit's files, and Highway's archive where PrepareHighway looks for it, into $output.
SourceArchive() {
  umask 022
  name=tandem-$tandem_version
  folder=$(mktemp -d) || Fail "release: no temporary directory could be made"
  {
    git -c safe.directory='*' -C "$1" archive --prefix="$name/" -o "$folder/source.tar" HEAD &&
      mkdir -p "$folder/$name/third_party/distdir" && install -m 644 "$2" "$folder/$name/third_party/distdir/" &&
      tar -C "$folder" --no-same-permissions -xf "$folder/source.tar" &&
      PackedTree "$folder" "$name" "$output/$name-source.tar.gz"
  } || {
    rm -rf "$folder"
    Fail "release: the source archive could not be written to $output"
  }
  rm -rf "$folder"
  written="$name-source.tar.gz"
}

# Sums FILE... writes SHA256SUMS of these files of $output.
Sums() {
  (cd "$output" && printf '%s\n' "$@" | LC_ALL=C sort | xargs sha256sum -- >SHA256SUMS) ||
    Fail "release: SHA256SUMS could not be written"
}

# Each artefact has a function. They expect what ./tandem and the files above set, and add their names to $all.
ReleaseSource() {
  Prepare wheel
  SourceArchive "$root" "$cache/distdir/1.2.0.tar.gz"
  all="$all $written"
}
ReleaseNpm() {
  arch=wasm32
  Prepare
  RequireNode
  Build //web:tandem.wasm
  Npm "$root" "$root/bazel-bin/web/tandem.wasm"
  arch=
  all="$all $written"
}
# ReleaseLinux TARGET... makes the archive, the Debian packages and the wheel for $arch; the targets are built, too.
ReleaseLinux() {
  Prepare wheel
  Build //:package //:judge "$@"
  Package "$root" "$root/bazel-bin" "${arch:-$(uname -m)}"
  all="$all$written"
  Wheel "$root" "$root/bazel-bin"
  all="$all $written"
}

# Release makes all of them for the commit of $root, and their sums.
Release() {
  CheckCommitted "$root"
  SOURCE_DATE_EPOCH=$(CommitTime "$root")
  export SOURCE_DATE_EPOCH
  mkdir -p "$output" || Fail "release: $output cannot be made"
  all='' quick='' windows=''
  ReleaseSource
  ReleaseNpm
  ReleaseLinux //web/lesson:reference
  if [ "$(uname -m)" = x86_64 ]; then
    arch=aarch64
    ReleaseLinux
    arch=
  fi
  # shellcheck disable=SC2086  # names without blanks
  Sums $all
}
