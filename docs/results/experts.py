#!/usr/bin/env python3
"""Experts for users: an experiment (docs/results/reweighting.md). Needs numpy.

    experts.py RATINGS.csv [--positive 4] --rank 6 --zero 0.1 --penalty 2 [--members 4] [--sweeps 8] [--seeds 3]

RATINGS.csv has a header and columns user, item and, with --positive, rating, as `pecf-run data convert` writes it.
Positives are divided 3:1:1. A member is a weighted matrix factorisation whose rows of users may have weights:

  bagging    members that differ by their start
  posterior  user i weighs 1 / (1 + nu exp(-(E_i / E)^2 / sigma^2)) for a new member, E_i being the mean squared error of
             the ensemble on the user's training positives and E its mean over users; scaled to a mean of 1
  mixture    all members trained together: user i weighs p_ik for member k, p_ik in proportion to exp(-t E_ik / E),
             mixed with an equal share for everybody; from groups of users found by k-means

Every ensemble predicts with equal weights, and with weights of the user's own, q_ik in proportion to exp(-t E_ik / E),
shrunk to equal ones: (n_i q_ik + m / K) / (n_i + m) for a user of n_i training positives. Settings are those with the best
Recall@50 on validation with seed 1; all seeds are then measured on test.
"""
import argparse
import csv
import time

import numpy as np


def read(path, least):
    users, items, seen = {}, {}, set()
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        head = [name.strip().lower() for name in next(rows)]
        user, item = head.index("user"), head.index("item")
        rating = head.index("rating") if least is not None else None
        for row in rows:
            if rating is None or float(row[rating]) >= least:
                seen.add((users.setdefault(row[user], len(users)), items.setdefault(row[item], len(items))))
    return len(users), len(items), np.array(sorted(seen), dtype=np.int64)


def compressed(rows, columns, count):
    order = np.lexsort((columns, rows))
    starts = np.zeros(count + 1, dtype=np.int64)
    np.add.at(starts, rows + 1, 1)
    return np.cumsum(starts), columns[order]


class Split:
    def __init__(self, users, items, cells, seed):
        part = np.random.default_rng(seed).integers(0, 5, len(cells))
        self.users, self.items = users, items
        chosen = cells[part < 3]
        self.by_user = compressed(chosen[:, 0], chosen[:, 1], users)
        self.by_item = compressed(chosen[:, 1], chosen[:, 0], items)
        self.held = {
            "validation": compressed(*cells[part == 3].T, users),
            "test": compressed(*cells[part == 4].T, users),
        }
        self.counts = np.diff(self.by_user[0])


def solve(rows, other, weights, zero, penalty):
    """Solve (z O'WO + (1 - z) sum w o o' + penalty_r / 2) x = sum w o for every row; W holds the weights of the others."""
    starts, columns = rows
    size, rank = len(starts) - 1, other.shape[1]
    base = zero * (other * weights[:, None]).T @ other
    solved = np.zeros((size, rank), dtype=np.float32)
    identity = np.eye(rank)
    for first in range(0, size, 256):
        last = min(size, first + 256)
        matrices = np.empty((last - first, rank, rank))
        sides = np.empty((last - first, rank, 1))
        for row in range(first, last):
            own = columns[starts[row] : starts[row + 1]]
            vectors, weight = other[own], weights[own][:, None]
            matrices[row - first] = base + (1 - zero) * (vectors * weight).T @ vectors + penalty[row] / 2 * identity
            sides[row - first, :, 0] = (vectors * weight).sum(axis=0)
        solved[first:last] = np.linalg.solve(matrices, sides)[:, :, 0]
    return solved


def train(split, options, seed, weights=None):
    """Train a member; every row's penalty is in proportion to the weight of its cells."""
    weights = np.ones(split.users) if weights is None else weights
    random = np.random.default_rng([seed, 7])
    v = random.normal(0, 0.1, (split.items, options.rank)).astype(np.float32)
    user_mass = weights * (split.counts + options.zero * split.items)
    item_mass = np.array(
        [weights[split.by_item[1][a:b]].sum() for a, b in zip(split.by_item[0][:-1], split.by_item[0][1:])]
    ) + options.zero * weights.sum()
    # The equations of a user may be divided by the user's weight, so the penalty is divided by it.
    user_penalty = options.penalty * user_mass / user_mass.mean() / np.maximum(weights, 1e-6)
    item_penalty = options.penalty * item_mass / item_mass.mean()
    for _ in range(options.sweeps):
        u = solve(split.by_user, v, np.ones(split.items), options.zero, user_penalty)
        v = solve(split.by_item, u, weights, options.zero, item_penalty)
    return u, v


def errors(split, members):
    """Return E_ik: the mean squared error of each member on the training positives of each user."""
    owners = np.repeat(np.arange(split.users), split.counts)
    found = np.empty((split.users, len(members)))
    for k, (u, v) in enumerate(members):
        squares = (1 - np.einsum("ij,ij->i", u[owners], v[split.by_user[1]])) ** 2
        found[:, k] = np.bincount(owners, squares, split.users) / np.maximum(split.counts, 1)
    return found


def error(split, members):
    """Return E_i of the average of the members."""
    owners = np.repeat(np.arange(split.users), split.counts)
    score = sum(np.einsum("ij,ij->i", u[owners], v[split.by_user[1]]) for u, v in members) / len(members)
    return np.bincount(owners, (1 - score) ** 2, split.users) / np.maximum(split.counts, 1)


