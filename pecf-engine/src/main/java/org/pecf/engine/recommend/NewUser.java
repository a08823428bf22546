package org.pecf.engine.recommend;

import java.util.ArrayList;
import java.util.List;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.Dataset;

/**
 * A user that a model was not trained on.
 *
 * @param id a name for the user's list; it need not differ from the ids of the model's users
 * @param items the ids of the items that the user likes, in any order
 */
public record NewUser(String id, List<String> items) {
  public NewUser {
    items = List.copyOf(items);
  }

  /**
   * Return the users of some data with the items that are positives.
   *
   * @param dataset the data. Not modified; not used later.
   */
  public static List<NewUser> of(Dataset dataset) {
    SparseCells positives = dataset.positives();
    List<NewUser> users = new ArrayList<>();
    for (int user = 0; user < positives.users(); user++) {
      List<String> items = new ArrayList<>();
      for (int k = positives.userStart(user); k < positives.userStart(user + 1); k++) {
        items.add(dataset.items().textAt(positives.itemAt(k)));
      }
      users.add(new NewUser(dataset.users().textAt(user), items));
    }
    return users;
  }
}
