package org.pecf.engine.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
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
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.ensemble.Ensemble;

/** The reader of one model folder. */
final class ModelReader {
  private final Path place;
  private final CheckedFolder folder;
  private final Deque<Runnable> opened = new ArrayDeque<>();

  ModelReader(Path place, Opening opening, BufferAllocator allocator) {
    this.place = place;
    this.folder =
        new CheckedFolder(
            place, "model", "Restore the folder from a copy, or train again.", allocator, opening);
  }

  /** Return the description of the model; only its manifest is read. */
  ModelDescription describe() {
    return described(manifest()::description);
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
    byte[] bytes = folder.bytes(ModelStore.MANIFEST, Manifest.MOST_MEBIBYTES);
    JsonNode tree;
    try {
      tree = Manifest.tree(bytes);
    } catch (JsonProcessingException e) {
      throw folder.damaged(ModelStore.MANIFEST, "is not JSON: " + e.getOriginalMessage(), e);
    }
    checkFormat(tree);
    if (!Arrays.equals(
        folder.bytes(ModelStore.MANIFEST_CHECKSUM, 1), ModelStore.manifestChecksum(bytes))) {
      throw folder.damaged(
          ModelStore.MANIFEST, "does not match its checksum in " + ModelStore.MANIFEST_CHECKSUM);
    }
    try {
      return Manifest.of(tree);
    } catch (JsonProcessingException e) {
      throw folder.damaged(
          ModelStore.MANIFEST, "does not describe a model: " + e.getOriginalMessage(), e);
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
      throw folder.damaged(ModelStore.MANIFEST, "has no valid format version");
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
      throw folder.damaged(ModelStore.MANIFEST, "lists no member");
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
        folder.read(
            name,
            shape.users(),
            manifest.files(),
            file -> Columns.Cells.read(file, shape.items(), count));
    opened.push(cells::close);
    return cells;
  }

  private void addMember(Ensemble ensemble, int k, Manifest manifest) {
    Manifest.MemberEntry entry = manifest.members().get(k);
    GridShape shape = ensemble.shape();
    ScoreModel model =
        folder.model(ModelStore.memberName(k), shape, entry.model(), manifest.files());
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

  private IdMap ids(String name, Side side, int rows, Manifest manifest) {
    IdMap ids = folder.read(name, rows, manifest.files(), file -> Columns.Ids.read(file, side));
    opened.push(ids::close);
    return ids;
  }

  /** Return a value that the manifest describes, perhaps wrongly although it is intact. */
  private <T> T described(Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException | DateTimeException | NullPointerException e) {
      throw folder.damaged(ModelStore.MANIFEST, "does not describe a model: " + e.getMessage(), e);
    }
  }
}
