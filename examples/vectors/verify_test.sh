#!/bin/sh
# Vectors are exported, an implementation's answers come back, and both verifiers say the same about them.
set -eu
. tools/own_environment.sh
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
  "$root/$tandem" vectors answer --impl=$implementation --outputs=$implementation
  "$root/$tandem" vectors verify --dir=vectors --outputs=$implementation
  if [ $numpy = yes ]; then python3 "$root/examples/vectors/verify.py" vectors $implementation; fi
done
mv reference outputs

# One byte is wrong in one output, the last one of the last case.
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

# The user gives a problem, and chooses some cases of many.
problem="--alg=VANILLA_LSTM --direction=concat,sum l1t3mb2sic4"
# shellcheck disable=SC2086
"$root/$tandem" vectors export --dir=own $problem | grep -qx "2 cases are in own/"
"$root/$tandem" vectors answer --dir=own --impl=optimized --outputs=own_outputs --only=001_lstm
"$root/$tandem" vectors verify --dir=own --outputs=own_outputs --only=001_lstm | grep -q "^1 of 1 cases pass, 0 fail"
if "$root/$tandem" vectors verify --dir=own --outputs=own_outputs >/dev/null; then
  echo "FAILED: a case without outputs passes"
  exit 1
fi
if "$root/$tandem" vectors verify --dir=own --outputs=own_outputs --only=002 2>message; then
  echo "FAILED: --only=002 chooses no case, and passes"
  exit 1
fi
grep -q '"002"' message
if "$root/$tandem" vectors export --dir=own --alg=VANILLA_LSTM 2>message; then
  echo "FAILED: an option without a problem is exported"
  exit 1
fi
grep -q "options but no problem" message
