# ./tandem and the install tests read this file, after tools/prepare.sh. It copies the built library and the judge.
# shellcheck shell=sh disable=SC2154

tandem_version=1.0.0
manifest=share/doc/tandem/install_manifest.txt

# Reads the arguments of `install` into prefix (absolute), reading and as_dnnl (1, or empty).
ParseInstall() {
  prefix='' reading=spec as_dnnl=''
  for argument in "$@"; do
    case $argument in
      --prefix=?*) prefix=${argument#--prefix=} ;;
      --reading=spec | --reading=onednn) reading=${argument#--reading=} ;;
      --reading=*) Fail "install: '$argument' is no reading; the readings are spec and onednn" ;;
      --as-dnnl) as_dnnl=1 ;;
      *) Fail "install: '$argument' is not --prefix=DIR, --reading=spec|onednn or --as-dnnl" ;;
    esac
  done
  [ -n "$prefix" ] || Fail "install needs --prefix=DIR"
  case $prefix in
    /*) ;;
    *) prefix=$PWD/$prefix ;;
  esac
}

# ParseOutput COMMAND ARGUMENT... reads the arguments of a command that only has --output=DIR into output (absolute).
ParseOutput() {
  output=$PWD command=$1
  shift
  for argument in "$@"; do
    case $argument in
      --output=?*) output=${argument#--output=} ;;
      *) Fail "$command: '$argument' is not --output=DIR" ;;
    esac
  done
  case $output in
    /*) ;;
    *) output=$PWD/$output ;;
  esac
}

# PackageFolder prints the folder of the libraries for reading $1: in //:BUILD, and so below bazel-bin.
PackageFolder() { [ "$1" = spec ] || echo "$1/"; }
# ReadingSuffix prints the part of a library's soname for the reading.
ReadingSuffix() { [ "$reading" = spec ] || echo "_$reading"; }

# Install SOURCE BUILT puts the files that ParseInstall asked for below $DESTDIR$prefix. SOURCE is laid out as the repository,
# BUILT has the libraries of the spec reading, BUILT/onednn those of the other.
Install() {
  target=${DESTDIR:-}$prefix
  if line=$(FirstBadLine); then
    Fail "install: line $line of $target/$manifest is no file below $target, and install removes what is listed there;" \
      "remove that list or choose another prefix"
  fi
  # Everybody may read the installed files, whatever the caller's own files are.
  umask 022
  stage=$(mktemp -d) || Fail "install: no temporary directory could be made"
  if ! Stage "$1" "$2" "$stage"; then
    rm -rf "$stage"
    Fail "install: the files could not be gathered in $stage"
  fi
  if taken=$(FirstForeign "$stage"); then
    rm -rf "$stage"
    Fail "install: $target/$taken is there, and no list of an earlier installation has it;" \
      "remove it or choose another prefix"
  fi
  written=0
  { Uninstall && mkdir -p "$target" && CopyTree "$stage" "$target"; } || written=1
  rm -rf "$stage"
  [ $written = 0 ] || Fail "install: $target could not be written"
}

# Lays out an installation in $3. The manifest's files come before the folders that only Tandem has.
Stage() {
  chmod 755 "$3" && StageLibrary "$@" && StageJudge "$@" &&
    /usr/bin/python3 -B "$1/tools/package/installed_document.py" "$3/share/tandem" || return 1
  (
    cd "$3" && : >"$manifest" && find . ! -type d | sed 's,^\./,,' | LC_ALL=C sort >"$manifest" &&
      for folder in lib/cmake/dnnl lib/cmake/tandem lib/tandem include/dnnl include/tandem share/tandem share/doc/tandem; do
        [ ! -d $folder ] || find $folder -depth -type d
      done >>"$manifest"
  )
}

# These files are for programs that call the library.
StageLibrary() {
  mkdir -p "$3/include" "$3/lib/pkgconfig" "$3/lib/cmake/tandem" || return 1
  (
    cd "$1/api/include" && find . -name '*.h' -o -name '*.hpp' | while read -r header; do
      install -D -m 644 "$header" "$3/include/$header" || exit 1
    done
  ) || return 1
  folder=$2/$(PackageFolder "$reading")
  StageShared "$folder" libtandem "$3/lib" && StageShared "$folder" libtandem_c "$3/lib" &&
    install -m 644 "$folder/libtandem.a" "$3/lib/libtandem.a" &&
    StageList "$1" "$2" library_sources "$3/share/tandem" &&
    StageLicense "$1" "$3/share/doc/tandem" &&
    Fill "$1" tandem.pc "$3/lib/pkgconfig" &&
    Fill "$1" tandem_c.pc "$3/lib/pkgconfig" &&
    Fill "$1" tandemConfig.cmake "$3/lib/cmake/tandem" &&
    Fill "$1" tandemConfigVersion.cmake "$3/lib/cmake/tandem" || return 1
  if [ -n "$as_dnnl" ]; then
    mkdir -p "$3/lib/cmake/dnnl" &&
      Fill "$1" dnnl.pc "$3/lib/pkgconfig" &&
      Fill "$1" dnnl-config.cmake "$3/lib/cmake/dnnl" &&
      Fill "$1" dnnl-config-version.cmake "$3/lib/cmake/dnnl" || return 1
  fi
}

# These files are for those who have an implementation judged. bin/tandem is a link into lib/tandem, which is laid out as the
# tree of outputs: the program finds its files beside itself, wherever the installation is moved.
StageJudge() {
  mkdir -p "$3/bin" "$3/lib" && ln -s ../lib/tandem/conformance/cli/tandem "$3/bin/tandem" &&
    StageList "$1" "$2" judge_programs "$3/lib/tandem" && StageList "$1" "$2" judge_sources "$3/share/tandem" &&
    Fill "$1" README.md "$3/share/tandem" && StageLicense "$1" "$3/share/doc/tandem" || return 1
  # This module computes in the pages of `trace --html`, if `./tandem site` has built it.
  module=web/lesson/reference.js
  [ ! -e "$2/$module" ] || install -D -m 644 "$2/$module" "$3/lib/tandem/$module" || return 1
  for header in plugin.h plugin_timing.h stated_problem.h; do
    install -D -m 644 "$1/conformance/$header" "$3/include/tandem/conformance/$header" || return 1
  done
  for manual in tandem.1:man/man1/tandem.1 tandem.bash:bash-completion/completions/tandem; do
    install -D -m 644 "$1/tools/package/${manual%%:*}" "$3/share/${manual#*:}" || return 1
  done
}

StageLicense() {
  mkdir -p "$2" && install -m 644 "$1/LICENSE" "$1/third_party/NOTICE" "$2"
}

# StageList SOURCE BUILT LIST TO copies the files of the list, built ones and sources, with their paths.
StageList() {
  while read -r path; do
    file=$2/$path
    [ -e "$file" ] || file=$1/$path
    case $path in
      *.so | *.sh | */tandem | */tandem_worker) mode=755 ;;
      *) mode=644 ;;
    esac
    install -D -m $mode "$file" "$4/$path" || return 1
  done <"$2/tools/package/$3.txt"
}

