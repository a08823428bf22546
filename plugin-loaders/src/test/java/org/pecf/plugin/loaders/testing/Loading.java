package org.pecf.plugin.loaders.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.run.RunContext;
import org.pecf.testkit.fixture.CollectingSink;
import org.pecf.testkit.fixture.LoadedRating;
import org.pecf.testkit.fixture.ThreadedParallelism;

/** The loading of data in tests, with a check that no memory is left behind even on failure. */
public final class Loading {
  private Loading() {}

  public static <O extends Record> RatingLoader loader(
      RatingLoaderProvider<O> provider, Map<String, String> options) {
    return provider.create(provider.options().bind("loader " + provider.describe().id(), options));
  }

  public static CollectingSink load(RatingLoader loader, String location, int threads) {
    return load(loader, location, threads, new ArrayList<>());
  }

  public static CollectingSink load(
      RatingLoader loader, String location, int threads, List<String> events) {
    try (RootAllocator root = new RootAllocator()) {
      CollectingSink sink = new CollectingSink(root);
      loader.load(
          new DataSource(location),
          sink,
          new RunContext(
              root,
              new ThreadedParallelism(threads),
              () -> false,
              event -> events.add(event.summary())));
      return sink;
    }
  }

  public static CollectingSink load(RatingLoader loader, Path path) {
    return load(loader, path.toString(), 1);
  }

  /** Check the whole message of a refusal; {@code PATH} in it stands for the path. */
  public static void assertRefused(RatingLoader loader, Path path, String message) {
    PecfException problem =
        assertThrows(PecfException.class, () -> load(loader, path.toString(), 2));
    assertEquals(message.replace("PATH", path.toString()), problem.getMessage());
    assertEquals(ErrorCode.BAD_DATA, problem.code());
  }

  public static LoadedRating positive(long user, long item) {
    return LoadedRating.of(user, item);
  }

  public static LoadedRating rating(long user, long item, double rating, long time) {
    return LoadedRating.of(user, item, (float) rating, time);
  }

  public static Path write(Path folder, String name, String text) {
    return write(folder, name, text.getBytes(StandardCharsets.UTF_8));
  }

  public static Path write(Path folder, String name, byte[] bytes) {
    try {
      return Files.write(folder.resolve(name), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static byte[] gzip(String text) {
    return gzip(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Pack bytes. */
  public static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
      stream.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  /** Find a real data set by the variable PECF_DATA or next to the project. */
  public static Optional<Path> realData(String name) {
    String folder = System.getenv("PECF_DATA");
    List<Path> folders =
        folder != null
            ? List.of(Path.of(folder))
            : List.of(Path.of("../../shared/data"), Path.of("../../../shared/data"));
    return folders.stream().map(path -> path.resolve(name)).filter(Files::exists).findFirst();
  }
}
