package org.pecf.engine.data;

import java.util.Locale;
import org.pecf.api.run.RunEvent;

/**
 * The event that a dataset is ready.
 *
 * @param location the source
 * @param dataset the description of the dataset
 */
public record DatasetLoaded(String location, DatasetSummary dataset) implements RunEvent {
  @Override
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%s: %d users, %d items, %d positives of %d ratings (%d duplicates, %d not positive, %d of"
            + " users or items with too few)",
        location,
        dataset.users(),
        dataset.items(),
        dataset.positives(),
        dataset.ratingsRead(),
        dataset.droppedAsDuplicates(),
        dataset.droppedByRule(),
        dataset.droppedByRarity());
  }
}
