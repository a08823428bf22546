package org.pecf.plugin.loaders.text;

import java.util.OptionalLong;
import org.pecf.api.PecfException;

/** A parser of lines into ratings, used by one thread at a time. */
@FunctionalInterface
public interface LineParser {
  /**
   * Read every line of a chunk.
   *
   * @param chunk the lines. Not modified.
   * @param ratings receives the ratings in the order of the lines. Modified.
   * @throws PecfException for the first line that is wrong
   */
  void parse(Chunk chunk, RatingColumns ratings);

  /**
   * Return the number that the lines of a chunk and those before leave to the next chunk. Unlike
   * the chunks themselves, these are asked for in the order of the file.
   */
  default OptionalLong after(Chunk chunk) {
    return chunk.before();
  }
}
