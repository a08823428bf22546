package org.pecf.testkit;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Hold one rating as a loader read it.
 *
 * @param user the user's id: a Long or a String
 * @param item the item's id: a Long or a String
 * @param rating the value, if the source has any
 * @param time seconds since 1970, if the source has any
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LoadedRating(Object user, Object item, Optional<Float> rating, Optional<Long> time) {
  public LoadedRating {
    if (!(user instanceof Long || user instanceof String)
        || !(item instanceof Long || item instanceof String)) {
      throw new IllegalArgumentException(
          "ids are Longs or Strings, not " + user.getClass() + " and " + item.getClass());
    }
  }

  /** Be a positive without value and time. */
  public static LoadedRating of(Object user, Object item) {
    return new LoadedRating(user, item, Optional.empty(), Optional.empty());
  }

  /** Be a rating without time. */
  public static LoadedRating of(Object user, Object item, float rating) {
    return new LoadedRating(user, item, Optional.of(rating), Optional.empty());
  }

  /** Be a rating with its time. */
  public static LoadedRating of(Object user, Object item, float rating, long time) {
    return new LoadedRating(user, item, Optional.of(rating), Optional.of(time));
  }
}
