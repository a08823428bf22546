package org.pecf.engine.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.pecf.engine.data.Ratings.row;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.RatingBatch;

class RatingsWriterTest {
  private static final List<Ratings.Row> ROWS =
      List.of(
          row(5, 6, 4.5f, 10),
          row(-1, Long.MAX_VALUE, 3, 20),
          row(7, 8, 0.1f, 30),
          row(5, 6, 1, 40),
          row(9, 9, 2, 50));

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, allocator.getAllocatedMemory());
    allocator.close();
  }

  private RatingsWriter writer(Path target) {
    return new RatingsWriter(target, RatingsWriter.formatOf(target), Ratings.context(allocator));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  /** Publish one row per batch in the given order. */
  private static void publish(RatingsWriter writer, Ratings ratings, int... ordinals) {
    for (int ordinal : ordinals) {
      ratings.publish(writer, ordinal, ordinal + 1);
    }
  }

  @Test
  void csvIsInTheOrderOfTheSource() throws IOException {
    Path target = folder.resolve("ratings.csv");
    Files.writeString(target, "old");
    try (RatingsWriter writer = writer(target)) {
      publish(writer, new Ratings(Ratings.FULL, ROWS), 3, 1, 0, 4, 2);
      assertEquals("old", Files.readString(target));
      assertEquals(5, writer.finish());
    }
    assertEquals(
        "user,item,rating,time\n"
            + "5,6,4.5,10\n"
            + "-1,9223372036854775807,3,20\n"
            + "7,8,0.1,30\n"
            + "5,6,1,40\n"
            + "9,9,2,50\n",
        Files.readString(target));
    assertEquals(List.of("ratings.csv"), files());
  }

  @Test
  void csvQuotesWhatNeedsIt() throws IOException {
    Path target = folder.resolve("ratings.csv");
    Ratings ratings =
        new Ratings(
            Ratings.TEXTS,
            List.of(
                row("007", "a,b"),
                row("say \"hi\"", ""),
                row("two\nlines", " outer "),
                row("ünïcode", "in ner")));
    try (RatingsWriter writer = writer(target)) {
      ratings.publish(writer, 4);
      writer.finish();
    }
    assertEquals(
        "user,item\n"
            + "007,\"a,b\"\n"
            + "\"say \"\"hi\"\"\",\"\"\n"
            + "\"two\nlines\",\" outer \"\n"
            + "ünïcode,in ner\n",
        Files.readString(target));
  }

  @Test
  void ordinalsWithGapsAreWrittenInOrder() throws IOException {
    Path target = folder.resolve("ratings.csv");
    try (RatingsWriter writer = writer(target)) {
      publish(writer, new Ratings(Ratings.FULL, ROWS), 4, 0, 2);
      writer.finish();
    }
    assertEquals(
        List.of("user,item,rating,time", "5,6,4.5,10", "7,8,0.1,30", "9,9,2,50"),
        Files.readAllLines(target));
  }

  @Test
  void batchesInOrderDoNotWait() {
    try (RatingsWriter writer = writer(folder.resolve("ratings.csv"))) {
      publish(writer, new Ratings(Ratings.FULL, ROWS), 0, 1, 2);
      assertEquals(0, allocator.getAllocatedMemory());
      publish(writer, new Ratings(Ratings.FULL, ROWS), 4);
      assertTrue(allocator.getAllocatedMemory() > 0);
    }
  }

  @Test
  void arrowKeepsEverything() throws IOException {
    Path target = folder.resolve("ratings.arrow");
    try (RatingsWriter writer = writer(target)) {
      publish(writer, new Ratings(Ratings.FULL, ROWS), 2, 1, 0, 3, 4);
      assertEquals(5, writer.finish());
    }
    assertEquals(
        List.of(
            "[user, item, rating, time]",
            "[5, 6, 4.5, 10]",
            "[-1, 9223372036854775807, 3.0, 20]",
            "[7, 8, 0.1, 30]",
            "[5, 6, 1.0, 40]",
            "[9, 9, 2.0, 50]"),
        read(target));
  }

  @Test
  void arrowKeepsTexts() throws IOException {
    Path target = folder.resolve("ratings.arrow");
    Ratings ratings = new Ratings(Ratings.TEXTS, List.of(row("007", ""), row("ü", "a,\"b")));
    try (RatingsWriter writer = writer(target)) {
      ratings.publish(writer, 2);
      writer.finish();
    }
    assertEquals(List.of("[user, item]", "[007, ]", "[ü, a,\"b]"), read(target));
  }

  private List<String> read(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file);
        ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
      List<FieldVector> vectors = reader.getVectorSchemaRoot().getFieldVectors();
      lines.add(vectors.stream().map(FieldVector::getName).toList().toString());
      while (reader.loadNextBatch()) {
        for (int k = 0; k < reader.getVectorSchemaRoot().getRowCount(); k++) {
          List<String> cells = new ArrayList<>();
          for (FieldVector vector : vectors) {
            cells.add(vector.getObject(k).toString());
          }
          lines.add(cells.toString());
        }
      }
    }
    return lines;
  }

  @Test
  void whatIsNotFinishedLeavesNoFile() throws IOException {
    for (String name : List.of("ratings.csv", "ratings.arrow")) {
      try (RatingsWriter writer = writer(folder.resolve(name))) {
        publish(writer, new Ratings(Ratings.FULL, ROWS), 0, 1, 3);
        assertEquals(2, files().size(), "the draft and its lock");
      }
      assertEquals(List.of(), files());
    }
  }

  @Test
  void nothingToWriteIsAnError() {
    try (RatingsWriter writer = writer(folder.resolve("ratings.csv"))) {
      assertEquals(ErrorCode.BAD_DATA, assertThrows(PecfException.class, writer::finish).code());
    }
  }

  @Test
  void missingFolderIsExplained() {
    Ratings ratings = new Ratings(Ratings.FULL, ROWS);
    for (String name : List.of("ratings.csv", "ratings.arrow")) {
      try (RatingsWriter writer = writer(folder.resolve("none").resolve(name))) {
        PecfException problem =
            assertThrows(PecfException.class, () -> publish(writer, ratings, 0));
        assertEquals(ErrorCode.RESOURCES, problem.code());
        assertTrue(problem.getMessage().contains(name), problem.getMessage());
      }
    }
  }

  @Test
  void faultsOfLoadersAreNamed() {
    Ratings ratings = new Ratings(Ratings.FULL, ROWS);
    try (RatingsWriter writer = writer(folder.resolve("ratings.csv"))) {
      publish(writer, ratings, 0, 2);
      assertFault(() -> publish(writer, ratings, 0));
      assertFault(() -> publish(writer, ratings, 2));
      RatingBatch other = writer.batch(Ratings.TEXTS, 1);
      assertFault(() -> writer.publish(7, other, 0));
      RatingBatch negative = writer.batch(Ratings.FULL, 1);
      assertFault(() -> writer.publish(-1, negative, 0));
    }
  }

  private static void assertFault(Runnable work) {
    assertEquals(ErrorCode.PLUGIN_FAULT, assertThrows(PecfException.class, work::run).code());
  }

  @Test
  void formatFollowsTheName() {
    assertEquals(RatingsWriter.Format.CSV, RatingsWriter.formatOf(Path.of("a.b.CSV")));
    assertEquals(RatingsWriter.Format.ARROW, RatingsWriter.formatOf(Path.of("a.arrow")));
    assertThrows(PecfException.class, () -> RatingsWriter.formatOf(Path.of("a.parquet")));
  }

  @Test
  void ratingsReadBackAsTheyWere() {
    for (float value : new float[] {0.1f, 1e10f, 3, -2.5f, 2147483648f, Float.MIN_VALUE, 1e-7f}) {
      assertEquals(value, Float.parseFloat(CsvOutput.rating(value)));
    }
    assertFalse(CsvOutput.rating(4).contains("."));
  }
}
