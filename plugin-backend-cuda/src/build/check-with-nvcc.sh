#!/bin/sh
# Compile the kernels with nvcc for every architecture it supports, and assemble the shipped PTX for
# each; fail on any warning and on any register spilled to memory. First see that both would be
# noticed. Nothing is checked, and that is said, where there is no nvcc.
#
#   check-with-nvcc.sh [SOURCE [PTX]]

folder=$(cd "$(dirname "$0")/.." && pwd)
source=${1:-$folder/main/cuda/pecf-kernels.cu}
ptx=${2:-$folder/main/resources/org/pecf/plugin/backend/cuda/pecf-kernels.ptx.gz}

nvcc=$(command -v nvcc)
if [ -z "$nvcc" ] && [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ]; then
  nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
fi
if [ -z "$nvcc" ]; then
  echo "SKIPPED: there is no nvcc on the path or in ${CUDA_HOME:-/usr/local/cuda}; the kernels were not checked with it."
  exit 0
fi
ptxas=$(dirname "$(readlink -f "$nvcc")")/ptxas

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gzip -dc "$ptx" >"$work/shipped.ptx" || exit 1

# Whether the output in $work/log tells of a warning or a spill, or of nothing compiled at all.
objectionable() {
  if grep -i 'warning' "$work/log" ||
    grep -E '[1-9][0-9]* bytes spill (stores|loads)' "$work/log"; then
    return 0
  fi
  ! grep -q 'bytes spill stores' "$work/log"
}

# compile ARCHITECTURE SOURCE [OPTION ...]: return whether there is nothing to object to.
compile() {
  architecture=$1
  file=$2
  shift 2
  "$nvcc" -cubin -arch="$architecture" --fmad=false -Wno-deprecated-gpu-targets \
    -Xcudafe --display_error_number -Xptxas -v,-warn-spills,-warn-lmem-usage \
    "$@" -o "$work/out" "$file" >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
  ! objectionable
}

# assemble ARCHITECTURE PTX
assemble() {
  "$ptxas" -arch="$1" -v -warn-spills -warn-lmem-usage -o "$work/out" "$2" >"$work/log" 2>&1 ||
    { cat "$work/log"; return 1; }
  ! objectionable
}

codes=$("$nvcc" --list-gpu-code | grep -E '^sm_[0-9]+$')
names=$("$nvcc" --list-gpu-arch | sed 's/^compute_/sm_/')
for name in $names; do
  case " $(echo $codes) " in
    *" $name "*) ;;
    *) echo "FAILED: nvcc names compute_${name#sm_}, but generates no code for it"; exit 1 ;;
  esac
done
first=$(echo $names | cut -d' ' -f1)

# A value of each of 64 registers' worth, in 24 registers.
cat >"$work/spill.cu" <<'END'
extern "C" __global__ void spill(float *values) {
  float held[64];
#pragma unroll
  for (int k = 0; k < 64; k++) held[k] = values[k * 256 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 64; k++) values[(63 - k) * 256 + threadIdx.x] = held[k] * held[k ^ 21];
}
END
cat >"$work/warning.cu" <<'END'
extern "C" __global__ void warning(float *values) {
  int unused = 3;
  values[threadIdx.x] = 1;
}
END
if compile "$first" "$work/spill.cu" -maxrregcount=24 >/dev/null; then
  echo "FAILED: a kernel that spills registers was not noticed"
  exit 1
fi
if compile "$first" "$work/warning.cu" >/dev/null; then
  echo "FAILED: a kernel with a warning was not noticed"
  exit 1
fi

failed=0
for name in $names; do
  if compile "$name" "$source"; then
    most=$(sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' "$work/log" | sort -n | tail -1)
    echo "$name: $(grep -c 'Used [0-9]* registers' "$work/log") kernels, at most $most registers, no spill, no warning"
  else
    echo "FAILED: $source for $name"
    failed=1
  fi
  if ! assemble "$name" "$work/shipped.ptx"; then
    echo "FAILED: $ptx for $name"
    failed=1
  fi
done
exit $failed
