package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellField;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** The rules for lists of the best items. */
final class RankingRules {
  private final BackendSessions sessions;
  private final BufferAllocator allocator;

  RankingRules(BackendSessions sessions) {
    this.sessions = sessions;
    this.allocator = sessions.allocator();
  }

  void ranksByDefinition() {
    for (int[] size : BackendSessions.SIZES) {
      try (Grid grid = sessions.grid(size)) {
        int users = grid.shape().users();
        List<RankingRequest> requests =
            List.of(
                request(grid.prediction(), 0, users, 5, List.of(), Optional.empty()),
                request(grid.mixedPrediction(), 0, users, 6, List.of(), Optional.empty()),
                request(CellField.score(grid.first()), 0, users, 1, List.of(), Optional.empty()),
                request(
                    grid.prediction(),
                    users / 2,
                    users - users / 2,
                    7,
                    List.of(grid.positives(), grid.others()),
                    Optional.empty()),
                request(
                    grid.prediction(),
                    0,
                    users,
                    20,
                    List.of(grid.positives()),
                    Optional.of(Grid.PARTITION.mask(Part.VALIDATION))));
        sessions.use(
            grid.shape(),
            SessionSetup.DENSE,
            session -> {
              for (RankingRequest request : requests) {
                assertRanked(grid.shape(), session, request);
              }
            });
      }
    }
  }

  void listsAllItemsWhereTheDepthExceedsThem() {
    try (Grid grid = Grid.of(allocator, 9, 14, 14)) {
      sessions.use(
          grid.shape(),
          SessionSetup.DENSE,
          session -> {
            assertRanked(
                grid.shape(),
                session,
                request(grid.prediction(), 0, 9, 40, List.of(), Optional.empty()));
            assertRanked(
                grid.shape(),
                session,
                request(grid.prediction(), 2, 5, 14, List.of(grid.positives()), Optional.empty()));
          });
    }
  }

  static RankingRequest request(
      CellField scores,
      int firstUser,
      int users,
      int depth,
      List<SparseCells> excluded,
      Optional<PartMask> candidates) {
    return new RankingRequest(scores, firstUser, users, depth, excluded, candidates);
  }

  /** Compare with the reference, letting scores that differ by rounding change places. */
  void assertRanked(GridShape shape, ComputeSession session, RankingRequest request) {
    try (ComputeSession reference = new ReferenceComputeSession(shape, allocator);
        RankedItems expected = reference.rank(request);
        RankedItems actual = session.rank(request)) {
      assertEquals(request.users(), actual.users());
      for (int row = 0; row < request.users(); row++) {
        int user = request.firstUser() + row;
        String list = "list of user " + user + " at depth " + request.depth();
        assertEquals(expected.count(row), actual.count(row), list + ": length");
        Set<Integer> seen = new HashSet<>();
        for (int place = 0; place < expected.count(row); place++) {
          int item = actual.item(row, place);
          float score = actual.score(row, place);
          String entry = list + ", place " + place;
          assertTrue(item >= 0 && item < shape.items(), entry + ": no item " + item);
          assertTrue(seen.add(item), entry + ": item " + item + " again");
          for (SparseCells cells : request.excluded()) {
            assertFalse(cells.contains(user, item), entry + ": excluded item " + item);
          }
          request
              .candidates()
              .ifPresent(
                  mask -> assertEquals(1, mask.valueAt(user, item), entry + ": no candidate"));
          double allowed = sessions.valueTolerance() * Math.max(1, Math.abs(score));
          assertEquals(expected.score(row, place), score, allowed, entry + ": score");
          assertEquals(
              request.scores().valueAt(user, item), score, allowed, entry + ": score of " + item);
          if (place > 0) {
            float above = actual.score(row, place - 1);
            assertTrue(
                above > score || above == score && actual.item(row, place - 1) < item,
                entry + ": out of order");
          }
        }
      }
    }
  }

  void ordersEqualScoresByItem() {
    GridShape shape = new GridShape(8, 130);
    try (FactorModel model = FactorModel.allocate(allocator, shape, 2);
        SparseCells excluded = TestGrids.randomCells(allocator, shape, 0.2, 15);
        ComputeSession reference = new ReferenceComputeSession(shape, allocator)) {
      for (int user = 0; user < shape.users(); user++) {
        model.users().set(user, 0, user - 3);
        model.users().set(user, 1, 1);
      }
      for (int item = 0; item < shape.items(); item++) {
        model.items().set(item, 0, item * 37 % 3);
        model.items().set(item, 1, item * 11 % 2);
      }
      sessions.use(
          shape,
          SessionSetup.DENSE,
          session -> {
            for (int depth : new int[] {1, 10, 65, 130}) {
              try (RankedItems expected =
                      rank(reference, CellField.score(model), 0, 8, depth, List.of(excluded));
                  RankedItems actual =
                      rank(session, CellField.score(model), 0, 8, depth, List.of(excluded))) {
                assertEquals(lists(expected), lists(actual), "depth " + depth);
              }
            }
          });
    }
  }

  static RankedItems rank(
      ComputeSession session,
      CellField scores,
      int firstUser,
      int users,
      int depth,
      List<SparseCells> excluded) {
    return session.rank(request(scores, firstUser, users, depth, excluded, Optional.empty()));
  }

  static List<Object> lists(RankedItems ranked) {
    List<Object> lists = new ArrayList<>();
    for (int row = 0; row < ranked.users(); row++) {
      lists.add(ranked.count(row));
      for (int place = 0; place < ranked.count(row); place++) {
        lists.add(ranked.item(row, place));
        lists.add(ranked.score(row, place));
      }
    }
    return lists;
  }
}
