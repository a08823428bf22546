// Marks and scores of cells, against loops over cells.

#include "support.h"

namespace test {

namespace {

constexpr int kTileSizes[][2] = {{1, 1}, {1, 77}, {7, 1}, {5, 31}, {4, 32}, {9, 33}, {3, 1000}};

bool marked(const Buffer<unsigned> &marks, int columns, int row, int column) {
  return (marks[static_cast<long long>(row) * words_of(columns) + column / 32] >> (column % 32) &
          1) != 0;
}

/* A window of a larger grid, on fewer blocks than rows and on more. */
void marks_cells_of_a_tile() {
  for (auto size : kTileSizes) {
    for (unsigned grid : {1u, 3u, 12u}) {
      int rows = size[0];
      int columns = size[1];
      int firstUser = 2;
      int firstItem = 5;
      Cells cells = Cells::random(rows + 4, columns + 9, 0.4, 1);
      Cells more = Cells::random(rows + 4, columns + 9, 0.2, 2);
      Buffer<int> starts(cells.starts), items(cells.columns);
      Buffer<int> moreStarts(more.starts), moreItems(more.columns);
      Buffer<unsigned> marks(static_cast<long long>(rows) * words_of(columns));
      launch("mark_cells", {grid}, starts.data(), items.data(), firstUser, firstItem, rows, columns,
             0, marks.data());
      marks.note();
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < words_of(columns) * 32; column++) {
          bool expected = column < columns && cells.contains(firstUser + row, firstItem + column);
          check(marked(marks, columns, row, column) == expected, "a mark");
        }
      }
      launch("mark_cells", {grid}, moreStarts.data(), moreItems.data(), firstUser, firstItem, rows,
             columns, 1, marks.data());
      marks.note();
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
          bool expected = cells.contains(firstUser + row, firstItem + column) ||
                          more.contains(firstUser + row, firstItem + column);
          check(marked(marks, columns, row, column) == expected, "a mark of two sets");
        }
      }
    }
  }
}

void marks_listed_cells() {
  for (int count : {1, 31, 32, 33, 300, 1000}) {
    Cells cells = Cells::random(8, 50, 0.5, 3);
    Random random(4);
    std::vector<int> users, listed;
    for (int k = 0; k < count; k++) {
      users.push_back(random.below(8));
      listed.push_back(random.below(50));
    }
    Buffer<int> starts(cells.starts), items(cells.columns), cellUsers(users), cellItems(listed);
    for (unsigned grid : {1u, 2u, 5u}) {
      Buffer<unsigned> marks(words_of(count));
      launch("test_cells", {grid}, starts.data(), items.data(), cellUsers.data(), cellItems.data(),
             count, marks.data());
      marks.note();
      for (int k = 0; k < words_of(count) * 32; k++) {
        bool expected = k < count && cells.contains(users[k], listed[k]);
        check(marked(marks, count, 0, k) == expected, "a listed mark");
      }
    }
  }
}

void marks_scores_beyond_a_bound() {
  for (auto size : kTileSizes) {
    int rows = size[0];
    int columns = size[1];
    long long count = static_cast<long long>(rows) * columns;
    Random random(5);
    Buffer<float> scores(random.normals(count));
    const float special[] = {NAN, INFINITY, -INFINITY, 0.75f, -0.75f, 0.0f};
    for (long long k = 0; k < count && k < 6; k++) {
      scores[k * 7 % count] = special[k];
    }
    for (unsigned grid : {1u, 4u}) {
      Buffer<unsigned> marks(static_cast<long long>(rows) * words_of(columns));
      marks.fill(0);
      marks[0] = 1;
      launch("mark_beyond", {grid}, scores.data(), 0.75f, rows, columns, marks.data());
      marks.note();
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < words_of(columns) * 32; column++) {
          bool expected = row + column == 0;
          if (column < columns) {
            expected = expected || std::fabs(scores[row * columns + column]) > 0.75f;
          }
          check(marked(marks, columns, row, column) == expected, "a mark beyond the bound");
        }
      }
    }
  }
}

void scores_listed_cells() {
  for (int rank : {1, 7, 50, 109, 257}) {
    for (int count : {1, 30}) {
      Random random(6);
      Buffer<float> users(random.normals(9LL * rank)), items(random.normals(11LL * rank));
      Buffer<int> cellUsers(count), cellItems(count);
      for (int k = 0; k < count; k++) {
        cellUsers[k] = random.below(9);
        cellItems[k] = random.below(11);
      }
      for (unsigned grid : {1u, 20u}) {
        Buffer<float> scores(count);
        for (int keep = 0; keep < 2; keep++) {
          launch("score_cells", {grid}, users.data(), items.data(), rank, -1.5f, cellUsers.data(),
                 cellItems.data(), count, keep, scores.data());
          scores.note();
          for (int k = 0; k < count; k++) {
            double sum = 0;
            double size = 0;
            for (int f = 0; f < rank; f++) {
              double term = -1.5 * users[cellUsers[k] * rank + f] * items[cellItems[k] * rank + f];
              sum += term;
              size += std::fabs(term);
            }
            check_near((1 + keep) * sum, scores[k], 1e-6 * size, "a score");
          }
        }
      }
    }
  }
}

void reads_kept_scores() {
  constexpr int kUsers = 9;
  constexpr int kItems = 40;
  Random random(31);
  Buffer<float> kept(random.normals(kUsers * kItems));
  std::vector<int> someUsers, someItems;
  for (int k = 0; k < 50; k++) {
    someUsers.push_back(random.below(kUsers));
    someItems.push_back(random.below(kItems));
  }
  Buffer<int> users(someUsers), items(someItems);
  for (bool listed : {false, true}) {
    int rows = listed ? 1 : 4;
    int columns = listed ? 50 : 33;
    Buffer<float> scores(rows * columns);
    launch("read_scores", {2, 1, 64}, kept.data(), kItems, -1.0f,
           listed ? users.data() : static_cast<int *>(nullptr),
           listed ? items.data() : static_cast<int *>(nullptr), 5, 7, rows, columns,
           scores.data());
    scores.note();
    for (int cell = 0; cell < rows * columns; cell++) {
      int user = listed ? users[cell] : 5 + cell / columns;
      int item = listed ? items[cell] : 7 + cell % columns;
      check(scores[cell] == -kept[user * kItems + item], "a kept score");
    }
  }
}

}  // namespace

std::vector<Test> cell_tests() {
  return {{"reads kept scores", reads_kept_scores},
          {"marks cells of a tile", marks_cells_of_a_tile},
          {"marks listed cells", marks_listed_cells},
          {"marks scores beyond a bound", marks_scores_beyond_a_bound},
          {"scores listed cells", scores_listed_cells}};
}

}  // namespace test
