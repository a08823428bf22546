package org.pecf.plugin.loaders.csv;

import java.lang.invoke.MethodHandles;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.plugin.loaders.text.TextReader;

/** The provider of the loader of delimited text. */
public final class CsvLoaderProvider implements RatingLoaderProvider<CsvLoaderProvider.Options> {
  /** The options of the CSV loader. */
  public record Options(
      @Option(
              value =
                  "text between columns: auto, comma, tab, semicolon, pipe, space, double-colon,"
                      + " or the character itself",
              defaultValue = "auto")
          String delimiter,
      @Option(value = "whether the first line names the columns", defaultValue = "auto")
          Header header,
      @Option(value = "name or position (from 1) of the user's column", defaultValue = "")
          String userColumn,
      @Option(value = "name or position (from 1) of the item's column", defaultValue = "")
          String itemColumn,
      @Option(
              value = "name or position (from 1) of the rating's column; none if not to be read",
              defaultValue = "")
          String ratingColumn,
      @Option(
              value = "name or position (from 1) of the time's column; none if not to be read",
              defaultValue = "")
          String timeColumn,
      @Option(
              value =
                  "format of times: seconds, milliseconds, microseconds or nanoseconds since 1970,"
                      + " date or date-time",
              defaultValue = "auto")
          Time timeFormat,
      @Option(
              value =
                  "the kind of ids: integer, text, or auto = integer if every one is written as a"
                      + " 64-bit whole number without leading zeros",
              defaultValue = "auto")
          Ids ids,
      @Option(value = "whether columns may be in double quotes", defaultValue = "true")
          boolean quotes) {
    /** Whether there is a header. */
    public enum Header {
      /** Found out from the content. */
      AUTO,
      /** There is one. */
      YES,
      /** There is none. */
      NO
    }

    /** The format of times. */
    public enum Time {
      /** Found out from the content. */
      AUTO,
      /** Seconds since 1970. */
      SECONDS,
      /** Milliseconds since 1970. */
      MILLISECONDS,
      /** Microseconds since 1970. */
      MICROSECONDS,
      /** Nanoseconds since 1970. */
      NANOSECONDS,
      /** A day such as 2005-09-06. */
      DATE,
      /** A day and a time of day such as 2005-09-06T12:30:00Z. */
      DATE_TIME
    }

    /** The kind of ids. */
    public enum Ids {
      /** Integer if all ids are integers, else text; users and items separately. */
      AUTO,
      /** Whole numbers; anything else is an error. */
      INTEGER,
      /** Text, even where it looks like a number. */
      TEXT
    }

    public Options {
      CsvTable.checkDelimiter(delimiter);
    }
  }

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "csv",
        "CSV, TSV and other delimited text, with or without a header, also packed with gzip",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public RatingLoader create(Options options) {
    return new CsvLoader(options, TextReader.standard());
  }
}
