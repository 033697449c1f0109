# ./tandem and the test read this file, after tools/prepare.sh and tools/package/install.sh. It makes Python's wheel.
# shellcheck shell=sh disable=SC2154

# The wheel has these files of the judge: programs, and the modules that speak with them.
judge_files='conformance/cli/tandem conformance/sandbox/worker/tandem_worker conformance/plugins/pipe_program.py
  conformance/plugins/torch_modules.py'

# ParseWheel ARGUMENT... reads --output=DIR into output (absolute), --quick into quick (1, or empty) and --windows into windows.
ParseWheel() {
  quick='' windows=''
  for argument in "$@"; do
    shift
    case $argument in
      --quick) quick=1 ;;
      --windows) windows=1 ;;
      *) set -- "$@" "$argument" ;;
    esac
  done
  [ -z "$quick" ] || [ -z "$windows" ] || Fail "a wheel for Windows is for all processors: leave out --quick"
  ParseOutput wheel "$@"
}

# WindowsLibrary SOURCE BUILD builds tandem.dll in the directory BUILD.
WindowsLibrary() {
  cmake -G Ninja -S "$1" -B "$2" -DCMAKE_TOOLCHAIN_FILE="$1/tools/windows/toolchain.cmake" -DTANDEM_THREADS=pool \
    -DTANDEM_HIGHWAY="$cache/distdir/1.2.0.tar.gz" -DTANDEM_EIGEN=/usr/include/eigen3 && cmake --build "$2" --target tandem
}

# Wheel SOURCE BUILT puts the wheel with BUILT/libtandem.so and the judge, or with BUILT/tandem.dll, into $output and its name
# into $written. Its tag names the oldest glibc that they run with. Python's own tools do it without a network. The interpreter
# is Debian's, whose modules tools/wheel.packages lists.
Wheel() {
  umask 022
  stage=$(mktemp -d) || Fail "wheel: no temporary directory could be made"
  if StageWheel "$@" && mkdir -p "$output" && (cd "$stage" && /usr/bin/python3 -m pip --isolated --no-cache-dir wheel \
    --no-build-isolation --no-index --no-deps --wheel-dir "$stage/wheels" .) >"$stage/log" 2>&1 &&
    cp "$stage"/wheels/*.whl "$output"; then
    written=$(cd "$stage/wheels" && echo *.whl)
    rm -rf "$stage"
  else
    cat "$stage/log" >&2
    rm -rf "$stage"
    Fail "wheel: it could not be made"
  fi
}

StageWheel() {
  mkdir "$stage/tandem_rnn" &&
    cp "$1"/python/tandem_rnn/*.py "$1"/python/tandem_rnn/*.pyi "$1/python/tandem_rnn/py.typed" "$stage/tandem_rnn" &&
    StageWheelPrograms "$1" "$2" &&
    sed "s/VERSION/$tandem_version/" "$1/python/pyproject.toml" >"$stage/pyproject.toml" &&
    cp "$1/LICENSE" "$1/third_party/NOTICE" "$1/python/wheel.md" "$stage" &&
    printf '[bdist_wheel]\npython_tag = py3\nplat_name = %s\n' "$platform" >"$stage/setup.cfg" && chmod -R u+w "$stage"
}

# Sets the wheel's platform.
StageWheelPrograms() {
  if [ -n "$windows" ]; then
    platform=win_amd64
    cp "$2/tandem.dll" "$stage/tandem_rnn"
  else
    cp "$2/libtandem.so" "$stage/tandem_rnn/libtandem.so.1" && StageWheelJudge "$1" "$2" &&
      platform=$(/usr/bin/python3 -B "$1/tools/package/linux_needs.py" "$stage/tandem_rnn" 2>"$stage/log")
  fi
}

# The layout is the tree's: the program finds its worker beside itself. A quick wheel has the scripts only.
StageWheelJudge() {
  for path in $judge_files; do
    file=$2/$path
    [ -e "$file" ] || file=$1/$path
    case $path in
      *.py) mode=644 ;;
      *)
        [ -z "$quick" ] || continue
        mode=755
        ;;
    esac
    install -D -m $mode "$file" "$stage/tandem_rnn/judge_files/$path" || return 1
  done
  # A report links to these pages.
  [ -n "$quick" ] || for file in "$1"/web/lesson/*.js "$1/web/lesson/page.html" "$1"/web/*/*.css "$1"/docs/book/figures/*.svg; do
    install -D -m 644 "$file" "$stage/tandem_rnn/judge_files/${file#"$1"/}" || return 1
  done
}
