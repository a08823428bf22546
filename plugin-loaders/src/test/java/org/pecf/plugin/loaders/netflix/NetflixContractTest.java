package org.pecf.plugin.loaders.netflix;

import static org.pecf.plugin.loaders.testing.Loading.write;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.testkit.contract.RatingLoaderContract;
import org.pecf.testkit.fixture.LoadedRating;

/** The Netflix Prize data under the contract of loaders. */
class NetflixContractTest extends RatingLoaderContract {
  /** Enough lines for several chunks. */
  private static final int LINES = 60_000;

  @Override
  protected RatingLoaderProvider<?> provider() {
    return new NetflixLoaderProvider();
  }

  @Override
  protected Sample sample(Path target) {
    StringBuilder text = new StringBuilder();
    List<LoadedRating> ratings = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      if (i % 5000 == 0) {
        text.append(i / 5000 + 1).append(":\n");
      }
      text.append(i).append(",").append(i % 5 + 1).append(",1970-01-02\n");
      ratings.add(LoadedRating.of((long) i, i / 5000L + 1, i % 5 + 1, 86_400));
    }
    return new Sample(new DataSource(write(target, "sample", text.toString()).toString()), ratings);
  }

  @Override
  protected List<BadSample> badSamples(Path target) {
    return List.of(
        bad(target, "date", "1:\n5,3,1999-13-01\n", "date:2:5", "1999-13-01"),
        bad(target, "empty", "", "empty"));
  }

  private static BadSample bad(Path target, String name, String text, String... fragments) {
    return new BadSample(new DataSource(write(target, name, text).toString()), List.of(fragments));
  }
}
