package org.pecf.engine.data;

import org.apache.arrow.vector.FieldVector;
import org.pecf.api.PecfException;
import org.pecf.api.data.Part;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;

/** The union of the positives that a model knows and of new ones, with the ids of both. */
public final class DatasetUnion {
  private static final int BATCH = 1 << 16;

  private DatasetUnion() {}

  /**
   * Unite positives. Those that are known belong to the training part of the result, new ones to
   * its test part.
   *
   * @param users the ids of the known users
   * @param items the ids of the known items
   * @param known the known positives. Not modified.
   * @param added data with new positives; those that are known already are passed over. Not
   *     modified.
   * @param context the source of memory
   * @return the union; the caller owns it
   * @throws PecfException if nothing is new, or ids are of another kind
   */
  public static Dataset of(
      IdMap users, IdMap items, SparseCells known, Dataset added, RunContext context) {
    try (DatasetBuilder builder = new DatasetBuilder(context)) {
      new Publisher(users, items, known, builder.sink(Part.TRAINING, "the model"))
          .publish((user, item) -> true);
      int[] userOf = indexes(added.users(), users);
      int[] itemOf = indexes(added.items(), items);
      int published =
          new Publisher(
                  added.users(),
                  added.items(),
                  added.positives(),
                  builder.sink(Part.TEST, "the new data"))
              .publish(
                  (user, item) ->
                      userOf[user] < 0
                          || itemOf[item] < 0
                          || !known.contains(userOf[user], itemOf[item]));
      if (published == 0) {
        throw PecfException.badData(
            "The model was trained on all %d positives of the new data already. Name data with"
                + " others.",
            added.positives().count());
      }
      return builder.build(DatasetRules.all());
    }
  }

  /** Return the index that each id of one map has in another, or -1. */
  public static int[] indexes(IdMap ids, IdMap in) {
    int[] indexes = new int[ids.size()];
    for (int k = 0; k < indexes.length; k++) {
      indexes[k] = in.search(ids.textAt(k)).orElse(-1);
    }
    return indexes;
  }

  /** A choice of cells. */
  @FunctionalInterface
  private interface CellChoice {
    boolean holds(int user, int item);
  }

  /** The writer of cells to a sink. */
  private record Publisher(IdMap users, IdMap items, SparseCells cells, RatingSink sink) {
    /** Publish the chosen cells and return how many there are. */
    int publish(CellChoice choice) {
      RatingSchema schema = new RatingSchema(users.kind(), items.kind(), false, false);
      int published = 0;
      long ordinal = 0;
      int filled = 0;
      RatingBatch batch = sink.batch(schema, BATCH);
      try {
        for (int user = 0; user < cells.users(); user++) {
          for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
            if (!choice.holds(user, cells.itemAt(k))) {
              continue;
            }
            copy(users, user, batch.users(), filled);
            copy(items, cells.itemAt(k), batch.items(), filled);
            filled++;
            published++;
            if (filled == BATCH) {
              RatingBatch full = batch;
              batch = sink.batch(schema, BATCH);
              sink.publish(ordinal++, full, filled);
              filled = 0;
            }
          }
        }
        if (filled > 0) {
          RatingBatch last = batch;
          batch = sink.batch(schema, 0);
          sink.publish(ordinal, last, filled);
        }
        return published;
      } finally {
        batch.close();
      }
    }

    private static void copy(IdMap ids, int index, FieldVector target, int at) {
      target.copyFromSafe(index, at, ids.vector());
    }
  }
}
