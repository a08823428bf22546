// Pairwise steps, against the same steps in double precision, one after the other.

#include <algorithm>

#include "support.h"

namespace test {

namespace {

/* An epoch of two runs that share no row, among runs that are not launched. */
struct Epoch {
  int users = 12;
  int items = 41;
  int rank;
  int blocks = 2;
  bool itemBias;
  bool weighted;
  bool masked;
  float rate = 0.05f;
  float keepUser = 0.999f;
  float keepPositive = 0.998f;
  float keepNegative = 0.997f;
  uint64_t partSeed = 0x8765432112345678ull;
  uint32_t partFirst = 0x30000000u;
  uint32_t partLast = 0xe0000000u;
  std::vector<float> userFactors, itemFactors;
  std::vector<long long> samples, starts, ends, seeds;
  std::vector<int> runBlocks, order, alias;
  std::vector<float> keep;
  Cells barred;

  Epoch(int rank, bool itemBias, bool weighted, bool masked, float scale)
      : rank(rank),
        itemBias(itemBias),
        weighted(weighted),
        masked(masked),
        barred(Cells::random(users, items, 0.3, 25)) {
    Random random(26);
    userFactors = random.normals(static_cast<long long>(users) * rank);
    itemFactors = random.normals(static_cast<long long>(items) * rank);
    for (float &factor : userFactors) {
      factor *= scale;
    }
    for (int item = 0; item < items; item++) {
      // Backwards, so that a place is not its item.
      order.push_back(items - 1 - item);
      keep.push_back(static_cast<float>(random.uniform()));
    }
    for (int place = 0; place < items; place++) {
      int block = place < first(1) ? 0 : 1;
      alias.push_back(first(block) + random.below(first(block + 1) - first(block)));
    }
    // Users below 6 have samples of block 1, the others of block 0.
    for (int run = 0; run < 4; run++) {
      int block = run % 2;
      starts.push_back(static_cast<long long>(samples.size()));
      for (int k = 0; k < 25; k++) {
        int user = (block == 1 ? 0 : 6) + random.below(6);
        int place = first(block) + random.below(first(block + 1) - first(block));
        samples.push_back(static_cast<long long>(user) << 32 | order[place]);
        // A positive is no negative of its user.
        barred.dense[static_cast<std::size_t>(user * items + order[place])] = 1;
      }
      ends.push_back(static_cast<long long>(samples.size()));
      runBlocks.push_back(block);
      seeds.push_back(static_cast<long long>(random.bits()));
    }
    list_barred();
  }

  int first(int block) const { return block * items / blocks; }

  /* Bar all items of a user but those of the other block. */
  void close_user(int user, int block) {
    for (int place = first(block); place < first(block + 1); place++) {
      barred.dense[static_cast<std::size_t>(user * items + order[place])] = 1;
    }
    list_barred();
  }

 private:
  void list_barred() {
    barred.columns.clear();
    barred.starts = {0};
    for (int i = 0; i < users; i++) {
      for (int item = 0; item < items; item++) {
        if (barred.contains(i, item)) {
          barred.columns.push_back(item);
        }
      }
      barred.starts.push_back(static_cast<int>(barred.columns.size()));
    }
  }
};

struct Expected {
  std::vector<double> users, items;
  long long counts[4] = {0, 0, 0, 0};
  long long halves[4] = {0, 0, 0, 0};
  double losses[4] = {0, 0, 0, 0};
  double nearest = INFINITY;  // the difference of scores nearest to a draw

  explicit Expected(const Epoch &epoch)
      : users(epoch.userFactors.begin(), epoch.userFactors.end()),
        items(epoch.itemFactors.begin(), epoch.itemFactors.end()) {
    for (int run = 1; run < 3; run++) {
      step_all(epoch, run);
    }
  }

 private:
  int draw(const Epoch &epoch, int run, int user, uint64_t &state) {
    int from = epoch.first(epoch.runBlocks[run]);
    int width = epoch.first(epoch.runBlocks[run] + 1) - from;
    for (int attempt = 0; attempt < 64; attempt++) {
      state += kGolden;
      uint64_t bits = mixed(state);
      int place = from + static_cast<int>((bits >> 32) * static_cast<uint64_t>(width) >> 32);
      if (epoch.weighted && static_cast<double>(bits & 0xffffff) / (1 << 24) >= epoch.keep[place]) {
        place = epoch.alias[place];
      }
      int item = epoch.order[place];
      uint32_t hash = hash_of(epoch.partSeed, user, item);
      if (!epoch.barred.contains(user, item) &&
          (!epoch.masked || (hash >= epoch.partFirst && hash <= epoch.partLast))) {
        return item;
      }
    }
    return -1;
  }

  void step_all(const Epoch &epoch, int run) {
    uint64_t state = static_cast<uint64_t>(epoch.seeds[run]);
    for (long long at = epoch.starts[run]; at < epoch.ends[run]; at++) {
      int user = static_cast<int>(epoch.samples[at] >> 32);
      int negative = draw(epoch, run, user, state);
      if (negative >= 0) {
        step(epoch, run, &users[user * epoch.rank],
             &items[static_cast<int>(epoch.samples[at]) * epoch.rank],
             &items[negative * epoch.rank]);
      }
    }
  }

