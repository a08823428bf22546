package org.pecf.plugin.loaders.text;

import java.util.ArrayList;
import java.util.List;

/**
 * The lines that begin within a range of positions of a file that is not packed.
 *
 * @param file the file
 * @param from the first position
 * @param to the position after the last
 * @param atLine whether a line is known to begin at the first position
 */
record Segment(TextFile file, long from, long to, boolean atLine) {
  /**
   * Divide files into tasks of about equal size, independent of the number of threads: large files
   * are divided, small ones are combined.
   */
  static List<List<Segment>> plan(List<TextFile> files, int chunkBytes) {
    List<List<Segment>> pieces = new ArrayList<>();
    List<Segment> piece = new ArrayList<>();
    long pieceBytes = 0;
    for (TextFile file : files) {
      long size = file.size();
      long from = file.start();
      while (from < size) {
        if (pieceBytes >= chunkBytes) {
          pieces.add(piece);
          piece = new ArrayList<>();
          pieceBytes = 0;
        }
        long to = Math.min(size, from + chunkBytes - pieceBytes);
        piece.add(new Segment(file, from, to, from == file.start()));
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
