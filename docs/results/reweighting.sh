#!/bin/sh
# Compare strengths and rules of re-weighting with bagging: OUT/SET/comparison.html and a folder for each training.
#
#   reweighting.sh OUT [SET...]
#
# SET is groups or one-group, embedded data, ml-100k or citeulike-a (folders of these names in $DATA, by default the current
# one), all of them unless named; or demo, to try the script. The settings are those that PECF won with in the searches of
# study.sh, but for CiteULike-a, which has a third of the rank to save time. PECF names the launcher, THREADS the number of
# threads, SEED the seed. A training that is there already is not repeated.
set -eu

# Train under a name with further options.
train() {
  name=$1
  shift
  if ! [ -e "$out/$set/$name/metrics.json" ]; then
    # Words are divided on purpose: no option holds a space.
    # shellcheck disable=SC2086
    "${PECF:-pecf-run}" "$data" --threads "${THREADS:-1}" --seed "${SEED:-1}" --effort none --rounds 4 --quiet $options "$@" \
      --out "$out/$set/$name" >/dev/null
  fi
}

out=$1
shift
[ $# -gt 0 ] || set -- groups one-group ml-100k citeulike-a
for set; do
  case $set in
    groups)
      nu=3.233 sigma=0.3437
      options='--cutoffs 20,50,100,200 --rank 6 --lambda 2.013 --confidence 1:0.3 --iterations 5
        --set wmf.frequency-exponent=1' ;;
    one-group)
      nu=10 sigma=1
      options='--cutoffs 20,50,100,200 --rank 6 --lambda 7.93 --confidence 1:0.03 --iterations 12
        --set wmf.frequency-exponent=0' ;;
    ml-100k)
      nu=4.613 sigma=0.8387
      options='--positive >=4 --rank 20 --lambda 9.436 --confidence 1:0.1 --iterations 12
        --set wmf.frequency-exponent=0' ;;
    citeulike-a)
      nu=4.613 sigma=0.8387
      options='--rank 50 --lambda 1.756 --confidence 1:0.01 --iterations 5 --set wmf.frequency-exponent=1' ;;
    demo)
      nu=10 sigma=1
      options='--rank 4 --iterations 2' ;;
    *)
      echo "reweighting.sh: there is no set $set. Name groups, one-group, ml-100k, citeulike-a or demo." >&2
      exit 2 ;;
  esac
  case $set in
    *-100k | *-a) data="--data=${DATA:-.}/$set" ;;
    *) data=--data=builtin:$set ;;
  esac
  train 0-bagging --nu 0
  train both-by-error --nu $nu --sigma $sigma
  train positives-by-error --nu $nu --sigma $sigma --set posterior.zeros=plain
  train zeros-by-error --nu $nu --sigma $sigma --set posterior.positives=plain
  train zeros-by-doubt --nu $nu --sigma $sigma --set posterior.positives=plain --set posterior.zeros=doubt
  for strength in 1/0.5 10/0.25 10/0.5 10/1 10/2 100/0.5 1000/0.5; do
    train "nu-${strength%/*}-sigma-${strength#*/}" --nu "${strength%/*}" --sigma "${strength#*/}"
  done
  "${PECF:-pecf-run}" compare "$out/$set"/*/ --out "$out/$set/comparison.html"
done
