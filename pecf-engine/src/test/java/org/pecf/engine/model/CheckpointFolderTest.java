package org.pecf.engine.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Seed;
import org.pecf.testkit.fixture.Buffers;

class CheckpointFolderTest {
  private static final GridShape SHAPE = new GridShape(5, 4);

  @TempDir private Path folder;
  private Path place;
  private final BufferAllocator allocator = new RootAllocator();
  private final List<FactorModel> models = new ArrayList<>();

  /** A state: numbers that must come back to the bit. */
  public record Numbers(int count, double figure) {}

  @BeforeEach
  void namePlace() {
    place = folder.resolve("model.checkpoint");
  }

  @AfterEach
  void closeMemory() {
    models.forEach(FactorModel::close);
    allocator.close();
  }

  private FactorModel model(int seed) {
    FactorModel model = FactorModel.allocate(allocator, SHAPE, 3);
    change(model, seed);
    models.add(model);
    return model;
  }

  private static void change(FactorModel model, int seed) {
    float[] users = new float[SHAPE.users() * 3];
    float[] items = new float[SHAPE.items() * 3];
    new Seed(seed).child("users").fillNormal(users, 1);
    new Seed(seed).child("items").fillNormal(items, 1);
    model.users().writeRows(0, SHAPE.users(), users);
    model.items().writeRows(0, SHAPE.items(), items);
  }

