package org.pecf.engine.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.pecf.api.PecfException;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.ensemble.Ensemble;

/** The reader of one model folder; it verifies the checksum of a file before it reads it. */
final class ModelReader {
  private static final int MOST_MANIFEST_BYTES = 64 << 20;

  private final Path place;
  private final BufferAllocator allocator;
  private final Deque<Runnable> opened = new ArrayDeque<>();

  ModelReader(Path place, BufferAllocator allocator) {
    this.place = place;
    this.allocator = allocator;
  }

  StoredModel open() {
    Manifest manifest = manifest();
    try {
      return model(manifest);
    } catch (OutOfMemoryException e) {
      closeOpened();
      throw PecfException.resources(
              "The model at %s needs more memory than allowed. Raise the memory limit.", place)
          .causedBy(e);
    } catch (RuntimeException | Error e) {
      closeOpened();
      throw e;
    }
  }

  private void closeOpened() {
    opened.forEach(Runnable::run);
  }

  private Manifest manifest() {
    checkPlace();
    byte[] bytes = bytes(ModelStore.MANIFEST);
    JsonNode tree;
    try {
      tree = Manifest.tree(bytes);
    } catch (JsonProcessingException e) {
      throw damaged(ModelStore.MANIFEST, "is not JSON: " + e.getOriginalMessage(), e);
    }
    checkFormat(tree);
    if (!Arrays.equals(bytes(ModelStore.MANIFEST_CHECKSUM), ModelStore.manifestChecksum(bytes))) {
      throw damaged(
          ModelStore.MANIFEST, "does not match its checksum in " + ModelStore.MANIFEST_CHECKSUM);
    }
    try {
      return Manifest.of(tree);
    } catch (JsonProcessingException e) {
      throw damaged(ModelStore.MANIFEST, "does not describe a model: " + e.getOriginalMessage(), e);
    }
  }

  private void checkPlace() {
    if (Files.notExists(place)) {
      Path previous = new ModelFolder(place).previous();
      throw PecfException.badModel(
          "There is no model at %s. %s",
          place,
          (Files.exists(previous)
              ? "It was being replaced when the run was cut off: rename " + previous + " to it."
              : "Name the folder a model was saved to."));
    }
    if (!Files.exists(place.resolve(ModelStore.MANIFEST), LinkOption.NOFOLLOW_LINKS)) {
      throw PecfException.badModel(
          "%s is not a model: it holds no %s. Name the folder a model was saved to.",
          place, ModelStore.MANIFEST);
    }
  }

  private void checkFormat(JsonNode tree) {
    if (!tree.path("format").asText().equals(Manifest.FORMAT)) {
      throw PecfException.badModel(
          "%s is not a model of PECF: the format in its %s is not '%s'. Name the folder a model was"
              + " saved to.",
          place, ModelStore.MANIFEST, Manifest.FORMAT);
    }
    JsonNode version = tree.path("formatVersion");
    if (!version.isIntegralNumber() || version.asLong() < 1) {
      throw damaged(ModelStore.MANIFEST, "has no valid format version");
    }
    if (version.asLong() > Manifest.VERSION) {
      throw PecfException.badModel(
          "The model at %s was saved in format %s by PECF %s; this release reads formats up to %s."
              + " Use that release or a later one.",
          place,
          version.asText(),
          tree.path("pecfVersion").asText("of unknown version"),
          Manifest.VERSION);
    }
    if (version.asLong() < Manifest.VERSION) {
      throw PecfException.badModel(
          "The model at %s was saved in format %s, which no release reads. Train it again.",
          place, version.asText());
    }
  }

  private StoredModel model(Manifest manifest) {
    GridShape shape = described(() -> new GridShape(manifest.users(), manifest.items()));
    Ensemble ensemble = new Ensemble(shape);
    opened.push(ensemble::close);
    if (manifest.members().isEmpty()) {
      throw damaged(ModelStore.MANIFEST, "lists no member");
    }
    for (int k = 0; k < manifest.members().size(); k++) {
      addMember(ensemble, k, manifest);
    }
    IdMap users = ids(ModelStore.USER_IDS, Side.USERS, shape.users(), manifest);
    IdMap items = ids(ModelStore.ITEM_IDS, Side.ITEMS, shape.items(), manifest);
    SparseCells training =
        cells(ModelStore.TRAINING, shape, manifest.trainingPositives(), manifest);
    SparseCells alsoKnown = cells(ModelStore.ALSO_KNOWN, shape, manifest.alsoKnown(), manifest);
    return new StoredModel(
        ensemble, users, items, training, alsoKnown, described(manifest::description));
  }

  private SparseCells cells(String name, GridShape shape, int count, Manifest manifest) {
    SparseCells cells =
        read(
            name,
            shape.users(),
            manifest,
            file -> CellColumn.read(file, shape.items(), count, allocator));
    opened.push(cells::close);
    return cells;
  }

  private void addMember(Ensemble ensemble, int k, Manifest manifest) {
    Manifest.MemberEntry entry = manifest.members().get(k);
    GridShape shape = ensemble.shape();
    ScoreModel model =
        entry.model() instanceof Manifest.FactorEntry factors
            ? factors(k, shape, factors, manifest)
            : product(k, shape, (Manifest.SparseProductEntry) entry.model(), manifest);
    try {
      described(
          () -> {
            ensemble.add(
                model,
                entry.filter(),
                entry.combination(),
                entry.alpha(),
                FitJson.fit(entry.fit()));
            return model;
          });
    } catch (RuntimeException | Error e) {
      model.close();
      throw e;
    }
  }

