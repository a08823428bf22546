#include "support.h"

namespace test {

namespace {

uint64_t digest = 0xcbf29ce484222325ull;

}  // namespace

void check(bool holds, const std::string &what) {
  if (!holds) {
    throw Failure(what);
  }
}

void check_near(double expected, double actual, double bound, const std::string &what) {
  bool near = std::isnan(expected) ? std::isnan(actual)
              : std::isinf(expected) ? actual == expected
                                     : std::fabs(actual - expected) <= bound;
  if (!near) {
    throw Failure(what + ": " + std::to_string(actual) + ", not " + std::to_string(expected) +
                  " to " + std::to_string(bound));
  }
}

void note(const void *bytes, std::size_t count) {
  const unsigned char *at = static_cast<const unsigned char *>(bytes);
  for (std::size_t k = 0; k < count; k++) {
    digest = (digest ^ at[k]) * 0x100000001b3ull;
  }
}

uint64_t take_digest() {
  uint64_t taken = digest;
  digest = 0xcbf29ce484222325ull;
  return taken;
}

void launch_with(const char *name, const Launch &shape, const std::vector<void *> &params,
                 const std::vector<int> &sizes) {
  check(shim_argument_count(name) == static_cast<int>(sizes.size()),
        std::string(name) + " takes another number of arguments");
  for (std::size_t k = 0; k < sizes.size(); k++) {
    check(shim_argument_size(name, static_cast<int>(k)) == sizes[k],
          std::string(name) + ": argument " + std::to_string(k) + " has another type");
  }
  std::vector<void *> copy(params);
  int result = shim_launch(name, shape.gridX, shape.gridY, 1, shape.blockX, shape.blockY, 1,
                           shape.sharedBytes, copy.data());
  check(result == SHIM_OK, shim_error());
}

uint64_t Random::bits() {
  state_ += 0x9e3779b97f4a7c15ull;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

double Random::uniform() { return static_cast<double>(bits() >> 11) / 9007199254740992.0; }

int Random::below(int bound) {
  return static_cast<int>(bits() % static_cast<uint64_t>(bound));
}

float Random::normal() {
  double sum = -6;
  for (int k = 0; k < 12; k++) {
    sum += uniform();
  }
  return static_cast<float>(sum);
}

std::vector<float> Random::normals(long long count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float &value : values) {
    value = normal();
  }
  return values;
}

uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

uint32_t hash_of(uint64_t seed, int user, int item) {
  uint64_t key = mixed(seed + kGolden * (static_cast<uint64_t>(user) + 1));
  uint32_t h = static_cast<uint32_t>(key >> 32) + 0x9e3779b9u * static_cast<uint32_t>(item);
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  return h ^ (h >> 16);
}

Cells Cells::random(int users, int items, double density, uint64_t seed) {
  Random random(seed);
  Cells cells{users, items, {0}, {}, {}};
  for (int user = 0; user < users; user++) {
    for (int item = 0; item < items; item++) {
      bool chosen = user % 3 != 2 && random.uniform() < density;
      cells.dense.push_back(chosen);
      if (chosen) {
        cells.columns.push_back(item);
      }
    }
    cells.starts.push_back(static_cast<int>(cells.columns.size()));
  }
  return cells;
}

std::vector<int> Cells::rows() const {
  std::vector<int> rows;
  for (int user = 0; user < users; user++) {
    rows.insert(rows.end(), static_cast<std::size_t>(starts[user + 1] - starts[user]), user);
  }
  return rows;
}

}  // namespace test
