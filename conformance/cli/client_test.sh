#!/bin/sh
# A client has f32 numbers and one attribute object for everything. Its int8 LSTMs get their weights, inputs and states from
# reorders that see the qparams of all tensors and the primitive's scratchpad mode. Every problem of client_batch.txt conforms
# in reading onednn, on both backends. A reorder that took another tensor's scale would show.
set -u
. conformance/cli/expect.sh
match=-E
plugin=conformance/plugins/client_plugin.so

# The program judges the part of the shard.
count=$((1724 / ${TEST_TOTAL_SHARDS:-1}))

for TANDEM_IMPL in optimized reference; do
  export TANDEM_IMPL
  Conforms "$plugin" "^client: $count of $count problems pass, 0 refused" --batch=conformance/cli/client_batch.txt
done
Total
