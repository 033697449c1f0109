#!/bin/sh
# Compiles the plugin over the dnnl C++ API (dnnl_adapter*.cc, beside this file) for a library, and prints where the plugin
# is. Argument: the folder that the library was installed into, or the library itself; its headers are in include/ of the
# library's folder or of one of the two above it.
# A plugin stays in $XDG_CACHE_HOME/tandem/adapters (~/.cache/tandem/adapters) and serves until the library, its headers,
# the compiler or these sources change. CXX names the compiler, c++ if it is empty.
set -eu

Fail() {
  echo "$*" >&2
  exit 1
}

# Prints the first of the paths that is there.
First() {
  for path; do
    [ ! -e "$path" ] || {
      echo "$path"
      return
    }
  done
}

given=$1
case $given in
  /*) ;;
  *) given=$PWD/$given ;;
esac
library=$given
if [ -d "$given" ]; then
  library=$(First "$given"/lib/libdnnl.so "$given"/lib64/libdnnl.so "$given"/lib/*-linux-gnu/libdnnl.so \
    "$given"/libdnnl.so "$given"/lib/libtandem.so)
  [ -n "$library" ] || Fail "no libdnnl.so is in $given, its lib, lib64 or lib/*-linux-gnu; name the library itself"
fi
[ -f "$library" ] || Fail "there is no library $library"
folder=$(dirname "$library")
headers=$(First "$folder/include" "$folder/../include" "$folder/../../include")
[ -n "$headers" ] && [ -f "$headers/dnnl.hpp" ] ||
  Fail "no include/dnnl.hpp lies beside $library or above it"

# CXX may have more than one word, "ccache g++".
compiler=${CXX:-c++}
version=$($compiler --version 2>&1) ||
  Fail "the adapter has to be compiled for the library, and there is no C++ compiler: install g++, or name one in CXX"

sources=$(cd "$(dirname "$0")" && pwd)
tree=$sources/../..
cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/tandem/adapters
key=$({
  echo "$compiler $version"
  stat -L -c '%n %s %Y' "$library"
  cat "$sources"/*adapter*.h "$sources"/dnnl_adapter*.cc "$tree"/conformance/*.h "$headers"/dnnl*.h* "$headers"/oneapi/dnnl/*.h*
} | sha256sum | cut -c 1-32)
plugin=$cache/$key.so
if [ ! -e "$plugin" ]; then
  { mkdir -p "$cache" && work=$(mktemp -d "$cache/XXXXXXXX"); } 2>/dev/null ||
    Fail "$cache, where the compiled adapter stays, cannot be written; set XDG_CACHE_HOME to a directory that can"
  trap 'rm -rf "$work"' EXIT
  # The plugin loads the library of this path, whatever LD_LIBRARY_PATH says.
  $compiler -std=c++17 -O2 -shared -fPIC -fvisibility-inlines-hidden -I "$tree" -I "$headers" -o "$work/plugin.so" \
    "$sources"/dnnl_adapter*.cc "$library" -Wl,--no-undefined -Wl,--disable-new-dtags \
    -Xlinker -rpath -Xlinker "$folder" -Xlinker -rpath -Xlinker "$(dirname "$(readlink -f "$library")")" \
    >"$work/said" 2>&1 || Fail "the adapter does not compile for $library with $compiler: $(head -n 20 "$work/said")"
  mv "$work/plugin.so" "$plugin"
fi
echo "$plugin"
