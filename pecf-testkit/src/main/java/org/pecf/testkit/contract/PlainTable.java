package org.pecf.testkit.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.Seed;

/** A small table of ratings as text, in one of the usual layouts. */
enum PlainTable {
  COMMAS("ratings.csv", "user,item,rating\n", ",", false),
  TABS("ratings.tsv", "", "\t", true),
  COLONS("ratings.dat", "", "::", true),
  BLANKS("ratings.txt", "", " ", false);

  private static final int ROWS = 400;

  private final String fileName;
  private final String header;
  private final String separator;
  private final boolean timed;

  PlainTable(String fileName, String header, String separator, boolean timed) {
    this.fileName = fileName;
    this.header = header;
    this.separator = separator;
    this.timed = timed;
  }

  /** Return the first table, written into a folder, that a loader takes for its own. */
  static Optional<DataSource> recognisedBy(RatingLoader loader, Path folder) throws IOException {
    for (PlainTable table : values()) {
      Path file = Files.writeString(folder.resolve(table.fileName), table.text());
      DataSource source = new DataSource(file.toString());
      if (loader.recognise(source).compareTo(Recognition.BROKEN) > 0) {
        return Optional.of(source);
      }
    }
    return Optional.empty();
  }

  private String text() {
    StringBuilder text = new StringBuilder(header);
    SplittableRandom random = new Seed(53).random();
    for (int row = 0; row < ROWS; row++) {
      text.append(1 + row / 10)
          .append(separator)
          .append(1 + row % 10 * 7 + random.nextInt(7))
          .append(separator)
          .append(1 + random.nextInt(5));
      if (timed) {
        text.append(separator).append(964_982_703 + row);
      }
      text.append('\n');
    }
    return text.toString();
  }
}
