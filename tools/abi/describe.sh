# abi_test.sh and write.sh read this file: it describes the ABI of a library with abidw, from the repository's root.
#
# The released libraries have no debug information. A library of the same symbols, soname and versions describes each, with
# types as the public headers declare them, because clients were compiled against these. No private type is in it.
# shellcheck shell=sh disable=SC2154

headers=api/include

# Stubs writes the functions that these headers declare, as C that defines them.
Stubs() {
  echo '#include "dnnl/abi.h"'
  echo '#include "dnnl/rnn_stream.h"'
  awk '/^DNNL_API / { inside = 1 }
    inside {
      done = sub(/;$/, " { __builtin_trap(); }")
      print
      if (done) inside = 0
    }' $headers/dnnl/abi.h $headers/dnnl/rnn_stream.h
}

Soname() { readelf -d "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]$/\1/p'; }

# Symbols LIBRARY prints the names that it exports, with their versions.
Symbols() { nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sort; }

# Describe LIBRARY MAP WORK writes WORK/described.so, which stands for LIBRARY, and WORK/described.xml.
Describe() {
  case $1 in
    *libtandem_c.so)
      g++ -std=c++17 -O0 -g -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -I $headers -c -o "$3/described.o" \
        api/c/c_api.cc
      ;;
    *) Stubs | gcc -std=c11 -O0 -g -fPIC -I $headers -x c -c -o "$3/described.o" - ;;
  esac || return 1
  gcc -shared -o "$3/described.so" "$3/described.o" -Wl,-soname,"$(Soname "$1")" -Wl,--version-script="$2" &&
    abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --drop-undefined-syms \
      --exported-interfaces-only --type-id-style hash "$3/described.so" >"$3/described.xml"
}

# Compare OLD NEW prints the changes that break programs linked with OLD, and fails if there are any. Additions break none.
Compare() { abidiff --no-added-syms "$1" "$2"; }
