package org.pecf.plugin.loaders.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Stand for the lines that begin in a range of positions of a file that is not packed.
 *
 * @param file the file
 * @param from the first position
 * @param to the position after the last
 * @param atLine whether a line is known to begin at the first position
 */
record Segment(TextFile file, long from, long to, boolean atLine) {
  /**
   * Cut files into pieces of work of about the same size, whatever the number of threads: large
   * files are cut up, small ones are put together.
   */
  static List<List<Segment>> plan(List<TextInput> inputs, int chunkBytes) {
    List<List<Segment>> pieces = new ArrayList<>();
    List<Segment> piece = new ArrayList<>();
    long pieceBytes = 0;
    for (TextInput input : inputs) {
      long size = input.file().size();
      long from = input.start();
      while (from < size) {
        if (pieceBytes >= chunkBytes) {
          pieces.add(piece);
          piece = new ArrayList<>();
          pieceBytes = 0;
        }
        long to = Math.min(size, from + chunkBytes - pieceBytes);
        piece.add(new Segment(input.file(), from, to, from == input.start()));
        pieceBytes += to - from;
        from = to;
      }
    }
    if (!piece.isEmpty()) {
      pieces.add(piece);
    }
    return pieces;
  }
}
