package org.pecf.engine.recommend.update;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The change that new data brought to a model.
 *
 * @param users the users that the model had
 * @param items the items that it had
 * @param positives the positives that it was trained on
 * @param newUsers the users that came with the data
 * @param newItems the items that came with it
 * @param newPositives the positives that came with it
 * @param ofKnownUsers those of them that belong to users that the model had
 * @param heldOut the new positives of known users that both models were measured on
 * @param before the metrics of the model as it was, on the held-out positives; empty without any
 * @param after the metrics of the model updated with the others, on the same positives
 */
public record UpdateChange(
    int users,
    int items,
    int positives,
    int newUsers,
    int newItems,
    int newPositives,
    int ofKnownUsers,
    int heldOut,
    Map<String, Double> before,
    Map<String, Double> after) {
  /** The share of new users, items or positives from which a full training is advised. */
  private static final double LARGE = 0.2;

  public UpdateChange {
    before = Collections.unmodifiableMap(new LinkedHashMap<>(before));
    after = Collections.unmodifiableMap(new LinkedHashMap<>(after));
  }

  /**
   * Return the advice to train from scratch, with its reason, if that should be done.
   *
   * @param metric the metric that decides, such as {@code recall@50}
   */
  public Optional<String> advice(String metric) {
    if (after.getOrDefault(metric, 0.0) < before.getOrDefault(metric, 0.0)) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "The update lowers %s on new positives. Train a new model on all data.",
              metric));
    }
    return large("positives", newPositives, positives)
        .or(() -> large("users", newUsers, users))
        .or(() -> large("items", newItems, items));
  }

  private static Optional<String> large(String name, int added, int known) {
    return added <= LARGE * known
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "The data adds %.0f %% to the %s that the model was trained on. Train a new model"
                    + " on all data: settings and older factors were made for less.",
                100.0 * added / known,
                name));
  }
}
