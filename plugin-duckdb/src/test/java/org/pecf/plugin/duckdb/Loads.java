package org.pecf.plugin.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.testkit.fixture.CollectingSink;
import org.pecf.testkit.fixture.LoadedRating;
import org.pecf.testkit.fixture.ThreadedParallelism;

/** The loading of data by DuckDB in tests, with a check that no memory is left behind. */
final class Loads {
  private Loads() {}

  private static <O extends Record> RatingLoader loader(
      RatingLoaderProvider<O> provider, Map<String, String> options) {
    return provider.create(provider.options().bind("loader", options));
  }

  static RatingLoader parquet(Map<String, String> options) {
    return loader(new ParquetLoaderProvider(), options);
  }

  static RatingLoader sql(String query) {
    return loader(new SqlLoaderProvider(), Map.of("query", query));
  }

  static List<LoadedRating> load(RatingLoader loader, Path path) {
    return load(loader, path, RunListener.none());
  }

  static List<LoadedRating> load(RatingLoader loader, Path path, RunListener listener) {
    try (RootAllocator root = new RootAllocator();
        BufferAllocator working = root.newChildAllocator("loader", 0, Long.MAX_VALUE);
        BufferAllocator kept = root.newChildAllocator("sink", 0, Long.MAX_VALUE)) {
      CollectingSink sink = new CollectingSink(kept);
      loader.load(
          new DataSource(path.toString()),
          sink,
          new RunContext(working, new ThreadedParallelism(2), () -> false, listener));
      return sink.ratings();
    }
  }

  static String refusal(RatingLoader loader, Path path, ErrorCode code) {
    PecfException problem = assertThrows(PecfException.class, () -> load(loader, path));
    assertEquals(code, problem.code(), problem.getMessage());
    return problem.getMessage();
  }
}