  void step(const Epoch &epoch, int run, double *u, double *p, double *n) {
    double x = 0;
    for (int k = 0; k < epoch.rank; k++) {
      x += (epoch.itemBias && k == epoch.rank - 1 ? 1 : u[k]) * (p[k] - n[k]);
    }
    counts[run]++;
    halves[run] += x > 0 ? 2 : x == 0 ? 1 : 0;
    nearest = std::min(nearest, std::fabs(x));
    losses[run] += x > 0 ? std::log1p(std::exp(-x)) : -x + std::log1p(std::exp(x));
    double g = 1 / (1 + std::exp(x));
    for (int k = 0; k < epoch.rank; k++) {
      bool bias = epoch.itemBias && k == epoch.rank - 1;
      double before = bias ? 1 : u[k];
      double liked = p[k];
      double other = n[k];
      u[k] = bias ? u[k] : epoch.keepUser * before + epoch.rate * g * (liked - other);
      p[k] = epoch.keepPositive * liked + epoch.rate * g * before;
      n[k] = epoch.keepNegative * other - epoch.rate * g * before;
    }
  }
};

void check_epoch(const Epoch &epoch, bool alone, const std::string &what) {
  Expected expected(epoch);
  Buffer<float> users(epoch.userFactors), items(epoch.itemFactors), keep(epoch.keep);
  Buffer<long long> samples(epoch.samples), starts(epoch.starts), ends(epoch.ends);
  Buffer<long long> seeds(epoch.seeds), counts(4), halves(4);
  Buffer<int> runBlocks(epoch.runBlocks), order(epoch.order), alias(epoch.alias);
  Buffer<int> barredStarts(epoch.barred.starts), barredItems(epoch.barred.columns);
  Buffer<double> losses(4);
  counts.fill(-7);
  // Runs 1 and 2 of 4.
  launch("run_pairwise", {2, 1, 32}, users.data(), items.data(), epoch.rank,
         static_cast<int>(epoch.itemBias), epoch.rate, epoch.keepUser, epoch.keepPositive,
         epoch.keepNegative, samples.data(), starts.data(), ends.data(), runBlocks.data(),
         seeds.data(), 1, order.data(), epoch.items, epoch.blocks,
         epoch.weighted ? keep.data() : static_cast<float *>(nullptr),
         epoch.weighted ? alias.data() : static_cast<int *>(nullptr), barredStarts.data(),
         barredItems.data(), static_cast<int>(epoch.masked),
         static_cast<long long>(epoch.partSeed), epoch.partFirst, epoch.partLast,
         static_cast<int>(alone), counts.data(), losses.data(), halves.data());
  users.note();
  items.note();
  losses.note();
  check(counts[0] == -7 && counts[3] == -7, what + ": another run was made");
  for (int run = 1; run < 3; run++) {
    check(counts[run] == expected.counts[run], what + ": samples");
    check(expected.nearest < 1e-4 || halves[run] == expected.halves[run], what + ": ranked right");
    check_near(expected.losses[run], losses[run], 2e-5 * (1 + expected.losses[run]),
               what + ": loss");
  }
  for (std::size_t k = 0; k < expected.users.size(); k++) {
    check_near(expected.users[k], users[static_cast<long long>(k)],
               2e-5 * (1 + std::fabs(expected.users[k])), what + ": a user's factor");
  }
  for (std::size_t k = 0; k < expected.items.size(); k++) {
    check_near(expected.items[k], items[static_cast<long long>(k)],
               2e-5 * (1 + std::fabs(expected.items[k])), what + ": an item's factor");
  }
}

void makes_gradient_steps() {
  for (int rank : {1, 7, 33, 50, 257}) {
    for (bool alone : {true, false}) {
      check_epoch(Epoch(rank, false, false, false, 0.3f), alone, "rank " + std::to_string(rank));
      check_epoch(Epoch(rank, true, false, false, 0.3f), alone, "bias, " + std::to_string(rank));
    }
  }
}

void draws_what_may_be_drawn() {
  check_epoch(Epoch(5, false, true, false, 0.3f), true, "by popularity");
  check_epoch(Epoch(5, false, false, true, 0.3f), true, "of a part");
  check_epoch(Epoch(5, true, true, true, 0.3f), true, "by popularity of a part");
  Epoch closed(5, false, false, false, 0.3f);
  for (int user = 0; user < 6; user++) {
    closed.close_user(user, 1);
  }
  closed.close_user(7, 0);
  check_epoch(closed, true, "where nothing may be drawn");
}

/* Differences of scores beyond what an exponential can tell from infinity. */
void survives_saturation() { check_epoch(Epoch(50, false, false, false, 30.0f), true, "saturated"); }

}  // namespace

std::vector<Test> pairwise_tests() {
  return {{"makes gradient steps", makes_gradient_steps},
          {"draws what may be drawn", draws_what_may_be_drawn},
          {"survives saturation", survives_saturation}};
}

}  // namespace test
