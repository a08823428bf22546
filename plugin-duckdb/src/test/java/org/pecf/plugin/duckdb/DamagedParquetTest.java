package org.pecf.plugin.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

/**
 * Damaged Parquet files: every byte changed and every length cut. A crash would end the whole test
 * run.
 */
class DamagedParquetTest {
  @TempDir Path folder;

  @Test
  void everyChangeIsReadOrRefused() throws IOException {
    Path whole =
        Tables.write(
            folder, "whole.parquet", "SELECT 'u' || i AS user, i AS item FROM range(3) AS t(i)");
    byte[] bytes = Files.readAllBytes(whole);
    Path damaged = folder.resolve("damaged.parquet");
    int refused = 0;
    for (int k = 0; k < bytes.length; k++) {
      byte[] changed = bytes.clone();
      changed[k] ^= (byte) (k % 2 == 0 ? 0xff : 0x01);
      replace(damaged, changed);
      refused += reads(damaged, "at " + k) ? 0 : 1;
    }
    assertTrue(refused > bytes.length / 10, refused + " of " + bytes.length);
  }

  @Test
  void everyCutIsRefused() throws IOException {
    Path whole = Tables.write(folder, "whole.parquet", "SELECT 1 AS user, 2 AS item");
    byte[] bytes = Files.readAllBytes(whole);
    byte[] mark = Arrays.copyOf(bytes, 4);
    Path damaged = folder.resolve("damaged.parquet");
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      replace(damaged, cut);
      assertFalse(reads(damaged, "cut at " + length), "cut at " + length);
      if (length > 8 && length % 5 == 0) {
        // Now it ends as a whole one does.
        System.arraycopy(mark, 0, cut, length - 4, 4);
        replace(damaged, cut);
        reads(damaged, "cut and marked at " + length);
      }
    }
  }

  /** A few hundred bytes can declare any number of rows, which would fill the memory. */
  @Test
  void moreRowsThanTheFileCanHoldAreRefused() throws IOException {
    Path file = folder.resolve("many.parquet");
    try (Connection connection = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "COPY (SELECT 1::UTINYINT AS user, 2::UTINYINT AS item FROM range(3000000)) TO '"
              + file
              + "' (FORMAT parquet, ROW_GROUP_SIZE 3000000)");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    String expected =
        file
            + " declares 3000000 rows, which its "
            + Files.size(file)
            + " bytes do not hold. Write it again.";
    assertEquals(expected, Loads.refusal(Loads.parquet(Map.of()), file, ErrorCode.BAD_DATA));
    assertEquals(
        expected, Loads.refusal(Loads.sql("FROM 'many.parquet'"), folder, ErrorCode.BAD_DATA));
  }

  private static boolean reads(Path file, String which) {
    try {
      Loads.load(Loads.parquet(Map.of()), file);
      return true;
    } catch (PecfException e) {
      assertEquals(ErrorCode.BAD_DATA, e.code(), which + ": " + e.getMessage());
      assertFalse(e.getMessage().contains("\n"), which + ": " + e.getMessage());
      return false;
    } catch (RuntimeException | Error e) {
      throw new AssertionError(which, e);
    }
  }

  /** Write a new file: overwriting an old one makes some file systems wait for the disk. */
  private static void replace(Path file, byte[] bytes) throws IOException {
    Files.deleteIfExists(file);
    Files.write(file, bytes);
  }
}
