package ${package};

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.testkit.contract.RatingLoaderContract;
import org.pecf.testkit.fixture.LoadedRating;

/** The contract of every loader; add tests of your own. */
class MyLoaderTest extends RatingLoaderContract {
  @Override
  protected RatingLoaderProvider<?> provider() {
    return new MyLoaderProvider();
  }

  @Override
  protected Sample sample(Path target) throws IOException {
    List<String> lines = new ArrayList<>(List.of(MyLoader.MARK));
    List<LoadedRating> ratings = new ArrayList<>();
    for (int k = 0; k < 25_000; k++) {
      lines.add("user" + k % 100 + "\titem" + k + "\t" + k % 5);
      ratings.add(LoadedRating.of("user" + k % 100, "item" + k, k % 5));
    }
    return new Sample(source(target, "good.txt", lines), ratings);
  }

  @Override
  protected List<BadSample> badSamples(Path target) throws IOException {
    return List.of(
        new BadSample(
            source(target, "short.txt", List.of(MyLoader.MARK, "a\tb\t1", "a\tb")),
            List.of("short.txt", "line 3", "a b")),
        new BadSample(
            source(target, "words.txt", List.of(MyLoader.MARK, "a\tb\tgood")),
            List.of("words.txt", "line 2", "good")));
  }

  private static DataSource source(Path target, String name, List<String> lines)
      throws IOException {
    return new DataSource(Files.write(target.resolve(name), lines).toString());
  }
}
