package org.pecf.engine.recommend;

import java.util.List;

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
}
