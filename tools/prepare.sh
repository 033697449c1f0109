# ./tandem reads this file. It brings a machine to the point where Bazel can build. It expects `root` (the source tree), `cache`
# (a directory of ours) and `arch` (the architecture to build for; empty: this machine).
# shellcheck shell=sh disable=SC2154,SC2016

Say() { echo "tandem: $*" >&2; }
Fail() {
  Say "$*"
  exit 2
}

CheckArchitecture() {
  [ -z "$arch" ] || [ -f "$root/tools/cross/$arch.packages" ] ||
    Fail "--arch=$arch is unknown; there are:$(cd "$root/tools/cross" && for list in *.packages; do
      printf ' %s' "${list%.packages}"
    done)"
}

# MissingPackages NAME... prints those of tools/packages.txt, tools/NAME.packages and the architecture that are not installed.
MissingPackages() {
  for name in "$@"; do
    shift
    set -- "$@" "$root/tools/$name.packages"
  done
  wanted=$(sed -e 's/#.*//' "$root/tools/packages.txt" "$@" ${arch:+"$root/tools/cross/$arch.packages"})
  # Packages of another architecture are listed as NAME:ARCHITECTURE, and some of this machine's, too.
  # shellcheck disable=SC2086  # one argument per package
  installed=$(dpkg-query -W -f='${db:Status-Abbrev}${binary:Package}\n' $wanted 2>/dev/null |
    sed -n "s/:$(dpkg --print-architecture)\$//; s/^[ih]i *//p" || true)
  for package in $wanted; do
    case "
$installed
" in
      *"
$package
"*) ;;
      *) printf '%s ' "$package" ;;
    esac
  done
}

# Prints the architecture of packages $1 that dpkg does not know yet; nothing if it knows all.
ForeignArchitecture() {
  printf '%s' "$1" | tr ' ' '\n' | sed -n 's/.*://p' | sort -u | while read -r name; do
    dpkg --print-foreign-architectures | grep -qx "$name" || echo "$name"
  done
}

PreparePackages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    command -v bazel >/dev/null 2>&1 ||
      Fail "this is no Debian or Ubuntu machine; install what tools/packages.txt lists by hand"
    return 0
  fi
  missing=$(MissingPackages "$@")
  [ -n "$missing" ] || return 0
  foreign=$(ForeignArchitecture "$missing")
  if [ "$(id -u)" != 0 ]; then
    Say "these packages are missing; install them as root, then run the command again:"
    echo "${foreign:+sudo dpkg --add-architecture $foreign && }sudo apt-get update &&" \
      "sudo apt-get install -y --no-install-recommends ${missing% }" >&2
    exit 2
  fi
  Say "installing: ${missing% }"
  [ -z "$foreign" ] || dpkg --add-architecture "$foreign"
  export DEBIAN_FRONTEND=noninteractive
  lock="-o DPkg::Lock::Timeout=600"
  # An unreachable third-party source must not stop the launcher: only the installation counts.
  # shellcheck disable=SC2086
  apt-get $lock -q update >"$cache/apt.log" 2>&1 || Say "apt-get update complained; going on"
  # shellcheck disable=SC2086
  if ! apt-get $lock -q install -y --no-install-recommends $missing >>"$cache/apt.log" 2>&1; then
    tail -n 15 "$cache/apt.log" >&2
    Fail "apt-get could not install them; the full log is $cache/apt.log"
  fi
}

# Fetches Highway's source from the Debian pool behind mirror $1 into directory
# $2, with apt state of its own: the machine's configuration stays as it is.
FetchHighwayFrom() {
  mkdir -p "$2/lists/partial" "$2/cache/archives/partial" "$2/parts"
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  echo "deb-src [signed-by=$keyring] $1 trixie main" >"$2/sources.list"
  (
    cd "$2" || exit 1
    set -- -q -o APT::Sandbox::User=root -o Acquire::Languages=none \
      -o Dir::State::Lists="$2/lists" -o Dir::Cache="$2/cache" \
      -o Dir::Etc::SourceList="$2/sources.list" -o Dir::Etc::SourceParts="$2/parts"
    apt-get "$@" update && apt-get "$@" source --download-only highway
  ) >>"$cache/highway.log" 2>&1
}

# Puts the release archive that third_party/deps.bzl pins into the directory Bazel searches
# before the network. Failing is no error here: Bazel then asks GitHub itself.
PrepareHighway() {
  archive=$cache/distdir/1.2.0.tar.gz
  [ ! -s "$archive" ] || return 0
  # A release's source archive has Highway's archive.
  if [ -s "$root/third_party/distdir/1.2.0.tar.gz" ]; then
    cp "$root/third_party/distdir/1.2.0.tar.gz" "$archive.new" && mv "$archive.new" "$archive"
    return 0
  fi
  command -v apt-get >/dev/null 2>&1 || return 0
  Say "fetching Highway 1.2.0"
  pinned=$(sed -n 's/.*sha256 = "\([0-9a-f]*\)".*/\1/p' "$root/third_party/deps.bzl")
  work=$(mktemp -d "$cache/highway.XXXXXX")
  : >"$cache/highway.log"
  for mirror in $(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
    awk '!seen[$0]++'); do
    FetchHighwayFrom "$mirror" "$work" || continue
    for file in "$work"/highway_1.2.0*.orig.tar.gz; do
      echo "$pinned  $file" | sha256sum -c --quiet - >>"$cache/highway.log" 2>&1 || continue
      # It is renamed within one file system, so a second launcher never sees half a file.
      mv "$file" "$archive"
      break 2
    done
  done
  rm -rf "$work"
  [ -s "$archive" ] || Say "no Debian mirror has it (see $cache/highway.log); Bazel tries GitHub"
}
