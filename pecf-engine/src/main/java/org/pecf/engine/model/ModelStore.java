package org.pecf.engine.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.memory.GridShape;
import org.pecf.engine.data.MemoryBudget;
import org.pecf.engine.ensemble.Member;
import org.pecf.engine.file.FileProblem;
import org.pecf.engine.file.HiddenDraft;
import org.pecf.engine.file.OutputFolder;

/** The format of models on disk: a model that is saved and opened again has the same bits. */
public final class ModelStore {
  static final String MANIFEST = "manifest.json";
  static final String MANIFEST_CHECKSUM = "manifest.sha256";
  static final String USER_IDS = "user-ids.arrow";
  static final String ITEM_IDS = "item-ids.arrow";
  static final String TRAINING = "training-positives.arrow";
  static final String ALSO_KNOWN = "also-known.arrow";

  private static final int CHECKSUM_LETTERS = 64;

  private ModelStore() {}

  /** Return the name under which the factors of a member are written. */
  static String memberName(int member) {
    return String.format(Locale.ROOT, "member-%03d", member);
  }

  /** Return the line by which {@code sha256sum -c} checks the manifest. */
  static byte[] manifestChecksum(byte[] manifest) {
    String line = DigestingChannel.checksum(manifest) + "  " + MANIFEST + "\n";
    return line.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Save a model. It appears at its place when it is complete and on the disk; an existing model
   * stays until then, and stays if this fails. Equal models give equal bytes.
   *
   * @param place the folder
   * @param model the model. Not modified.
   * @param overwrite whether a model at the place is replaced, with its whole folder; anything else
   *     is never replaced
   * @param allocator the source of working memory
   */
  public static void save(
      Path place, StoredModel model, boolean overwrite, BufferAllocator allocator) {
    try {
      new ModelFolder(place).put(folder -> write(folder, model, allocator), overwrite);
    } catch (OutOfMemoryException e) {
      throw PecfException.resources(
              "Writing the model to %s needs more working memory than allowed. Raise the memory"
                  + " limit; the folder is unchanged.",
              place)
          .causedBy(e);
    } catch (IOException e) {
      throw notWritten(place, e);
    }
  }

  /**
   * Refuse a place that {@link #save} would refuse. Call it before a long training.
   *
   * @throws PecfException with {@link ErrorCode#BAD_OPTION} and the remedy
   */
  public static void checkPlace(Path place, boolean overwrite) {
    try {
      new ModelFolder(place).check(overwrite);
      OutputFolder.at(place).checkBeside();
    } catch (IOException e) {
      throw notWritten(place, e);
    }
  }

  private static PecfException notWritten(Path place, IOException e) {
    return PecfException.resources(
            "The model could not be written to %s (%s). Check that the disk has room and that the"
                + " folder is writable; its content is unchanged.",
            place, FileProblem.reason(e))
        .causedBy(e);
  }

  /** Describe the refusal of a filter whose models are of no kind that can be stored. */
  public static PecfException notStorable(String filter) {
    return PecfException.badOption(
        "Filter %s trains models that cannot be stored. Train without storing the model, or use"
            + " another filter.",
        filter);
  }

  private static void write(Path folder, StoredModel model, BufferAllocator allocator)
      throws IOException {
    GridShape shape = model.ensemble().shape();
    List<Manifest.FileEntry> files = new ArrayList<>();
    List<Manifest.MemberEntry> entries = new ArrayList<>();
    double[] weights = model.ensemble().weights();
    for (int k = 0; k < weights.length; k++) {
      Member member = model.ensemble().members().get(k);
      entries.add(
          new Manifest.MemberEntry(
              member.filterId(),
              member.combination(),
              member.alpha(),
              weights[k],
              CheckedFolder.write(folder, memberName(k), member.model(), allocator, files)
                  .orElseThrow(() -> notStorable(member.filterId())),
              FitJson.write(member.fit())));
    }
    files.add(
        Columns.Ids.write(
            new ColumnFile(folder.resolve(USER_IDS), allocator, shape.users()), model.users()));
    files.add(
        Columns.Ids.write(
            new ColumnFile(folder.resolve(ITEM_IDS), allocator, shape.items()), model.items()));
    files.add(
        Columns.Cells.write(
            new ColumnFile(folder.resolve(TRAINING), allocator, shape.users()), model.training()));
    files.add(
        Columns.Cells.write(
            new ColumnFile(folder.resolve(ALSO_KNOWN), allocator, shape.users()),
            model.alsoKnown()));
    byte[] manifest = Manifest.of(model, files, entries).bytes();
    write(folder.resolve(MANIFEST), manifest);
    write(folder.resolve(MANIFEST_CHECKSUM), manifestChecksum(manifest));
  }

  static void write(Path file, byte[] bytes) throws IOException {
    try (DigestingChannel channel = DigestingChannel.create(file)) {
      channel.writeFully(bytes);
      channel.finish();
    }
  }

  /**
   * Return the description of a model, of which only the manifest is read and verified.
   *
   * @param place the folder
   * @throws PecfException with {@link ErrorCode#BAD_MODEL} if there is no model, or a damaged, a
   *     foreign or a newer one
   */
  public static ModelDescription describe(Path place) {
    try (BufferAllocator none = MemoryBudget.allocator(0)) {
      return new ModelReader(place, Opening.MAPPED, none).describe();
    }
  }

  /**
   * Delete the model of a run that was interrupted, with the other files of its folder; anything
   * else stays.
   *
   * @throws PecfException with {@link ErrorCode#RESOURCES} if it cannot be deleted
   */
  public static void discardIncomplete(Path place) {
    try {
      if (!exists(place) || describe(place).complete() || holdsFolders(place)) {
        return;
      }
    } catch (IOException | PecfException e) {
      // Whatever it is, it is not known to be such a model.
      return;
    }
    try {
      HiddenDraft.delete(place);
    } catch (IOException e) {
      throw PecfException.resources(
              "The unfinished model in %s could not be deleted (%s). Delete it.",
              place, FileProblem.reason(e))
          .causedBy(e);
    }
  }

  private static boolean holdsFolders(Path place) throws IOException {
    try (Stream<Path> content = Files.list(place)) {
      return content.anyMatch(Files::isDirectory);
    }
  }

  /** Return whether a folder holds a model, whatever its state. */
  public static boolean exists(Path place) {
    return Files.exists(place.resolve(MANIFEST));
  }

  /**
   * Return the checksum of a model's manifest, which tells models apart: equal models have the same
   * one. Nothing is verified.
   *
   * @return empty if there is no model at the place, or none that is whole
   */
  public static Optional<String> fingerprint(Path place) {
    try (InputStream stream = Files.newInputStream(place.resolve(MANIFEST_CHECKSUM))) {
      String text = new String(stream.readNBytes(CHECKSUM_LETTERS), StandardCharsets.US_ASCII);
      return Optional.of(text).filter(read -> read.matches("[0-9a-f]{" + CHECKSUM_LETTERS + "}"));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Read a model into memory after verifying that it is intact.
   *
   * @param place the folder
   * @param allocator the source of the model's memory
   * @return the model, owned by the caller
   * @throws PecfException with {@link ErrorCode#BAD_MODEL} if there is no model, or a damaged, a
   *     foreign or a newer one
   */
  public static StoredModel open(Path place, BufferAllocator allocator) {
    return open(place, Opening.READ, allocator);
  }

  /**
   * Open a model.
   *
   * @param place the folder
   * @param opening how its files come into memory and what of them is checked
   * @param allocator the source of the model's memory
   * @return the model, owned by the caller
   * @throws PecfException with {@link ErrorCode#BAD_MODEL} if there is no model, or a damaged, a
   *     foreign or a newer one
   */
  public static StoredModel open(Path place, Opening opening, BufferAllocator allocator) {
    return new ModelReader(place, opening, allocator).open();
  }
}
