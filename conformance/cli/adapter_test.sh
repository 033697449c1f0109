#!/bin/sh
# The adapter is compiled for both generations of the dnnl C++ API, over Tandem. Every cell, propagation and type conforms.
set -u
. conformance/cli/expect.sh
match=-E

# Check GENERATION TEXT ARGUMENT... runs `check` with the adapter of that generation.
Check() {
  plugin=conformance/plugins/generation$1_plugin.so
  shift
  Conforms "$plugin" "$@"
}

all_cells=VANILLA_RNN,VANILLA_LSTM,VANILLA_GRU,LBR_GRU,VANILLA_AUGRU,LBR_AUGRU
for generation in 2 3; do
  Check $generation "^onednn: 36 of 36 problems pass" --alg=$all_cells --prop=FWD_I,FWD_D,BWD_DW --cfg=f32,bf16 \
    l1t3mb2sic5
  Check $generation "^onednn: 3 of 3 problems pass" --alg=VANILLA_RNN --activation=RELU --alpha=0.25 \
    --prop=FWD_I,FWD_D,BWD_DW l2t3mb2sic5
  Check $generation "^onednn: 6 of 6 problems pass" --alg=VANILLA_LSTM --with-peephole=true,false \
    --with-projection=true --prop=FWD_I,FWD_D,BWD_DW l2t3mb2sic5
  Check $generation "^onednn: 8 of 8 problems pass" --alg=VANILLA_LSTM --cfg=u8u8u8u8,f32u8f32f32 \
    --scaling=common,per_oc --absent=none,bias l1t3mb2sic5
  Check $generation "^onednn: 2 of 2 problems pass" --alg=VANILLA_GRU --attr-scratchpad=user --absent=none,bias l1t3mb2sic5
done
# The fpmath mode tf32 tells the generations apart.
Check 3 "^onednn: 2 of 2 problems pass" --attr-fpmath=tf32,strict l1t3mb2sic5
Check 2 "1 x there is no fpmath mode tf32" --attr-fpmath=tf32,strict l1t3mb2sic5
Total
