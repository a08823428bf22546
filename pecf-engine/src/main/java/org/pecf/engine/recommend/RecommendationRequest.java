package org.pecf.engine.recommend;

import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.pecf.api.PecfException;

/**
 * The wishes for a list of recommendations.
 *
 * @param count the largest number of items per user
 * @param includeKnown whether items are recommended too that the model's data knows of the user:
 *     positives of any part, and rated items
 * @param only the ids of the items to choose from; if empty, all items of the model. Ids that the
 *     model does not have are ignored, here and in the exclusions.
 * @param excluded the ids of items that are recommended to nobody
 * @param strict whether somebody of whom the model knows nothing is refused, instead of getting the
 *     most popular items
 */
public record RecommendationRequest(
    int count,
    boolean includeKnown,
    Optional<Set<String>> only,
    Set<String> excluded,
    boolean strict) {
  public RecommendationRequest {
    if (count < 1) {
      throw PecfException.badOption(
          "The number of recommended items cannot be %d. Ask for 1 or more.", count);
    }
    only = only.map(Set::copyOf);
    excluded = Set.copyOf(excluded);
  }

  /** Return a request for the best items that are not known of the user. */
  public static RecommendationRequest top(int count) {
    return new RecommendationRequest(count, false, Optional.empty(), Set.of(), false);
  }

  /** Return this request, but for known items as well. */
  public RecommendationRequest withKnown() {
    return new RecommendationRequest(count, true, only, excluded, strict);
  }

  /** Return this request, but for some items only. */
  public RecommendationRequest only(Collection<String> items) {
    return new RecommendationRequest(
        count, includeKnown, Optional.of(Set.copyOf(items)), excluded, strict);
  }

  /** Return this request without some items, beside those that it leaves out already. */
  public RecommendationRequest without(Collection<String> items) {
    Set<String> all = new HashSet<>(excluded);
    all.addAll(items);
    return new RecommendationRequest(count, includeKnown, only, all, strict);
  }

  /** Return this request, but refuse somebody of whom the model knows nothing. */
  public RecommendationRequest asStrict() {
    return new RecommendationRequest(count, includeKnown, only, excluded, true);
  }
}
