package org.pecf.plugin.loaders.csv;

import static org.pecf.plugin.loaders.testing.Loading.write;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.testkit.contract.RatingLoaderContract;
import org.pecf.testkit.fixture.LoadedRating;

/** Delimited text under the contract of loaders. */
class CsvContractTest extends RatingLoaderContract {
  /** Enough lines for several chunks. */
  private static final int LINES = 100_000;

  @Override
  protected RatingLoaderProvider<?> provider() {
    return new CsvLoaderProvider();
  }

  @Override
  protected Sample sample(Path target) {
    StringBuilder text = new StringBuilder();
    List<LoadedRating> ratings = new ArrayList<>();
    text.append("user;item;rating\n");
    for (int i = 0; i < LINES; i++) {
      String item = i == LINES - 1 ? "last" : Integer.toString(i % 977);
      text.append(i / 20 + ";").append(item).append(";").append(i % 10 / 2f).append("\n");
      ratings.add(LoadedRating.of(i / 20L, item, i % 10 / 2f));
    }
    return new Sample(new DataSource(write(target, "sample", text.toString()).toString()), ratings);
  }

  @Override
  protected List<BadSample> badSamples(Path target) {
    return List.of(
        bad(target, "rating", "user,item,rating\n1,2,x\n", "rating:2:5", "x"),
        bad(target, "empty", "", "empty"));
  }

  private static BadSample bad(Path target, String name, String text, String... fragments) {
    return new BadSample(new DataSource(write(target, name, text).toString()), List.of(fragments));
  }
}
