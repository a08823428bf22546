package org.pecf.loaders.duckdb;

import org.pecf.api.plugin.Option;

/**
 * Hold the options of the SQL loader.
 *
 * @param query the query
 */
public record SqlOptions(
    @Option(
            value =
                "a SELECT of user, item and, if there are, rating and time, in this order; names of"
                    + " files are relative to the folder given as data, a file given as data is the"
                    + " table data",
            defaultValue = "")
        String query) {}
