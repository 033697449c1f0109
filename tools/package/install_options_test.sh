#!/bin/sh
# `install` takes DESTDIR, --reading, --as-dnnl, an earlier installation, and another library's files.
set -eu
. tools/package/installed.sh

# InstallHere ARGUMENT... installs as ./tandem does, in a process of its own.
InstallHere() {
  (ParseInstall "$@" && Install . .)
}
# FilesOf prints all files of prefix $1, but for the manifest's own folders.
FilesOf() { (cd "$1" && find . ! -type d | sort); }

export DESTDIR="$work/root"
InstallHere --prefix=/opt/x
Claim "DESTDIR goes before the prefix" test -e "$work/root/opt/x/lib/libtandem.so"
Claim "no file knows DESTDIR or the prefix" \
  sh -c "! grep -rlF -e '$work' -e /opt/x '$work/root/opt/x'"
mkdir -p "$work/root/opt/x/lib/pkgconfig" && echo kept >"$work/root/opt/x/lib/pkgconfig/other.pc"
FilesOf "$work/root/opt/x" | sed 's,^\./,,' | grep -v other.pc >"$work/there"
Listed() {
  while read -r name; do
    [ -d "$work/root/opt/x/$name" ] && [ ! -L "$work/root/opt/x/$name" ] || echo "$name"
  done <"$work/root/opt/x/$manifest" | diff - "$work/there"
}
Claim "the manifest lists every file" Listed
(cd "$work/root/opt/x" && xargs rm -df -- <$manifest)
Claim "its one command removes them all, and nothing else" \
  test "$(FilesOf "$work/root/opt/x")" = ./lib/pkgconfig/other.pc
unset DESTDIR

InstallHere --prefix="$work/spec"
InstallHere --prefix="$work/onednn" --reading=onednn --as-dnnl
Foreign() {
  mkdir -p "$work/foreign/include" && echo "of oneDNN" >"$work/foreign/include/dnnl.hpp"
  InstallHere --prefix="$work/foreign" 2>&1 | grep -F "foreign/include/dnnl.hpp is there"
  test "$(FilesOf "$work/foreign")" = ./include/dnnl.hpp
}
Claim "another library's header is refused by name, and nothing is written" Foreign
Again() {
  InstallHere --prefix="$work/again" --as-dnnl && InstallHere --prefix="$work/again" &&
    FilesOf "$work/again" | diff - "$work/there.spec"
}
FilesOf "$work/spec" >"$work/there.spec"
Claim "a second installation replaces the first, --as-dnnl's files too" Again
Unwritable() {
  : >"$work/file"
  InstallHere --prefix="$work/file/below" 2>&1 | grep "file/below could not be written"
}
Claim "a prefix that cannot be written is an error" Unwritable
Private() {
  (umask 077 && InstallHere --prefix="$work/private") && test -z "$(find "$work/private" ! -type l ! -perm -o=r)" &&
    test -z "$(find "$work/private" -type d ! -perm -o=x)"
}
Claim "an installation is for everybody, whatever the umask" Private
Lib64() {
  mkdir -p "$work/lib64/lib64" && ln -s lib64 "$work/lib64/lib" && InstallHere --prefix="$work/lib64" &&
    InstallHere --prefix="$work/lib64" && test -L "$work/lib64/lib" && test -s "$work/lib64/lib64/libtandem.so"
}
Claim "PREFIX/lib may be a link to a folder, and stays one" Lib64
# Refused LINE: with that line in the manifest nothing is removed and nothing written, and the message names the line.
Refused() {
  rm -rf "$work/listed" && mkdir -p "$work/listed/share/doc/tandem" "$work/listed/lib/others" &&
    printf '%s\n' lib/a "$@" >"$work/listed/$manifest" && : >"$work/listed/lib/others/file" && : >"$work/victim"
  InstallHere --prefix="$work/listed" 2>&1 | grep -F "line 2 of $work/listed/$manifest is no file below" &&
    test -e "$work/victim" && test -e "$work/listed/lib/others/file" && test ! -e "$work/listed/include"
}
for line in ../victim lib/../../victim "$work/victim" -r 'a ../victim' "'../victim'" ''; do
  Claim "a list of an installation that names '${line#"$work"}' is refused" Refused "$line" lib
done

# DefaultReading READING so|a: a program linked with that library prints the reading.
DefaultReading() {
  g++ -std=c++11 -I"$work/$1/include" -o "$work/reading" $here/reading.cc "$work/$1/lib/libtandem.$2" -fopenmp &&
    test "$(LD_LIBRARY_PATH="$work/$1/lib" "$work/reading")" = "$1 3"
}
for reading in spec onednn; do
  for kind in so a; do
    Claim "--reading=$reading is what libtandem.$kind reads by" DefaultReading $reading $kind
  done
