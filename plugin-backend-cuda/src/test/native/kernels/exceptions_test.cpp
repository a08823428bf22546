// Exceptions to a background, against loops over cells.

#include "support.h"

namespace test {

namespace {

struct Grid {
  int rows;
  int columns;
  std::vector<unsigned> marks;
  // By row: where rows begin, and the columns of marked cells.
  std::vector<long long> starts;
  std::vector<int> items;

  Grid(int rows, int columns, double density, long long first, uint64_t seed)
      : rows(rows), columns(columns), starts{first} {
    Random random(seed);
    marks.assign(static_cast<std::size_t>(rows) * words_of(columns), 0);
    items.assign(static_cast<std::size_t>(first), -1);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        // Some rows have no exception, some nothing else.
        if (row % 4 == 2 || (row % 4 != 3 && random.uniform() < density)) {
          marks[row * words_of(columns) + column / 32] |= 1u << (column % 32);
          items.push_back(column);
        }
      }
      starts.push_back(static_cast<long long>(items.size()));
    }
  }
  long long count() const { return starts.back() - starts.front(); }
};

constexpr int kGridSizes[][2] = {{1, 1}, {1, 70}, {9, 1}, {5, 31}, {6, 257}, {2, 9000}};
constexpr double kBackground = 0.3;
constexpr int kFirstRow = 21;
constexpr long long kFirst = 5;

void lists_marked_cells() {
  for (auto size : kGridSizes) {
    Grid grid(size[0], size[1], 0.3, kFirst, 18);
    Buffer<unsigned> marks(grid.marks);
    Buffer<long long> starts(grid.starts);
    for (unsigned blocks : {1u, 3u}) {
      Buffer<int> counts(grid.rows), items(grid.starts.back()), numbers(grid.count());
      launch("count_rows", {blocks}, marks.data(), grid.rows, grid.columns, counts.data());
      launch("list_marks", {blocks}, marks.data(), starts.data(), grid.rows, grid.columns,
             items.data());
      launch("list_rows", {blocks}, starts.data(), kFirstRow, grid.rows, numbers.data());
      counts.note();
      items.note();
      numbers.note();
      for (int row = 0; row < grid.rows; row++) {
        check(counts[row] == grid.starts[row + 1] - grid.starts[row], "the exceptions of a row");
        for (long long p = grid.starts[row]; p < grid.starts[row + 1]; p++) {
          check(items[p] == grid.items[p], "the item of an exception");
          check(numbers[p - kFirst] == kFirstRow + row, "the row of an exception");
        }
      }
    }
  }
}

void writes_exceptions() {
  for (auto size : kGridSizes) {
    Grid grid(size[0], size[1], 0.3, kFirst, 19);
    Random random(20);
    Buffer<long long> starts(grid.starts);
    Buffer<float> weights(random.normals(grid.count())), targets(random.normals(grid.count())),
        plain(random.normals(grid.count()));
    for (bool constant : {false, true}) {
      Buffer<float> excess(grid.starts.back()), pull(grid.starts.back());
      Buffer<double> squares(grid.rows), sums(grid.rows);
      launch("write_exceptions", {constant ? 1u : 2u}, starts.data(), kBackground, weights.data(),
             targets.data(), constant ? static_cast<float *>(nullptr) : plain.data(), 0.25f,
             grid.rows, excess.data(), pull.data(), squares.data());
      launch("sum_segments", {2}, starts.data(), excess.data(), grid.rows, sums.data());
      excess.note();
      pull.note();
      squares.note();
      sums.note();
      for (int row = 0; row < grid.rows; row++) {
        double square = 0;
        double sum = 0;
        double size_of = 1e-30;
        for (long long p = grid.starts[row]; p < grid.starts[row + 1]; p++) {
          double w = weights[p - kFirst];
          double t = targets[p - kFirst];
          double usual = constant ? 0.25 : plain[p - kFirst];
          check_near(static_cast<float>(w - kBackground), excess[p], 0, "an excess weight");
          check_near(w * t - kBackground * usual, pull[p], 1e-6, "a pull");
          square += w * t * t - kBackground * usual * usual;
          sum += excess[p];
          size_of += std::fabs(w * t * t) + usual * usual + std::fabs(excess[p]);
        }
        check_near(square, squares[row], 1e-12 * size_of, "the squares of a row");
        check_near(sum, sums[row], 1e-12 * size_of, "the excess of a row");
      }
    }
  }
}

/* In one group of rows, and in several. */
void puts_exceptions_in_order_by_item() {
  for (auto size : kGridSizes) {
    Grid grid(size[0], size[1], 0.5, 0, 20);
    Random random(21);
    Buffer<long long> starts(grid.starts);
    Buffer<int> items(grid.items);
    Buffer<float> excess(random.normals(grid.count())), pull(random.normals(grid.count()));
    std::vector<std::vector<long long>> expected(static_cast<std::size_t>(grid.columns));
    std::vector<int> rowOf;
    for (int row = 0; row < grid.rows; row++) {
      for (long long p = grid.starts[row]; p < grid.starts[row + 1]; p++) {
        expected[static_cast<std::size_t>(grid.items[p])].push_back(p);
        rowOf.push_back(row);
      }
    }
    for (int height : {grid.rows, 2}) {
      int groups = (grid.rows + height - 1) / height;
      Launch shape;
      shape.gridX = static_cast<unsigned>(groups);
      Buffer<int> counts(static_cast<long long>(groups) * grid.columns), totals(grid.columns);
      counts.fill(0);
      launch("count_groups", shape, starts.data(), items.data(), grid.rows, height, grid.columns,
             counts.data());
      launch("add_groups", {2, 1, 96}, counts.data(), groups, grid.columns, totals.data());
      std::vector<long long> begin = {0};
      for (int column = 0; column < grid.columns; column++) {
        check(totals[column] == static_cast<int>(expected[column].size()), "the cells of a column");
        begin.push_back(begin.back() + totals[column]);
      }
      Buffer<long long> columnStarts(begin);
      Buffer<int> users(grid.count());
      Buffer<float> columnExcess(grid.count()), columnPull(grid.count());
      launch("transpose_rows", shape, starts.data(), items.data(), excess.data(), pull.data(),
             grid.rows, height, grid.columns, columnStarts.data(), counts.data(), users.data(),
             columnExcess.data(), columnPull.data());
      users.note();
      columnExcess.note();
      columnPull.note();
      long long at = 0;
      for (const auto &column : expected) {
        for (long long p : column) {
          check(users[at] == rowOf[static_cast<std::size_t>(p)], "the user of an exception");
          check_near(excess[p], columnExcess[at], 0, "an excess weight by item");
          check_near(pull[p], columnPull[at], 0, "a pull by item");
          at++;
        }
      }
    }
  }
}

}  // namespace

std::vector<Test> exception_tests() {
  return {{"lists marked cells", lists_marked_cells},
          {"writes exceptions", writes_exceptions},
          {"puts exceptions in order by item", puts_exceptions_in_order_by_item}};
}

}  // namespace test