  private Set<String> names() throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return new TreeSet<>(files.map(file -> file.getFileName().toString()).toList());
    }
  }

  private Map<String, byte[]> content() throws IOException {
    Map<String, byte[]> content = new TreeMap<>();
    for (String name : names()) {
      content.put(name, Files.readAllBytes(place.resolve(name)));
    }
    content.remove("lock");
    return content;
  }

  private void restore(Map<String, byte[]> content) throws IOException {
    Files.createDirectories(place);
    for (String name : names()) {
      Files.delete(place.resolve(name));
    }
    for (Map.Entry<String, byte[]> file : content.entrySet()) {
      Files.write(place.resolve(file.getKey()), file.getValue());
    }
  }

  private void save(CheckpointFolder checkpoint, int count, List<FactorModel> members)
      throws IOException {
    checkpoint.save("loop", new Numbers(count, 1.0 / count), members, List.of(), List.of("member"));
  }

  /** Open the folder as it is, check that what it says is whole, and return its count. */
  private int resumedCount() {
    try (CheckpointFolder checkpoint = CheckpointFolder.open(place, true, allocator)) {
      if (!checkpoint.begun()) {
        return 0;
      }
      Numbers numbers = checkpoint.state("loop", Numbers.class).orElseThrow();
      assertEquals(1.0 / numbers.count(), numbers.figure());
      assertEquals(numbers.count(), checkpoint.models("loop"));
      for (int k = 0; k < numbers.count(); k++) {
        try (FactorModel found = (FactorModel) checkpoint.model("loop", k)) {
          assertArrayEquals(Buffers.values(models.get(k)), Buffers.values(found));
        }
      }
      return numbers.count();
    }
  }

  @Test
  void aStateComesBackToTheBit() throws IOException {
    try (CheckpointFolder checkpoint = CheckpointFolder.open(place, false, allocator)) {
      assertFalse(checkpoint.begun());
      assertTrue(checkpoint.state("loop", Numbers.class).isEmpty());
      save(checkpoint, 1, List.of(model(1)));
      save(checkpoint, 2, List.of(models.get(0), model(2)));
    }
    assertEquals(2, resumedCount());
  }

  @Test
  void everyMemberIsWrittenOnceAndTwoGenerationsAreKept() throws IOException {
    try (CheckpointFolder checkpoint = CheckpointFolder.open(place, false, allocator)) {
      for (int count = 1; count <= 4; count++) {
        model(count);
        save(checkpoint, count, List.copyOf(models));
        assertEquals(
            Math.min(2, count), names().stream().filter(n -> n.startsWith("state")).count());
        assertEquals(2 * count, names().stream().filter(n -> n.endsWith(".arrow")).count());
      }
      FactorModel training = model(9);
      for (int step = 1; step <= 5; step++) {
        change(training, 10 + step);
        checkpoint.saveChanging("member", new Numbers(step, step), training);
        long files = names().stream().filter(n -> n.endsWith(".arrow")).count();
        assertEquals(2 * (4 + Math.min(2, step)), files, "four members and two states of a fifth");
      }
    }
    try (CheckpointFolder checkpoint = CheckpointFolder.open(place, true, allocator)) {
      assertEquals(5, checkpoint.state("member", Numbers.class).orElseThrow().count());
      try (FactorModel found = (FactorModel) checkpoint.model("member", 0)) {
        assertArrayEquals(Buffers.values(models.get(4)), Buffers.values(found));
      }
      save(checkpoint, 4, models.subList(0, 4));
      assertTrue(checkpoint.state("member", Numbers.class).isEmpty(), "the member has ended");
    }
  }

  /**
   * Whatever part of a write has reached the disk when the process is killed, the folder holds the
   * state before it or the state after it.
   */
  @Test
  void everyUnfinishedWriteLeavesAWholeState() throws IOException {
    Map<String, byte[]> before;
    Map<String, byte[]> after;
    try (CheckpointFolder checkpoint = CheckpointFolder.open(place, false, allocator)) {
      save(checkpoint, 1, List.of(model(1)));
      save(checkpoint, 2, List.of(models.get(0), model(2)));
      before = content();
      save(checkpoint, 3, List.of(models.get(0), models.get(1), model(3)));
      after = content();
    }
    int states = 0;
    List<String> written = new ArrayList<>(after.keySet());
    written.removeAll(before.keySet());
    assertEquals(3, written.size(), written.toString());
    Map<String, byte[]> disk = new TreeMap<>(before);
    for (String name : written) {
      byte[] whole = after.get(name);
      boolean state = name.startsWith("state");
      // A state has its last name only once it is whole.
      for (int length = 0; length <= whole.length; length += Math.max(1, whole.length / 40)) {
        disk.put(state ? name + ".part" : name, Arrays.copyOf(whole, length));
        restore(disk);
        assertEquals(2, resumedCount(), name + " after " + length + " bytes");
        states++;
      }
      disk.remove(name + ".part");
      disk.put(name, whole);
    }
    restore(disk);
    assertEquals(3, resumedCount(), "nothing of the older generations is deleted yet");
    assertTrue(states > 100, states + " states");
  }

  @Test
  void aDamagedGenerationIsPassedOverAndTheLastOneRefused() throws IOException {
    try (CheckpointFolder checkpoint = CheckpointFolder.open(place, false, allocator)) {
      save(checkpoint, 1, List.of(model(1)));
      save(checkpoint, 2, List.of(models.get(0), model(2)));
    }
    Map<String, byte[]> whole = content();
    for (String name : whole.keySet()) {
      boolean ofBoth = name.startsWith("model-000001");
      int expected = name.equals("state-000001") ? 2 : 1;
      for (int at = 0; at < whole.get(name).length; at += 1 + whole.get(name).length / 20) {
        Map<String, byte[]> damaged = new TreeMap<>(whole);
        byte[] bytes = whole.get(name).clone();
        bytes[at] ^= 1;
        damaged.put(name, bytes);
        restore(damaged);
        if (ofBoth) {
          PecfException e = assertThrows(PecfException.class, this::resumedCount);
          assertEquals(ErrorCode.BAD_MODEL, e.code());
          assertTrue(e.getMessage().contains(name), e.getMessage());
        } else {
          assertEquals(expected, resumedCount(), name + " damaged at " + at);
        }
      }
    }
  }

  @Test
  void aChangeOfTheRunIsRefusedWithTheDifference() throws IOException {
    try (CheckpointFolder checkpoint = CheckpointFolder.open(place, false, allocator)) {
      checkpoint.require("options", Map.of("rank", "8", "seed", "1"));
      save(checkpoint, 1, List.of(model(1)));
    }
    try (CheckpointFolder checkpoint = CheckpointFolder.open(place, true, allocator)) {
      checkpoint.require("options", Map.of("rank", "8", "seed", "1"));
      PecfException e =
          assertThrows(
              PecfException.class,
              () -> checkpoint.require("options", Map.of("rank", "9", "rounds", "2")));
      assertEquals(ErrorCode.BAD_OPTION, e.code());
      assertTrue(
          e.getMessage()
              .contains(
                  "options changed: rank was 8 and is 9; rounds was not set and is 2; seed was 1"
                      + " and is not set."),
          e.getMessage());
    }
  }

  @Test
  void twoRunsCannotHaveTheSameFolder() {
    try (CheckpointFolder first = CheckpointFolder.open(place, false, allocator)) {
      PecfException e =
          assertThrows(
              PecfException.class, () -> CheckpointFolder.open(first.folder(), false, allocator));
      assertTrue(e.getMessage().startsWith("Another run is at work on " + place), e.getMessage());
    }
    assertFalse(Files.exists(place), "an empty folder is not left behind");
  }

  @Test
  void filesOfOthersAreNeitherUsedNorDeleted() throws IOException {
    Files.createDirectories(place);
    Files.writeString(place.resolve("diary.txt"), "mine");
    PecfException e =
        assertThrows(PecfException.class, () -> CheckpointFolder.open(place, false, allocator));
    assertTrue(e.getMessage().contains("diary.txt"), e.getMessage());
    assertEquals(Set.of("diary.txt"), names());
  }

  @Test
  void deletingLeavesNothing() throws IOException {
    try (CheckpointFolder checkpoint = CheckpointFolder.open(place, false, allocator)) {
      save(checkpoint, 1, List.of(model(1)));
      assertTrue(CheckpointFolder.exists(place));
      checkpoint.delete();
    }
    assertFalse(Files.exists(place));
  }
}
