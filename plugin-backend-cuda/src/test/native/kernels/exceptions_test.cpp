// Exceptions to a background, against loops over cells.

#include "support.h"

namespace test {

namespace {

struct Grid {
  int rows;
  int columns;
  std::vector<unsigned> marks;
  std::vector<float> weights;
  std::vector<float> targets;
  std::vector<float> plain;

  Grid(int rows, int columns, double density, uint64_t seed) : rows(rows), columns(columns) {
    Random random(seed);
    long long cells = static_cast<long long>(rows) * columns;
    marks.assign(static_cast<std::size_t>(rows) * words_of(columns), 0);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        // Some rows have no exception, some nothing else.
        bool mark = row % 4 == 2 || (row % 4 != 3 && random.uniform() < density);
        marks[row * words_of(columns) + column / 32] |= mark ? 1u << (column % 32) : 0;
      }
    }
    weights = random.normals(cells);
    targets = random.normals(cells);
    plain = random.normals(cells);
  }

  bool marked(int row, int column) const {
    return (marks[row * words_of(columns) + column / 32] >> (column % 32) & 1) != 0;
  }

  /* The rows from first on, as a grid of their own. */
  Grid part(int first, int count) const {
    Grid grid(*this);
    grid.rows = count;
    auto cut = [&](auto &values, int width) {
      values.assign(values.begin() + static_cast<std::ptrdiff_t>(first) * width,
                    values.begin() + static_cast<std::ptrdiff_t>(first + count) * width);
    };
    cut(grid.marks, words_of(columns));
    cut(grid.weights, columns);
    cut(grid.targets, columns);
    cut(grid.plain, columns);
    return grid;
  }
};

constexpr int kSizes[][2] = {{1, 1}, {1, 70}, {9, 1}, {5, 31}, {6, 257}, {2, 9000}};
constexpr double kBackground = 0.3;
constexpr int kFirstItem = 11;
constexpr int kFirstUser = 21;

void counts_exceptions() {
  for (auto size : kSizes) {
    Grid grid(size[0], size[1], 0.3, 18);
    Buffer<unsigned> marks(grid.marks);
    for (unsigned blocks : {1u, 3u}) {
      Buffer<int> rows(grid.rows);
      Buffer<long long> columns(grid.columns);
      columns.fill(1000);
      launch("count_rows", {blocks}, marks.data(), grid.rows, grid.columns, rows.data());
      launch("count_columns", {blocks, 1, 96}, marks.data(), grid.rows, grid.columns,
             columns.data());
      rows.note();
      columns.note();
      for (int row = 0; row < grid.rows; row++) {
        int count = 0;
        for (int column = 0; column < grid.columns; column++) {
          count += grid.marked(row, column);
        }
        check(rows[row] == count, "the exceptions of a row");
      }
      for (int column = 0; column < grid.columns; column++) {
        int count = 1000;
        for (int row = 0; row < grid.rows; row++) {
          count += grid.marked(row, column);
        }
        check(columns[column] == count, "the exceptions of a column");
      }
    }
  }
}

float excess_of(const Grid &grid, long long cell) {
  return static_cast<float>(grid.weights[cell] - kBackground);
}

double pull_of(const Grid &grid, long long cell, bool constant) {
  double plain = constant ? 0.25 : grid.plain[cell];
  return static_cast<double>(grid.weights[cell]) * grid.targets[cell] - kBackground * plain;
}

double squares_of(const Grid &grid, long long cell, bool constant) {
  double plain = constant ? 0.25 : grid.plain[cell];
  double target = grid.targets[cell];
  return grid.weights[cell] * target * target - kBackground * plain * plain;
}

