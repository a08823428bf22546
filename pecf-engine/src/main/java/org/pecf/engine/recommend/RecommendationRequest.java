package org.pecf.engine.recommend;

import org.pecf.api.PecfException;

/**
 * The wishes for a list of recommendations.
 *
 * @param count the largest number of items per user
 * @param includeKnown whether items are recommended too that the model's data knows of the user:
 *     positives of any part, and rated items
 */
public record RecommendationRequest(int count, boolean includeKnown) {
  public RecommendationRequest {
    if (count < 1) {
      throw PecfException.badOption(
          "The number of recommended items cannot be %d. Ask for 1 or more.", count);
    }
  }

  /** Return a request for the best items that are not known of the user. */
  public static RecommendationRequest top(int count) {
    return new RecommendationRequest(count, false);
  }

  /** Return this request, but for known items as well. */
  public RecommendationRequest withKnown() {
    return new RecommendationRequest(count, true);
  }
}
