package org.pecf.tools.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A file of ratings in the form of MovieLens: grouped by user, ascending by item within a user,
 * halves of stars, seconds since 1970. The same for the same number of lines.
 */
final class RatingsFile {
  private static final int ITEMS = 26_744;

  /** Items beyond this have larger ids with gaps between them, up to about 130,000. */
  private static final int DENSE_IDS = 8_000;

  private static final int SPARSE_STEP = 5;
  private static final int LEAST_RATINGS = 20;
  private static final double MORE_RATINGS = 124;

  private RatingsFile() {}

  /** Write the given number of ratings after a line of names. */
  static void write(Path file, int ratings) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
      out.write("userId,movieId,rating,timestamp\n".getBytes(StandardCharsets.US_ASCII));
      int left = ratings;
      for (int user = 1; left > 0; user++) {
        int own = LEAST_RATINGS - (int) (MORE_RATINGS * Math.log(1 - random.nextDouble()));
        left -= user(out, user, Math.min(left, own), random);
      }
    }
  }

  /** Write the ratings of a user; return how many. */
  private static int user(OutputStream out, int user, int count, SplittableRandom random)
      throws IOException {
    StringBuilder lines = new StringBuilder();
    long time = 789_652_009L + random.nextInt(600_000_000);
    int item = 0;
    int written = 0;
    for (int k = 0; k < count && item < ITEMS; k++) {
      // The k-th of the user's items, more of them among those of small ids.
      double place = (k + random.nextDouble()) / count;
      item = Math.max(item + 1, (int) (ITEMS * place * place));
      lines
          .append(user)
          .append(',')
          .append(item <= DENSE_IDS ? item : DENSE_IDS + SPARSE_STEP * (item - DENSE_IDS))
          .append(',')
          .append(1 + random.nextInt(5))
          .append(random.nextInt(3) == 0 ? ".5," : ".0,")
          .append(time + random.nextInt(100_000))
          .append('\n');
      written++;
    }
    out.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
    return written;
  }
}
