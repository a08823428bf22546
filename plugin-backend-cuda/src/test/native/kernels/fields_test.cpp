// Field programs and sums, against the definitions in double precision.

#include "support.h"

namespace test {

namespace {

// As in pecf-kernels.cu.
enum { kConstant, kTile, kObserved, kPart, kCopy, kMultiplyAdd, kMultiply, kPosterior,
       kResponsibility, kLogDensity, kStore };

/* What a program reads, on a tile or a list of `rows` x `columns` cells. */
struct Input {
  int rows;
  int columns;
  int firstUser = 3;
  int firstItem = 4;
  bool listed;
  std::vector<int> users;
  std::vector<int> items;
  std::vector<float> tiles;  // two
  std::vector<unsigned> marks;  // two

  Input(int rows, int columns, bool listed, uint64_t seed)
      : rows(rows), columns(columns), listed(listed) {
    Random random(seed);
    long long cells = static_cast<long long>(rows) * columns;
    tiles = random.normals(2 * cells);
    const float special[] = {NAN, INFINITY, -INFINITY, 0.0f, 1e-30f, -40.0f, 1e20f};
    for (int k = 0; k < 7 && k < cells; k++) {
      tiles[static_cast<std::size_t>(k * 5 % cells)] = special[k];
    }
    for (int k = 0; k < 2 * rows * words_of(columns); k++) {
      marks.push_back(static_cast<unsigned>(random.bits()));
    }
    for (int k = 0; k < columns; k++) {
      users.push_back(random.below(90000));
      items.push_back(random.below(2000000000));
    }
  }

