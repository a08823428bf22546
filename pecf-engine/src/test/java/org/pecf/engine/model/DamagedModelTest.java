package org.pecf.engine.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.testkit.fixture.SparseProducts;

/**
 * Damaged and forged models: every byte of every file changed and every length cut, with the
 * checksums as they were and with checksums that fit. A crash would end the whole test run.
 */
class DamagedModelTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** How far apart the changes are where checksums are made to fit and a whole model is opened. */
  private static final int STEP = 29;

  @TempDir private Path folder;

  /** Little, so that memory taken by a number in a file would show. */
  private final BufferAllocator allocator = new RootAllocator(1 << 20);

  private Path place;

  @BeforeEach
  void save() {
    place = folder.resolve("model");
    GridShape shape = new GridShape(3, 2);
    Ensemble ensemble = new Ensemble(shape);
    FactorModel factors = FactorModel.allocate(allocator, shape, 2);
    for (int k = 0; k < 6; k++) {
      factors.users().set(k / 2, k % 2, k);
    }
    for (int k = 0; k < 4; k++) {
      factors.items().set(k / 2, k % 2, -k);
    }
    ensemble.add(factors, "wmf", Combination.CONVEX, 1);
    ensemble.add(
        SparseProducts.random(allocator, shape, Side.USERS, 0.8, 1),
        "user-knn",
        Combination.CONVEX,
        0.5);
    VarCharVector users = new VarCharVector("id", allocator);
    BigIntVector items = new BigIntVector("id", allocator);
    for (int k = 0; k < 3; k++) {
      users.setSafe(k, ("user" + k).getBytes(StandardCharsets.UTF_8));
    }
    users.setValueCount(3);
    for (int k = 0; k < 2; k++) {
      items.setSafe(k, k + 7L);
    }
    items.setValueCount(2);
    try (StoredModel model =
        new StoredModel(
            ensemble,
            IdMap.of(Side.USERS, users),
            IdMap.of(Side.ITEMS, items),
            SparseCells.ofSorted(allocator, 3, 2, 3, new int[] {0, 0, 2}, new int[] {0, 1, 1}),
            SparseCells.ofSorted(allocator, 3, 2, 1, new int[] {1}, new int[] {0}),
            new ModelDescription(
                "0.1.0",
                Instant.EPOCH,
                true,
                1,
                "sha256:abc",
                "{\"construction\":\"progressive\"}",
                Map.of("wmf", "0.1.0"),
                Map.of("test", Map.of("recall@50", 0.5)),
                ModelDescription.THIS_MODEL))) {
      ModelStore.save(place, model, false, allocator);
    }
  }

  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Open the model by both ways that verify it, and return whether it was accepted. */
  private boolean opens(String which) {
    boolean read = opens(Opening.READ, which);
    assertEquals(read, opens(Opening.VERIFIED, which), which);
    return read;
  }

  private boolean opens(Opening opening, String which) {
    try {
      ModelStore.open(place, opening, allocator).close();
      return true;
    } catch (PecfException e) {
      assertEquals(ErrorCode.BAD_MODEL, e.code(), which + ": " + e.getMessage());
      assertFalse(e.getMessage().contains("\n"), which + ": " + e.getMessage());
      return false;
    } catch (RuntimeException | Error e) {
      throw new AssertionError(which, e);
    } finally {
      assertEquals(0, allocator.getAllocatedMemory(), which);
    }
  }

  /** Make all checksums and sizes fit what the files hold now. */
  private void forge() throws IOException {
    Path manifest = place.resolve(ModelStore.MANIFEST);
    ObjectNode tree = (ObjectNode) JSON.readTree(manifest.toFile());
    for (JsonNode entry : tree.get("files")) {
      Path file = place.resolve(entry.get("name").asText());
      ((ObjectNode) entry)
          .put("bytes", Files.size(file))
          .put("sha256", DigestingChannel.checksum(file));
    }
    write(JSON.writeValueAsBytes(tree));
  }

  private void write(byte[] manifest) throws IOException {
    replace(place.resolve(ModelStore.MANIFEST), manifest);
    replace(place.resolve(ModelStore.MANIFEST_CHECKSUM), ModelStore.manifestChecksum(manifest));
  }

  @Test
  void everyChangeAndEveryCutIsDetected() throws IOException {
    assertTrue(opens("whole"));
    int tried = 0;
    for (String name : files()) {
      Path file = place.resolve(name);
      byte[] whole = Files.readAllBytes(file);
      for (int k = 0; k < whole.length; k++) {
        byte[] changed = whole.clone();
        changed[k] ^= (byte) 0xff;
        replace(file, changed);
        assertFalse(opens(name + " at " + k), name + " at " + k);
        replace(file, Arrays.copyOf(whole, k));
        assertFalse(opens(name + " cut at " + k), name + " cut at " + k);
        tried += 2;
      }
      replace(file, whole);
    }
    System.out.printf("%d damaged models, none opened%n", tried);
  }

  @Test
  void forgedModelsAreReadOrRefused() throws IOException {
    for (String name : files()) {
      if (!name.endsWith(".arrow")) {
        continue;
      }
      Path file = place.resolve(name);
      byte[] whole = Files.readAllBytes(file);
      for (int k = 0; k < whole.length; k += STEP) {
        byte[] changed = whole.clone();
        changed[k] ^= (byte) 0xff;
        replace(file, changed);
        forge();
        opens(name + " at " + k);
        replace(file, Arrays.copyOf(whole, k));
        forge();
        assertFalse(opens(name + " cut at " + k), name + " cut at " + k);
      }
      replace(file, whole);
    }
  }

  /** Read a column and close what was read. */
  private interface Reading {
    void from(ColumnFile file) throws IOException;
  }

  @Test
  void damagedIdsAreReadOrRefused() throws IOException {
    damage(ModelStore.USER_IDS, 3, file -> Columns.Ids.read(file, Side.USERS).close());
    damage(ModelStore.ITEM_IDS, 2, file -> Columns.Ids.read(file, Side.ITEMS).close());
  }

  @Test
  void damagedCellsAreReadOrRefused() throws IOException {
    damage(ModelStore.TRAINING, 3, file -> Columns.Cells.read(file, 2, 3).close());
  }

  @Test
  void damagedFactorsAreReadOrRefused() throws IOException {
    damage(
        CheckedFolder.fileOf(ModelStore.memberName(0), Side.USERS),
        3,
        file -> Columns.Factors.read(file, 2).close());
  }

  @Test
  void damagedProductsAreReadOrRefused() throws IOException {
    JsonNode entry =
        JSON.readTree(place.resolve(ModelStore.MANIFEST).toFile()).at("/members/1/model");
    int left = entry.get("left").intValue();
    int right = entry.get("right").intValue();
    assertTrue(left > 2 && right > 2, entry.toString());
    damage(
        CheckedFolder.fileOf(ModelStore.memberName(1), CheckedFolder.LEFT),
        3,
        file -> Columns.Entries.read(file, 3, left).close());
    damage(
        CheckedFolder.fileOf(ModelStore.memberName(1), CheckedFolder.RIGHT),
        3,
        file -> Columns.Entries.read(file, 2, right).close());
  }

  /** Change every byte of a file, and cut it everywhere. */
  private void damage(String name, int rows, Reading reading) throws IOException {
    for (Opening opening : Opening.values()) {
      damage(new ColumnFile(place.resolve(name), allocator, rows, opening), reading);
    }
  }

  private void damage(ColumnFile file, Reading reading) throws IOException {
    Path path = file.path();
    byte[] whole = Files.readAllBytes(path);
    int accepted = 0;
    for (int k = 0; k < whole.length; k++) {
      for (int change : new int[] {0xff, 0x01}) {
        byte[] changed = whole.clone();
        changed[k] ^= (byte) change;
        replace(path, changed);
        accepted += reads(file, reading, k + " ^ " + change) ? 1 : 0;
      }
      replace(path, Arrays.copyOf(whole, k));
      assertFalse(reads(file, reading, "cut at " + k), "cut at " + k);
    }
    replace(path, whole);
    assertTrue(reads(file, reading, "whole"));
    assertTrue(accepted < whole.length, accepted + " of " + whole.length);
  }

  /** Return whether a file was accepted; what refuses it is what the reader of models expects. */
  private boolean reads(ColumnFile file, Reading reading, String which) {
    try {
      reading.from(file);
      return true;
    } catch (OutOfMemoryException e) {
      throw new AssertionError(which, e);
    } catch (IOException | RuntimeException e) {
      return false;
    } finally {
      assertEquals(0, allocator.getAllocatedMemory(), which);
    }
  }

  @Test
  void forgedManifestsAreReadOrRefused() throws IOException {
    byte[] whole = Files.readAllBytes(place.resolve(ModelStore.MANIFEST));
    for (int k = 0; k < whole.length; k++) {
      for (int change : new int[] {0xff, 0x01}) {
        byte[] changed = whole.clone();
        changed[k] ^= (byte) change;
        write(changed);
        opens("at " + k + " ^ " + change);
      }
    }
    for (int k = 0; k < whole.length - 1; k += STEP) {
      write(Arrays.copyOf(whole, k));
      assertFalse(opens("cut at " + k), "cut at " + k);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "users 2147483647",
        "items 2147483647",
        "users 0",
        "users 100",
        "trainingPositives 2147483647",
        "trainingPositives -1",
        "/members/0/model/rank 2147483647",
        "/members/0/model/rank 0",
        "/members/0/model/rank -1",
        "/members/0/model/kind \"sparse-product\"",
        "/members/0/model/kind \"java.lang.Runtime\"",
        "/members/0/model/kind null",
        "/members/0/model null",
        "/members/1/model/kind \"factors\"",
        "/members/1/model/left 2147483647",
        "/members/1/model/left 0",
        "/members/1/model/right -1",
        "/members/1/model/right 1",
        "/members/1/model/inner \"ITEMS\"",
        "/members/1/model/inner null",
        "/members/1/model/intercept \"NaN\"",
        "/members/1/model/intercept 1e99",
        "members []",
        "members [null]",
        "files [null]"
      })
  void numbersOfTheManifestTakeNoMemory(String change) throws IOException {
    String[] words = change.split(" ");
    ObjectNode tree = (ObjectNode) JSON.readTree(place.resolve(ModelStore.MANIFEST).toFile());
    JsonNode value = JSON.readTree(words[1]);
    if (words[0].startsWith("/")) {
      int name = words[0].lastIndexOf('/');
      ((ObjectNode) tree.at(words[0].substring(0, name))).set(words[0].substring(name + 1), value);
    } else {
      tree.set(words[0], value);
    }
    write(JSON.writeValueAsBytes(tree));
    assertFalse(opens(change), change);
    assertTrue(allocator.getPeakMemoryAllocation() < 1 << 16);
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    for (String name : files()) {
      Path file = place.resolve(name);
      Path elsewhere = folder.resolve("elsewhere-" + name);
      Files.move(file, elsewhere);
      Files.createSymbolicLink(file, elsewhere);
      PecfException e =
          assertThrows(PecfException.class, () -> ModelStore.open(place, allocator).close());
      assertTrue(e.getMessage().contains(name + " is a link instead of a file"), e.getMessage());
      Files.delete(file);
      Files.move(elsewhere, file);
    }
    Path manifest = place.resolve(ModelStore.MANIFEST);
    Files.delete(manifest);
    Files.createSymbolicLink(manifest, Path.of("/dev/zero"));
    assertFalse(opens("a device"));
    Files.delete(manifest);
  }

  /** Write a new file: to write an old one over makes some file systems wait for the disk. */
  private static void replace(Path file, byte[] bytes) throws IOException {
    Files.deleteIfExists(file);
    Files.write(file, bytes);
  }
}
