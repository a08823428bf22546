package org.pecf.plugin.duckdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.testkit.contract.RatingLoaderContract;
import org.pecf.testkit.fixture.LoadedRating;

/** Parquet under the contract of loaders. */
class ParquetContractTest extends RatingLoaderContract {
  @Override
  protected RatingLoaderProvider<?> provider() {
    return new ParquetLoaderProvider();
  }

  @Override
  protected Sample sample(Path target) {
    Path file =
        Tables.write(
            target,
            "sample.parquet",
            "SELECT i // 20 AS user, 'item ' || (i % 977) AS item, (i % 10) / 2 AS rating,"
                + " i AS time FROM range(200000) AS t(i)");
    return new Sample(
        new DataSource(file.toString()),
        LongStream.range(0, 200_000)
            .mapToObj(i -> LoadedRating.of(i / 20, "item " + i % 977, i % 10 / 2f, i))
            .toList());
  }

  @Override
  protected List<BadSample> badSamples(Path target) throws IOException {
    Path whole = Tables.write(target, "whole.parquet", "SELECT 1 AS user, 2 AS item");
    byte[] bytes = Files.readAllBytes(whole);
    Path cut = Files.write(target.resolve("cut.parquet"), Arrays.copyOf(bytes, 100));
    return List.of(
        new BadSample(new DataSource(cut.toString()), List.of("cut.parquet", "not a complete")),
        new BadSample(
            new DataSource(
                Tables.write(
                        target,
                        "null.parquet",
                        "SELECT 1 AS user, 2 AS item UNION ALL SELECT 3, NULL")
                    .toString()),
            List.of("null.parquet", "row 2", "null")),
        new BadSample(
            new DataSource(
                Tables.write(target, "names.parquet", "SELECT 1 AS usr, 2 AS item").toString()),
            List.of("which column is the user?", "Did you mean 'usr'?", "user-column")));
  }
}
