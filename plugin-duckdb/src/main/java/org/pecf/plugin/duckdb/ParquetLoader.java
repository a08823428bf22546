package org.pecf.plugin.duckdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.LoaderNote;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.data.TableWriter;
import org.pecf.api.run.RunContext;
import org.pecf.api.support.ColumnRole;

/** The loader of Parquet files, and their writer. */
final class ParquetLoader implements RatingLoader, TableWriter {
  private static final byte[] MARK = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /** Pairs of a user and an item take a byte at least, columns that repeat one value far less. */
  private static final long MOST_ROWS_PER_BYTE = 1000;

  private final ParquetLoaderProvider.Options options;

  ParquetLoader(ParquetLoaderProvider.Options options) {
    this.options = options;
  }

  @Override
  public Recognition recognise(DataSource source) {
    try {
      List<Path> files = source.path().map(ParquetLoader::files).orElse(List.of());
      if (files.isEmpty() || !begins(files.get(0))) {
        return Recognition.NO;
      }
      return marked(files.get(0)) ? Recognition.CERTAIN : Recognition.BROKEN;
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
      checkRows(duckDb, files);
      List<DuckDb.Column> columns = duckDb.columns("SELECT * FROM " + table);
      Optional<DuckDb.Column> time = column(path, columns, ColumnRole.TIME, options.timeColumn());
      if (options.timeColumn().isEmpty() && time.isPresent() && !duckDb.isTime(time.get(), table)) {
        context
            .listener()
            .on(
                new LoaderNote(
                    "%s: times of type %s in column '%s' are not read, as their format is unknown."
                        .formatted(path, time.get().type(), shown(time.get()))));
        time = Optional.empty();
      }
      if (options.timeColumn().isEmpty() && time.isEmpty()) {
        columns.stream()
            .filter(column -> RatingQuery.isCertainlyTime(column.type()))
            .map(ParquetLoader::shown)
            .findFirst()
            .ifPresent(
                name ->
                    context
                        .listener()
                        .on(
                            new LoaderNote(
                                "%s: column '%s' looks like times but is not read. Set %s to read it."
                                    .formatted(
                                        path, name, ColumnRole.TIME.setting("parquet", name)))));
      }
      duckDb.load(
          "SELECT * FROM " + table,
          new RatingQuery(
              column(path, columns, ColumnRole.USER, options.userColumn()).orElseThrow(),
              column(path, columns, ColumnRole.ITEM, options.itemColumn()).orElseThrow(),
              column(path, columns, ColumnRole.RATING, options.ratingColumn()),
              time),
          sink);
    }
  }

  /** Refuse a file that declares more rows than ratings in so many bytes can be. */
  static void checkRows(DuckDb duckDb, Collection<Path> files) {
    for (Path file : files) {
      try {
        long bytes = Files.size(file);
        long most = bytes * MOST_ROWS_PER_BYTE;
        String query =
            "SELECT num_rows FROM parquet_file_metadata(["
                + DuckDb.literal(file)
                + "]) WHERE num_rows NOT BETWEEN 0 AND ?::BIGINT";
        List<String> rows = duckDb.texts(query, Long.toString(most));
        if (!rows.isEmpty()) {
          throw PecfException.badData(
              "%s declares %s rows, which its %s bytes do not hold. Write it again.",
              file, rows.get(0), bytes);
        }
      } catch (IOException e) {
        throw unreadable(file, e);
      }
    }
  }

  @Override
  public void write(ArrowReader table, Path file, RunContext context) {
    Path path = file.toAbsolutePath();
    try (DuckDb duckDb = DuckDb.open(path.toString(), context)) {
      duckDb.permit(List.of(path));
      duckDb.write(table, path);
    }
  }

  private static Optional<DuckDb.Column> column(
      Path path, List<DuckDb.Column> columns, ColumnRole role, String option) {
    List<String> names = columns.stream().map(DuckDb.Column::name).toList();
    OptionalInt column = role.choose(option, names, "parquet", path.toString());
    return column.isPresent() ? Optional.of(columns.get(column.getAsInt())) : Optional.empty();
  }

  /** Return the name of a column, without anything that commands a terminal. */
  private static String shown(DuckDb.Column column) {
    return column.name().replaceAll("\\p{Cntrl}", "?");
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

  /** Return whether a file begins with the mark of Parquet. */
  private static boolean begins(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file)) {
      return ByteBuffer.wrap(MARK).equals(read(channel, 0));
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
