package org.pecf.plugin.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.testkit.fixture.LoadedRating;

/** Things a query may not do: run other statements, or touch files outside the user's data. */
class SqlGuardTest {
  @TempDir Path temporary;
  private Path folder;
  private Path secret;

  @BeforeEach
  void write() throws IOException {
    folder = Files.createDirectory(temporary.resolve("data"));
    secret = Files.writeString(temporary.resolve("secret.csv"), "user,item\n1,2\n");
    Files.writeString(folder.resolve("r.csv"), "user,item\n3,4\n");
  }

  private String refusal(String query) {
    return Loads.refusal(Loads.sql(query), folder, ErrorCode.BAD_DATA);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.walk(temporary)) {
      return files.map(file -> temporary.relativize(file).toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COPY (SELECT 1) TO 'OUT'",
        "SELECT user, item FROM 'r.csv'; COPY (SELECT 1) TO 'OUT'",
        "COPY (SELECT 1) TO 'OUT'; SELECT user, item FROM 'r.csv'",
        "SELECT user, item FROM 'r.csv'); COPY (SELECT 1) TO 'OUT'; --",
        "SELECT 1, 2; SELECT 3, 4",
        "INSTALL httpfs",
        "LOAD httpfs",
        "ATTACH 'OUT'",
        "SET enable_external_access = true",
        "PRAGMA enable_profiling",
        "CREATE TABLE t AS SELECT 1",
        "EXPORT DATABASE 'OUT'",
        "CALL enable_logging(storage='file', storage_path='OUT')",
        "EXPLAIN ANALYZE SELECT 1",
        "-- nothing"
      })
  void onlyOneSelectIsRun(String query) throws IOException {
    List<String> before = names();
    String message = refusal(query.replace("OUT", folder.resolve("out").toString()));
    assertTrue(message.startsWith("The query "), message);
    assertTrue(message.endsWith("Write one SELECT statement."), message);
    assertFalse(message.contains("\n"), message);
    assertEquals(before, names());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1, 2 FROM enable_logging(storage='file', storage_path='OUT')",
        "SELECT 1, 2 FROM enable_profiling(save_location='OUT')",
        "SELECT 1, 2 FROM query('SELECT 1')",
        "SELECT 1, 2 FROM glob('*')",
        "SELECT 1, content FROM read_text('SECRET')",
        "SELECT 1, content FROM read_blob('SECRET')"
      })
  void rowsComeFromFilesOnly(String query) throws IOException {
    List<String> before = names();
    String message =
        refusal(
            query
                .replace("OUT", folder.resolve("out").toString())
                .replace("SECRET", secret.toString()));
    assertTrue(message.contains("(), which queries of ratings may not."), message);
    assertEquals(before, names());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT user, item FROM 'SECRET'",
        "SELECT user, item FROM '../secret.csv'",
        "SELECT user, item FROM 'FOLDER/../secret.csv'",
        "SELECT user, item FROM read_csv('SECRET')",
        "SELECT user, item FROM read_csv('FOLDER/../secret.csv')",
        "SELECT user, item FROM read_csv('FOLD' || 'ER/r.csv')",
        "SELECT user, item FROM read_csv('https://localhost:1/r.csv')",
        "SELECT user, item FROM 'https://localhost:1/r.csv'",
        "SELECT user, item FROM 's3://bucket/r.parquet'",
        "SELECT user, item FROM '~/r.csv'",
        "SELECT user, item FROM '*.csv'",
        "SELECT user, item FROM read_csv('FOLDER/*.csv')",
        "SELECT 1, (SELECT max(user) FROM 'SECRET')",
        "SELECT user, item FROM '/etc/passwd'"
      })
  void otherFilesAreNotRead(String query) {
    String message =
        refusal(query.replace("SECRET", secret.toString()).replace("FOLDER", folder.toString()));
    assertTrue(
        message.contains("which is not a file in the folder")
            || message.contains("Permission Error")
            || message.contains("No files found"),
        message);
    assertFalse(message.contains("\n"), message);
  }

  @Test
  void linksOutOfTheFolderAreNotFollowed() throws IOException {
    Files.createSymbolicLink(folder.resolve("link.csv"), secret);
    Files.createSymbolicLink(folder.resolve("up"), temporary);
    Files.createSymbolicLink(folder.resolve("inside.csv"), folder.resolve("r.csv"));
    for (String name : List.of("link.csv", "up/secret.csv")) {
      String message = refusal("SELECT user, item FROM '" + name + "'");
      assertTrue(message.contains("which is not a file in the folder"), message);
      message = refusal("SELECT user, item FROM read_csv('" + folder.resolve(name) + "')");
      assertTrue(message.contains("Permission Error"), message);
    }
    assertEquals(
        List.of(LoadedRating.of(3L, 4L)), Loads.load(Loads.sql("FROM 'inside.csv'"), folder));
  }

  @Test
  void aPipeOrDeviceIsNoData() {
    assertEquals(
        "/dev/zero is neither a file nor a folder. Name the folder of the query's files.",
        Loads.refusal(Loads.sql("SELECT 1, 2"), Path.of("/dev/zero"), ErrorCode.BAD_DATA));
  }

  @Test
  void theFilesOfTheFolderAreRead() throws IOException {
    List<LoadedRating> expected = List.of(LoadedRating.of(3L, 4L));
    Path inner = Files.createDirectory(folder.resolve("year=2026, a"));
    Files.copy(folder.resolve("r.csv"), inner.resolve("it's [1] \"r\".csv"));
    for (String query :
        List.of(
            "SELECT user, item FROM 'r.csv' -- the end",
            "FROM 'r.csv';;",
            "WITH a AS (FROM 'r.csv') SELECT user, item FROM a",
            "SELECT user, item FROM '" + folder.resolve("r.csv") + "'",
            "SELECT user, item FROM read_csv('" + folder.resolve("r.csv") + "', delim = ',')",
            "FROM 'year=2026, a/it''s [1] \"r\".csv'",
            "SELECT 3, 4 FROM range(1)")) {
      assertEquals(expected, Loads.load(Loads.sql(query), folder), query);
    }
  }

  @Test
  void namesAreNoPatterns() {
    Tables.write(folder, "a1.parquet", "SELECT 1 AS user, 1 AS item");
    Path exact = Tables.write(folder, "a[1].parquet", "SELECT 2 AS user, 2 AS item");
    Path star = Tables.write(folder, "*.parquet", "SELECT 3 AS user, 3 AS item");
    Path question = Tables.write(folder, "a?.parquet", "SELECT 4 AS user, 4 AS item");
    assertEquals(List.of(LoadedRating.of(2L, 2L)), Loads.load(Loads.parquet(Map.of()), exact));
    assertEquals(List.of(LoadedRating.of(3L, 3L)), Loads.load(Loads.parquet(Map.of()), star));
    assertEquals(List.of(LoadedRating.of(4L, 4L)), Loads.load(Loads.parquet(Map.of()), question));
    assertEquals(
        List.of(LoadedRating.of(2L, 2L)),
        Loads.load(Loads.sql("SELECT user, item FROM data"), exact));
    Path none = folder.resolve("b*.parquet");
    assertEquals(
        none + ": no such file or folder. Check the location of the data.",
        Loads.refusal(Loads.parquet(Map.of()), none, ErrorCode.BAD_DATA));
  }

  @Test
  void nothingIsLeftInTheWorkingFolder() throws IOException {
    Loads.load(Loads.sql("SELECT i, i FROM range(1000) AS t(i) ORDER BY hash(i)"), folder);
    assertFalse(Files.exists(Path.of(".tmp")));
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      String own = "pecf-duckdb-" + ProcessHandle.current().pid() + "-";
      assertEquals(
          List.of(), files.filter(file -> file.getFileName().toString().startsWith(own)).toList());
    }
  }
}