def shares(split, members, sharpness, shrinkage):
    """Return the weights of the members for each user."""
    found = errors(split, members)
    logits = -sharpness * found / found.mean()
    own = np.exp(logits - logits.max(axis=1, keepdims=True))
    own /= own.sum(axis=1, keepdims=True)
    counts = split.counts[:, None]
    return (counts * own + shrinkage / len(members)) / (counts + shrinkage)


def measure(split, members, weights, part):
    """Return Recall@50 and NDCG@50 over the users of a part; what is known is not ranked."""
    starts, held = split.held[part]
    recall, gain, users = 0.0, 0.0, 0
    discount = 1 / np.log2(np.arange(50) + 2)
    for first in range(0, split.users, 512):
        block = np.arange(first, min(split.users, first + 512))
        scores = sum((u[block] * weights[block, k : k + 1].astype(np.float32)) @ v.T for k, (u, v) in enumerate(members))
        for row, user in enumerate(block):
            wanted = held[starts[user] : starts[user + 1]]
            if len(wanted) == 0:
                continue
            known = [split.by_user]
            if part == "test":
                known.append(split.held["validation"])
            for s, columns in known:
                scores[row, columns[s[user] : s[user + 1]]] = -np.inf
            best = np.argpartition(-scores[row], 50)[:50]
            best = best[np.argsort(-scores[row, best])]
            hits = np.isin(best, wanted)
            recall += hits.sum() / len(wanted)
            gain += (hits * discount).sum() / discount[: min(50, len(wanted))].sum()
            users += 1
    return recall / users, gain / users


def bagging(split, options, seed, _):
    return [train(split, options, [seed, k]) for k in range(options.members)]


def posterior(split, options, seed, setting):
    nu, sigma = setting
    members = [train(split, options, [seed, 0])]
    while len(members) < options.members:
        found = error(split, members)
        weights = 1 / (1 + nu * np.exp(-((found / found.mean()) ** 2) / sigma**2))
        members.append(train(split, options, [seed, len(members)], weights / weights.mean()))
    return members


def mixture(split, options, seed, setting):
    sharpness, outsiders = setting
    k = options.members
    random = np.random.default_rng([seed, 9])
    u, _ = train(split, options, [seed, 0])
    u = u / np.maximum(np.linalg.norm(u, axis=1, keepdims=True), 1e-9)
    centres = u[random.choice(split.users, k, replace=False)]
    for _ in range(20):
        group = (u @ centres.T).argmax(axis=1)
        centres = np.array([u[group == g].mean(axis=0) if (group == g).any() else centres[g] for g in range(k)])
    chance = np.eye(k)[group]
    for _ in range(3):
        weights = k * (outsiders / k + (1 - outsiders) * chance)
        members = [train(split, options, [seed, m], weights[:, m]) for m in range(k)]
        chance = shares(split, members, sharpness, 1)
    return members


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ratings")
    parser.add_argument("--positive", type=float)
    parser.add_argument("--rank", type=int, required=True)
    parser.add_argument("--zero", type=float, required=True)
    parser.add_argument("--penalty", type=float, required=True)
    parser.add_argument("--members", type=int, default=4)
    parser.add_argument("--sweeps", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--settings", type=int, default=6, help="try only the first settings of each kind")
    options = parser.parse_args()
    users, items, cells = read(options.ratings, options.positive)
    splits = {seed: Split(users, items, cells, seed) for seed in range(1, options.seeds + 1)}
    started = time.process_time()

    def row(name, build, settings):
        best, built = {}, {}
        for setting in settings[: options.settings]:
            members = built[setting] = build(splits[1], options, 1, setting)
            tried = {("equal", None): np.full((users, len(members)), 1 / len(members))}
            for sharpness in (3, 10):
                for shrinkage in (5, 50):
                    if len(members) > 1:
                        tried[("own", (sharpness, shrinkage))] = shares(splits[1], members, sharpness, shrinkage)
            for (kind, how), weights in tried.items():
                value = measure(splits[1], members, weights, "validation")[0]
                if kind not in best or value > best[kind][0]:
                    best[kind] = (value, setting, how)
        for kind, (value, setting, how) in best.items():
            found = []
            for seed, split in splits.items():
                members = built[setting] if seed == 1 else build(split, options, seed, setting)
                weights = (
                    np.full((users, len(members)), 1 / len(members)) if how is None else shares(split, members, *how)
                )
                found.append(measure(split, members, weights, "test"))
            mean = np.mean(found, axis=0)
            print(
                f"| {name} | {kind} | {setting or ''} {how or ''} | {value:.4f} | {mean[0]:.4f} | {mean[1]:.4f} "
                f"| {' / '.join(f'{one[0]:.4f}' for one in found)} |",
                flush=True,
            )

    print("| members | weights | setting | validation Recall@50, seed 1 | test Recall@50 | NDCG@50 | by seed |")
    print("|---|---|---|---:|---:|---:|---|", flush=True)
    row("one", lambda s, o, seed, _: [train(s, o, [seed, 0])], [None])
    row("bagging", bagging, [None])
    row("posterior of users", posterior, [(nu, sigma) for nu in (100, 10, 3) for sigma in (0.7, 1)])
    row("mixture of users", mixture, [(t, outsiders) for t in (10, 3) for outsiders in (0.2, 0.6)])
    print(f"{time.process_time() - started:.0f} processor seconds")


if __name__ == "__main__":
    main()
