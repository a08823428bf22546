#!/bin/sh
# The tables behind docs/results/reweighting.md: OUT/SET/reweighting.md.
#
#   reweighting.sh OUT [SET...]
#
# SET is groups or one-group, embedded data, ml-100k or citeulike-a (folders of these names in $DATA, by default the current
# one), all of them unless named; or demo, to try the script. The settings are those that PECF won with in the searches of
# study.sh, but for CiteULike-a, which has a third of the rank and few strengths to save time. PECF names the launcher,
# THREADS the number of threads, SEEDS the number of seeds.
set -eu

out=$1
shift
[ $# -gt 0 ] || set -- groups one-group ml-100k citeulike-a
for set; do
  case $set in
    groups)
      options="--cutoffs 20,50,100,200 --rank 6 --lambda 2.013 --confidence 1:0.3 --iterations 5
        --nu 3.233 --sigma 0.3437 --set wmf.frequency-exponent=1" ;;
    one-group)
      options="--cutoffs 20,50,100,200 --rank 6 --lambda 7.93 --confidence 1:0.03
        --iterations 12 --nu 10 --sigma 1 --set wmf.frequency-exponent=0" ;;
    ml-100k)
      options="--positive >=4 --rank 20 --lambda 9.436 --confidence 1:0.1 --iterations 12 --nu 4.613
        --sigma 0.8387 --set wmf.frequency-exponent=0" ;;
    citeulike-a)
      options="--quick --rounds 4 --rank 50 --lambda 1.756 --confidence 1:0.01 --iterations 5 --nu 4.613 --sigma 0.8387
        --set wmf.frequency-exponent=1" ;;
    demo)
      options=--quick ;;
    *)
      echo "reweighting.sh: there is no set $set. Name groups, one-group, ml-100k, citeulike-a or demo." >&2
      exit 2 ;;
  esac
  case $set in
    *-100k | *-a) data="--data=${DATA:-.}/$set" ;;
    *) data=--data=builtin:$set ;;
  esac
  # Words are divided on purpose: no option holds a space, but the name of a folder may.
  # shellcheck disable=SC2086
  "${PECF:-pecf-run}" reproduce --only reweighting "$data" --threads "${THREADS:-1}" --seeds "${SEEDS:-1}" $options \
    --out "$out/$set"
done
