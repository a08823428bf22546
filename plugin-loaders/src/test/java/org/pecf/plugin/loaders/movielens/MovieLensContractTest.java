package org.pecf.plugin.loaders.movielens;

import static org.pecf.plugin.loaders.testing.Loading.write;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.testkit.contract.RatingLoaderContract;
import org.pecf.testkit.fixture.LoadedRating;

/** MovieLens data under the contract of loaders. */
class MovieLensContractTest extends RatingLoaderContract {
  /** Enough lines for several chunks. */
  private static final int LINES = 60_000;

  @Override
  protected RatingLoaderProvider<?> provider() {
    return new MovieLensLoaderProvider();
  }

  @Override
  protected Sample sample(Path target) {
    StringBuilder text = new StringBuilder();
    List<LoadedRating> ratings = new ArrayList<>();
    text.append("userId,movieId,rating,timestamp\n");
    for (int i = 0; i < LINES; i++) {
      text.append(i / 20 + ",").append(i % 977 + ",").append(i % 10 / 2f + ",");
      text.append(789652004 + i).append("\n");
      ratings.add(LoadedRating.of(i / 20L, i % 977L, i % 10 / 2f, 789652004L + i));
    }
    return new Sample(new DataSource(write(target, "sample", text.toString()).toString()), ratings);
  }

  @Override
  protected List<BadSample> badSamples(Path target) {
    return List.of(
        bad(target, "late", "1\t2\t3\t4\n".repeat(150_000) + "1\t2\n", "late:150001:4", "too few"),
        bad(target, "empty", "", "empty"));
  }

  private static BadSample bad(Path target, String name, String text, String... fragments) {
    return new BadSample(new DataSource(write(target, name, text).toString()), List.of(fragments));
  }
}
