#!/bin/sh
# Other libraries are judged over a pipe: what they are expected to serve conforms. One that is not installed is left out.
set -u
. conformance/cli/expect.sh

# Installed WORD succeeds if the library answers.
Installed() {
  "$tandem" check --impl="$1" --report="$TEST_TMPDIR/report" --alg=VANILLA_RNN l1t1mb1sic2 >"$out" 2>&1
  grep -q "does not start" "$out" || return 0
  echo "LEFT OUT: $(grep "is missing\|not found" "$out")"
  return 1
}

# Check WORD TEXT ARGUMENT... judges the library and expects the text.
Check() {
  word=$1
  text=$2
  shift 2
  Conforms "$word" "$text" --jobs=1 "$@"
}

directions=left2right,right2left,concat,sum
absent=none,bias,src_iter+src_iter_c,dst_iter+dst_iter_c
if Installed torch; then
  Check torch "96 of 96 problems pass, 0 refused" --alg=VANILLA_LSTM --prop=FWD_I,FWD_D,BWD_DW \
    --direction=$directions --absent=$absent l1t3mb2sic5slc7 l2t2mb3sic4
  Check torch "24 of 24 problems pass, 0 refused" --alg=VANILLA_LSTM --with-projection=true \
    --prop=FWD_I,FWD_D,BWD_DW --direction=$directions l1t3mb2sic5slc7dhc9dic5 l2t2mb3sic4dhc8dic4
  Check torch "36 of 36 problems pass, 0 refused" --alg=LBR_GRU --prop=FWD_I,FWD_D,BWD_DW \
    --direction=$directions --absent=none,bias,src_iter l1t3mb2sic5slc7
  Check torch "24 of 24 problems pass, 0 refused" --alg=VANILLA_RNN --activation=TANH,RELU --alpha=0 \
    --prop=FWD_I,FWD_D,BWD_DW --direction=$directions l2t3mb2sic5
  Check torch-bf16 "36 of 36 problems pass, 0 refused" --cfg=bf16 --alg=VANILLA_LSTM,LBR_GRU,VANILLA_RNN \
    --activation=TANH --prop=FWD_I,FWD_D,BWD_DW --direction=$directions l1t1mb2sic5slc7
  Check torch "24 of 24 problems pass, 0 refused" --alg=VANILLA_LSTM,LBR_GRU --prop=FWD_I,BWD_DW \
    --direction=right2left,concat --lengths=full,uniform,speech l1t4mb3sic4
  Check torch "4 x PyTorch packs rows of one step or more" --alg=VANILLA_LSTM --prop=FWD_I,BWD_DW --direction=left2right,sum \
    --lengths=empty l1t3mb3sic4
  Check torch "PyTorch has no gru" --alg=VANILLA_GRU l1t3mb2sic5
fi
if Installed onnxruntime; then
  Check onnxruntime "32 of 32 problems pass, 0 refused" --alg=VANILLA_LSTM --with-peephole=true,false \
    --direction=$directions --absent=none,src_iter+src_iter_c l1t3mb2sic5slc7 l2t2mb3sic4
  Check onnxruntime "16 of 16 problems pass, 0 refused" --alg=VANILLA_GRU,LBR_GRU --direction=$directions \
    l1t3mb2sic5slc7 l2t2mb3sic4
  Check onnxruntime "12 of 12 problems pass, 0 refused" --alg=VANILLA_RNN --activation=TANH,RELU,LOGISTIC \
    --direction=$directions l2t3mb2sic5
  Check onnxruntime "12 of 12 problems pass, 0 refused" --alg=VANILLA_LSTM,VANILLA_GRU \
    --direction=right2left,concat --lengths=full,uniform,speech l1t4mb3sic4
  # Without these instructions the sums of bytes saturate.
  if grep -q vnni /proc/cpuinfo; then
    Check onnxruntime "32 of 32 problems pass, 0 refused" --cfg=f32w8dyn --alg=VANILLA_LSTM --with-peephole=true,false \
      --scaling=common,per_oc --direction=$directions l1t1mb1sic5slc7 l2t1mb1sic40
  else
    echo "LEFT OUT: DynamicQuantizeLSTM: the processor has no VNNI"
  fi
  Check onnxruntime "explained as one-range-for-all: 2 problems, the first" --cfg=f32w8dyn --alg=VANILLA_LSTM \
    l1t3mb1sic16 l1t1mb3sic16
  Check onnxruntime "1 x ONNX Runtime has dynamic quantization of LSTM only" --cfg=f32w8dyn --alg=LBR_GRU l1t1mb1sic4
  Check onnxruntime "1 x ONNX Runtime ends a row without steps with 0" --alg=LBR_GRU --lengths=empty l1t3mb3sic4
fi
if Installed tfjs; then
  Check tfjs "1 x it has no sequence_lengths" --alg=VANILLA_LSTM --lengths=full l1t3mb2sic4
  Check tfjs "4 of 8 problems pass, 0 refused, 4 explained" --alg=VANILLA_LSTM,VANILLA_GRU --prop=FWD_I,BWD_DW \
    --direction=right2left,concat l2t2mb3sic4
  Check tfjs "4 of 4 problems pass, 0 refused" --alg=VANILLA_RNN --activation=TANH,LOGISTIC --prop=FWD_I,BWD_DW \
    l1t3mb2sic5slc7
fi
if Installed armnn; then
  Check armnn "1 x it has no sequence_lengths" --alg=VANILLA_LSTM --lengths=full l1t3mb2sic4
  Check armnn "24 of 24 problems pass, 0 refused" --alg=VANILLA_LSTM --with-peephole=true,false --direction=$directions \
    --absent=none,bias,src_iter+src_iter_c l1t3mb2sic5slc7
fi
if Installed opencv; then
  Check opencv "1 x it has no sequence_lengths" --alg=VANILLA_LSTM --lengths=full l1t3mb2sic4
  Check opencv "4 of 4 problems pass, 0 refused" --alg=VANILLA_LSTM,LBR_GRU l1t3mb2sic5slc7 l2t2mb3sic4
  Check opencv "explained as peephole-order: 1 problem, the first" --alg=VANILLA_LSTM --with-peephole=true l1t3mb2sic5slc7
fi
Total
