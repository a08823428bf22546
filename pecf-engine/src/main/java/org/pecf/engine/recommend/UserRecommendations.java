package org.pecf.engine.recommend;

import java.util.List;
import java.util.Locale;

/**
 * The items recommended to one user, or those similar to one item.
 *
 * @param user the id of the user, or of the item, as text
 * @param source where the list comes from
 * @param items the items, best first; equal scores in the order of item ids
 */
public record UserRecommendations(String user, Source source, List<Recommendation> items) {
  /** The ways that lists are made. */
  public enum Source {
    /** By the scores of the model. */
    MODEL,
    /** By the number of users who like an item, for somebody of whom the model knows nothing. */
    POPULAR;

    /** Return the name as it is written in files and answers. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public UserRecommendations {
    items = List.copyOf(items);
  }
}
