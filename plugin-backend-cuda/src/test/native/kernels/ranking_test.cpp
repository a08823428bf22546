// Ranked lists, against sorting all that may be ranked.

#include <algorithm>

#include "support.h"

namespace test {

namespace {

struct Rows {
  int rows;
  int columns;
  std::vector<float> scores;
  std::vector<float> candidates;
  std::vector<unsigned> barred;

  Rows(int rows, int columns, uint64_t seed) : rows(rows), columns(columns) {
    Random random(seed);
    const float special[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 1e-42f, -1e-42f, 3e38f};
    barred.assign(static_cast<std::size_t>(rows) * words_of(columns), 0);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        float score = 0;
        switch (row % 5) {
          case 0:  // all different
            score = random.normal();
            break;
          case 1:  // few different ones, and the special ones
            score = random.below(4) == 0 ? special[random.below(8)]
                                         : static_cast<float>(random.below(5) - 2);
            break;
          case 2:  // all alike
            score = -1.5f;
            break;
          case 3:  // differing in the last bits only
            score = 1 + static_cast<float>(random.below(9)) * 1.2e-7f;
            break;
          default:  // nothing to rank
            score = NAN;
            break;
        }
        scores.push_back(score);
        candidates.push_back(random.below(4) == 0 ? 0.0f : 1.0f);
        barred[row * words_of(columns) + column / 32] |=
            random.below(5) == 0 ? 1u << (column % 32) : 0;
      }
    }
  }
};

void check_ranked(const Rows &rows, int depth, bool filtered, bool workspace, unsigned grid) {
  int size = 1;
  while (size < depth) {
    size *= 2;
  }
  Buffer<float> scores(rows.scores), candidates(rows.candidates);
  Buffer<unsigned> barred(rows.barred);
  Buffer<unsigned long long> space(workspace ? static_cast<long long>(grid) * size : 0);
  Buffer<int> counts(rows.rows), items(static_cast<long long>(rows.rows) * depth);
  Buffer<float> best(static_cast<long long>(rows.rows) * depth);
  Launch shape;
  shape.gridX = grid;
  shape.sharedBytes = workspace ? 0 : static_cast<unsigned>(size) * 8;
  launch("rank_items", shape, scores.data(),
         filtered ? candidates.data() : static_cast<float *>(nullptr),
         filtered ? barred.data() : static_cast<unsigned *>(nullptr), rows.rows, rows.columns,
         depth, size, workspace ? space.data() : static_cast<unsigned long long *>(nullptr),
         counts.data(), items.data(), best.data());
  counts.note();
  items.note();
  best.note();
  for (int row = 0; row < rows.rows; row++) {
    const float *line = rows.scores.data() + static_cast<std::ptrdiff_t>(row) * rows.columns;
    std::vector<int> expected;
    for (int column = 0; column < rows.columns; column++) {
      bool allowed = !filtered ||
                     (rows.candidates[row * rows.columns + column] != 0 &&
                      (rows.barred[row * words_of(rows.columns) + column / 32] >> (column % 32) &
                       1) == 0);
      if (allowed && !std::isnan(line[column])) {
        expected.push_back(column);
      }
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [line](int a, int b) { return line[a] > line[b]; });
    expected.resize(std::min(expected.size(), static_cast<std::size_t>(depth)));
    std::string what = "row " + std::to_string(row) + " of " + std::to_string(rows.columns) +
                       " to depth " + std::to_string(depth);
    check(counts[row] == static_cast<int>(expected.size()), what + ": count");
    for (std::size_t place = 0; place < expected.size(); place++) {
      long long at = static_cast<long long>(row) * depth + static_cast<long long>(place);
      check(items[at] == expected[place], what + ": item at " + std::to_string(place));
      check_same(line + expected[place], &best[at], 1, what + ": score");
    }
    for (int place = counts[row]; place < depth; place++) {
      check(items[static_cast<long long>(row) * depth + place] == -1, what + ": written beyond");
    }
  }
}

void ranks_items() {
  for (int count : {1, 7, 256, 257, 600}) {
    Rows rows(6, count, 21);
    check_ranked(rows, 1, false, false, 1);
    check_ranked(rows, 10, true, true, 2);
    check_ranked(rows, 100, false, true, 3);
    check_ranked(rows, count, true, false, 9);
  }
}

}  // namespace

std::vector<Test> ranking_tests() { return {{"ranks items", ranks_items}}; }

}  // namespace test
