#!/bin/sh
# Installs into a directory, moves it, and uses it as strangers would.
set -eu
. tools/package/installed.sh

ParseInstall --prefix="$work/first"
Install . .
# The installed files must not know where they were installed.
mv "$work/first" "$work/moved"
prefix=$work/moved
strict="-std=c++11 -Wall -Wextra -Wpedantic -Werror"

OnlyOurSymbols() {
  nm -D --defined-only "$prefix/lib/libtandem.so" | awk '$2 != "A"' | grep -v ' tandem_[a-z0-9_]*\(@@TANDEM_1\)\?$' && return 1
  nm -D --defined-only "$prefix/lib/libtandem.so" | grep -q ' tandem_primitive_execute'
}
Claim "libtandem.so exports functions that begin with tandem_, nothing else" OnlyOurSymbols
Soname() { readelf -d "$prefix/lib/libtandem.so" | grep -q 'SONAME.*\[libtandem.so.1\]'; }
Claim "its soname is libtandem.so.1" Soname
OnlyTheCApi() {
  nm -D --defined-only "$prefix/lib/libtandem_c.so" | awk '$2 != "A"' | grep -vE ' (dnnl2?|tandem_primitive_attr)_[a-z0-9_]*@@TANDEM_C_1$' && return 1
  nm -D --defined-only "$prefix/lib/libtandem_c.so" | grep -q ' dnnl_primitive_execute@@'
}
Claim "libtandem_c.so exports functions that begin with dnnl_, dnnl2_ or tandem_primitive_attr_, nothing else" OnlyTheCApi
NeedsLibtandem() { readelf -d "$prefix/lib/libtandem_c.so" | grep -q 'NEEDED.*\[libtandem.so.1\]'; }
Claim "it needs libtandem.so.1" NeedsLibtandem
# Tables that the dynamic linker fills are read-only before the program runs, stacks are not executed and have guards.
Hardened() {
  readelf -lW "$1" >"$work/headers"
  readelf -dW "$1" >"$work/dynamic"
  grep -q GNU_RELRO "$work/headers" && grep -q 'GNU_STACK .* RW ' "$work/headers" && grep -q BIND_NOW "$work/dynamic" &&
    ! grep -q TEXTREL "$work/dynamic"
}
for library in libtandem libtandem_c; do
  Claim "$library.so has GNU_RELRO, immediate binding and no executable stack" Hardened "$prefix/lib/$library.so"
done
StackGuards() { nm -D "$prefix/lib/libtandem.so" | grep -q __stack_chk_fail; }
Claim "libtandem.so guards its stack frames" StackGuards
# The programs run on Debian 10, Ubuntu 18.10, RHEL 8 and later ones. The adapter of the system's oneDNN is for the system's.
OldLinux() { /usr/bin/python3 -B $here/linux_needs.py --most=2.28 --except=onednn_plugin.so "$prefix"; }
Claim "all programs and libraries run with glibc 2.28, without libstdc++ and libgomp" OldLinux
NewLinux() {
  echo 'extern int arc4random(void); int main(void) { return arc4random() != 0; }' >"$work/newer.c"
  gcc -o "$work/newer" "$work/newer.c" && ! /usr/bin/python3 -B $here/linux_needs.py --most=2.28 "$work/newer" >"$work/said" 2>&1 &&
    grep 'newer needs GLIBC_2.36' "$work/said"
}
Claim "a program that does not is found" NewLinux
Forwarders() {
  for header in dnnl.hpp dnnl.h dnnl_types.h dnnl_config.h dnnl_version.h dnnl_debug.h \
    oneapi/dnnl/dnnl.hpp oneapi/dnnl/dnnl.h oneapi/dnnl/dnnl_debug.h; do
    echo "#include \"$header\"" >"$work/include.cc"
    # shellcheck disable=SC2086
    g++ $strict -fsyntax-only -I"$prefix/include" "$work/include.cc" || return 1
    g++ -H -fsyntax-only -I"$prefix/include" "$work/include.cc" 2>&1 | grep '^\.* /usr/include/.*dnnl' && return 1
  done
  return 0
}
Claim "every header compiles alone as C++11 and reaches no other oneDNN" Forwarders

Manual() {
  for file in man/man1/tandem.1 bash-completion/completions/tandem; do
    [ -s "$prefix/share/$file" ] && grep -qxF "share/$file" "$prefix/$manifest" || return 1
  done
}
Claim "the man page and bash's completion are there and in the manifest" Manual

export LD_LIBRARY_PATH="$prefix/lib"
if Have pkg-config; then
  PkgConfig() {
    flags=$(PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --cflags --libs tandem)
    # shellcheck disable=SC2086
    g++ $strict -o "$work/pkg_config_client" $here/client.cc $flags && "$work/pkg_config_client"
  }
  Claim "a program builds through pkg-config and runs" PkgConfig
  CProgram() {
    c_flags=$(PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --cflags --libs tandem_c)
    # shellcheck disable=SC2086
    gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -o "$work/c_client" $here/client.c $c_flags && "$work/c_client"
  }
  Claim "a C99 program builds through pkg-config tandem_c and runs" CProgram
fi
if Have cmake; then
  CMake() {
    cmake -S $here/cmake_client -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" &&
      cmake --build "$work/cmake" && "$work/cmake/shared_client" && "$work/cmake/static_client"
  }
  Claim "a program builds through CMake, shared and static, and runs" CMake
  CMakeC() {
    cmake -S $here/cmake_c_client -B "$work/cmake_c" -DCMAKE_PREFIX_PATH="$prefix" &&
      cmake --build "$work/cmake_c" && "$work/cmake_c/c_client"
  }
  Claim "a C program builds through CMake without C++ and runs" CMakeC
fi
Static() {
  # shellcheck disable=SC2086
  g++ $strict -I"$prefix/include" -o "$work/static_client" $here/client.cc "$prefix/lib/libtandem.a" -fopenmp &&
    LD_LIBRARY_PATH='' "$work/static_client"
}
Claim "a program links libtandem.a alone and runs" Static
if [ -e /usr/include/oneapi/dnnl/dnnl.hpp ]; then
  Beside() {
    # shellcheck disable=SC2086
    g++ $strict -I"$prefix/include" -c -o "$work/beside_tandem.o" $here/beside_tandem.cc &&
      g++ -std=c++11 -c -o "$work/beside_system.o" $here/beside_system.cc || return 1
    for libraries in "-ltandem -ldnnl" "-ldnnl -ltandem" "$prefix/lib/libtandem.a -fopenmp -ldnnl"; do
      # shellcheck disable=SC2086
      g++ -o "$work/beside" "$work/beside_system.o" "$work/beside_tandem.o" -L"$prefix/lib" $libraries &&
        "$work/beside" || return 1
    done
  }
  Claim "Tandem and the system's oneDNN work in one process, in either order" Beside
  BesideC() {
    g++ -std=c++11 -o "$work/beside_c" $here/beside_c.cc -ldnnl -ldl && "$work/beside_c" "$prefix/lib/libtandem_c.so"
  }
  Claim "a program of the system's oneDNN calls libtandem_c, loaded by dlopen, by its handle" BesideC
else
  echo "SKIPPED: no system oneDNN to load beside"
fi
exit $((failures > 0))
