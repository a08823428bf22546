// What the native tests share: memory of exactly the size asked for, launches by name with checked
// arguments, comparisons that NaN cannot slip through.

#ifndef PECF_KERNEL_TEST_SUPPORT_H
#define PECF_KERNEL_TEST_SUPPORT_H

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "shim.h"

namespace test {

constexpr int kThreads = 256;

/* Thrown when a check fails. */
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/* Fail unless something holds. */
void check(bool holds, const std::string &what);

/* Fail unless a value is the expected one: NaN for NaN, equal infinities, else within a bound. */
void check_near(double expected, double actual, double bound, const std::string &what);

/* Fail unless bits are equal. */
template <typename T>
void check_same(const T *expected, const T *actual, std::size_t count, const std::string &what) {
  for (std::size_t k = 0; k < count; k++) {
    if (std::memcmp(expected + k, actual + k, sizeof(T)) != 0) {
      throw Failure(what + ": element " + std::to_string(k) + " is " + std::to_string(actual[k]) +
                    ", not " + std::to_string(expected[k]));
    }
  }
}

/* Remember results, so that orders of threads can be compared bit by bit. */
void note(const void *bytes, std::size_t count);

/* Return the digest of what was noted since the last call. */
uint64_t take_digest();

/* Memory that a kernel works on. Its bytes make NaN until they are set. */
template <typename T>
class Buffer {
 public:
  explicit Buffer(long long count)
      : count_(static_cast<std::size_t>(count)), data_(static_cast<T *>(std::malloc(bytes()))) {
    if (count_ > 0) {
      std::memset(static_cast<void *>(data_), 0xff, bytes());
    }
  }
  Buffer(const std::vector<T> &values) : Buffer(static_cast<long long>(values.size())) {
    std::copy(values.begin(), values.end(), data_);
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { std::free(data_); }

  T *data() { return data_; }
  std::size_t size() const { return count_; }
  T &operator[](long long index) { return data_[index]; }
  const T &operator[](long long index) const { return data_[index]; }
  void fill(T value) { std::fill(data_, data_ + count_, value); }
  void note() const { test::note(data_, bytes()); }

 private:
  std::size_t bytes() const { return count_ * sizeof(T); }

  std::size_t count_;
  T *data_;
};

struct Launch {
  unsigned gridX = 1;
  unsigned gridY = 1;
  unsigned blockX = kThreads;
  unsigned blockY = 1;
  unsigned sharedBytes = 0;
};

/* Launch with arguments that point at values. */
void launch_with(const char *name, const Launch &shape, const std::vector<void *> &params,
                 const std::vector<int> &sizes);

/* Launch; arguments must have the types of the kernel's parameters. */
template <typename... Arguments>
void launch(const char *name, const Launch &shape, Arguments... arguments) {
  launch_with(name, shape, {const_cast<void *>(static_cast<const void *>(&arguments))...},
              {(std::is_pointer_v<Arguments> ? -1 : 1) * static_cast<int>(sizeof(Arguments))...});
}

/* Random numbers that are the same everywhere. */
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t bits();
  /* From 0 to below 1. */
  double uniform();
  int below(int bound);
  float normal();
  std::vector<float> normals(long long count);

 private:
  uint64_t state_;
};

/* The step of random numbers and the factor of hashes. */
constexpr uint64_t kGolden = 0x9e3779b97f4a7c15ull;

/* Mix 64 bits, as the kernels do. */
uint64_t mixed(uint64_t z);

/* Hash a cell, as org.pecf.api.field.CellPartition defines. */
uint32_t hash_of(uint64_t seed, int user, int item);

/* A set of cells by user. */
struct Cells {
  int users;
  int items;
  std::vector<int> starts;
  std::vector<int> columns;
  std::vector<char> dense;

  /* Draw cells; every third user has none. */
  static Cells random(int users, int items, double density, uint64_t seed);
  bool contains(int user, int item) const {
    return dense[static_cast<std::size_t>(user) * static_cast<std::size_t>(items) +
                 static_cast<std::size_t>(item)] != 0;
  }
  /* The users of the cells, one by one. */
  std::vector<int> rows() const;
};

inline int words_of(int columns) { return (columns + 31) / 32; }
inline long long triangle(long long order) { return order * (order + 1) / 2; }
/* From a packed triangle to the next. */
inline long long stride(long long order) { return (triangle(order) + 31) / 32 * 32; }

/* The tests of a topic. */
struct Test {
  const char *name;
  void (*run)();
};
std::vector<Test> cell_tests();
std::vector<Test> field_tests();
std::vector<Test> equation_tests();
std::vector<Test> exception_tests();
std::vector<Test> ranking_tests();
std::vector<Test> pairwise_tests();
std::vector<Test> matrix_tests();

}  // namespace test

#endif