  long long cells() const { return static_cast<long long>(rows) * columns; }
  int user(int row, int column) const { return listed ? users[column] : firstUser + row; }
  int item(int column) const { return listed ? items[column] : firstItem + column; }
  float tile(int number, int row, int column) const {
    return tiles[number * cells() + static_cast<long long>(row) * columns + column];
  }
  bool marked(int number, int row, int column) const {
    long long word = (static_cast<long long>(number) * rows + row) * words_of(columns);
    return (marks[static_cast<std::size_t>(word + column / 32)] >> (column % 32) & 1) != 0;
  }
};

struct Program {
  std::vector<int> code;
  int length;
  std::vector<float> constants;
  int depth;
  int outputs = 1;
};

/* Instructions, and the words behind them. */
Program program(const std::vector<std::vector<int>> &instructions, const std::vector<int> &words,
                const std::vector<double> &constants, int depth, int outputs = 1) {
  Program result{{},
                 static_cast<int>(instructions.size()),
                 std::vector<float>(constants.begin(), constants.end()),
                 depth,
                 outputs};
  for (std::vector<int> instruction : instructions) {
    instruction.resize(4);
    result.code.insert(result.code.end(), instruction.begin(), instruction.end());
  }
  result.code.insert(result.code.end(), words.begin(), words.end());
  return result;
}

/* Run a program and compare each output with a definition. */
template <typename... Definitions>
void check_program(const Program &program, double bound, Definitions... definitions) {
  constexpr int kSizes[][2] = {{1, 1}, {1, 70}, {7, 1}, {5, 33}, {3, 300}};
  for (auto size : kSizes) {
    for (bool listed : {false, true}) {
      Input input(listed ? 1 : size[0], size[1], listed, 23);
      Buffer<int> code(program.code), users(input.users), items(input.items);
      Buffer<float> constants(program.constants);
      Buffer<float> tiles(input.tiles);
      Buffer<unsigned> marks(input.marks);
      for (unsigned threads : {32u, 256u}) {
        Buffer<float> outputs(program.outputs * input.cells());
        // Four cells a thread, and room for the top.
        Launch shape{2, 2, threads, 1,
                     4 * 4 * threads * static_cast<unsigned>(program.depth + 1)};
        launch("evaluate_fields", shape, code.data(), program.length, constants.data(),
               tiles.data(), input.cells(), marks.data(),
               static_cast<long long>(input.rows) * words_of(input.columns),
               listed ? users.data() : static_cast<int *>(nullptr),
               listed ? items.data() : static_cast<int *>(nullptr), input.firstUser,
               input.firstItem, input.rows, input.columns, outputs.data(), input.cells());
        outputs.note();
        for (int row = 0; row < input.rows; row++) {
          for (int column = 0; column < input.columns; column++) {
            const double expected[] = {static_cast<double>(definitions(input, row, column))...};
            for (int k = 0; k < program.outputs; k++) {
              float actual = outputs[k * input.cells() + row * input.columns + column];
              check_near(expected[k], actual, bound * std::fmax(1, std::fabs(expected[k])),
                         "output " + std::to_string(k) + " at " + std::to_string(row) + ", " +
                             std::to_string(column));
            }
          }
        }
      }
    }
  }
}

void evaluates_what_is_given() {
  check_program(program({{kConstant, 1}, {kStore, 0}}, {}, {0, 2.5}, 1), 0,
                [](const Input &, int, int) { return 2.5f; });
  check_program(program({{kTile, 1}, {kStore, 0}}, {}, {}, 1), 0,
                [](const Input &in, int r, int c) { return in.tile(1, r, c); });
  check_program(program({{kObserved, 1, 0, 1}, {kStore, 0}}, {}, {0.75, -2}, 1), 0,
                [](const Input &in, int r, int c) { return in.marked(1, r, c) ? 0.75f : -2.0f; });
}

void evaluates_parts() {
  struct Known {
    long long seed;
    int user;
    int item;
    uint32_t hash;
  };
  // By org.pecf.api.field.CellPartition.
  const Known known[] = {
      {0ll, 0, 0, 0xa5f28424u},
      {-5ll, 3, 7, 0xc2bade84u},
      {81985529216486895ll, 5550, 16979, 0xbb625b9bu},
      {-9223372036854775807ll - 1, 2147483646, 2147483646, 0x03578893u},
  };
  for (const Known &one : known) {
    check(hash_of(static_cast<uint64_t>(one.seed), one.user, one.item) == one.hash, "a hash");
  }
  uint64_t seed = 0xfedcba9876543210ull;
  for (uint32_t last : {0xffffffffu, 0xbfffffffu}) {
    uint32_t first = 0x40000000u;
    int words[] = {static_cast<int>(seed), static_cast<int>(seed >> 32), static_cast<int>(first),
                   static_cast<int>(last)};
    check_program(
        program({{kPart, 8}, {kStore, 0}}, std::vector<int>(words, words + 4), {}, 1), 0,
        [=](const Input &in, int r, int c) {
          uint32_t hash = hash_of(seed, in.user(r, c), in.item(c));
          return hash >= first && hash <= last ? 1 : 0;
        });
  }
}

void combines_fields() {
  // 3 + 2 a - 0.5 b, as float arithmetic has it
  check_program(program({{kConstant, 0}, {kTile, 0}, {kMultiplyAdd, 1}, {kTile, 1},
                         {kMultiplyAdd, 2}, {kStore, 0}},
                        {}, {3, 2, -0.5}, 2),
                0, [](const Input &in, int r, int c) {
                  float sum = 3 + 2 * in.tile(0, r, c);
                  return sum + -0.5f * in.tile(1, r, c);
                });
  // a b^3
  check_program(program({{kTile, 0}, {kTile, 1}, {kMultiply, 3}, {kStore, 0}}, {}, {}, 2), 0,
                [](const Input &in, int r, int c) {
                  float b = in.tile(1, r, c);
                  return in.tile(0, r, c) * b * b * b;
                });
  // w and w t, one after the other; the copy reaches below the top
  check_program(program({{kConstant, 0}, {kTile, 0}, {kCopy, 1}, {kCopy, 1}, {kStore, 0}, {kTile, 1},
                         {kMultiply, 1}, {kStore, 1}, {kMultiply, 1}, {kStore, 2}},
                        {}, {7}, 4, 3),
                0, [](const Input &in, int r, int c) { return in.tile(0, r, c); },
                [](const Input &in, int r, int c) { return 7 * in.tile(1, r, c); },
                [](const Input &in, int r, int c) { return 7 * in.tile(0, r, c); });
}

void evaluates_posteriors() {
  for (float sigma : {0.3f, 1.0f, 20.0f}) {
    float nu = 10;
    float scale = 11;
    double factor = -1 / (static_cast<double>(sigma) * sigma);
    check_program(program({{kTile, 0}, {kPosterior, 0}, {kStore, 0}}, {}, {nu, factor, scale}, 1),
                  2e-6, [=](const Input &in, int r, int c) {
                    double e = in.tile(0, r, c);
                    return scale / (1 + nu * std::exp(-e * e / (static_cast<double>(sigma) * sigma)));
                  });
  }
}

double joint_of(double prior, double deviation, double error) {
  return std::log(prior) - error * error / (2 * deviation * deviation) - std::log(deviation) -
         0.5 * std::log(2 * 3.14159265358979323846);
}

/* Three components, of which one may have no weight. */
void evaluates_mixtures() {
  for (double last : {0.5, 0.0}) {
    double deviation = 0.4;
    double priors[] = {0.3, 0.7 - last, last};
    std::vector<double> constants = {9, 1 / (2 * deviation * deviation),
                                     std::log(deviation) +
                                         0.5 * std::log(2 * 3.14159265358979323846)};
    constants.insert(constants.end(), priors, priors + 3);
    auto joint = [=](const Input &in, int r, int c, int k) {
      double errors[] = {in.tile(0, r, c), in.tile(1, r, c), 9};
      return joint_of(priors[k], deviation, errors[k]);
    };
    auto log_density = [=](const Input &in, int r, int c) {
      double largest = -INFINITY;
      bool nan = false;
      for (int k = 0; k < 3; k++) {
        nan = nan || std::isnan(joint(in, r, c, k));
        largest = std::fmax(largest, joint(in, r, c, k));
      }
      double sum = 0;
      for (int k = 0; k < 3; k++) {
        sum += std::exp(joint(in, r, c, k) - largest);
      }
      return nan ? static_cast<double>(NAN) : largest + std::log(sum);
    };
    auto responsibility = [=](int component) {
      return [=](const Input &in, int r, int c) {
        return std::exp(joint(in, r, c, component) - log_density(in, r, c));
      };
    };
    for (int component = 0; component < 3; component++) {
      check_program(program({{kTile, 0}, {kTile, 1}, {kConstant, 0},
                             {kResponsibility, 1, 3, component}, {kStore, 0}},
                            {}, constants, 3),
                    1e-5, responsibility(component));
    }
    // All of them at once, on top of something else.
    check_program(program({{kConstant, 0}, {kTile, 0}, {kTile, 1}, {kConstant, 0},
                           {kResponsibility, 1, 3, -1}, {kStore, 2}, {kCopy, 0}, {kStore, 1},
                           {kMultiply, 0}, {kStore, 0}, {kStore, 3}},
                          {}, constants, 5, 4),
                  1e-5, responsibility(0), responsibility(1), responsibility(2),
                  [](const Input &, int, int) { return 9; });
    check_program(program({{kTile, 0}, {kTile, 1}, {kConstant, 0}, {kLogDensity, 1, 3}, {kStore, 0}},
                          {}, constants, 3),
                  1e-5, log_density);
  }
}

void sums_rows_and_columns() {
  constexpr int kSizes[][2] = {{1, 1}, {1, 700}, {70, 1}, {5, 255}, {6, 257}, {3, 2000}};
  for (auto size : kSizes) {
    int rows = size[0];
    int columns = size[1];
    long long cells = static_cast<long long>(rows) * columns;
    Random random(24);
    Buffer<float> values(random.normals(cells)), squared(random.normals(cells));
    if (cells > 60) {
      values[3] = INFINITY;
      values[cells - 1] = NAN;
    }
    for (int kind = 0; kind < 3; kind++) {
      float *first = kind == 2 ? nullptr : values.data();
      float *second = kind == 0 ? nullptr : squared.data();
      for (unsigned grid : {1u, 4u}) {
        Buffer<double> sums(rows);
        launch("sum_rows", {grid}, first, second, rows, columns, sums.data());
        sums.note();
        for (int row = 0; row < rows; row++) {
          double sum = 0;
          double size_of = 1e-30;
          for (int column = 0; column < columns; column++) {
            long long cell = static_cast<long long>(row) * columns + column;
            double term = (first ? values[cell] : 1.0) *
                          (second ? static_cast<double>(squared[cell]) * squared[cell] : 1.0);
            sum += term;
            size_of += std::fabs(term);
          }
          check_near(sum, sums[row], 1e-12 * size_of, "the sum of a row");
        }
      }
    }
    Buffer<double> whole(columns), parts(columns);
    whole.fill(0.5);
    parts.fill(0.5);
    launch("sum_columns", {2, 1, 96}, values.data(), rows, columns, whole.data());
    for (int row = 0; row < rows; row += 4) {
      launch("sum_columns", {1, 1, 32}, values.data() + static_cast<long long>(row) * columns,
             std::min(4, rows - row), columns, parts.data());
    }
    whole.note();
    for (int column = 0; column < columns; column++) {
      double sum = 0.5;
      for (int row = 0; row < rows; row++) {
        sum += values[static_cast<long long>(row) * columns + column];
      }
      check_near(sum, whole[column], 0, "the sum of a column");
      check_near(sum, parts[column], 0, "the sum of a column by parts");
    }
  }
}

}  // namespace

std::vector<Test> field_tests() {
  return {{"evaluates what is given", evaluates_what_is_given},
          {"evaluates parts", evaluates_parts},
          {"combines fields", combines_fields},
          {"evaluates posteriors", evaluates_posteriors},
          {"evaluates mixtures", evaluates_mixtures},
          {"sums rows and columns", sums_rows_and_columns}};
}

}  // namespace test
