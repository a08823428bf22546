package org.pecf.engine.recommend;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.SparseCells;

/**
 * A ranker on the session of a backend. A session is used by one thread at a time, so calls take
 * turns; each of them uses all threads of the session.
 */
final class SessionRanker implements Ranker {
  private final CellField prediction;
  private final ComputeSession session;

  /**
   * Create a ranker.
   *
   * @param prediction the scores; borrowed
   * @param session from now on owned by the ranker
   */
  SessionRanker(CellField prediction, ComputeSession session) {
    this.prediction = prediction;
    this.session = session;
  }

  @Override
  public synchronized List<Ranked> rank(int[] users, int depth, List<SparseCells> excluded) {
    List<Ranked> lists = new ArrayList<>(users.length);
    for (int start = 0; start < users.length; ) {
      int end = start + 1;
      while (end < users.length && users[end] == users[end - 1] + 1) {
        end++;
      }
      rankConsecutive(users[start], end - start, depth, excluded, lists);
      start = end;
    }
    return lists;
  }

  private void rankConsecutive(
      int first, int count, int depth, List<SparseCells> excluded, List<Ranked> lists) {
    try (RankedItems ranked =
        session.rank(
            new RankingRequest(prediction, first, count, depth, excluded, Optional.empty()))) {
      for (int row = 0; row < count; row++) {
        int[] items = new int[ranked.count(row)];
        float[] scores = new float[items.length];
        for (int place = 0; place < items.length; place++) {
          items[place] = ranked.item(row, place);
          scores[place] = ranked.score(row, place);
        }
        lists.add(new Ranked(first + row, items, scores));
      }
    }
  }

  @Override
  public synchronized void close() {
    session.close();
  }
}
