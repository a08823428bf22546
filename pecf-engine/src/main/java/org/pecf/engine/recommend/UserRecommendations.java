package org.pecf.engine.recommend;

import java.util.List;

/**
 * The items recommended to one user.
 *
 * @param user the id of the user, as text
 * @param items the items, best first; equal scores in the order of item ids
 */
public record UserRecommendations(String user, List<Recommendation> items) {
  public UserRecommendations {
    items = List.copyOf(items);
  }
}
