package org.pecf.plugin.duckdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.plugin.Choices;
import org.pecf.api.run.RunContext;

/** The loader of Parquet files. */
final class ParquetLoader implements RatingLoader {
  private static final byte[] MARK = "PAR1".getBytes(StandardCharsets.US_ASCII);

  private final ParquetOptions options;

  ParquetLoader(ParquetOptions options) {
    this.options = options;
  }

  @Override
  public Recognition recognise(DataSource source) {
    try {
      List<Path> files = source.path().map(ParquetLoader::files).orElse(List.of());
      return !files.isEmpty() && marked(files.get(0)) ? Recognition.CERTAIN : Recognition.NO;
    } catch (IOException | PecfException e) {
      return Recognition.NO;
    }
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    Path path = DuckDb.path(source);
    List<Path> files = files(path);
    if (files.isEmpty()) {
      throw PecfException.badData(
          "%s: no *.parquet in this folder. Name the Parquet file itself.", path);
    }
    for (Path file : files) {
      try {
        if (!marked(file)) {
          throw PecfException.badData(
              "%s is not a complete Parquet file. Check its format, or write it again.", file);
        }
      } catch (IOException e) {
        throw unreadable(file, e);
      }
    }
    String table =
        files.stream()
            .map(DuckDb::literal)
            .collect(Collectors.joining(", ", "read_parquet([", "], hive_partitioning = false)"));
    try (DuckDb duckDb = DuckDb.open(path.toString(), context)) {
      duckDb.permit(files);
      List<DuckDb.Column> columns = duckDb.columns("SELECT * FROM " + table);
      List<DuckDb.Column> chosen = new ArrayList<>();
      chosen.add(column(path, columns, "user", options.userColumn()));
      chosen.add(column(path, columns, "item", options.itemColumn()));
      optional(path, columns, "rating", options.ratingColumn(), ParquetOptions.RATING)
          .ifPresent(chosen::add);
      boolean rated = chosen.size() == 3;
      Optional<DuckDb.Column> time =
          optional(path, columns, "time", options.timeColumn(), ParquetOptions.TIME);
      time.ifPresent(chosen::add);
      duckDb.load(
          "SELECT * FROM " + table,
          new RatingQuery(
              chosen.get(0),
              chosen.get(1),
              rated ? Optional.of(chosen.get(2)) : Optional.empty(),
              time),
          sink);
    }
  }

  private static Optional<DuckDb.Column> optional(
      Path path, List<DuckDb.Column> columns, String role, String name, String usual) {
    return name.equals(usual) && columns.stream().noneMatch(column -> column.name().equals(name))
        ? Optional.empty()
        : Optional.of(column(path, columns, role, name));
  }

  private static DuckDb.Column column(
      Path path, List<DuckDb.Column> columns, String role, String name) {
    List<String> names = columns.stream().map(DuckDb.Column::name).toList();
    return columns.stream()
        .filter(column -> column.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                PecfException.badData(
                    "%s: no column '%s'.%s Its columns are: %s. Set %s-column.",
                    path, name, Choices.suggestion(name, names), String.join(", ", names), role));
  }

  private static List<Path> files(Path path) {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> files = Files.list(path)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(".parquet"))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /** Return whether a file begins and ends with the mark of Parquet. */
  private static boolean marked(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.size() >= 12
          && ByteBuffer.wrap(MARK).equals(read(channel, 0))
          && ByteBuffer.wrap(MARK).equals(read(channel, channel.size() - 4));
    }
  }

  private static ByteBuffer read(FileChannel channel, long position) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4);
    while (bytes.hasRemaining() && channel.read(bytes, position + bytes.position()) >= 0) {}
    return bytes.flip();
  }

  private static PecfException unreadable(Path path, IOException cause) {
    return PecfException.badData(
            "%s cannot be read (%s). Check the file and its disk.", path, cause.getMessage())
        .causedBy(cause);
  }
}
