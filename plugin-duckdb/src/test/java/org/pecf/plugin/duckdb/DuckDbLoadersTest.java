package org.pecf.plugin.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.pecf.plugin.duckdb.Loads.load;
import static org.pecf.plugin.duckdb.Loads.parquet;
import static org.pecf.plugin.duckdb.Loads.refusal;
import static org.pecf.plugin.duckdb.Loads.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.Recognition;
import org.pecf.testkit.fixture.LoadedRating;

class DuckDbLoadersTest {
  @TempDir Path folder;

  @Test
  void castsTheTypesOfParquet() {
    Path file =
        Tables.write(
            folder,
            "types.parquet",
            "SELECT 7::UTINYINT AS \"who \"\"is\"\"\", 'é' AS item, 2.5::DECIMAL(3, 1) AS rating,"
                + " TIMESTAMP '1969-12-31 23:59:58.5' AS time");
    assertEquals(
        List.of(LoadedRating.of(7L, "é", 2.5f, -2)),
        load(parquet(Map.of("user-column", "who \"is\"")), file));
    Path second =
        Tables.write(
            folder,
            "more.parquet",
            "SELECT 'a' AS user, 5::BIGINT AS item, 3 AS stars, DATE '1970-01-03' AS time");
    assertEquals(List.of(LoadedRating.of("a", 5L, 3, 172_800)), load(parquet(Map.of()), second));
    assertEquals(
        List.of(LoadedRating.of("a", 5L)),
        load(parquet(Map.of("rating-column", "none", "time-column", "none")), second));
  }

  @Test
  void findsColumnsAndUnitsAsTheCsvLoaderDoes() {
    Path numbers =
        Tables.write(
            folder,
            "numbers.parquet",
            "SELECT 1 AS userId, 2 AS Movie_ID, 3 AS Feedback, 1125964800999 AS timestamp");
    assertEquals(
        List.of(LoadedRating.of(1L, 2L, 3, 1_125_964_800L)), load(parquet(Map.of()), numbers));
    Path texts =
        Tables.write(
            folder,
            "texts.parquet",
            "SELECT 1 AS uid, 2 AS iid, 3 AS score, '2005-09-06T00:00:00.5' AS date");
    assertEquals(
        List.of(LoadedRating.of(1L, 2L, 3, 1_125_964_800L)), load(parquet(Map.of()), texts));
    Path unknown =
        Tables.write(
            folder,
            "unknown.parquet",
            "SELECT 1 AS uid, 2 AS iid, 3 AS score, 'last week' AS date");
    assertEquals(List.of(LoadedRating.of(1L, 2L, 3)), load(parquet(Map.of()), unknown));
    Path unnamed =
        Tables.write(
            folder,
            "unnamed.parquet",
            "SELECT 1 AS uid, 2 AS iid, 3 AS score, DATE '1970-01-03' AS seen");
    List<String> notes = new ArrayList<>();
    assertEquals(
        List.of(LoadedRating.of(1L, 2L, 3)),
        load(parquet(Map.of()), unnamed, event -> notes.add(event.summary())));
    assertEquals(
        List.of(
            unnamed
                + ": column 'seen' looks like times but is not read. Set"
                + " parquet.time-column=seen to read it."),
        notes);
    assertEquals(
        numbers
            + ": no column 'grade'. Its columns are: userId, Movie_ID, Feedback, timestamp. Set"
            + " parquet.rating-column=userId, or another of them.",
        refusal(parquet(Map.of("rating-column", "grade")), numbers, ErrorCode.BAD_DATA));
  }

