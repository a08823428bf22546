package org.pecf.engine.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.Member;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.ensemble.WeightRule;
import org.pecf.testkit.fixture.SparseProducts;

class ModelStoreTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  private StoredModel model(int users, int items, long seed, int... ranks) {
    Random random = new Random(seed);
    GridShape shape = new GridShape(users, items);
    Ensemble ensemble = new Ensemble(shape);
    for (int k = 0; k < ranks.length; k++) {
      FactorModel factors = FactorModel.allocate(allocator, shape, ranks[k]);
      fill(factors.users(), random);
      fill(factors.items(), random);
      ensemble.add(
          factors.withRules(new RowRules(RULES.get(k % RULES.size()), RULES.get(k * 2 % 5))),
          k % 2 == 0 ? "wmf" : "bpr",
          k == 2 ? Combination.ADDITIVE : Combination.CONVEX,
          k == 0 ? 1 : random.nextDouble(),
          fit(k));
    }
    return new StoredModel(
        ensemble,
        texts(users),
        integers(items),
        training(users, items),
        alsoKnown(users, items),
        description(seed));
  }

  private static final List<RowRule> RULES =
      List.of(
          new RowRule.LeastSquares(1.0 / 3, 0.7),
          new RowRule.BestFit(),
          new RowRule.Positives(2),
          new RowRule.Same(0.1f),
          new RowRule.Pairwise(0.3, 0.1, 0.01, 30, 0.75),
          new RowRule.Softmax(0.3, 0.15, 10),
          new RowRule.OfFilter(Map.of("b", "2", "a", "it is \"so\"")),
          new RowRule.Impossible("it is \"so\""));

  private static final List<WeightRule> WEIGHTS =
      List.of(
          new WeightRule.Plain(),
          new WeightRule.Posterior(10, 0.3f, 1 / 3f),
          new WeightRule.Mixture(1, List.of(0.3, 0.7), 0.1),
          new WeightRule.OfPlugin());

  /** Return a different fit for each member, and none for the fifth. */
  private static Optional<MemberFit> fit(int member) {
    return member == 4
        ? Optional.empty()
        : Optional.of(
            MemberFit.of(
                new Confidence(1, 0.003f),
                WEIGHTS.get(member % WEIGHTS.size()),
                member % 2 == 1,
                DoubleStream.iterate(1.0 / 3, x -> x / 7).limit(member).boxed().toList()));
  }

  @Test
  void howMembersWereFittedIsStored() throws IOException {
    int[] ranks = {1, 2, 1, 2, 1, 2, 1};
    Path place = folder.resolve("fits");
    try (StoredModel model = model(4, 3, 1, ranks)) {
      ModelStore.save(place, model, false, allocator);
    }
    try (StoredModel opened = ModelStore.open(place, allocator)) {
      for (int k = 0; k < ranks.length; k++) {
        Member member = opened.ensemble().members().get(k);
        assertEquals(fit(k), member.fit());
        assertEquals(
            new RowRules(RULES.get(k), RULES.get(k * 2 % 5)),
            ((FactorModel) member.model()).rules());
      }
    }
  }

  @Test
  void aFitThatIsNoneIsRefused() throws IOException {
    for (Consumer<ObjectNode> damage :
        List.<Consumer<ObjectNode>>of(
            member ->
                ((ObjectNode) member.at("/model/rules/users")).put("rule", "java.lang.Runtime"),
            member -> ((ObjectNode) member.at("/model/rules/users")).put("unitPenalty", -1),
            member ->
                ((ObjectNode) member.at("/model/rules/users"))
                    .put("rule", "filter")
                    .putObject("settings")
                    .putNull("a"),
            member -> ((ObjectNode) member.at("/fit")).put("positive", "many"),
            member -> ((ObjectNode) member.at("/fit")).put("zero", 7),
            member -> ((ObjectNode) member.at("/fit/weights")).remove("rule"),
            member -> ((ObjectNode) member.at("/fit")).putArray("before").add(1.0),
            member -> ((ObjectNode) member.at("/model")).put("rules", 3))) {
      Path place = save("model", 3, true);
      rewriteManifest(place, tree -> damage.accept((ObjectNode) tree.at("/members/0")));
      String message = refused(place).getMessage();
      assertTrue(message.contains("manifest.json does not describe a model"), message);
    }
  }

  private static void fill(FloatMatrix matrix, Random random) {
    for (int row = 0; row < matrix.rows(); row++) {
      for (int column = 0; column < matrix.columns(); column++) {
        matrix.set(row, column, (float) random.nextGaussian());
      }
    }
  }

  /** Ids that look like numbers but must stay texts, and others that are no ASCII. */
  private IdMap texts(int count) {
    VarCharVector ids = new VarCharVector("id", allocator);
    ids.allocateNew();
    for (int k = 0; k < count; k++) {
      String id = (k % 3 == 2 ? "ü" : "") + String.format(Locale.ROOT, "%07d", k);
      ids.setSafe(k, id.getBytes(StandardCharsets.UTF_8));
    }
    ids.setValueCount(count);
    return sorted(ids);
  }

  private IdMap sorted(VarCharVector ids) {
    byte[][] values = new byte[ids.getValueCount()][];
    Arrays.setAll(values, ids::get);
    Arrays.sort(values, Arrays::compareUnsigned);
    for (int k = 0; k < values.length; k++) {
      ids.setSafe(k, values[k]);
    }
    ids.setValueCount(values.length);
    return IdMap.of(Side.USERS, ids);
  }

  private IdMap integers(int count) {
    BigIntVector ids = new BigIntVector("id", allocator);
    ids.allocateNew(count);
    for (int k = 0; k < count; k++) {
      ids.set(k, Long.MIN_VALUE + k * (Long.MAX_VALUE / count));
    }
    ids.setValueCount(count);
    return IdMap.of(Side.ITEMS, ids);
  }

  /** User k has items 0 to k mod 4 - 1: some users have none. */
  private SparseCells training(int users, int items) {
    int[] cellUsers = new int[users * 4];
    int[] cellItems = new int[users * 4];
    int count = 0;
    for (int user = 0; user < users; user++) {
      for (int item = 0; item < Math.min(user % 4, items); item++) {
        cellUsers[count] = user;
        cellItems[count++] = item;
      }
    }
    return SparseCells.ofSorted(allocator, users, items, count, cellUsers, cellItems);
  }

  /** User k has the last item if k is even. */
  private SparseCells alsoKnown(int users, int items) {
    int[] cellUsers = IntStream.range(0, (users + 1) / 2).map(k -> 2 * k).toArray();
    int[] cellItems = new int[cellUsers.length];
    Arrays.fill(cellItems, items - 1);
    return SparseCells.ofSorted(allocator, users, items, cellUsers.length, cellUsers, cellItems);
  }

  private static ModelDescription description(long seed) {
    ObjectNode request = JSON.createObjectNode();
    request.put("construction", "progressive").put("lambda", 0.1).putArray("cutoffs").add(50);
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("recall@50", 1.0 / 3);
    metrics.put("recall@200", 0.1 + 0.2);
    metrics.put("wmse", 1e-300);
    return new ModelDescription(
        "0.1.0",
        Instant.parse("2026-01-02T03:04:05.678901Z"),
        true,
        seed,
        "sha256:abc",
        request.toString(),
        Map.of("wmf", "0.1.0", "cpu", "0.2.0"),
        Map.of("test", metrics),
        "the measured ensemble");
  }

  private static void assertSameBits(FloatMatrix expected, FloatMatrix actual) {
    assertEquals(expected.rows(), actual.rows());
    assertEquals(expected.columns(), actual.columns());
    long bytes = FloatMatrix.bytes(expected.rows(), expected.columns());
    for (long k = 0; k < bytes; k += Float.BYTES) {
      if (expected.buffer().getInt(k) != actual.buffer().getInt(k)) {
        throw new AssertionError("different bits at byte " + k);
      }
    }
  }

  private static void assertSameProduct(SparseProductModel expected, SparseProductModel actual) {
    assertEquals(expected.inner(), actual.inner());
    assertEquals(expected.intercept(), actual.intercept());
    assertSameBits(expected.left(), actual.left());
    assertSameBits(expected.right(), actual.right());
  }

  private static void assertSameBits(SparseMatrix expected, SparseMatrix actual) {
    assertEquals(expected.rows(), actual.rows());
    assertEquals(expected.columns(), actual.columns());
    assertEquals(expected.count(), actual.count());
    for (int row = 0; row <= expected.rows(); row++) {
      assertEquals(expected.rowStart(row), actual.rowStart(row));
    }
    for (int p = 0; p < expected.count(); p++) {
      assertEquals(expected.columnAt(p), actual.columnAt(p));
      assertEquals(
          Float.floatToRawIntBits(expected.valueAt(p)), Float.floatToRawIntBits(actual.valueAt(p)));
    }
  }

  private static void assertSameIds(IdMap expected, IdMap actual) {
    assertEquals(expected.kind(), actual.kind());
    assertEquals(expected.side(), actual.side());
    assertEquals(expected.size(), actual.size());
    for (int k = 0; k < expected.size(); k++) {
      assertEquals(expected.textAt(k), actual.textAt(k));
    }
  }

  private static void assertSameCells(SparseCells expected, SparseCells actual) {
    assertEquals(expected.users(), actual.users());
    assertEquals(expected.items(), actual.items());
    assertEquals(expected.count(), actual.count());
    for (int user = 0; user <= expected.users(); user++) {
      assertEquals(expected.userStart(user), actual.userStart(user));
    }
    for (int k = 0; k < expected.count(); k++) {
      assertEquals(expected.itemAt(k), actual.itemAt(k));
      assertEquals(expected.userAt(k), actual.userAt(k));
    }
  }

  private static void assertSame(StoredModel expected, StoredModel actual) {
    assertEquals(expected.description(), actual.description());
    assertArrayEquals(expected.ensemble().weights(), actual.ensemble().weights());
    for (int k = 0; k < expected.ensemble().size(); k++) {
      assertArrayEquals(expected.ensemble().prefix(k), actual.ensemble().prefix(k));
      assertEquals(
          expected.ensemble().members().get(k).filterId(),
          actual.ensemble().members().get(k).filterId());
      ScoreModel left = expected.ensemble().members().get(k).model();
      ScoreModel right = actual.ensemble().members().get(k).model();
      if (left instanceof SparseProductModel product) {
        assertSameProduct(product, (SparseProductModel) right);
      } else {
        assertSameBits(((FactorModel) left).users(), ((FactorModel) right).users());
        assertSameBits(((FactorModel) left).items(), ((FactorModel) right).items());
      }
    }
    assertSameIds(expected.users(), actual.users());
    assertSameIds(expected.items(), actual.items());
    assertSameCells(expected.training(), actual.training());
    assertSameCells(expected.alsoKnown(), actual.alsoKnown());
  }

  @Test
  void whatIsOpenedIsBitByBitWhatWasSaved() {
    Path place = folder.resolve("runs/model");
    try (StoredModel saved = model(50, 30, 1, 3, 1, 17)) {
      FactorModel first = (FactorModel) saved.ensemble().members().get(0).model();
      first.users().buffer().setInt(0, 0x7fc0beef);
      first.users().set(0, 1, -0f);
      first.users().set(0, 2, Float.MIN_VALUE);
      ModelStore.save(place, saved, false, allocator);
      try (StoredModel opened = ModelStore.open(place, allocator)) {
        assertSame(saved, opened);
        assertEquals(IdKind.TEXT, opened.users().kind());
        assertEquals(IdKind.INTEGER, opened.items().kind());
        assertEquals(
            List.of("recall@50", "recall@200", "wmse"),
            List.copyOf(opened.description().metrics().get("test").keySet()));
      }
    }
    assertEquals(List.of("model"), names(folder.resolve("runs")));
  }

  @Test
  void sparseProductsComeBackBitByBit() {
    for (Side inner : Side.values()) {
      Path place = folder.resolve(inner.name());
      try (StoredModel saved = model(50, 30, 1, 3)) {
        SparseProductModel product =
            SparseProducts.random(allocator, saved.ensemble().shape(), inner, 0.2, 5);
        saved.ensemble().add(product, "item-knn", Combination.CONVEX, 0.5);
        ModelStore.save(place, saved, false, allocator);
        try (StoredModel opened = ModelStore.open(place, allocator)) {
          assertSame(saved, opened);
        }
      }
    }
  }

  @Test
  void matricesOfSeveralBatchesComeBackWhole() throws IOException {
    try (FloatMatrix matrix = FloatMatrix.allocate(allocator, 10, 3)) {
      for (int k = 0; k < 30; k++) {
        matrix.set(k / 3, k % 3, k);
      }
      Path path = folder.resolve("matrix.arrow");
      Columns.Factors.write(new ColumnFile(path, allocator, 10), matrix, 12);
      for (Opening opening : Opening.values()) {
        try (FloatMatrix read =
            Columns.Factors.read(new ColumnFile(path, allocator, 10, opening), 3)) {
          assertEquals(matrix.buffer().capacity(), read.buffer().capacity());
          for (int k = 0; k < 30; k++) {
            assertEquals(k, read.get(k / 3, k % 3));
          }
        }
      }
    }
  }

  @Test
  void mappedModelsHaveTheBitsOfReadOnes() {
    Path place = folder.resolve("model");
    try (StoredModel saved = model(50, 30, 3, 5)) {
      saved
          .ensemble()
          .add(
              SparseProducts.random(allocator, saved.ensemble().shape(), Side.USERS, 0.2, 5),
              "user-knn",
              Combination.CONVEX,
              0.5);
      ModelStore.save(place, saved, false, allocator);
      for (Opening opening : Opening.values()) {
        try (StoredModel opened = ModelStore.open(place, opening, allocator)) {
          assertSame(saved, opened);
        }
      }
    }
  }

  @Test
  void largeSparseProductsComeBackWhole() {
    Path place = folder.resolve("model");
    try (StoredModel saved = model(30_000, 70, 2, 1)) {
      SparseProductModel product =
          SparseProducts.random(allocator, saved.ensemble().shape(), Side.ITEMS, 0.4, 5);
      saved.ensemble().add(product, "item-knn", Combination.CONVEX, 0.5);
      ModelStore.save(place, saved, false, allocator);
      try (StoredModel opened = ModelStore.open(place, allocator)) {
        assertSame(saved, opened);
      }
    }
  }

  /** A model of a kind of its own. */
  private record Zeros(GridShape shape) implements ScoreModel {
    @Override
    public float scoreAt(int user, int item) {
      return 0;
    }

    @Override
    public ScoreModel transferTo(BufferAllocator target) {
      return this;
    }

    @Override
    public void close() {
      // It holds no memory.
    }
  }

  @Test
  void modelsOfAnotherKindAreRefusedAndNothingIsWritten() {
    Path place = folder.resolve("model");
    try (StoredModel model = model(5, 4, 1, 2)) {
      model.ensemble().add(new Zeros(model.ensemble().shape()), "zeros", Combination.CONVEX, 0.5);
      PecfException e =
          assertThrows(PecfException.class, () -> ModelStore.save(place, model, false, allocator));
      assertEquals(ErrorCode.BAD_OPTION, e.code());
      assertTrue(
          e.getMessage().startsWith("Filter zeros trains models that cannot be stored."),
          e.getMessage());
    }
    assertEquals(List.of(), names(folder));
  }

  @Test
  void largeModelsComeBackWhole() {
    Path place = folder.resolve("model");
    try (StoredModel saved = model(70_001, 66_000, 2, 16)) {
      ModelStore.save(place, saved, false, allocator);
      try (StoredModel opened = ModelStore.open(place, allocator)) {
        assertSame(saved, opened);
      }
    }
  }

  @Test
  void savingAndOpeningTakeNoMemoryBeyondTheModel() {
    Path place = folder.resolve("model");
    try (StoredModel saved = model(200_000, 1_000, 2, 16)) {
      long before = allocator.getAllocatedMemory();
      try (BufferAllocator limited = allocator.newChildAllocator("saving", 0, 1 << 16)) {
        ModelStore.save(place, saved, false, limited);
      }
      try (BufferAllocator limited = allocator.newChildAllocator("opening", 0, before + (1 << 20));
          StoredModel opened = ModelStore.open(place, limited)) {
        assertSame(saved, opened);
      }
      try (BufferAllocator tight = allocator.newChildAllocator("tight", 0, before / 2)) {
        PecfException e =
            assertThrows(PecfException.class, () -> ModelStore.open(place, tight).close());
        assertEquals(ErrorCode.RESOURCES, e.code());
      }
    }
  }

  @Test
  void equalModelsGiveEqualBytes() {
    save("one", 7, false);
    save("two", 7, false);
    Map<String, byte[]> one = content(folder.resolve("one"));
    Map<String, byte[]> two = content(folder.resolve("two"));
    assertEquals(one.keySet(), two.keySet());
    one.forEach((name, bytes) -> assertArrayEquals(bytes, two.get(name), name));
    try (StoredModel opened = ModelStore.open(folder.resolve("one"), allocator)) {
      ModelStore.save(folder.resolve("three"), opened, false, allocator);
    }
    content(folder.resolve("three"))
        .forEach((name, bytes) -> assertArrayEquals(one.get(name), bytes, name));
  }

  private Path save(String name, long seed, boolean overwrite) {
    Path place = folder.resolve(name);
    try (StoredModel model = model(9, 5, seed, 2, 3)) {
      ModelStore.save(place, model, overwrite, allocator);
    }
    return place;
  }

  private static List<String> names(Path place) {
    try (Stream<Path> files = Files.list(place)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, byte[]> content(Path place) {
    Map<String, byte[]> content = new TreeMap<>();
    for (String name : names(place)) {
      try {
        content.put(name, Files.readAllBytes(place.resolve(name)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return content;
  }

  @Test
  void aFolderHoldsWhatItsDocumentationSays() {
    assertEquals(
        List.of(
            "also-known.arrow",
            "item-ids.arrow",
            "manifest.json",
            "manifest.sha256",
            "member-000-items.arrow",
            "member-000-users.arrow",
            "member-001-items.arrow",
            "member-001-users.arrow",
            "training-positives.arrow",
            "user-ids.arrow"),
        names(save("model", 1, false)));
  }

  private PecfException refused(Path place) {
    PecfException e =
        assertThrows(PecfException.class, () -> ModelStore.open(place, allocator).close());
    assertEquals(ErrorCode.BAD_MODEL, e.code());
    assertEquals(0, allocator.getAllocatedMemory());
    return e;
  }

  @Test
  void everyChangedByteIsDetected() throws IOException {
    Path place = save("model", 3, false);
    for (Map.Entry<String, byte[]> file : content(place).entrySet()) {
      byte[] whole = file.getValue();
      Path path = place.resolve(file.getKey());
      int step = Math.max(1, whole.length / 40);
      for (int k = 0; k < whole.length; k += step) {
        byte[] changed = whole.clone();
        changed[k] ^= (byte) (1 << k % 8);
        Files.write(path, changed);
        refused(place);
      }
      Files.write(path, whole);
    }
    ModelStore.open(place, allocator).close();
  }

  @Test
  void everyTruncatedOrMissingFileIsNamed() throws IOException {
    Path place = save("model", 3, false);
    for (Map.Entry<String, byte[]> file : content(place).entrySet()) {
      byte[] whole = file.getValue();
      Path path = place.resolve(file.getKey());
      for (int length : new int[] {0, 1, whole.length / 2, whole.length - 1}) {
        Files.write(path, Arrays.copyOf(whole, length));
        String message = refused(place).getMessage();
        assertTrue(message.contains("manifest") || message.contains(file.getKey()), message);
      }
      Files.write(path, Arrays.copyOf(whole, whole.length + 1));
      refused(place);
      Files.delete(path);
      String message = refused(place).getMessage();
      assertTrue(message.contains(file.getKey()), message);
      Files.write(path, whole);
    }
    ModelStore.open(place, allocator).close();
  }

  private void rewriteManifest(Path place, Consumer<ObjectNode> change) throws IOException {
    Path file = place.resolve("manifest.json");
    ObjectNode tree = (ObjectNode) JSON.readTree(file.toFile());
    change.accept(tree);
    byte[] bytes = JSON.writeValueAsBytes(tree);
    Files.write(file, bytes);
    Files.write(place.resolve("manifest.sha256"), ModelStore.manifestChecksum(bytes));
  }

  @Test
  void aNewerFormatIsRefusedWithTheReleaseThatReadsIt() throws IOException {
    Path place = save("model", 3, false);
    rewriteManifest(
        place, tree -> tree.put("formatVersion", Manifest.VERSION + 1).put("pecfVersion", "7.5"));
    Files.delete(place.resolve("manifest.sha256"));
    String message = refused(place).getMessage();
    assertTrue(message.contains("format " + (Manifest.VERSION + 1) + " by PECF 7.5"), message);
  }

  @Test
  void anOlderFormatIsRefusedAsSuch() throws IOException {
    Path place = save("model", 3, false);
    rewriteManifest(place, tree -> tree.put("formatVersion", 3));
    String message = refused(place).getMessage();
    assertTrue(message.endsWith("was saved in format 3, which no release reads. Train it again."));
  }

  @Test
  void unknownFieldsAndFilesAreIgnored() throws IOException {
    Path place = save("model", 3, false);
    rewriteManifest(
        place,
        tree -> {
          tree.put("mood", "good");
          ((ObjectNode) tree.path("members").get(0)).put("mood", "good");
        });
    Files.writeString(place.resolve("notes.txt"), "mine");
    try (StoredModel expected = model(9, 5, 3, 2, 3);
        StoredModel opened = ModelStore.open(place, allocator)) {
      assertSame(expected, opened);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"seed", "members", "created", "users", "files", "request", "plugins", "alsoKnown"})
  void aManifestThatLacksAFieldIsRefused(String field) throws IOException {
    Path place = save("model", 3, false);
    rewriteManifest(place, tree -> tree.remove(field));
    String message = refused(place).getMessage();
    assertTrue(message.contains("manifest.json does not describe a model"), message);
  }

  @Test
  void aManifestThatDoesNotFitItsFilesIsRefused() throws IOException {
    Path place = save("model", 3, false);
    rewriteManifest(place, tree -> tree.put("users", 10));
    assertTrue(refused(place).getMessage().contains("member-000-users.arrow"));
    rewriteManifest(place, tree -> tree.put("users", 8));
    refused(place);
    rewriteManifest(place, tree -> tree.put("users", 9).put("trainingPositives", 1));
    assertTrue(refused(place).getMessage().contains("training-positives.arrow"));
    rewriteManifest(place, tree -> tree.put("trainingPositives", 1_000));
    assertTrue(refused(place).getMessage().contains("training-positives.arrow"));
    rewriteManifest(place, tree -> tree.put("trainingPositives", 12).put("alsoKnown", 6));
    assertTrue(refused(place).getMessage().contains("also-known.arrow"));
    rewriteManifest(place, tree -> tree.put("alsoKnown", 5).put("created", "yesterday"));
    assertTrue(refused(place).getMessage().contains("manifest.json"));
  }

  @Test
  void whatIsNoModelIsRefusedAsSuch() throws IOException {
    assertTrue(refused(folder.resolve("none")).getMessage().startsWith("There is no model at"));
    assertTrue(refused(folder).getMessage().contains("is not a model"));
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertTrue(refused(file).getMessage().contains("is not a model"));
    Path foreign = Files.createDirectory(folder.resolve("foreign"));
    Files.writeString(foreign.resolve("manifest.json"), "{\"name\": \"an app\"}");
    assertTrue(refused(foreign).getMessage().contains("is not a model of PECF"));
    Files.writeString(foreign.resolve("manifest.json"), "[");
    assertTrue(refused(foreign).getMessage().contains("is not JSON"));
    Files.writeString(foreign.resolve("manifest.json"), "");
    refused(foreign);
  }

  @Test
  void aModelIsReplacedOnlyWhenAsked() {
    Path place = save("model", 1, false);
    PecfException e = assertThrows(PecfException.class, () -> save("model", 2, false));
    assertEquals(ErrorCode.BAD_OPTION, e.code());
    assertThrows(PecfException.class, () -> ModelStore.checkPlace(place, false));
    ModelStore.checkPlace(place, true);
    ModelStore.checkPlace(folder.resolve("other/new"), false);
    assertEquals(1, seedAt(place));
    save("model", 2, true);
    assertEquals(2, seedAt(place));
    assertEquals(List.of("model"), names(folder));
  }

  private long seedAt(Path place) {
    try (StoredModel opened = ModelStore.open(place, allocator)) {
      return opened.description().seed();
    }
  }

  @Test
  void whatIsNoModelIsNeverReplaced() throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    Files.writeString(home.resolve("thesis.txt"), "precious");
    assertThrows(PecfException.class, () -> save("home", 1, true));
    Files.writeString(home.resolve("manifest.json"), "{}");
    assertThrows(PecfException.class, () -> save("home", 1, true));
    assertThrows(PecfException.class, () -> ModelStore.checkPlace(home, true));
    assertEquals("precious", Files.readString(home.resolve("thesis.txt")));
    Files.createDirectory(folder.resolve("empty"));
    assertEquals(1, seedAt(save("empty", 1, false)));
    assertEquals(List.of("empty", "home"), names(folder));
  }

  @Test
  void aFailureHalfWayLeavesTheFormerModel() {
    Path place = save("model", 1, false);
    try (StoredModel model = model(9, 5, 2, 2)) {
      model.ensemble().add(new Zeros(model.ensemble().shape()), "zeros", Combination.CONVEX, 0.5);
      for (Path target : List.of(place, folder.resolve("new"))) {
        // The last member cannot be written; the first ones are on the disk by then.
        assertThrows(PecfException.class, () -> ModelStore.save(target, model, true, allocator));
      }
    }
    assertEquals(1, seedAt(place));
    assertEquals(List.of("model"), names(folder));
  }

  @Test
  void aReplacementCutOffBetweenRenamingsIsExplainedAndMended() throws IOException {
    Path place = save("model", 1, false);
    Files.move(place, folder.resolve(".model.previous"));
    assertTrue(refused(place).getMessage().contains(".model.previous"));
    PecfException e = assertThrows(PecfException.class, () -> save("model", 2, false));
    assertTrue(e.getMessage().contains("holds a model already"), e.getMessage());
    assertEquals(1, seedAt(place));
    assertFalse(Files.exists(folder.resolve(".model.previous")));
  }

  @Test
  void aModelThatWasBeingReplacedIsNotDeletedByOneSavedToAnEmptyFolder() throws IOException {
    Files.move(save("model", 1, false), folder.resolve(".model.previous"));
    Files.createDirectory(folder.resolve("model"));
    assertEquals(2, seedAt(save("model", 2, false)));
    assertEquals(1, seedAt(folder.resolve(".model.previous")));
  }

  @Test
  void theChecksumOfTheManifestIsWrittenAsSha256sumReadsIt() throws IOException {
    Path place = save("model", 1, false);
    assertTrue(
        Files.readString(place.resolve("manifest.sha256"))
            .matches("[0-9a-f]{64} {2}manifest.json\\n"));
  }
}