# StageShared FROM NAME TO copies the library with its version in its name, and makes the links for loader and linker.
StageShared() {
  name=$2$(ReadingSuffix).so
  install -m 755 "$1/$2.so" "$3/$name.$tandem_version" &&
    ln -s "$name.$tandem_version" "$3/$name.${tandem_version%%.*}" && ln -s "$name.${tandem_version%%.*}" "$3/$2.so"
}

# Fill SOURCE NAME FOLDER writes FOLDER/NAME from its template.
Fill() {
  sed -e "s/@VERSION@/$tandem_version/g" -e "s/@MAJOR@/${tandem_version%%.*}/g" -e "s/@READING@/$reading/g" \
    -e "s/@OPENMP@/-fopenmp/g" -e "s/@HIGHWAY@//g" -e "s/@SUFFIX@/$(ReadingSuffix)/g" \
    -e "s/@DNNL_MAJOR@/$(DnnlVersion "$1" MAJOR)/g" -e "s/@DNNL_MINOR@/$(DnnlVersion "$1" MINOR)/g" \
    -e "s/@DNNL_PATCH@/$(DnnlVersion "$1" PATCH)/g" \
    "$1/tools/package/$2.in" >"$3/$2"
}

# DnnlVersion prints the oneDNN version that the headers have unless a client chooses: part $2 (MAJOR, MINOR, PATCH).
DnnlVersion() { sed -n "s/^#define DNNL_VERSION_$2 //p" "$1/api/include/oneapi/dnnl/dnnl_version.h"; }

# Prints the first file of stage $1 that the target has from somebody else; fails if there is none.
FirstForeign() {
  (cd "$1" && find . ! -type d | sed 's,^\./,,') | while read -r file; do
    { [ -e "$target/$file" ] || [ -L "$target/$file" ]; } || continue
    grep -qxF "$file" "$target/$manifest" 2>/dev/null || {
      echo "$file"
      break
    }
  done | grep .
}

# Prints the number of the manifest's first line that is not a file's name below the target; fails if there is none.
FirstBadLine() {
  [ -e "$target/$manifest" ] &&
    LC_ALL=C awk '!/^[A-Za-z0-9_][A-Za-z0-9_.+\/-]*$/ || /(^|\/)\.\.(\/|$)/ { print NR; exit }' "$target/$manifest" | grep .
}

# Removes an earlier installation, but for a folder that somebody else put a file into.
Uninstall() {
  [ ! -e "$target/$manifest" ] || (cd "$target" && xargs rm -df -- <$manifest 2>/dev/null) || true
}

# CopyTree FROM TO: a folder of TO that is a link to one (lib -> lib64) stays one, and keeps its rights.
CopyTree() {
  tar -C "$1" -cf - . | tar -C "$2" --keep-directory-symlink --no-overwrite-dir --no-same-owner -xf -
}
