package org.pecf.distribution.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.DuplicatePolicy;
import org.pecf.engine.data.PositiveRule;
import org.pecf.engine.plugin.ProviderChoice;

/**
 * Positives by the part that they are to fall in.
 *
 * @param training the cells to learn from
 * @param validation the cells to choose by
 * @param test the cells to report on
 */
record DividedData(List<Cell> training, List<Cell> validation, List<Cell> test) {
  /** A place of the grid. */
  record Cell(int user, int item) {}

  /** Write one file of all positives, or a file a part, and return how to load it. */
  DataRequest write(Path folder, String name, boolean fileAPart) throws IOException {
    if (fileAPart) {
      return request(
          file(folder, name + "-training", 1, training),
          Optional.of(file(folder, name + "-validation", 1, validation)),
          Optional.of(file(folder, name + "-test", 1, test)));
    }
    List<Cell> all = new ArrayList<>(training);
    all.addAll(validation);
    all.addAll(test);
    return request(file(folder, name, 1, all), Optional.empty(), Optional.empty());
  }

  private static DataRequest request(
      String location, Optional<String> validation, Optional<String> test) {
    return new DataRequest(
        location,
        validation,
        test,
        ProviderChoice.of("csv"),
        PositiveRule.all(),
        0,
        0,
        DuplicatePolicy.LAST);
  }

  /** Write cells, each a second later than the one before. */
  private static String file(Path folder, String name, long firstSecond, List<Cell> cells)
      throws IOException {
    StringBuilder text = new StringBuilder("user,item,rating,timestamp\n");
    for (int k = 0; k < cells.size(); k++) {
      Cell cell = cells.get(k);
      text.append(cell.user()).append(',').append(cell.item());
      text.append(",1,").append(firstSecond + k).append('\n');
    }
    return Files.writeString(folder.resolve(name + ".csv"), text).toString();
  }
}