  private FactorModel factors(
      int k, GridShape shape, Manifest.FactorEntry entry, Manifest manifest) {
    requireBytes(ModelStore.memberFile(k, Side.USERS), shape.users(), entry.rank());
    requireBytes(ModelStore.memberFile(k, Side.ITEMS), shape.items(), entry.rank());
    RowRules rules = described(() -> FitJson.rules(entry.rules()));
    FactorModel factors =
        described(() -> FactorModel.allocate(allocator, shape, entry.rank())).withRules(rules);
    try {
      for (Side side : Side.values()) {
        read(
            ModelStore.memberFile(k, side),
            factors.side(side).rows(),
            manifest,
            file -> {
              FactorColumn.read(file, factors.side(side));
              return factors;
            });
      }
      return factors;
    } catch (RuntimeException | Error e) {
      factors.close();
      throw e;
    }
  }

  private SparseProductModel product(
      int k, GridShape shape, Manifest.SparseProductEntry entry, Manifest manifest) {
    if (!Float.isFinite(entry.intercept())) {
      throw damaged(ModelStore.MANIFEST, "has an intercept that is not a finite number");
    }
    int inner = entry.inner() == Side.USERS ? shape.users() : shape.items();
    SparseMatrix left =
        read(
            ModelStore.memberFile(k, ModelStore.LEFT),
            shape.users(),
            manifest,
            file -> SparseColumn.read(file, inner, entry.left(), allocator));
    try {
      SparseMatrix right =
          read(
              ModelStore.memberFile(k, ModelStore.RIGHT),
              inner,
              manifest,
              file -> SparseColumn.read(file, shape.items(), entry.right(), allocator));
      return new SparseProductModel(entry.inner(), left, right, entry.intercept());
    } catch (RuntimeException | Error e) {
      left.close();
      throw e;
    }
  }

  /** Check that a file is long enough for its factors, before memory is allocated for them. */
  private void requireBytes(String name, int rows, int rank) {
    checkFile(name);
    try {
      new ColumnFile(place.resolve(name), allocator, rows).requireBytes(FloatMatrix.bytes(1, rank));
    } catch (IOException | IllegalArgumentException e) {
      throw damaged(name, "cannot be read: " + e.getMessage(), e);
    }
  }

  private IdMap ids(String name, Side side, int rows, Manifest manifest) {
    IdMap ids = read(name, rows, manifest, file -> IdColumn.read(file, side, allocator));
    opened.push(ids::close);
    return ids;
  }

  /** A reader of the content of a file. */
  @FunctionalInterface
  private interface Reading<T> {
    T from(ColumnFile file) throws IOException;
  }

  private <T> T read(String name, int rows, Manifest manifest, Reading<T> reading) {
    verify(name, manifest);
    try {
      return reading.from(new ColumnFile(place.resolve(name), allocator, rows));
    } catch (OutOfMemoryException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw damaged(name, "cannot be read: " + e.getMessage(), e);
    }
  }

  private void verify(String name, Manifest manifest) {
    Manifest.FileEntry entry =
        manifest.files().stream()
            .filter(file -> file.name().equals(name))
            .findFirst()
            .orElseThrow(() -> damaged(ModelStore.MANIFEST, "does not list " + name));
    Path file = place.resolve(name);
    try {
      checkFile(name);
      if (Files.size(file) != entry.bytes()) {
        throw damaged(name, "holds " + Files.size(file) + " bytes instead of " + entry.bytes());
      }
      if (!DigestingChannel.checksum(file).equals(entry.sha256())) {
        throw damaged(name, "does not match its checksum");
      }
    } catch (IOException e) {
      throw damaged(name, "cannot be read: " + e, e);
    }
  }

  private byte[] bytes(String name) {
    Path file = place.resolve(name);
    try {
      checkFile(name);
      if (Files.size(file) > MOST_MANIFEST_BYTES) {
        throw damaged(name, "is larger than " + (MOST_MANIFEST_BYTES >> 20) + " MiB");
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw damaged(name, "cannot be read: " + e, e);
    }
  }

  /** Check that a name is of a file in the folder itself: a link may lead anywhere. */
  private void checkFile(String name) {
    Path file = place.resolve(name);
    if (Files.isSymbolicLink(file)) {
      throw damaged(name, "is a link instead of a file");
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw damaged(name, Files.exists(file) ? "is not a file" : "is missing");
    }
  }

  /** Return a value that the manifest describes, perhaps wrongly although it is intact. */
  private <T> T described(Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException | DateTimeException | NullPointerException e) {
      throw damaged(ModelStore.MANIFEST, "does not describe a model: " + e.getMessage(), e);
    }
  }

  private PecfException damaged(String file, String what) {
    return PecfException.badModel(
        "The model at %s is damaged: %s %s. Restore the folder from a copy, or train again.",
        place, file, what);
  }

  private PecfException damaged(String file, String what, Exception cause) {
    return damaged(file, what).causedBy(cause);
  }
}