void writes_exceptions_by_user() {
  for (auto size : kSizes) {
    for (bool constant : {false, true}) {
      Grid grid(size[0], size[1], 0.2, 19);
      std::vector<long long> begin = {5};
      for (int row = 0; row < grid.rows; row++) {
        long long count = 0;
        for (int column = 0; column < grid.columns; column++) {
          count += grid.marked(row, column);
        }
        begin.push_back(begin.back() + count);
      }
      Buffer<unsigned> marks(grid.marks);
      Buffer<long long> starts(begin);
      Buffer<float> weights(grid.weights), targets(grid.targets), plain(grid.plain);
      for (unsigned blocks : {1u, 2u, 11u}) {
        Buffer<int> items(begin.back());
        Buffer<float> excess(begin.back()), pull(begin.back());
        Buffer<double> squares(grid.rows), excesses(grid.rows);
        launch("write_rows", {blocks}, marks.data(), starts.data(), kBackground, weights.data(),
               targets.data(), constant ? static_cast<float *>(nullptr) : plain.data(), 0.25f,
               kFirstItem, grid.rows, grid.columns, items.data(), excess.data(), pull.data(),
               squares.data(), excesses.data());
        items.note();
        excess.note();
        pull.note();
        squares.note();
        excesses.note();
        for (int row = 0; row < grid.rows; row++) {
          long long at = begin[row];
          double square = 0;
          double sum = 0;
          double size = 1e-30;
          for (int column = 0; column < grid.columns; column++) {
            if (grid.marked(row, column)) {
              long long cell = static_cast<long long>(row) * grid.columns + column;
              check(items[at] == kFirstItem + column, "the item of an exception");
              check_near(excess_of(grid, cell), excess[at], 0, "an excess weight");
              check_near(pull_of(grid, cell, constant), pull[at], 1e-6, "a pull");
              square += squares_of(grid, cell, constant);
              sum += excess[at];
              size += std::fabs(squares_of(grid, cell, constant)) + std::fabs(excess[at]);
              at++;
            }
          }
          check(at == begin[row + 1], "the exceptions of a row");
          check_near(square, squares[row], 1e-12 * size, "the squares of a row");
          check_near(sum, excesses[row], 1e-12 * size, "the excess of a row");
        }
      }
    }
  }
}

/* In one tile, and in tiles of three rows. */
void writes_exceptions_by_item() {
  for (auto size : kSizes) {
    Grid grid(size[0], size[1], 0.2, 20);
    std::vector<long long> begin = {0};
    for (int column = 0; column < grid.columns; column++) {
      long long count = 0;
      for (int row = 0; row < grid.rows; row++) {
        count += grid.marked(row, column);
      }
      begin.push_back(begin.back() + count);
    }
    for (int step : {grid.rows, 3}) {
      Buffer<long long> next(begin);
      Buffer<int> users(begin.back());
      Buffer<float> excess(begin.back()), pull(begin.back());
      Buffer<double> excesses(grid.columns);
      excesses.fill(0);
      for (int first = 0; first < grid.rows; first += step) {
        Grid part = grid.part(first, std::min(step, grid.rows - first));
        Buffer<unsigned> marks(part.marks);
        Buffer<float> weights(part.weights), targets(part.targets), plain(part.plain);
        launch("write_columns", {2, 1, 96}, marks.data(), next.data(), kBackground, weights.data(),
               targets.data(), plain.data(), 0.0f, kFirstUser + first, part.rows, part.columns,
               users.data(), excess.data(), pull.data(), excesses.data());
      }
      users.note();
      excess.note();
      pull.note();
      excesses.note();
      long long at = 0;
      for (int column = 0; column < grid.columns; column++) {
        double sum = 0;
        for (int row = 0; row < grid.rows; row++) {
          if (grid.marked(row, column)) {
            long long cell = static_cast<long long>(row) * grid.columns + column;
            check(users[at] == kFirstUser + row, "the user of an exception");
            check_near(excess_of(grid, cell), excess[at], 0, "an excess weight by item");
            check_near(pull_of(grid, cell, false), pull[at], 1e-6, "a pull by item");
            sum += excess[at];
            at++;
          }
        }
        check(next[column] == at, "where the next exception of an item goes");
        check_near(sum, excesses[column], 0, "the excess of a column");
      }
    }
  }
}

}  // namespace

std::vector<Test> exception_tests() {
  return {{"counts exceptions", counts_exceptions},
          {"writes exceptions by user", writes_exceptions_by_user},
          {"writes exceptions by item", writes_exceptions_by_item}};
}

}  // namespace test
