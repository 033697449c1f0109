#!/bin/sh
# Vectors go out, an implementation's answers come back, and both verifiers say the same of them.
set -eu
tandem=conformance/cli/tandem
lines=$(wc -l <examples/vectors/verify.py)
[ "$lines" -lt 80 ] || {
  echo "FAILED: the verifier has $lines lines; under 80 are promised"
  exit 1
}
cd "$TEST_TMPDIR"
root=$OLDPWD
"$root/$tandem" vectors export --dir=vectors
cases=$(grep -c '"problem"' vectors/vectors.json)
[ "$cases" -ge 300 ]
[ "$(du -sk vectors | cut -f1)" -lt 20000 ]
if python3 -c 'import numpy' 2>/dev/null; then numpy=yes; else numpy=no; fi

for implementation in reference optimized; do
  mkdir $implementation
  "$root/$tandem" vectors answer --impl=$implementation --outputs=$implementation
  "$root/$tandem" vectors verify --dir=vectors --outputs=$implementation
  if [ $numpy = yes ]; then python3 "$root/examples/vectors/verify.py" vectors $implementation; fi
done
mv reference outputs

# One wrong byte in one output: the last one of the last case.
file=$(ls outputs/*.safetensors | tail -1)
size=$(wc -c <"$file")
printf '\177' | dd of="$file" bs=1 seek=$((size - 1)) conv=notrunc 2>/dev/null
rm "$(ls outputs/*.safetensors | head -1)"
if "$root/$tandem" vectors verify --dir=vectors --outputs=outputs >native; then
  echo "FAILED: a wrong byte passes"
  exit 1
fi
tail -1 native
grep -q "1 fail, 1 have no output" native
if [ $numpy = yes ]; then
  python3 "$root/examples/vectors/verify.py" vectors outputs >numpy && exit 1
  [ "$(tail -1 numpy)" = "$(tail -1 native)" ]
  echo "numpy agrees"
else
  echo "SKIPPED: numpy is not installed, verify.py was not run"
fi
