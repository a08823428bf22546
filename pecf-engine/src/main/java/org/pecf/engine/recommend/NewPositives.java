package org.pecf.engine.recommend;

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
 * The positives of a dataset that are new to a model, at the model's own indexes.
 *
 * @param cells the positives of users and items of the model that it was not trained on; owned by
 *     the caller
 * @param trained the number of positives that the model was trained on
 * @param unknown the number of positives whose user or item the model does not have
 */
record NewPositives(SparseCells cells, int trained, int unknown) {
  /**
   * The counts of positives whose users and items the model knows, or does not.
   *
   * @param count the number of new positives
   * @param trained the number of positives that the model was trained on
   * @param unknown the number of positives whose user or item the model does not have
   */
  record Found(int count, int trained, int unknown) implements RunEvent {
    @Override
    public String summary() {
      return String.format(
          "%d new positives; the model was trained on %d others, and lacks the user or item of %d",
          count, trained, unknown);
    }
  }

  /** Find the new positives. Ids ascend on both sides, so indexes stay in order. */
  static NewPositives of(Dataset dataset, StoredModel model, BufferAllocator allocator) {
    int[] users = translate(dataset.users(), model.users());
    int[] items = translate(dataset.items(), model.items());
    SparseCells positives = dataset.positives();
    int[] cellUsers = new int[positives.count()];
    int[] cellItems = new int[positives.count()];
    int count = 0;
    int trained = 0;
    int unknown = 0;
    for (int user = 0; user < users.length; user++) {
      for (int k = positives.userStart(user); k < positives.userStart(user + 1); k++) {
        int item = items[positives.itemAt(k)];
        if (users[user] < 0 || item < 0) {
          unknown++;
        } else if (model.training().contains(users[user], item)) {
          trained++;
        } else {
          cellUsers[count] = users[user];
          cellItems[count++] = item;
        }
      }
    }
    if (count == 0) {
      throw PecfException.badData(
          "None of the %d positives is new to the model: it was trained on %d of them, and lacks"
              + " the user or item of %d. Check that the data has the same kind of ids as the"
              + " model.",
          positives.count(), trained, unknown);
    }
    return new NewPositives(
        SparseCells.ofSorted(
            allocator, model.users().size(), model.items().size(), count, cellUsers, cellItems),
        trained,
        unknown);
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

  /** Return the counts, without the cells. */
  Found found() {
    return new Found(cells.count(), trained, unknown);
  }
}
