package org.pecf.plugin.loaders.text;

/** A parser of lines into ratings, used by one thread at a time. */
@FunctionalInterface
public interface LineParser {
  /**
   * Read every line of a chunk.
   *
   * @param chunk the lines. Not modified.
   * @param ratings receives the ratings in the order of the lines. Modified.
   * @throws TextProblem for the first line that is wrong
   */
  void parse(Chunk chunk, RatingColumns ratings);
}
