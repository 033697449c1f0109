#compdef tandem
# zsh completion for tandem, made by `tandem help zsh`
_tandem() {
  local -a words_here
  local command=$words[2]
  case $command in help | vectors) command+=" $words[3]" ;; esac
  (( CURRENT > 2 )) || command=
  (( CURRENT != 3 )) || [[ $command = $words[2] ]] || command="$words[2] "
  case $command in
    '')
      words_here=(
        'bench:verify implementations, then time them side by side'
        'check:hold implementations against the equations'
        'compare:what changed between two reports'
        'help:'
        'list:implementations, targets, and who serves what'
        'merge:join the reports of the parts of a campaign'
        'trace:every equation with its numbers'
        'diagnose:which known mistake explains an implementation'\''s output'
        'mutants:the mutation score; which check catches which known mistake'
        'tune:numbers that suit this machine better than those of the table'
        'vectors:'
        '--version:the version'
      )
      _describe -t commands command words_here
      ;;
    'help ')
      words_here=(
        'bench:verify implementations, then time them side by side'
        'check:hold implementations against the equations'
        'compare:what changed between two reports'
        'list:implementations, targets, and who serves what'
        'merge:join the reports of the parts of a campaign'
        'trace:every equation with its numbers'
        'diagnose:which known mistake explains an implementation'\''s output'
        'mutants:the mutation score; which check catches which known mistake'
        'tune:numbers that suit this machine better than those of the table'
        'vectors:'
        'problem:how a problem is written; letters, options, defaults, examples'
        'man:the man page, tandem(1)'
        'bash:what bash completes'
        'zsh:what zsh completes'
        'fish:what fish completes'
      )
      _describe -t commands command words_here
      ;;
    'vectors ')
      words_here=(
        'export:write inputs and accepted intervals'
        'answer:let an implementation write outputs as another tool would'
        'verify:judge another tool'\''s outputs'
      )
      _describe -t commands command words_here
      ;;
    'bench')
      _arguments \
        '*--impl=[what is timed, the first against the others (optimized,onednn)]:X:(reference optimized onednn torch torch-bf16 onnxruntime tfjs armnn opencv)' \
        '*--threads=[numbers of threads, e.g. 1,2; one and all if not given]:X:_files' \
        '*--time=[seconds measured for each implementation and number of threads (0.1)]:X:_files' \
        '*--rounds=[turns that those seconds are divided into (15), fewer but at least five where an execution takes longer]:X:_files' \
        '*--memory=[bytes that may be used, e.g. 4G; what the machine has left if not given]:X:_files' \
        '*--csv[one line for each figure, for programs]' \
        '*--html=[write a page with the roofline and a bar for each implementation]:X:_files' \
        '*--divisions[time every division of the work on the most threads beside the one that Tandem chooses]' \
        '*--no-check[time without verifying first]' \
        '*--color=[verdicts in colour; auto (on a terminal, unless NO_COLOR is set), always, never]:X:(auto always never)' \
        '*--prop=[forward_inference, forward_training, or forward_training and then backward (FWD_I); FWD_I, FWD_D, BWD_DW]:X:(FWD_I FWD_D BWD_DW)' \
        '*--alg=[the cell (VANILLA_RNN); VANILLA_RNN, VANILLA_LSTM, VANILLA_GRU, LBR_GRU, VANILLA_AUGRU, LBR_AUGRU]:X:(VANILLA_RNN VANILLA_LSTM VANILLA_GRU LBR_GRU VANILLA_AUGRU LBR_AUGRU)' \
        '*--direction=[how the sequence is walked through, and how two directions are joined (left2right); left2right, right2left, concat, sum]:X:(left2right right2left concat sum)' \
        '*--activation=[of the vanilla RNN; the other cells have their own (RELU); RELU, TANH, LOGISTIC, UNDEF]:X:(RELU TANH LOGISTIC UNDEF)' \
        '*--cfg=[data types; one word, or those of src_iter, src_layer, dst_iter, dst_layer; bf16 and f16 have bias and c in the 16-bit type, bf16f32 and f16f32 have both in f32, f16c32 only c; w8 has weights in s8, w8dyn also quantizes f32 data in each step (f32); f32, bf16f32, bf16, f16, f16f32, f16c32, f32w8, bf16w8, f32w8dyn, u8u8u8u8, u8u8u8f32, f32u8f32u8, f32u8f32f32 and the same with s8]:X:(f32 bf16f32 bf16 f16 f16f32 f16c32 f32w8 bf16w8 f32w8dyn u8u8u8u8 u8u8u8f32 f32u8f32u8)' \
        '*--tag=[layouts of src_layer, the weights, dst_layer (any;any;any); SRC;WEIGHTS;DST, each any or the letters of a layout]:X:_files' \
        '*--scaling=[weights in s8; one scale for all, or one for each gate and channel (common); common, per_oc]:X:(common per_oc)' \
        '*--scaling-proj=[the same for the projection (common); common, per_oc]:X:(common per_oc)' \
        '*--flags=[O; gradients of weights overwrite what their tensors hold, else they are added; O or nothing]:X:_files' \
        '*--with-peephole=[LSTM; the gates also see the cell state (false); true, false]:X:(true false)' \
        '*--with-projection=[LSTM; a matrix (dhc, dic) makes the output smaller (false); true, false]:X:(true false)' \
        '*--attr-fpmath=[types to which the f32 operands of products may be converted (strict); strict, bf16, f16, tf32, any]:X:(strict bf16 f16 tf32 any)' \
        '*--attr-scratchpad=[who allocates the scratchpad (library); library, user]:X:(library user)' \
        '*--diff-tag=[layout of diff_weights_layer and diff_weights_iter (any); any or the letters of a layout]:X:_files' \
        '*--pad=[elements after each row of the layer and state tensors (0); 0 to 1048576]:X:_files' \
        '*--trivial-strides=[false is --pad=1 (true); true, false]:X:(true false)' \
        '*--misalign=[elements by which every buffer starts past an aligned address (0); 0 to 4096]:X:_files' \
        '*--wide-offsets=[the outermost slices of every tensor lie 2^31 elements apart (false); true, false]:X:(true false)' \
        '*--absent=[optional tensors that are left out (none); none, or src_iter, src_iter_c, bias, dst_iter, dst_iter_c joined by +]:X:(none src_iter_c bias dst_iter)' \
        '*--reading=[the specification, or oneDNN where it differs (docs/readings.md) (spec); spec, onednn]:X:(spec onednn)' \
        '*--lengths=[how many steps each row has, in sequence_lengths (docs/sequence_lengths.md) (none); none, full, ones, empty, random, sorted, reversed, uniform, speech, text]:X:(none full ones empty random sorted reversed uniform speech text)' \
        '*--alpha=[relu'\''s slope below 0 (0.899999976); a number]:X:_files' \
        '*--data-scale=[int8; scale of the data (0); a positive number, or 0 for the default]:X:_files' \
        '*--zero-point=[int8; the byte that stands for 0 (-1); 0 to 255, or -1 for the default]:X:_files' \
        '*--data=[what the tensors hold; dense; numbers of both signs around 1 (dense); dense, saturating, tiny, cancelling, spread, special, ties, zero]:X:(dense saturating tiny cancelling spread special ties zero)' \
        '*--gain=[size of the weights (1); 1e-6 to 1e6]:X:_files' \
        '*--seed=[of the random tensors (1); a whole number below 2^64]:X:_files' \
        '*--batch=[a file of options and descriptors, as benchdnn has them]:FILE:_files' \
        '*:argument:_files'
      ;;
    'check')
      _arguments \
        '*--impl=[reference, optimized, onednn, torch, torch-bf16, onnxruntime, tfjs, armnn, opencv, the path of a plugin, compose; before that of one with one layer and direction, onednn; before the folder where another oneDNN is installed; may be repeated]:X:(reference optimized onednn torch torch-bf16 onnxruntime tfjs armnn opencv)' \
        '*--target=[TANDEM_TARGET for the implementation, e.g. AVX2,AVX3]:X:_files' \
        '*--threads=[threads of an execution, e.g. 1,4; each problem is judged with each number (1 to 3, by the seed)]:X:_files' \
        '*--tier=[smoke, quick (default), full or soak]:X:(smoke quick full soak)' \
        '*--cases=[this many random problems instead of the tier'\''s list]:X:_files' \
        '*--time=[seconds (0; no limit); first what covers most; no problem is started that would end after them, but the first one is]:X:_files' \
        '*--timeout=[seconds that one problem may run, and loading]:X:_files' \
        '*--fail-fast[stop at the first complaint]' \
        '*--profile=[judge by one profile, such as inference-f32 or lstm-training-bf16 (docs/test_your_library.md); the problems that it requires, and 100 random ones for each of its groups unless --tier or --cases is given]:X:(inference-f32 inference-bf16 inference-f16 inference-w8 inference-w8dyn inference-int8 inference-s8 training-f32 training-bf16 training-f16 whole-table vanilla_rnn-inference-f32 lstm-inference-f32 gru-inference-f32 lbr_gru-inference-f32 augru-inference-f32 lbr_augru-inference-f32 vanilla_rnn-inference-bf16 lstm-inference-bf16 gru-inference-bf16 lbr_gru-inference-bf16 augru-inference-bf16 lbr_augru-inference-bf16 vanilla_rnn-inference-f16 lstm-inference-f16 gru-inference-f16 lbr_gru-inference-f16 augru-inference-f16 lbr_augru-inference-f16 vanilla_rnn-inference-w8 lstm-inference-w8 gru-inference-w8 lbr_gru-inference-w8 augru-inference-w8 lbr_augru-inference-w8 vanilla_rnn-inference-w8dyn lstm-inference-w8dyn gru-inference-w8dyn lbr_gru-inference-w8dyn augru-inference-w8dyn lbr_augru-inference-w8dyn lstm-inference-int8 gru-inference-int8 lbr_gru-inference-int8 lstm-inference-s8 lbr_gru-inference-s8 vanilla_rnn-training-f32 lstm-training-f32 gru-training-f32 lbr_gru-training-f32 augru-training-f32 lbr_augru-training-f32 vanilla_rnn-training-bf16 lstm-training-bf16 gru-training-bf16 lbr_gru-training-bf16 augru-training-bf16 lbr_augru-training-bf16 vanilla_rnn-training-f16 lstm-training-f16 gru-training-f16 lbr_gru-training-f16 augru-training-f16 lbr_augru-training-f16 cells-inference-f32 cells-inference-bf16 cells-inference-f16 cells-inference-w8 cells-inference-w8dyn cells-inference-int8 cells-inference-s8 cells-training-f32 cells-training-bf16 cells-training-f16 cells-vanilla_rnn-inference-f32 cells-lstm-inference-f32 cells-gru-inference-f32 cells-lbr_gru-inference-f32 cells-augru-inference-f32 cells-lbr_augru-inference-f32 cells-vanilla_rnn-inference-bf16 cells-lstm-inference-bf16 cells-gru-inference-bf16 cells-lbr_gru-inference-bf16 cells-augru-inference-bf16 cells-lbr_augru-inference-bf16 cells-vanilla_rnn-inference-f16 cells-lstm-inference-f16 cells-gru-inference-f16 cells-lbr_gru-inference-f16 cells-augru-inference-f16 cells-lbr_augru-inference-f16 cells-vanilla_rnn-inference-w8 cells-lstm-inference-w8 cells-gru-inference-w8 cells-lbr_gru-inference-w8 cells-augru-inference-w8 cells-lbr_augru-inference-w8 cells-vanilla_rnn-inference-w8dyn cells-lstm-inference-w8dyn cells-gru-inference-w8dyn cells-lbr_gru-inference-w8dyn cells-augru-inference-w8dyn cells-lbr_augru-inference-w8dyn cells-lstm-inference-int8 cells-gru-inference-int8 cells-lbr_gru-inference-int8 cells-lstm-inference-s8 cells-lbr_gru-inference-s8 cells-vanilla_rnn-training-f32 cells-lstm-training-f32 cells-gru-training-f32 cells-lbr_gru-training-f32 cells-augru-training-f32 cells-lbr_augru-training-f32 cells-vanilla_rnn-training-bf16 cells-lstm-training-bf16 cells-gru-training-bf16 cells-lbr_gru-training-bf16 cells-augru-training-bf16 cells-lbr_augru-training-bf16 cells-vanilla_rnn-training-f16 cells-lstm-training-f16 cells-gru-training-f16 cells-lbr_gru-training-f16 cells-augru-training-f16 cells-lbr_augru-training-f16)' \
        '*--shard=[I/N; only part I of N; `tandem merge` joins the parts'\'' reports]:X:_files' \
        '*--jobs=[problems at the same time (one for each core); results do not depend on it]:X:_files' \
        '*--known=[file of known departures, or none; the default is Tandem'\''s own for the implementation, if it has one]:X:_files' \
        '*--write-known=[write a file for --known, which explains this run'\''s complaints]:X:_files' \
        '*--report=[directory of the reports]:X:_files' \
        '*--json=[write report.json'\''s text to this file, too; - for standard output, which then has nothing else]:X:_files' \
        '*--verbose[a line for each problem; its verdict, seconds, and how it is written]' \
        '*--rerun-failed[run the complaints of the report in --report again, on the implementations that it names; it is written anew]' \
        '*--memory=[bytes that may be used, e.g. 4G; what the machine has left if not given]:X:_files' \
        '*--color=[verdicts in colour; auto (on a terminal, unless NO_COLOR is set), always, never]:X:(auto always never)' \
        '*--prop=[forward_inference, forward_training, or forward_training and then backward (FWD_I); FWD_I, FWD_D, BWD_DW]:X:(FWD_I FWD_D BWD_DW)' \
        '*--alg=[the cell (VANILLA_RNN); VANILLA_RNN, VANILLA_LSTM, VANILLA_GRU, LBR_GRU, VANILLA_AUGRU, LBR_AUGRU]:X:(VANILLA_RNN VANILLA_LSTM VANILLA_GRU LBR_GRU VANILLA_AUGRU LBR_AUGRU)' \
        '*--direction=[how the sequence is walked through, and how two directions are joined (left2right); left2right, right2left, concat, sum]:X:(left2right right2left concat sum)' \
        '*--activation=[of the vanilla RNN; the other cells have their own (RELU); RELU, TANH, LOGISTIC, UNDEF]:X:(RELU TANH LOGISTIC UNDEF)' \
        '*--cfg=[data types; one word, or those of src_iter, src_layer, dst_iter, dst_layer; bf16 and f16 have bias and c in the 16-bit type, bf16f32 and f16f32 have both in f32, f16c32 only c; w8 has weights in s8, w8dyn also quantizes f32 data in each step (f32); f32, bf16f32, bf16, f16, f16f32, f16c32, f32w8, bf16w8, f32w8dyn, u8u8u8u8, u8u8u8f32, f32u8f32u8, f32u8f32f32 and the same with s8]:X:(f32 bf16f32 bf16 f16 f16f32 f16c32 f32w8 bf16w8 f32w8dyn u8u8u8u8 u8u8u8f32 f32u8f32u8)' \
        '*--tag=[layouts of src_layer, the weights, dst_layer (any;any;any); SRC;WEIGHTS;DST, each any or the letters of a layout]:X:_files' \
        '*--scaling=[weights in s8; one scale for all, or one for each gate and channel (common); common, per_oc]:X:(common per_oc)' \
        '*--scaling-proj=[the same for the projection (common); common, per_oc]:X:(common per_oc)' \
        '*--flags=[O; gradients of weights overwrite what their tensors hold, else they are added; O or nothing]:X:_files' \
        '*--with-peephole=[LSTM; the gates also see the cell state (false); true, false]:X:(true false)' \
        '*--with-projection=[LSTM; a matrix (dhc, dic) makes the output smaller (false); true, false]:X:(true false)' \
        '*--attr-fpmath=[types to which the f32 operands of products may be converted (strict); strict, bf16, f16, tf32, any]:X:(strict bf16 f16 tf32 any)' \
        '*--attr-scratchpad=[who allocates the scratchpad (library); library, user]:X:(library user)' \
        '*--diff-tag=[layout of diff_weights_layer and diff_weights_iter (any); any or the letters of a layout]:X:_files' \
        '*--pad=[elements after each row of the layer and state tensors (0); 0 to 1048576]:X:_files' \
        '*--trivial-strides=[false is --pad=1 (true); true, false]:X:(true false)' \
        '*--misalign=[elements by which every buffer starts past an aligned address (0); 0 to 4096]:X:_files' \
        '*--wide-offsets=[the outermost slices of every tensor lie 2^31 elements apart (false); true, false]:X:(true false)' \
        '*--absent=[optional tensors that are left out (none); none, or src_iter, src_iter_c, bias, dst_iter, dst_iter_c joined by +]:X:(none src_iter_c bias dst_iter)' \
        '*--reading=[the specification, or oneDNN where it differs (docs/readings.md) (spec); spec, onednn]:X:(spec onednn)' \
        '*--lengths=[how many steps each row has, in sequence_lengths (docs/sequence_lengths.md) (none); none, full, ones, empty, random, sorted, reversed, uniform, speech, text]:X:(none full ones empty random sorted reversed uniform speech text)' \
        '*--alpha=[relu'\''s slope below 0 (0.899999976); a number]:X:_files' \
        '*--data-scale=[int8; scale of the data (0); a positive number, or 0 for the default]:X:_files' \
        '*--zero-point=[int8; the byte that stands for 0 (-1); 0 to 255, or -1 for the default]:X:_files' \
        '*--data=[what the tensors hold; dense; numbers of both signs around 1 (dense); dense, saturating, tiny, cancelling, spread, special, ties, zero]:X:(dense saturating tiny cancelling spread special ties zero)' \
        '*--gain=[size of the weights (1); 1e-6 to 1e6]:X:_files' \
        '*--seed=[of the random tensors (1); a whole number below 2^64]:X:_files' \
        '*--batch=[a file of options and descriptors, as benchdnn has them]:FILE:_files' \
        '*:argument:_files'
      ;;
    'compare')
      _arguments \
        '*--color=[verdicts in colour; auto (on a terminal, unless NO_COLOR is set), always, never]:X:(auto always never)' \
        '*:argument:_files'
      ;;
    'list')
      _arguments \
        '*--impl=[implementations to ask, as for check]:X:(reference optimized onednn torch torch-bf16 onnxruntime tfjs armnn opencv)' \
        '*:argument:_files'
      ;;
    'merge')
      _arguments \
        '*--report=[directory of the merged reports]:X:_files' \
        '*--json=[write report.json'\''s text to this file, too; - for standard output, which then has nothing else]:X:_files' \
        '*--color=[verdicts in colour; auto (on a terminal, unless NO_COLOR is set), always, never]:X:(auto always never)' \
        '*:argument:_files'
      ;;
    'trace')
      _arguments \
        '*--rows=[rows of the batch to print]:X:_files' \
        '*--units=[channels to print]:X:_files' \
        '*--step=[only this timestamp]:X:_files' \
        '*--unit=[only this channel]:X:_files' \
        '*--data=[safetensors file with tensors by name (src_layer, weights_iter, ...), or a kind of data as for check]:X:_files' \
        '*--row=[only this row of the batch]:X:_files' \
        '*--json=[write JSON to this file; - for the terminal]:X:_files' \
        '*--html=[write a page; the equations of this step and its neighbours, and curves over all steps; - for the terminal]:X:_files' \
        '*--impl=[also draw this implementation'\''s outputs in the page]:X:(reference optimized onednn torch torch-bf16 onnxruntime tfjs armnn opencv)' \
        '*--loss=[of backward; the loss depends on all outputs, or on the last one only]:X:_files' \
        '*--memory=[bytes that may be used, e.g. 4G; what the machine has left if not given]:X:_files' \
        '*--prop=[forward_inference, forward_training, or forward_training and then backward (FWD_I); FWD_I, FWD_D, BWD_DW]:X:(FWD_I FWD_D BWD_DW)' \
        '*--alg=[the cell (VANILLA_RNN); VANILLA_RNN, VANILLA_LSTM, VANILLA_GRU, LBR_GRU, VANILLA_AUGRU, LBR_AUGRU]:X:(VANILLA_RNN VANILLA_LSTM VANILLA_GRU LBR_GRU VANILLA_AUGRU LBR_AUGRU)' \
        '*--direction=[how the sequence is walked through, and how two directions are joined (left2right); left2right, right2left, concat, sum]:X:(left2right right2left concat sum)' \
        '*--activation=[of the vanilla RNN; the other cells have their own (RELU); RELU, TANH, LOGISTIC, UNDEF]:X:(RELU TANH LOGISTIC UNDEF)' \
        '*--cfg=[data types; one word, or those of src_iter, src_layer, dst_iter, dst_layer; bf16 and f16 have bias and c in the 16-bit type, bf16f32 and f16f32 have both in f32, f16c32 only c; w8 has weights in s8, w8dyn also quantizes f32 data in each step (f32); f32, bf16f32, bf16, f16, f16f32, f16c32, f32w8, bf16w8, f32w8dyn, u8u8u8u8, u8u8u8f32, f32u8f32u8, f32u8f32f32 and the same with s8]:X:(f32 bf16f32 bf16 f16 f16f32 f16c32 f32w8 bf16w8 f32w8dyn u8u8u8u8 u8u8u8f32 f32u8f32u8)' \
        '*--tag=[layouts of src_layer, the weights, dst_layer (any;any;any); SRC;WEIGHTS;DST, each any or the letters of a layout]:X:_files' \
        '*--scaling=[weights in s8; one scale for all, or one for each gate and channel (common); common, per_oc]:X:(common per_oc)' \
        '*--scaling-proj=[the same for the projection (common); common, per_oc]:X:(common per_oc)' \
        '*--flags=[O; gradients of weights overwrite what their tensors hold, else they are added; O or nothing]:X:_files' \
        '*--with-peephole=[LSTM; the gates also see the cell state (false); true, false]:X:(true false)' \
        '*--with-projection=[LSTM; a matrix (dhc, dic) makes the output smaller (false); true, false]:X:(true false)' \
        '*--attr-fpmath=[types to which the f32 operands of products may be converted (strict); strict, bf16, f16, tf32, any]:X:(strict bf16 f16 tf32 any)' \
        '*--attr-scratchpad=[who allocates the scratchpad (library); library, user]:X:(library user)' \
        '*--diff-tag=[layout of diff_weights_layer and diff_weights_iter (any); any or the letters of a layout]:X:_files' \
        '*--pad=[elements after each row of the layer and state tensors (0); 0 to 1048576]:X:_files' \
        '*--trivial-strides=[false is --pad=1 (true); true, false]:X:(true false)' \
        '*--misalign=[elements by which every buffer starts past an aligned address (0); 0 to 4096]:X:_files' \
        '*--wide-offsets=[the outermost slices of every tensor lie 2^31 elements apart (false); true, false]:X:(true false)' \
        '*--absent=[optional tensors that are left out (none); none, or src_iter, src_iter_c, bias, dst_iter, dst_iter_c joined by +]:X:(none src_iter_c bias dst_iter)' \
        '*--reading=[the specification, or oneDNN where it differs (docs/readings.md) (spec); spec, onednn]:X:(spec onednn)' \
        '*--lengths=[how many steps each row has, in sequence_lengths (docs/sequence_lengths.md) (none); none, full, ones, empty, random, sorted, reversed, uniform, speech, text]:X:(none full ones empty random sorted reversed uniform speech text)' \
        '*--alpha=[relu'\''s slope below 0 (0.899999976); a number]:X:_files' \
        '*--data-scale=[int8; scale of the data (0); a positive number, or 0 for the default]:X:_files' \
        '*--zero-point=[int8; the byte that stands for 0 (-1); 0 to 255, or -1 for the default]:X:_files' \
        '*--gain=[size of the weights (1); 1e-6 to 1e6]:X:_files' \
        '*--seed=[of the random tensors (1); a whole number below 2^64]:X:_files' \
        '*--batch=[a file of options and descriptors, as benchdnn has them]:FILE:_files' \
        '*:argument:_files'
      ;;
    'diagnose')
      _arguments \
        '*--memory=[bytes that may be used, e.g. 4G; what the machine has left if not given]:X:_files' \
        '*--impl=[the implementation whose output is to be explained]:X:(reference optimized onednn torch torch-bf16 onnxruntime tfjs armnn opencv)' \
        '*--color=[verdicts in colour; auto (on a terminal, unless NO_COLOR is set), always, never]:X:(auto always never)' \
        '*--prop=[forward_inference, forward_training, or forward_training and then backward (FWD_I); FWD_I, FWD_D, BWD_DW]:X:(FWD_I FWD_D BWD_DW)' \
        '*--alg=[the cell (VANILLA_RNN); VANILLA_RNN, VANILLA_LSTM, VANILLA_GRU, LBR_GRU, VANILLA_AUGRU, LBR_AUGRU]:X:(VANILLA_RNN VANILLA_LSTM VANILLA_GRU LBR_GRU VANILLA_AUGRU LBR_AUGRU)' \
        '*--direction=[how the sequence is walked through, and how two directions are joined (left2right); left2right, right2left, concat, sum]:X:(left2right right2left concat sum)' \
        '*--activation=[of the vanilla RNN; the other cells have their own (RELU); RELU, TANH, LOGISTIC, UNDEF]:X:(RELU TANH LOGISTIC UNDEF)' \
        '*--cfg=[data types; one word, or those of src_iter, src_layer, dst_iter, dst_layer; bf16 and f16 have bias and c in the 16-bit type, bf16f32 and f16f32 have both in f32, f16c32 only c; w8 has weights in s8, w8dyn also quantizes f32 data in each step (f32); f32, bf16f32, bf16, f16, f16f32, f16c32, f32w8, bf16w8, f32w8dyn, u8u8u8u8, u8u8u8f32, f32u8f32u8, f32u8f32f32 and the same with s8]:X:(f32 bf16f32 bf16 f16 f16f32 f16c32 f32w8 bf16w8 f32w8dyn u8u8u8u8 u8u8u8f32 f32u8f32u8)' \
        '*--tag=[layouts of src_layer, the weights, dst_layer (any;any;any); SRC;WEIGHTS;DST, each any or the letters of a layout]:X:_files' \
        '*--scaling=[weights in s8; one scale for all, or one for each gate and channel (common); common, per_oc]:X:(common per_oc)' \
        '*--scaling-proj=[the same for the projection (common); common, per_oc]:X:(common per_oc)' \
        '*--flags=[O; gradients of weights overwrite what their tensors hold, else they are added; O or nothing]:X:_files' \
        '*--with-peephole=[LSTM; the gates also see the cell state (false); true, false]:X:(true false)' \
        '*--with-projection=[LSTM; a matrix (dhc, dic) makes the output smaller (false); true, false]:X:(true false)' \
        '*--attr-fpmath=[types to which the f32 operands of products may be converted (strict); strict, bf16, f16, tf32, any]:X:(strict bf16 f16 tf32 any)' \
        '*--attr-scratchpad=[who allocates the scratchpad (library); library, user]:X:(library user)' \
        '*--diff-tag=[layout of diff_weights_layer and diff_weights_iter (any); any or the letters of a layout]:X:_files' \
        '*--pad=[elements after each row of the layer and state tensors (0); 0 to 1048576]:X:_files' \
        '*--trivial-strides=[false is --pad=1 (true); true, false]:X:(true false)' \
        '*--misalign=[elements by which every buffer starts past an aligned address (0); 0 to 4096]:X:_files' \
        '*--wide-offsets=[the outermost slices of every tensor lie 2^31 elements apart (false); true, false]:X:(true false)' \
        '*--absent=[optional tensors that are left out (none); none, or src_iter, src_iter_c, bias, dst_iter, dst_iter_c joined by +]:X:(none src_iter_c bias dst_iter)' \
        '*--reading=[the specification, or oneDNN where it differs (docs/readings.md) (spec); spec, onednn]:X:(spec onednn)' \
        '*--lengths=[how many steps each row has, in sequence_lengths (docs/sequence_lengths.md) (none); none, full, ones, empty, random, sorted, reversed, uniform, speech, text]:X:(none full ones empty random sorted reversed uniform speech text)' \
        '*--alpha=[relu'\''s slope below 0 (0.899999976); a number]:X:_files' \
        '*--data-scale=[int8; scale of the data (0); a positive number, or 0 for the default]:X:_files' \
        '*--zero-point=[int8; the byte that stands for 0 (-1); 0 to 255, or -1 for the default]:X:_files' \
        '*--data=[what the tensors hold; dense; numbers of both signs around 1 (dense); dense, saturating, tiny, cancelling, spread, special, ties, zero]:X:(dense saturating tiny cancelling spread special ties zero)' \
        '*--gain=[size of the weights (1); 1e-6 to 1e6]:X:_files' \
        '*--seed=[of the random tensors (1); a whole number below 2^64]:X:_files' \
        '*--batch=[a file of options and descriptors, as benchdnn has them]:FILE:_files' \
        '*:argument:_files'
      ;;
    'mutants')
      _arguments \
        '*--seed=[seed of the random problems]:X:_files' \
        '*--cases=[problems drawn for one bug before it counts as a survivor]:X:_files' \
        '*--curve=[problems for each point of the detection curve; 0; no curve]:X:_files' \
        '*--group=[part of a group'\''s name, such as "forward bf16"]:X:_files' \
        '*--mutation=[part of a bug'\''s name, such as SwapGates]:X:_files' \
        '*--list[print the rows, names and meanings of the bugs that --mutation chooses, and nothing else]' \
        '*--color=[verdicts in colour; auto (on a terminal, unless NO_COLOR is set), always, never]:X:(auto always never)' \
        '*:argument:_files'
      ;;
    'tune')
      _arguments \
        '*--output=[the file that gets the numbers (tandem/tuning in the folder of caches)]:X:_files' \
        '*--number=[tune these numbers only, e.g. region,barrier]:X:_files' \
        '*--time=[seconds measured for each value and problem (0.1)]:X:_files' \
        '*--rounds=[turns that those seconds are divided into (5)]:X:_files' \
        '*:argument:_files'
      ;;
    'vectors export')
      _arguments \
        '*--inputs=[safetensors file with tensors by name (src_layer, weights_iter, ...) for one PROBLEM]:X:_files' \
        '*--memory=[bytes that may be used, e.g. 4G; what the machine has left if not given]:X:_files' \
        '*--dir=[where the vectors are (vectors)]:X:_files' \
        '*--prop=[forward_inference, forward_training, or forward_training and then backward (FWD_I); FWD_I, FWD_D, BWD_DW]:X:(FWD_I FWD_D BWD_DW)' \
        '*--alg=[the cell (VANILLA_RNN); VANILLA_RNN, VANILLA_LSTM, VANILLA_GRU, LBR_GRU, VANILLA_AUGRU, LBR_AUGRU]:X:(VANILLA_RNN VANILLA_LSTM VANILLA_GRU LBR_GRU VANILLA_AUGRU LBR_AUGRU)' \
        '*--direction=[how the sequence is walked through, and how two directions are joined (left2right); left2right, right2left, concat, sum]:X:(left2right right2left concat sum)' \
        '*--activation=[of the vanilla RNN; the other cells have their own (RELU); RELU, TANH, LOGISTIC, UNDEF]:X:(RELU TANH LOGISTIC UNDEF)' \
        '*--cfg=[data types; one word, or those of src_iter, src_layer, dst_iter, dst_layer; bf16 and f16 have bias and c in the 16-bit type, bf16f32 and f16f32 have both in f32, f16c32 only c; w8 has weights in s8, w8dyn also quantizes f32 data in each step (f32); f32, bf16f32, bf16, f16, f16f32, f16c32, f32w8, bf16w8, f32w8dyn, u8u8u8u8, u8u8u8f32, f32u8f32u8, f32u8f32f32 and the same with s8]:X:(f32 bf16f32 bf16 f16 f16f32 f16c32 f32w8 bf16w8 f32w8dyn u8u8u8u8 u8u8u8f32 f32u8f32u8)' \
        '*--tag=[layouts of src_layer, the weights, dst_layer (any;any;any); SRC;WEIGHTS;DST, each any or the letters of a layout]:X:_files' \
        '*--scaling=[weights in s8; one scale for all, or one for each gate and channel (common); common, per_oc]:X:(common per_oc)' \
        '*--scaling-proj=[the same for the projection (common); common, per_oc]:X:(common per_oc)' \
        '*--flags=[O; gradients of weights overwrite what their tensors hold, else they are added; O or nothing]:X:_files' \
        '*--with-peephole=[LSTM; the gates also see the cell state (false); true, false]:X:(true false)' \
        '*--with-projection=[LSTM; a matrix (dhc, dic) makes the output smaller (false); true, false]:X:(true false)' \
        '*--attr-fpmath=[types to which the f32 operands of products may be converted (strict); strict, bf16, f16, tf32, any]:X:(strict bf16 f16 tf32 any)' \
        '*--attr-scratchpad=[who allocates the scratchpad (library); library, user]:X:(library user)' \
        '*--diff-tag=[layout of diff_weights_layer and diff_weights_iter (any); any or the letters of a layout]:X:_files' \
        '*--pad=[elements after each row of the layer and state tensors (0); 0 to 1048576]:X:_files' \
        '*--trivial-strides=[false is --pad=1 (true); true, false]:X:(true false)' \
        '*--misalign=[elements by which every buffer starts past an aligned address (0); 0 to 4096]:X:_files' \
        '*--wide-offsets=[the outermost slices of every tensor lie 2^31 elements apart (false); true, false]:X:(true false)' \
        '*--absent=[optional tensors that are left out (none); none, or src_iter, src_iter_c, bias, dst_iter, dst_iter_c joined by +]:X:(none src_iter_c bias dst_iter)' \
        '*--reading=[the specification, or oneDNN where it differs (docs/readings.md) (spec); spec, onednn]:X:(spec onednn)' \
        '*--lengths=[how many steps each row has, in sequence_lengths (docs/sequence_lengths.md) (none); none, full, ones, empty, random, sorted, reversed, uniform, speech, text]:X:(none full ones empty random sorted reversed uniform speech text)' \
        '*--alpha=[relu'\''s slope below 0 (0.899999976); a number]:X:_files' \
        '*--data-scale=[int8; scale of the data (0); a positive number, or 0 for the default]:X:_files' \
        '*--zero-point=[int8; the byte that stands for 0 (-1); 0 to 255, or -1 for the default]:X:_files' \
        '*--data=[what the tensors hold; dense; numbers of both signs around 1 (dense); dense, saturating, tiny, cancelling, spread, special, ties, zero]:X:(dense saturating tiny cancelling spread special ties zero)' \
        '*--gain=[size of the weights (1); 1e-6 to 1e6]:X:_files' \
        '*--seed=[of the random tensors (1); a whole number below 2^64]:X:_files' \
        '*--batch=[a file of options and descriptors, as benchdnn has them]:FILE:_files' \
        '*:argument:_files'
      ;;
    'vectors answer')
      _arguments \
        '*--impl=[as for check]:X:(reference optimized onednn torch torch-bf16 onnxruntime tfjs armnn opencv)' \
        '*--dir=[where the vectors are (vectors)]:X:_files' \
        '*--outputs=[a directory with NAME.safetensors for each case]:X:_files' \
        '*--only=[cases with one of these words in their name, or as a flag]:X:_files' \
        '*:argument:_files'
      ;;
    'vectors verify')
      _arguments \
        '*--dir=[where the vectors are (vectors)]:X:_files' \
        '*--outputs=[a directory with NAME.safetensors for each case]:X:_files' \
        '*--only=[cases with one of these words in their name, or as a flag]:X:_files' \
        '*:argument:_files'
      ;;
  esac
}
_tandem "$@"
