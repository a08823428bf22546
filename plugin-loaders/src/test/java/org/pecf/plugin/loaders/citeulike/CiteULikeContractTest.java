package org.pecf.plugin.loaders.citeulike;

import static org.pecf.plugin.loaders.testing.Loading.write;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.testkit.contract.RatingLoaderContract;
import org.pecf.testkit.fixture.LoadedRating;

/** CiteULike data under the contract of loaders. */
class CiteULikeContractTest extends RatingLoaderContract {
  /** Enough lines for several chunks. */
  private static final int LINES = 80_000;

  @Override
  protected RatingLoaderProvider<?> provider() {
    return new CiteULikeLoaderProvider();
  }

  @Override
  protected Sample sample(Path target) {
    StringBuilder text = new StringBuilder();
    List<LoadedRating> ratings = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      text.append(i % 5);
      for (int j = 0; j < i % 5; j++) {
        text.append(" ").append(i + j);
        ratings.add(LoadedRating.of((long) i, (long) i + j));
      }
      text.append("\n");
    }
    return new Sample(new DataSource(write(target, "sample", text.toString()).toString()), ratings);
  }

  @Override
  protected List<BadSample> badSamples(Path target) {
    return List.of(
        bad(target, "count", "1 5\n".repeat(1000) + "2 5\n", "count:1001:1", "count 2"),
        bad(target, "empty", "", "empty"));
  }

  private static BadSample bad(Path target, String name, String text, String... fragments) {
    return new BadSample(new DataSource(write(target, name, text).toString()), List.of(fragments));
  }
}
