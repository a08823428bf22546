package org.pecf.plugin.duckdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;
import org.duckdb.DuckDBResultSet;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSink;
import org.pecf.api.run.RunContext;
import org.pecf.api.support.EpochUnit;

/**
 * A private DuckDB in memory, which reads the files it was given and no others, fetches nothing
 * from the network and spills to a folder of its own.
 */
final class DuckDb implements AutoCloseable {
  private static final long BATCH_ROWS = 1 << 16;
  private static final int SAMPLED_ROWS = 1000;

  private static final int LONGEST_MESSAGE = 300;

  /** The text that the driver puts before the message of a failed query. */
  private static final Pattern PREAMBLE =
      Pattern.compile("(?s)^.*closed pending query result\\s+Error: ");

  private static final Pattern REST = Pattern.compile("(?s)(\\R\\s*\\R|\\RStack Trace).*");

  private final String name;
  private final Connection connection;
  private final RunContext context;
  private final SpillFolder spill;

  private DuckDb(String name, Connection connection, RunContext context, SpillFolder spill) {
    this.name = name;
    this.connection = connection;
    this.context = context;
    this.spill = spill;
  }

  /**
   * A column of a query.
   *
   * @param name its name
   * @param type DuckDB's name of its type
   */
  record Column(String name, String type) {
    /** Return the column's name as it is written in a query. */
    String reference() {
      return quoted(name, '"');
    }
  }

  /**
   * Start DuckDB. It reads no file before {@link #permit} names it.
   *
   * @param name the name of the data in messages
   */
  static DuckDb open(String name, RunContext context) {
    Path temporaryFolder = Path.of(System.getProperty("java.io.tmpdir"));
    UnpackedLibraries.collect(temporaryFolder, Instant.now());
    SpillFolder spill = null;
    try {
      spill = SpillFolder.in(temporaryFolder);
      String own = spill.path().toString();
      Properties properties = new Properties();
      properties.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
      properties.setProperty("threads", Integer.toString(context.parallelism().threads()));
      properties.setProperty("autoinstall_known_extensions", "false");
      properties.setProperty("autoload_known_extensions", "false");
      properties.setProperty("allow_community_extensions", "false");
      properties.setProperty("allow_unsigned_extensions", "false");
      properties.setProperty("allow_persistent_secrets", "false");
      properties.setProperty("temp_directory", own);
      properties.setProperty("extension_directory", own);
      properties.setProperty("home_directory", own);
      // The driver manager does not see the drivers of other module layers.
      Connection connection = new DuckDBDriver().connect("jdbc:duckdb:", properties);
      UnpackedLibraries.deleteLoaded();
      return new DuckDb(name, connection, context, spill);
    } catch (IOException | SQLException | LinkageError e) {
      if (spill != null) {
        spill.close();
      }
      throw StartFailure.of(temporaryFolder, e);
    }
  }

  /**
   * Permit DuckDB to read files, and lock it: from now on it can read no others, and no query can
   * change that.
   */
  void permit(Collection<Path> files) {
    String paths =
        files.stream()
            .map(Path::toString)
            .flatMap(path -> Stream.of(path, pattern(path)))
            .distinct()
            .map(path -> quoted(path, '\''))
            .collect(Collectors.joining(", ", "[", "]"));
    execute("SET allowed_paths = " + paths);
    execute("SET enable_external_access = false");
    execute("SET lock_configuration = true");
  }