  @Test
  void incompleteFilesAreExplained() throws IOException {
    Path whole = Tables.write(folder, "whole.parquet", "SELECT 1 AS user, 2 AS item");
    Path cut = folder.resolve("cut.parquet");
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(whole), 100));
    assertEquals(Recognition.BROKEN, parquet(Map.of()).recognise(new DataSource(cut.toString())));
  }

  @Test
  void readsAFolderInTheOrderOfNames() throws IOException {
    Tables.write(folder, "b.parquet", "SELECT 2 AS user, 2 AS item");
    Tables.write(folder, "a.parquet", "SELECT 1 AS user, 1 AS item");
    Files.writeString(folder.resolve("readme"), "nothing");
    assertEquals(
        List.of(LoadedRating.of(1L, 1L), LoadedRating.of(2L, 2L)), load(parquet(Map.of()), folder));
    assertEquals(
        Recognition.CERTAIN, parquet(Map.of()).recognise(new DataSource(folder.toString())));
  }

  @Test
  void refusesValuesThatDoNotFit() {
    Path large = Tables.write(folder, "l.parquet", "SELECT 1::UBIGINT << 63 AS user, 1 AS item");
    String message = refusal(parquet(Map.of()), large, ErrorCode.BAD_DATA);
    assertTrue(message.startsWith(large + " cannot be read: "), message);
    assertTrue(message.contains("9223372036854775808"), message);
    Path infinite =
        Tables.write(folder, "i.parquet", "SELECT 1 AS user, 1 AS item, 'inf'::DOUBLE AS rating");
    assertEquals(
        infinite
            + ": row 1, column 3 of user, item, rating, time: the rating is not finite. Correct"
            + " this row or leave it out.",
        refusal(parquet(Map.of()), infinite, ErrorCode.BAD_DATA));
    Path list = Tables.write(folder, "t.parquet", "SELECT [1] AS user, 1 AS item");
    assertEquals(
        "Column 'user' is of type INTEGER[]. Convert it to integers or texts, or name another"
            + " column.",
        refusal(parquet(Map.of()), list, ErrorCode.BAD_DATA));
    Path none = Tables.write(folder, "n.parquet", "SELECT 1 AS user, 1 AS item WHERE false");
    assertEquals(
        none + " holds no ratings. Check that it is the right one.",
        refusal(parquet(Map.of()), none, ErrorCode.BAD_DATA));
  }

  @Test
  void queriesTheFilesOfAFolder() throws IOException {
    Files.writeString(folder.resolve("r.csv"), "u,i,r\n1,a,5\n2,b,3\n1,c,4\n");
    Tables.write(folder, "names.parquet", "SELECT 1 AS u, 'ann' AS name UNION ALL SELECT 2, 'bob'");
    assertEquals(
        List.of(LoadedRating.of("ann", "c", 4), LoadedRating.of("bob", "b", 3)),
        load(
            sql(
                "SELECT name, i, r FROM 'r.csv' JOIN 'names.parquet' USING (u) WHERE r < 5 ORDER BY"
                    + " name;"),
            folder));
  }

  @Test
  void queriesAFile() throws IOException {
    Path file = Files.writeString(folder.resolve("r.csv"), "u,i\n1,4\n2,5\n");
    assertEquals(
        new HashSet<>(List.of(LoadedRating.of(1L, 4L), LoadedRating.of(2L, 5L))),
        new HashSet<>(load(sql("SELECT u AS user, i AS item FROM data"), file)));
    assertEquals(Recognition.NO, sql("SELECT 1").recognise(new DataSource(file.toString())));
  }

  @Test
  void explainsQueriesThatCannotBeRead() {
    assertEquals(
        "Loader sql needs its option query, for example query=\"SELECT user, item, rating FROM"
            + " 'ratings.parquet'\".",
        refusal(sql(" "), folder, ErrorCode.BAD_OPTION));
    String columns =
        ". Write it so that it yields user, item and, if there are any, rating and time, in this"
            + " order.";
    assertEquals(
        "The query yields the columns a" + columns,
        refusal(sql("SELECT 1 AS a"), folder, ErrorCode.BAD_DATA));
    assertEquals(
        "The query yields the columns item, user" + columns,
        refusal(sql("SELECT 1 AS item, 2 AS user"), folder, ErrorCode.BAD_DATA));
    String syntax = refusal(sql("SELEKT 1"), folder, ErrorCode.BAD_DATA);
    assertTrue(syntax.startsWith("The query cannot be read: "), syntax);
    String missing = refusal(sql("SELECT * FROM 'no.csv'"), folder, ErrorCode.BAD_DATA);
    assertTrue(missing.contains("no.csv"), missing);
  }
}
