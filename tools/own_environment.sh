# Tests read this file. It forgets what the caller's environment says to the library, to OpenMP and about the locale, and lets
# others read new files. The processor that as_cpu.sh has chosen stays, the emulator, and the check of contracts.
# shellcheck shell=sh
for variable in $(env | sed -n 's/^\(\(TANDEM\|ONEDNN\|DNNL\|OMP\|GOMP\|LC\)_[A-Za-z0-9_]*\|LANG\|LANGUAGE\)=.*/\1/p'); do
  case ${AS_CPU:-}:$variable in
    *:TANDEM_EMULATOR | *:TANDEM_CHECK_CONTRACTS | ?*:TANDEM_TARGET | ?*:ONEDNN_MAX_CPU_ISA) ;;
    *) unset "$variable" ;;
  esac
done
umask 022