  /** Return the table function that reads a file, whatever characters its name has. */
  static String scan(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "");
    String function =
        name.endsWith(".parquet")
            ? "read_parquet"
            : name.matches(".*\\.(json|jsonl|ndjson)") ? "read_json" : "read_csv";
    return function + "([" + literal(file) + "], hive_partitioning = false)";
  }

  /** Return the literal of a file in a query, in which no character is a wildcard. */
  static String literal(Path file) {
    return quoted(pattern(file.toString()), '\'');
  }

  private static String pattern(String path) {
    return path.replaceAll("[\\[*?]", "[$0]");
  }

  /**
   * Return the path of a source.
   *
   * @throws PecfException if it has none, or nothing is there
   */
  static Path path(DataSource source) {
    Path path = source.requiredPath();
    if (!Files.exists(path)) {
      throw PecfException.badData(
          "%s: no such file or folder. Check the location of the data.", path);
    }
    return path.toAbsolutePath().normalize();
  }

  /** Return a text in quotes, as it is written in a query. */
  static String quoted(String text, char quote) {
    String once = String.valueOf(quote);
    return once + text.replace(once, once + once) + once;
  }

  /** Run a statement without a result. */
  void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** Return the columns that a query yields. */
  List<Column> columns(String query) {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("DESCRIBE " + query)) {
      List<Column> columns = new ArrayList<>();
      while (result.next()) {
        columns.add(new Column(result.getString("column_name"), result.getString("column_type")));
      }
      return columns;
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** Return the first column of the result of a query with one parameter. */
  List<String> texts(String query, String parameter) {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, parameter);
      try (ResultSet result = statement.executeQuery()) {
        List<String> texts = new ArrayList<>();
        while (result.next()) {
          texts.add(result.getString(1));
        }
        return texts;
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** Return whether the first values of a column of a table are times. */
  boolean isTime(Column column, String table) {
    if (!column.type().equals("VARCHAR")) {
      return RatingQuery.isTime(column.type());
    }
    return texts(
            "SELECT 'not a time' FROM (SELECT %s AS t FROM %s LIMIT %d) WHERE TRY_CAST(t AS TIMESTAMP) IS NULL AND ? IS NOT NULL LIMIT 1"
                .formatted(column.reference(), table, SAMPLED_ROWS),
            "")
        .isEmpty();
  }

  /** Publish the ratings that a query yields, in its order. */
  void load(String source, RatingQuery query, RatingSink sink) {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query.over(source));
        ArrowReader reader = export(result)) {
      long rows = 0;
      long ordinal = 0;
      TimeScale scale = new TimeScale(query.timesAreNumbers());
      VectorSchemaRoot root = attempt(reader::getVectorSchemaRoot);
      context.cancellation().check();
      while (attempt(reader::loadNextBatch)) {
        context.cancellation().check();
        int count = root.getRowCount();
        if (count > 0) {
          scale.apply(root);
          publish(root, rows, query, sink, ordinal++);
          rows += count;
        }
      }
      if (rows == 0) {
        throw PecfException.badData(
            "%s holds no ratings. Check that it is the right one.", capitalised());
      }
    } catch (SQLException | IOException e) {
      throw failed(e);
    }
  }

  /**
   * Write a table to a Parquet file, batch by batch, in its order.
   *
   * @param table read on one thread at a time. Not closed.
   * @param file a file that may be written
   */
  void write(ArrowReader table, Path file) {
    try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(context.allocator());
        Statement statement = connection.createStatement()) {
      // The stream closes what it exports, which belongs to the caller.
      Data.exportArrayStream(context.allocator(), new BorrowedTable(table, context), stream);
      connection.unwrap(DuckDBConnection.class).registerArrowStream("batches", stream);
      statement.execute(
          "COPY (SELECT * FROM batches) TO "
              + quoted(file.toString(), '\'')
              + " (FORMAT parquet, USE_TMP_FILE false)");
    } catch (SQLException e) {
      throw PecfException.resources(
              "%s cannot be written: %s Check that its disk has room.",
              capitalised(), oneLine(e.getMessage()))
          .causedBy(e);
    }
  }

  /**
   * The batches of another table. Its vectors are its own: whoever reads it may take them, and
   * closing it leaves the other table open.
   */
  private static final class BorrowedTable extends ArrowReader {
    private final ArrowReader source;

    /**
     * Create a table of the same batches.
     *
     * @param source borrowed
     * @param context the source of memory
     */
    BorrowedTable(ArrowReader source, RunContext context) {
      super(context.allocator());
      this.source = source;
    }

    @Override
    protected Schema readSchema() throws IOException {
      return source.getVectorSchemaRoot().getSchema();
    }

    @Override
    public boolean loadNextBatch() throws IOException {
      prepareLoadNextBatch();
      if (!source.loadNextBatch()) {
        return false;
      }
      VectorSchemaRoot batch = source.getVectorSchemaRoot();
      try (ArrowRecordBatch shared = new VectorUnloader(batch).getRecordBatch()) {
        new VectorLoader(getVectorSchemaRoot()).load(shared);
      }
      return true;
    }

    @Override
    public long bytesRead() {
      return source.bytesRead();
    }

    @Override
    protected void closeReadSource() {
      // The source belongs to the caller.
    }
  }

  /** The scaling of times that are numbers to seconds, by the unit of the first batch. */
  private static final class TimeScale {
    private final boolean numbers;
    private @Nullable EpochUnit unit;

    TimeScale(boolean numbers) {
      this.numbers = numbers;
    }

    void apply(VectorSchemaRoot root) {
      if (!numbers) {
        return;
      }
      BigIntVector times = (BigIntVector) root.getVector(root.getFieldVectors().size() - 1);
      if (unit == null) {
        unit =
            EpochUnit.of(
                IntStream.range(0, times.getValueCount())
                    .mapToLong(i -> times.isNull(i) ? 0 : times.get(i))
                    .toArray());
      }
      for (int i = 0; unit != EpochUnit.SECONDS && i < times.getValueCount(); i++) {
        if (!times.isNull(i)) {
          times.set(i, unit.seconds(times.get(i)));
        }
      }
    }
  }

  private ArrowReader export(ResultSet result) {
    return attempt(
        () ->
            (ArrowReader)
                result
                    .unwrap(DuckDBResultSet.class)
                    .arrowExportStream(context.allocator(), BATCH_ROWS));
  }

  /** A step in reading a result. */
  private interface Step<T> {
    T run() throws IOException, SQLException;
  }

  /** Run a step; errors of the running query arrive as exceptions of several kinds. */
  private <T> T attempt(Step<T> step) {
    try {
      return step.run();
    } catch (OutOfMemoryException e) {
      throw e;
    } catch (IOException | SQLException | RuntimeException e) {
      throw failed(e);
    }
  }

  private void publish(
      VectorSchemaRoot root, long firstRow, RatingQuery query, RatingSink sink, long ordinal) {
    int count = root.getRowCount();
    for (int column = 0; column < root.getFieldVectors().size(); column++) {
      check(root.getVector(column), column, firstRow);
    }
    RatingBatch batch = sink.batch(query.schema(), 0);
    try {
      move(root.getVector(0), batch.users());
      move(root.getVector(1), batch.items());
      batch.ratings().ifPresent(target -> move(root.getVector(2), target));
      int last = root.getFieldVectors().size() - 1;
      batch.times().ifPresent(target -> move(root.getVector(last), target));
    } catch (RuntimeException | Error e) {
      batch.close();
      throw e;
    }
    sink.publish(ordinal, batch, count);
  }

  private void check(FieldVector vector, int column, long firstRow) {
    for (int i = 0; i < vector.getValueCount(); i++) {
      boolean missing = vector.isNull(i);
      boolean infinite =
          !missing && vector instanceof Float4Vector floats && !Float.isFinite(floats.get(i));
      if (missing || infinite) {
        throw PecfException.badData(
            "%s: row %s, column %s of user, item, rating, time: %s. Correct this row or leave it"
                + " out.",
            capitalised(),
            firstRow + i + 1,
            column + 1,
            missing ? "null is not a value" : "the rating is not finite");
      }
    }
  }

  private static void move(ValueVector source, FieldVector target) {
    if (source.getAllocator().getRoot() == target.getAllocator().getRoot()) {
      source.makeTransferPair(target).transfer();
      return;
    }
    for (int i = 0; i < source.getValueCount(); i++) {
      target.copyFromSafe(i, i, source);
    }
    target.setValueCount(source.getValueCount());
  }

  private PecfException failed(Exception cause) {
    return PecfException.badData(
            "%s cannot be read: %s Check the data.", capitalised(), oneLine(cause.getMessage()))
        .causedBy(cause);
  }

  /**
   * Return a message of DuckDB, which can have many lines and a picture of the query, as one line.
   */
  static String oneLine(@Nullable String message) {
    if (message == null) {
      return "it is damaged.";
    }
    String line = PREAMBLE.matcher(message).replaceFirst("");
    line = REST.matcher(line).replaceFirst("");
    line = line.replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", "?").strip();
    line = line.length() > LONGEST_MESSAGE ? line.substring(0, LONGEST_MESSAGE) + "…" : line;
    return line.matches(".*[.!?…]") ? line : line + ".";
  }

  /** Return the name of the data at the beginning of a sentence. */
  private String capitalised() {
    return name.startsWith("the ") ? "T" + name.substring(1) : name;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failed(e);
    } finally {
      spill.close();
    }
  }
}
