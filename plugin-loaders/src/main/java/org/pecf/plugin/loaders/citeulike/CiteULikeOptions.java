package org.pecf.plugin.loaders.citeulike;

import org.pecf.api.plugin.Option;

/**
 * Hold the options of the CiteULike loader.
 *
 * @param layout what the first number of a line is
 */
public record CiteULikeOptions(
    @Option(
            value =
                "what the first number of a line is: counted = how many items follow, labelled ="
                    + " the user's id, auto = told by the content",
            defaultValue = "auto")
        Layout layout) {
  /** Name what the first number of a line may be. */
  public enum Layout {
    /** Told by the content. */
    AUTO,
    /** How many items follow; users are numbered from 0 by line. */
    COUNTED,
    /** The user's id. */
    LABELLED
  }
}
