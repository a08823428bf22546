package org.pecf.plugin.duckdb;

import org.pecf.api.plugin.Option;

/**
 * The options of the Parquet loader.
 *
 * @param userColumn the name of the users' column
 * @param itemColumn the name of the items' column
 * @param ratingColumn the name of the ratings' column
 * @param timeColumn the name of the times' column
 */
public record ParquetOptions(
    @Option(value = "name of the users' column", defaultValue = "user") String userColumn,
    @Option(value = "name of the items' column", defaultValue = "item") String itemColumn,
    @Option(
            value =
                "name of the ratings' column; without a column of the default name all are"
                    + " positives",
            defaultValue = ParquetOptions.RATING)
        String ratingColumn,
    @Option(
            value =
                "name of the times' column; without a column of the default name there are no"
                    + " times",
            defaultValue = ParquetOptions.TIME)
        String timeColumn) {
  static final String RATING = "rating";
  static final String TIME = "time";
}
