package org.pecf.plugin.loaders.citeulike;

import org.pecf.api.plugin.Option;

/** The options of the CiteULike loader. */
public record CiteULikeOptions(
    @Option(
            value =
                "meaning of the first number of a line: counted = the number of items that follow,"
                    + " labelled = the user's id, auto = found out from the content",
            defaultValue = "auto")
        Layout layout) {
  /** The meaning of the first number of a line. */
  public enum Layout {
    /** Found out from the content. */
    AUTO,
    /** The number of items that follow; users are numbered by line, from 0. */
    COUNTED,
    /** The user's id. */
    LABELLED
  }
}
