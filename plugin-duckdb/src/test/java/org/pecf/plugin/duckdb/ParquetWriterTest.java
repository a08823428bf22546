package org.pecf.plugin.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.data.TableWriter;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.testkit.fixture.LoadedRating;
import org.pecf.testkit.fixture.ThreadedParallelism;

class ParquetWriterTest {
  private static final int ROWS = 1000;

  @TempDir private Path folder;

  /** A table of numbered batches that may fail at one of them. */
  private static final class Batches extends ArrowReader {
    private final int batches;
    private final int failure;
    private int next;

    Batches(int batches, int failure, BufferAllocator allocator) {
      super(allocator);
      this.batches = batches;
      this.failure = failure;
    }

    @Override
    protected Schema readSchema() {
      return new Schema(
          List.of(
              Field.notNullable("user", new ArrowType.Int(64, true)),
              Field.notNullable("item", new ArrowType.Utf8()),
              Field.notNullable(
                  "rating", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE))));
    }

    @Override
    public boolean loadNextBatch() throws IOException {
      prepareLoadNextBatch();
      if (next == failure) {
        throw new IllegalStateException("the source broke");
      }
      if (next == batches) {
        return false;
      }
      VectorSchemaRoot root = getVectorSchemaRoot();
      root.clear();
      for (int row = 0; row < ROWS; row++) {
        long number = (long) next * ROWS + row;
        ((BigIntVector) root.getVector(0)).setSafe(row, number);
        byte[] text = ("é" + number).getBytes(StandardCharsets.UTF_8);
        ((VarCharVector) root.getVector(1)).setSafe(row, text);
        ((Float4Vector) root.getVector(2)).setSafe(row, number / 7f);
      }
      root.setRowCount(ROWS);
      next++;
      return true;
    }

    @Override
    public long bytesRead() {
      return 0;
    }

    @Override
    protected void closeReadSource() {}
  }

  private static void write(int batches, int failure, Path file) throws IOException {
    try (RootAllocator root = new RootAllocator();
        Batches table = new Batches(batches, failure, root)) {
      ((TableWriter) Loads.parquet(Map.of()))
          .write(
              table,
              file,
              new RunContext(root, new ThreadedParallelism(2), () -> false, RunListener.none()));
    }
  }

  @Test
  void writesWhatTheLoaderReadsInOrder() throws IOException {
    Path file = Files.createFile(folder.resolve("it's a [file].parquet"));
    write(70, -1, file);
    List<LoadedRating> expected = new ArrayList<>();
    for (long number = 0; number < 70 * ROWS; number++) {
      expected.add(LoadedRating.of(number, "é" + number, number / 7f));
    }
    assertEquals(expected, Loads.load(Loads.parquet(Map.of()), file));
    try (var files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
  }

  @Test
  void writesATableWithoutRows() throws IOException {
    Path file = Files.createFile(folder.resolve("empty.parquet"));
    write(0, -1, file);
    assertTrue(
        Loads.refusal(Loads.parquet(Map.of()), file, ErrorCode.BAD_DATA).contains("no ratings"));
  }

  @Test
  void saysWhenTheSourceBreaks() throws IOException {
    Path file = Files.createFile(folder.resolve("broken.parquet"));
    RuntimeException problem = assertThrows(RuntimeException.class, () -> write(50, 40, file));
    assertTrue(problem.getMessage().contains("the source broke"), problem.getMessage());
  }
}
