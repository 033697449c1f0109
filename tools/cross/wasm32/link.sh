# compile.sh reads this file with the arguments of a linker. The result is one file: a program that node runs or, if its name
# ends in .wasm, a module with the functions of -sEXPORTED_FUNCTIONS.
# shellcheck shell=sh
output=
previous=
for argument in "$@"; do
  case $argument in
    @*) output=$(sed -n '/^-o$/{n;p;}' "${argument#@}") ;;
  esac
  [ "$previous" != -o ] || output=$argument
  previous=$argument
done
set -- "$@" -sALLOW_MEMORY_GROWTH=1
case $output in
  *.wasm) exec em++ "$@" --no-entry -sSTANDALONE_WASM=1 ;;
esac
em++ "$@" -sSINGLE_FILE=1 -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sENVIRONMENT=node --pre-js tools/cross/wasm32/environment.js
{
  echo '#!/usr/bin/env node'
  cat "$output"
} >"$output.program"
chmod +x "$output.program"
mv -f "$output.program" "$output"
