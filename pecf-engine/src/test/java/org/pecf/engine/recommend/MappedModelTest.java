package org.pecf.engine.recommend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.Opening;
import org.pecf.engine.model.StoredModel;

/**
 * Models whose files are mapped: whole, damaged without a change of length, replaced and cut short
 * while they are open. A crash would end the whole test run.
 */
class MappedModelTest {
  private static final int USERS = 12;

  @TempDir private Path folder;
  private final BufferAllocator allocator = new RootAllocator();
  private Path place;

  @BeforeEach
  void save() {
    place = folder.resolve("model");
    save(1, false);
  }

  private void save(long seed, boolean overwrite) {
    try (StoredModel model = RandomModel.of(USERS, 40, seed, allocator, 3, 1, 0)) {
      ModelStore.save(place, model, overwrite, allocator);
    }
  }

  @AfterEach
  void close() {
    allocator.close();
  }

  /** Ask for all that a recommender answers. */
  private static List<Object> answers(Recommender recommender) {
    List<Object> answers = new ArrayList<>();
    for (int user = 0; user < USERS; user++) {
      answers.add(recommender.recommend("" + (1000 + user), 5));
    }
    answers.add(recommender.recommendFor(List.of("0", "70", "390"), 5));
    answers.add(recommender.similar("70", 5));
    answers.add(recommender.explain("1003", "390"));
    return answers;
  }

  private List<Object> answers(Opening opening) {
    try (Recommender recommender = Recommender.open(place, opening)) {
      return answers(recommender);
    }
  }

  private List<Path> columns() throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return files.filter(file -> file.toString().endsWith(".arrow")).sorted().toList();
    }
  }

  @Test
  void everyWayOfOpeningGivesTheSameAnswers() {
    List<Object> read = answers(Opening.READ);
    assertEquals(read, answers(Opening.MAPPED));
    assertEquals(read, answers(Opening.VERIFIED));
  }

  @Test
  void anyByteChangedGivesAnswersOrOneClearError() throws IOException {
    int refused = 0;
    int answered = 0;
    for (Path file : columns()) {
      byte[] whole = Files.readAllBytes(file);
      for (int k = 0; k < whole.length; k += 7) {
        byte[] changed = whole.clone();
        changed[k] ^= (byte) 0xff;
        Files.write(file, changed);
        try {
          answers(Opening.MAPPED);
          answered++;
        } catch (PecfException e) {
          refused++;
          assertTrue(
              e.code() == ErrorCode.BAD_MODEL || e.code() == ErrorCode.BAD_OPTION, e.toString());
        } catch (RuntimeException | Error e) {
          throw new AssertionError(file.getFileName() + " at " + k, e);
        }
      }
      Files.write(file, whole);
    }
    assertTrue(refused > 50, refused + " refused, " + answered + " answered");
  }

  @Test
  void aFileOfAnotherLengthIsRefusedAtOnce() throws IOException {
    for (Path file : columns()) {
      byte[] whole = Files.readAllBytes(file);
      for (int length : new int[] {0, whole.length / 2, whole.length - 1, whole.length + 1}) {
        Files.write(file, Arrays.copyOf(whole, length));
        PecfException e = assertThrows(PecfException.class, () -> Recommender.open(place));
        assertEquals(ErrorCode.BAD_MODEL, e.code());
      }
      Files.write(file, whole);
    }
  }

  @Test
  void aModelThatIsReplacedStaysUntilItIsClosed() {
    try (Recommender recommender = Recommender.open(place)) {
      save(2, true);
      List<Object> old = answers(recommender);
      List<Object> now = answers(Opening.MAPPED);
      assertTrue(!old.equals(now), "both are " + now);
      assertEquals(old, answers(recommender));
    }
  }

  /** Lists go on from the copies of item factors that they were made from before. */
  @Test
  void aFileCutShortUnderAnOpenModelIsReported() throws IOException {
    for (String name : List.of("member-000-items.arrow", "item-ids.arrow")) {
      save(1, true);
      Recommender recommender = Recommender.open(place);
      try {
        for (int warm = 0; warm < 50; warm++) {
          recommender.recommendFor(List.of("0", "70"), 5);
        }
        try (FileChannel channel =
            FileChannel.open(place.resolve(name), StandardOpenOption.WRITE)) {
          channel.truncate(0);
        }
        Throwable fault = fault(recommender);
        assertTrue(
            fault instanceof InternalError
                || fault instanceof PecfException e && e.getMessage().contains("cut short"),
            name + ": " + fault);
      } finally {
        recommender.close();
      }
    }
  }

  /** Return what tells of the fault: Java 17 may do so only when the call has returned. */
  private static Throwable fault(Recommender recommender) {
    try {
      for (int call = 0; call < 10_000; call++) {
        recommender.recommendFor(List.of("0", "70"), 5);
      }
      throw new AssertionError("no call failed");
    } catch (PecfException | InternalError e) {
      return e;
    }
  }
}
