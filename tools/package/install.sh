# Sourced by ./tandem and by the install test: copies the built library.
# shellcheck shell=sh disable=SC2154

tandem_version=1.0.0

# Prints the absolute directory that the arguments of `install` ask for.
PrefixOf() {
  asked=
  for argument in "$@"; do
    case $argument in
      --prefix=?*) asked=${argument#--prefix=} ;;
      *) Fail "install: '$argument' is not --prefix=DIR" ;;
    esac
  done
  [ -n "$asked" ] || Fail "install needs --prefix=DIR"
  case $asked in
    /*) echo "$asked" ;;
    *) echo "$PWD/$asked" ;;
  esac
}

# InstallTo SOURCE BUILT PREFIX: SOURCE is laid out as the repository, BUILT
# has libtandem.so and libtandem.a.
InstallTo() {
  templates=$1/tools/package
  major=${tandem_version%%.*}
  mkdir -p "$3/include" "$3/lib/pkgconfig" "$3/lib/cmake/tandem" "$3/share/doc/tandem" || return 1
  (
    cd "$1/api/include" && find . -name '*.h' -o -name '*.hpp' | while read -r header; do
      install -D -m 644 "$header" "$3/include/$header" || exit 1
    done
  ) || return 1
  install -m 755 "$2/libtandem.so" "$3/lib/libtandem.so.$tandem_version" &&
    ln -sf "libtandem.so.$tandem_version" "$3/lib/libtandem.so.$major" &&
    ln -sf "libtandem.so.$major" "$3/lib/libtandem.so" &&
    install -m 644 "$2/libtandem.a" "$3/lib/libtandem.a" &&
    install -m 644 "$1/LICENSE" "$1/third_party/NOTICE" "$3/share/doc/tandem" || return 1
  Fill "$templates/tandem.pc.in" "$3/lib/pkgconfig/tandem.pc" &&
    Fill "$templates/tandemConfig.cmake.in" "$3/lib/cmake/tandem/tandemConfig.cmake" &&
    Fill "$templates/tandemConfigVersion.cmake.in" "$3/lib/cmake/tandem/tandemConfigVersion.cmake"
}

# Fill TEMPLATE FILE
Fill() {
  sed -e "s/@VERSION@/$tandem_version/g" -e "s/@MAJOR@/$major/g" "$1" >"$2"
}
