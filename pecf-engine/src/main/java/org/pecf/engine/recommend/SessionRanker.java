package org.pecf.engine.recommend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.ensemble.Ensemble;

/**
 * A ranker on the session of a backend. A session is used by one thread at a time, so calls take
 * turns; each of them uses all threads of the session.
 */
final class SessionRanker implements Ranker {
  /** The score that takes an item out of reach of all others; no model scores as low. */
  private static final float OUT_OF_REACH = -1e30f;

  /** The most users between two others who are ranked with them: a tile has more anyway. */
  private static final int GAP = 16;

  private final Ensemble ensemble;
  private final ComputeSession session;
  private final BufferAllocator allocator;

  /**
   * Create a ranker.
   *
   * @param ensemble the members; borrowed
   * @param session from now on owned by the ranker
   * @param allocator the source of working memory
   */
  SessionRanker(Ensemble ensemble, ComputeSession session, BufferAllocator allocator) {
    this.ensemble = ensemble;
    this.session = session;
    this.allocator = allocator;
  }

  @Override
  public synchronized List<Ranked> rank(
      int[] users, int depth, List<SparseCells> excluded, Optional<BitSet> candidates) {
    CellField prediction = ensemble.prediction();
    if (candidates.isEmpty()) {
      return rank(prediction, users, depth, excluded);
    }
    try (FactorModel penalties = penalties(candidates.get())) {
      CellField lowered =
          new Linear(
              List.of(
                  new Linear.Term(1, prediction), new Linear.Term(1, CellField.score(penalties))));
      int most = Math.min(depth, Math.max(1, candidates.get().cardinality()));
      return rank(lowered, users, most, excluded);
    }
  }

  /** Return a model of one factor that scores 0 for candidates and takes others out of reach. */
  private FactorModel penalties(BitSet candidates) {
    FactorModel penalties = FactorModel.allocate(allocator, ensemble.shape(), 1);
    for (int user = 0; user < ensemble.shape().users(); user++) {
      penalties.users().set(user, 0, 1);
    }
    for (int item = 0; item < ensemble.shape().items(); item++) {
      penalties.items().set(item, 0, candidates.get(item) ? 0 : OUT_OF_REACH);
    }
    return penalties;
  }

  private List<Ranked> rank(CellField scores, int[] users, int depth, List<SparseCells> excluded) {
    List<Ranked> lists = new ArrayList<>(users.length);
    for (int start = 0; start < users.length; ) {
      int end = start + 1;
      while (end < users.length && users[end] - users[end - 1] <= GAP) {
        end++;
      }
      rankNear(scores, Arrays.copyOfRange(users, start, end), depth, excluded, lists);
      start = end;
    }
    return lists;
  }

  /** Rank items for users whose indexes are close to each other. */
  private void rankNear(
      CellField scores, int[] users, int depth, List<SparseCells> excluded, List<Ranked> lists) {
    int first = users[0];
    int count = users[users.length - 1] - first + 1;
    try (RankedItems ranked =
        session.rank(new RankingRequest(scores, first, count, depth, excluded, Optional.empty()))) {
      for (int user : users) {
        lists.add(list(user, ranked, user - first));
      }
    }
  }

  private static Ranked list(int user, RankedItems ranked, int row) {
    int length = ranked.count(row);
    while (length > 0 && ranked.score(row, length - 1) <= OUT_OF_REACH / 2) {
      length--;
    }
    int[] items = new int[length];
    float[] scores = new float[length];
    for (int place = 0; place < length; place++) {
      items[place] = ranked.item(row, place);
      scores[place] = ranked.score(row, place);
    }
    return new Ranked(user, items, scores);
  }

  @Override
  public synchronized void close() {
    session.close();
  }
}
