package org.pecf.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import scala.Tuple2;

/** The best rows of the other side for one row, best first; of equal scores the lower id first. */
final class BestRows implements Serializable {
  private static final long serialVersionUID = 1;

  private final long[] ids;
  private final float[] scores;

  private BestRows(long[] ids, float[] scores) {
    this.ids = ids;
    this.scores = scores;
  }

  /**
   * Find the best rows of a block for every row of another, but those that it knows.
   *
   * @param count the most rows of a list
   */
  static Iterator<Tuple2<Long, BestRows>> among(
      FeatureBlock asking, FeatureBlock candidates, int count) {
    float[] scores =
        TaskAlgebra.run(
            (memory, worker) -> {
              int width = asking.width();
              int rows = asking.ids().length;
              int columns = candidates.ids().length;
              try (OffHeapFloats left = OffHeapFloats.allocate(memory, asking.rows().length);
                  OffHeapFloats right = OffHeapFloats.allocate(memory, candidates.rows().length);
                  OffHeapFloats tile = OffHeapFloats.allocate(memory, (long) rows * columns)) {
                left.write(0, asking.rows(), 0, asking.rows().length);
                right.write(0, candidates.rows(), 0, candidates.rows().length);
                worker
                    .algebra()
                    .multiply(
                        1,
                        MatrixSlice.of(left.slice(0, asking.rows().length), rows, width),
                        MatrixSlice.of(right.slice(0, candidates.rows().length), columns, width)
                            .transpose(),
                        0,
                        MatrixSlice.of(tile.slice(0, (long) rows * columns), rows, columns));
                float[] found = new float[rows * columns];
                tile.read(0, found, 0, found.length);
                return found;
              }
            });
    List<Tuple2<Long, BestRows>> best = new ArrayList<>();
    for (int row = 0; row < asking.ids().length; row++) {
      best.add(
          new Tuple2<>(
              asking.ids()[row],
              best(
                  candidates.ids(),
                  scores,
                  row * candidates.ids().length,
                  count,
                  asking.known(row))));
    }
    return best.iterator();
  }

  private static BestRows best(long[] ids, float[] scores, int from, int count, long[] known) {
    int most = Math.min(count, ids.length);
    long[] bestIds = new long[most];
    float[] best = new float[most];
    int size = 0;
    for (int k = 0; k < ids.length; k++) {
      float score = scores[from + k];
      if (size == most && !precedes(score, ids[k], best[size - 1], bestIds[size - 1])
          || Arrays.binarySearch(known, ids[k]) >= 0) {
        continue;
      }
      int at = size < most ? size++ : size - 1;
      while (at > 0 && precedes(score, ids[k], best[at - 1], bestIds[at - 1])) {
        best[at] = best[at - 1];
        bestIds[at] = bestIds[at - 1];
        at--;
      }
      best[at] = score;
      bestIds[at] = ids[k];
    }
    return new BestRows(Arrays.copyOf(bestIds, size), Arrays.copyOf(best, size));
  }

  private static boolean precedes(float score, long id, float other, long otherId) {
    int order = Float.compare(score, other);
    return order > 0 || order == 0 && id < otherId;
  }

  /** Return the best of two lists. */
  BestRows merge(BestRows other, int count) {
    int most = Math.min(count, ids.length + other.ids.length);
    long[] bestIds = new long[most];
    float[] best = new float[most];
    int left = 0;
    int right = 0;
    for (int k = 0; k < most; k++) {
      boolean mine =
          right == other.ids.length
              || left < ids.length
                  && precedes(scores[left], ids[left], other.scores[right], other.ids[right]);
      bestIds[k] = mine ? ids[left] : other.ids[right];
      best[k] = mine ? scores[left++] : other.scores[right++];
    }
    return new BestRows(bestIds, best);
  }

  /** Return the list as rows of an id and a score. */
  Row[] rows() {
    Row[] rows = new Row[ids.length];
    for (int k = 0; k < rows.length; k++) {
      rows[k] = RowFactory.create(ids[k], scores[k]);
    }
    return rows;
  }
}
