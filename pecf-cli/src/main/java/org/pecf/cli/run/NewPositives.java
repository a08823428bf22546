package org.pecf.cli.run;

import java.util.OptionalInt;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunEvent;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.model.StoredModel;

/**
 * Hold the positives of a dataset that are new to a model, at the model's own indexes.
 *
 * @param cells the positives of users and items that the model knows and training did not have;
 *     owned by the caller
 * @param known how many positives training had already
 * @param strange how many positives are of users or items that the model does not know
 */
public record NewPositives(SparseCells cells, int known, int strange) implements RunEvent {
  /** Find the new positives. Ids are ascending on both sides, so indexes stay in order. */
  public static NewPositives of(Dataset dataset, StoredModel model, BufferAllocator allocator) {
    int[] users = translate(dataset.users(), model.users());
    int[] items = translate(dataset.items(), model.items());
    SparseCells positives = dataset.positives();
    int[] cellUsers = new int[positives.count()];
    int[] cellItems = new int[positives.count()];
    int count = 0;
    int known = 0;
    int strange = 0;
    for (int user = 0; user < users.length; user++) {
      for (int k = positives.userStart(user); k < positives.userStart(user + 1); k++) {
        int item = items[positives.itemAt(k)];
        if (users[user] < 0 || item < 0) {
          strange++;
        } else if (model.training().contains(users[user], item)) {
          known++;
        } else {
          cellUsers[count] = users[user];
          cellItems[count++] = item;
        }
      }
    }
    if (count == 0) {
      throw PecfException.badData(
          "None of the %s positives is new to the model: training had %s, and %s are of users or"
              + " items it does not know. Check that the data has the same kind of ids as the"
              + " model's.",
          positives.count(), known, strange);
    }
    return new NewPositives(
        SparseCells.ofSorted(
            allocator, model.users().size(), model.items().size(), count, cellUsers, cellItems),
        known,
        strange);
  }

  /** Return an empty set of cells on a model's grid; owned by the caller. */
  public static SparseCells none(StoredModel model, BufferAllocator allocator) {
    return SparseCells.ofSorted(
        allocator, model.users().size(), model.items().size(), 0, new int[0], new int[0]);
  }

  private static int[] translate(IdMap from, IdMap to) {
    int[] indexes = new int[from.size()];
    for (int index = 0; index < indexes.length; index++) {
      OptionalInt found =
          from.kind() == IdKind.INTEGER
              ? to.find(from.integerAt(index))
              : to.find(from.textAt(index));
      indexes[index] = found.orElse(-1);
    }
    return indexes;
  }

  @Override
  public String summary() {
    return cells.count()
        + " new positives; "
        + known
        + " were in training, "
        + strange
        + " are of users or items that the model does not know";
  }
}
