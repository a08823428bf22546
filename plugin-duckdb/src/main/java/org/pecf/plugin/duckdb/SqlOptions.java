package org.pecf.plugin.duckdb;

import org.pecf.api.plugin.Option;

/** The options of the SQL loader. */
public record SqlOptions(
    @Option(
            value =
                "one SELECT of user, item and, if there are, rating and time, in this order; it"
                    + " reads the files of the folder given as data, by their names (FROM 'a.csv'),"
                    + " and no others; a file given as data is the table data",
            defaultValue = "")
        String query) {}
