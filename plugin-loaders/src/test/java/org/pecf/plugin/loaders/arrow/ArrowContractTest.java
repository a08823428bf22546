package org.pecf.plugin.loaders.arrow;

import static org.pecf.plugin.loaders.testing.Loading.write;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.testkit.contract.RatingLoaderContract;
import org.pecf.testkit.fixture.LoadedRating;

/** Arrow IPC under the contract of loaders. */
class ArrowContractTest extends RatingLoaderContract {
  @Override
  protected RatingLoaderProvider<?> provider() {
    return new ArrowLoaderProvider();
  }

  @Override
  protected Sample sample(Path target) {
    List<LoadedRating> ratings = new ArrayList<>();
    try (RootAllocator root = new RootAllocator();
        BigIntVector users = new BigIntVector("user", root);
        BigIntVector items = new BigIntVector("item", root)) {
      for (int i = 0; i < 100; i++) {
        users.setSafe(i, i);
        items.setSafe(i, 2L * i);
        ratings.add(LoadedRating.of((long) i, 2L * i));
      }
      users.setValueCount(100);
      items.setValueCount(100);
      byte[] bytes = ArrowSamples.write(false, 3, List.of(users, items), List.of());
      List<LoadedRating> thrice = new ArrayList<>(ratings);
      thrice.addAll(ratings);
      thrice.addAll(ratings);
      return new Sample(new DataSource(write(target, "sample.arrow", bytes).toString()), thrice);
    }
  }

  @Override
  protected List<BadSample> badSamples(Path target) {
    return List.of(
        new BadSample(
            new DataSource(write(target, "cut", "ARROW1\0\0 and no more").toString()),
            List.of("cut", "cannot be read as Arrow")));
  }
}