done
Environment() {
  DefaultReading onednn a && test "$(TANDEM_READING=spec "$work/reading")" = "spec 3"
}
Claim "TANDEM_READING counts more than the installation" Environment
Both() {
  for reading in spec onednn; do
    g++ -std=c++11 -shared -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -I"$work/$reading/include" \
      -o "$work/$reading.so" $here/reading_of.cc "$work/$reading/lib/libtandem.so" -Wl,-rpath,"$work/$reading/lib" || return 1
  done
  g++ -std=c++11 -o "$work/both" $here/both_readings.cc -ldl && test "$("$work/both" "$work/spec.so" "$work/onednn.so")" = "spec onednn " &&
    test "$("$work/both" "$work/onednn.so" "$work/spec.so")" = "onednn spec "
}
Claim "libraries of both readings work in one process, in either order" Both
BothC() {
  for reading in spec onednn; do
    readelf -d "$work/$reading/lib/libtandem_c.so" >"$work/dynamic"
    suffix=$(ReadingSuffix)
    grep -q "SONAME.*\[libtandem_c$suffix.so.1\]" "$work/dynamic" && grep -q "NEEDED.*\[libtandem$suffix.so.1\]" "$work/dynamic" || return 1
  done
}
Claim "so do their C libraries, each over its own" BothC
SameFunctions() {
  for name in libtandem libtandem_c; do
    for reading in spec onednn; do
      nm -D --defined-only "$work/$reading/lib/$name.so" | sed -n 's/.* \([a-z0-9_]*\)@@.*/\1/p' | sort >"$work/names.$reading"
    done
    test -s "$work/names.spec" && diff "$work/names.spec" "$work/names.onednn" || return 1
  done
}
Claim "both readings' libraries have the same functions" SameFunctions
# A group that the caller is not in gives the process more rights. The caller's variables must not lead it.
Secure() {
  g++ -std=c++11 -I"$work/spec/include" -o "$work/secure" $here/secure_reading.cc "$work/spec/lib/libtandem.a" -fopenmp &&
    test "$(TANDEM_READING=onednn "$work/secure")" = "usual onednn" || return 1
  { chgrp 65534 "$work/secure" && chmod 2755 "$work/secure"; } 2>"$work/refused"
  case $(TANDEM_READING=onednn "$work/secure") in
    "secure spec") ;;
    usual*) echo "LEFT OUT: no program gets another group here, so that setgid programs are not tested" >&3 ;;
    *) return 1 ;;
  esac
}
Claim "a setgid program does not read TANDEM_READING" Secure 3>&1

if Have pkg-config; then
  for reading in spec onednn; do
    Claim "pkg-config says reading=$reading" \
      test "$(PKG_CONFIG_PATH=$work/$reading/lib/pkgconfig pkg-config --variable=reading tandem)" = $reading
  done
  AsDnnlPkgConfig() {
    flags=$(PKG_CONFIG_PATH="$work/onednn/lib/pkgconfig" pkg-config --cflags --libs "dnnl >= 3")
    # shellcheck disable=SC2086
    g++ -std=c++11 -o "$work/as_dnnl" $here/reading.cc $flags &&
      test "$(LD_LIBRARY_PATH="$work/onednn/lib" "$work/as_dnnl")" = "onednn 3"
  }
  Claim "pkg-config dnnl finds Tandem" AsDnnlPkgConfig
  Claim "without --as-dnnl there is no dnnl.pc" test ! -e "$work/spec/lib/pkgconfig/dnnl.pc"
fi
if Have cmake; then
  for reading in spec onednn; do
    CMakeReading() {
      cmake -S $here/cmake_client -B "$work/cmake_$reading" -DCMAKE_PREFIX_PATH="$work/$reading" |
        grep -x -e "-- reading: $reading, of the target: $reading"
    }
    Claim "CMake says tandem_READING $reading" CMakeReading
  done
  # A client reads the generation that it asks for in DNNL_VERSION_MAJOR.
  AsDnnlCMake() {
    cmake -S $here/dnnl_client -B "$work/dnnl$1" -DGENERATION="$1" -DCMAKE_PREFIX_PATH="$work/onednn" &&
      cmake --build "$work/dnnl$1" && test "$("$work/dnnl$1/reading")" = "onednn $2" &&
      LD_LIBRARY_PATH="$work/onednn/lib" "$work/dnnl$1/c_client"
  }
  Claim "find_package(dnnl) finds Tandem" AsDnnlCMake "" 3
  Claim "find_package(dnnl 2.6) finds generation 2" AsDnnlCMake 2.6 2
  Claim "find_package(dnnl 3.13) finds generation 3" AsDnnlCMake 3.13 3
  Claim "find_package(dnnl 4) does not" sh -c \
    "! cmake -S $here/dnnl_client -B '$work/dnnl4' -DGENERATION=4 -DCMAKE_PREFIX_PATH='$work/onednn'"
fi
exit $((failures > 0))
