#!/bin/sh
# --impl=onednn:PATH compiles the adapter for the library of that path, once. Here that is the system's oneDNN, linked into
# folders of other layouts. A sentence says which file is missing.
set -u
. conformance/cli/expect.sh
library=$(ls /usr/lib/*-linux-gnu/libdnnl.so 2>/dev/null | head -n 1)
if [ -z "$library" ]; then
  echo "LEFT OUT: no oneDNN is installed in /usr"
  exit 0
fi
export XDG_CACHE_HOME="$TEST_TMPDIR/a cache"
small="--alg=LBR_GRU --prop=FWD_I,BWD_DW l1t2mb2sic5"

# Compiled NUMBER TEXT expects that NUMBER adapters have been compiled.
Compiled() {
  cases=$((cases + 1))
  [ "$(ls "$XDG_CACHE_HOME/tandem/adapters" | wc -l)" = "$1" ] || Fail "$2: want $1 compiled adapters"
}

# Library and headers lie beside each other, or in include/ and lib/. A blank and a quote in the name are no trouble.
beside=$TEST_TMPDIR/beside installed="$TEST_TMPDIR/it's installed"
mkdir "$beside" "$installed" "$installed/lib"
ln -s /usr/include "$beside/include"
ln -s /usr/include "$installed/include"
for folder in "$beside" "$installed/lib"; do
  cp "$library" "$folder/libdnnl.so"
  ln -s libdnnl.so "$folder/$(basename "$(ls "$library".?)")"
done
Conforms onednn:/usr "onednn: 2 of 2 problems pass" $small
Compiled 1 "the first time"
Conforms onednn:/usr "onednn: 2 of 2 problems pass" $small
Conforms "onednn:$library" "onednn: 2 of 2 problems pass" $small
Compiled 1 "the folder and the library are the same path"
Conforms "onednn:$beside" "onednn: 2 of 2 problems pass" $small
Conforms "onednn:$installed" "onednn: 2 of 2 problems pass" $small
Compiled 3 "other libraries"
# The library of the path is run. Once the file has changed, the adapter is compiled again.
touch -d "2001-01-01" "$beside/libdnnl.so"
Conforms "onednn:$beside" "onednn: 2 of 2 problems pass" $small
Compiled 4 "a changed library"
# The version that the library tells chooses the known departures, and a replay line names the path.
Expect 4 "explained as wide-projection" check --impl="onednn:$beside" --report="$TEST_TMPDIR/report" \
  --alg=VANILLA_LSTM --with-projection=true --prop=BWD_DW --cfg=f32 l1t1mb4sic17dhc4dic17
Expect 1 "replay: ./tandem check --impl=onednn:$beside" check --impl="onednn:$beside" --report="$TEST_TMPDIR/report" --known=none \
  --alg=VANILLA_LSTM --with-projection=true --prop=BWD_DW --cfg=f32 l1t1mb4sic17dhc4dic17

Expect 2 "type --impl=onednn:PATH" check --impl=onednn: $small
Expect 2 "no libdnnl.so is in $TEST_TMPDIR" check --impl="onednn:$TEST_TMPDIR" $small
Expect 2 "there is no library $TEST_TMPDIR/none" check --impl="onednn:$TEST_TMPDIR/none" $small
rm "$beside/include"
Expect 2 "no include/dnnl.hpp lies beside $beside/libdnnl.so" check --impl="onednn:$beside" $small
mkdir -p "$beside/include/oneapi/dnnl"
touch "$beside/include/oneapi/dnnl/dnnl.hpp"
echo '#error "not these headers"' >"$beside/include/dnnl.hpp"
Expect 2 "not these headers" check --impl="onednn:$beside" $small
Compiled 4 "headers that do not compile"
CXX=none Expect 2 "install g++, or name one in CXX" check --impl=onednn:/usr $small
XDG_CACHE_HOME=/proc Expect 2 "set XDG_CACHE_HOME to a directory that can" check --impl=onednn:/usr $small
Total
