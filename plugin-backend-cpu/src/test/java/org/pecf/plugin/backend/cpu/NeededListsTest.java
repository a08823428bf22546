package org.pecf.plugin.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.fixture.ThreadedParallelism;

class NeededListsTest {
  private static final GridShape SHAPE = new GridShape(700, 40);
  private static final int FIRST = 5;
  private static final int USERS = 650;
  private static final int DEPTH = 7;

  /** Users 0, 7, 14, ... and none from 200 to 599. */
  private static SparseCells few(RootAllocator root) {
    int[] users = new int[SHAPE.users()];
    int count = 0;
    for (int user = 0; user < SHAPE.users(); user += 7) {
      if (user < 200 || user >= 600) {
        users[count++] = user;
      }
    }
    return SparseCells.ofSorted(
        root, SHAPE.users(), SHAPE.items(), count, users, new int[SHAPE.users()]);
  }

  @Test
  void listsOfUsersWhoAreNotNeededStayEmptyAndOthersAreTheSame() {
    try (RootAllocator root = new RootAllocator();
        FactorModel model = TestGrids.randomModel(root, SHAPE, 3, 1);
        SparseCells needed = few(root);
        ComputeSession session =
            new CpuBackend(new CpuBackendProvider.Options(CpuBackendProvider.Options.Library.AUTO))
                .open(
                    new SessionContext(
                        new RunContext(
                            root, new ThreadedParallelism(2), () -> false, RunListener.none()),
                        SHAPE,
                        ComputationPath.AUTO,
                        0));
        RankedItems all = session.rank(request(model, Optional.empty()));
        RankedItems some = session.rank(request(model, Optional.of(needed)))) {
      for (int row = 0; row < USERS; row++) {
        boolean wanted = needed.userCount(FIRST + row) > 0;
        assertEquals(wanted ? DEPTH : 0, some.count(row), "user " + (FIRST + row));
        for (int place = 0; place < some.count(row); place++) {
          assertEquals(all.item(row, place), some.item(row, place));
          assertEquals(all.score(row, place), some.score(row, place));
        }
      }
    }
  }

  private static RankingRequest request(FactorModel model, Optional<SparseCells> needed) {
    return new RankingRequest(
        CellField.score(model), FIRST, USERS, DEPTH, List.of(), Optional.empty(), needed);
  }
}
