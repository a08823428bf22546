#!/bin/sh
# The table of docs/protocols.md: recall on pure noise of one filter and of an ensemble, under each protocol.
#
#   protocols.sh
#
# PECF names the launcher; SEEDS, ROUNDS and RANK are the number of seeds, of members added to the first, and of their factors.
set -eu

printf '%-15s %-17s %5s %11s %9s\n' split candidates seed 'one filter' ensemble
for protocol in positives:3:1:1/all-but-known leave-one-out/all-but-known cells:3:1:1/part-cells \
  cells:3:1:1/all-but-training positives:3:1:1/all; do
  seed=1
  while [ "$seed" -le "${SEEDS:-3}" ]; do
    "${PECF:-pecf-run}" --data builtin:noise --format synthetic --set synthetic.seed="$seed" --seed "$seed" \
      --split "${protocol%/*}" --candidates "${protocol#*/}" --construction l2boost --shrinkage 0.5 --rounds "${ROUNDS:-30}" --rank "${RANK:-10}" \
      --lambda 0.6 --confidence 1:0.1 --path dense --cutoffs 50 --quiet |
      awk -v division="${protocol%/*}" -v candidates="${protocol#*/}" -v seed="$seed" '
        /^one filter/ { one = $3 + 0 }
        /^ensemble of/ { printf "%-15s %-17s %5d %11.4f %9.4f\n", division, candidates, seed, one, $4 + 0; found = 1 }
        END { exit !found }'
    seed=$((seed + 1))
  done
done
