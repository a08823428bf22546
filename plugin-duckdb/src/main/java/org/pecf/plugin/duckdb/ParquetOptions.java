package org.pecf.plugin.duckdb;

import org.pecf.api.plugin.Option;

/** The options of the Parquet loader. */
public record ParquetOptions(
    @Option(value = "name of the users' column; found by its usual names", defaultValue = "")
        String userColumn,
    @Option(value = "name of the items' column; found by its usual names", defaultValue = "")
        String itemColumn,
    @Option(
            value =
                "name of the ratings' column, or none; found by its usual names, and without one"
                    + " all are positives",
            defaultValue = "")
        String ratingColumn,
    @Option(
            value = "name of the times' column, or none; found by its usual names if there is one",
            defaultValue = "")
        String timeColumn) {}
