package org.pecf.fuzz;

import java.io.IOException;
import java.util.List;

/** A part of PECF that reads bytes of unknown origin. */
interface UntrustedReader {
  /** Return good inputs beside those of the corpus: such as are in a format of our own. */
  default List<byte[]> seeds() throws IOException {
    return List.of();
  }

  /**
   * Read an input as a user's command would.
   *
   * @param input the bytes. Not modified.
   * @throws org.pecf.api.PecfException if the input is refused, which is a good answer
   */
  void read(byte[] input) throws IOException;
}
