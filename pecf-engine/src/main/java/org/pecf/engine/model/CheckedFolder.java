package org.pecf.engine.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.pecf.api.PecfException;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProductModel;

/**
 * A folder of files that anybody may have changed: a file is read only if it is a file, in the
 * folder itself, of the size and, unless it is mapped unverified, the checksum that are expected of
 * it.
 *
 * @param place the folder
 * @param kind the kind of folder, for messages
 * @param remedy the remedy if it is damaged, for messages
 * @param allocator the source of memory for the models that are read
 * @param opening how files come into memory, and whether their checksums are verified
 */
record CheckedFolder(
    Path place, String kind, String remedy, BufferAllocator allocator, Opening opening) {
  static final String LEFT = "left";
  static final String RIGHT = "right";

  /** Names that lead nowhere else. */
  private static final Pattern PLAIN_NAME = Pattern.compile("[a-z0-9][a-z0-9.-]*");

  /** A reader of the content of a file. */
  @FunctionalInterface
  interface Reading<T> {
    T from(ColumnFile file) throws IOException;
  }

  /** Return the name of the file of one side of factors. */
  static String fileOf(String name, Side side) {
    return fileOf(name, side == Side.USERS ? "users" : "items");
  }

  /** Return the name of the file of a matrix of a model. */
  static String fileOf(String name, String matrix) {
    return name + "-" + matrix + ".arrow";
  }

  /**
   * Write the matrices of a model to new files.
   *
   * @param name how the names of its files begin
   * @param files receives the entries of the files. Modified.
   * @return its entry in the manifest, or nothing if it is of a kind that cannot be stored
   */
  static Optional<Manifest.ModelEntry> write(
      Path folder,
      String name,
      ScoreModel model,
      BufferAllocator allocator,
      List<Manifest.FileEntry> files)
      throws IOException {
    if (model instanceof FactorModel factors) {
      for (Side side : Side.values()) {
        FloatMatrix matrix = factors.side(side);
        Path file = folder.resolve(fileOf(name, side));
        files.add(Columns.Factors.write(new ColumnFile(file, allocator, matrix.rows()), matrix));
      }
      return Optional.of(new Manifest.FactorEntry(factors.rank(), FitJson.write(factors.rules())));
    }
    if (model instanceof SparseProductModel product) {
      for (String side : List.of(LEFT, RIGHT)) {
        SparseMatrix matrix = side.equals(LEFT) ? product.left() : product.right();
        Path file = folder.resolve(fileOf(name, side));
        files.add(Columns.Entries.write(new ColumnFile(file, allocator, matrix.rows()), matrix));
      }
      return Optional.of(
          new Manifest.SparseProductEntry(
              product.inner(),
              product.intercept(),
              product.left().count(),
              product.right().count(),
              FitJson.writeRule(product.newUsers())));
    }
    return Optional.empty();
  }

  /**
   * Read a model; the caller owns it.
   *
   * @param name how the names of its files begin
   * @param files the entries of all files of the folder
   */
  ScoreModel model(
      String name, GridShape shape, Manifest.ModelEntry entry, List<Manifest.FileEntry> files) {
    return entry instanceof Manifest.FactorEntry factors
        ? factors(name, shape, factors, files)
        : product(name, shape, (Manifest.SparseProductEntry) entry, files);
  }

  private FactorModel factors(
      String name, GridShape shape, Manifest.FactorEntry entry, List<Manifest.FileEntry> files) {
    RowRules rules;
    try {
      rules = FitJson.rules(entry.rules());
    } catch (IllegalArgumentException e) {
      throw damaged(ModelStore.MANIFEST, "does not describe a model: " + e.getMessage(), e);
    }
    FloatMatrix users =
        read(
            fileOf(name, Side.USERS),
            shape.users(),
            files,
            file -> Columns.Factors.read(file, entry.rank()));
    try {
      FloatMatrix items =
          read(
              fileOf(name, Side.ITEMS),
              shape.items(),
              files,
              file -> Columns.Factors.read(file, entry.rank()));
      return new FactorModel(users, items, rules);
    } catch (RuntimeException | Error e) {
      users.close();
      throw e;
    }
  }

  private SparseProductModel product(
      String name,
      GridShape shape,
      Manifest.SparseProductEntry entry,
      List<Manifest.FileEntry> files) {
    if (!Float.isFinite(entry.intercept())) {
      throw damaged(ModelStore.MANIFEST, "has an intercept that is not a finite number");
    }
    Optional<RowRule.Neighbours> newUsers;
    try {
      newUsers = FitJson.rule(entry.newUsers());
    } catch (IllegalArgumentException e) {
      throw damaged(ModelStore.MANIFEST, "does not describe a model: " + e.getMessage(), e);
    }
    if (newUsers.isPresent() && entry.inner() == Side.ITEMS) {
      throw damaged(ModelStore.MANIFEST, "has a rule for users of a model over items");
    }
    int inner = entry.inner() == Side.USERS ? shape.users() : shape.items();
    SparseMatrix left =
        read(
            fileOf(name, LEFT),
            shape.users(),
            files,
            file -> Columns.Entries.read(file, inner, entry.left()));
    try {
      SparseMatrix right =
          read(
              fileOf(name, RIGHT),
              inner,
              files,
              file -> Columns.Entries.read(file, shape.items(), entry.right()));
      return new SparseProductModel(entry.inner(), left, right, entry.intercept(), newUsers);
    } catch (RuntimeException | Error e) {
      left.close();
      throw e;
    }
  }

  /** Read a file of the given number of rows, once its size and, if wanted, checksum are right. */
  <T> T read(String name, int rows, List<Manifest.FileEntry> files, Reading<T> reading) {
    check(name, files, opening.verified());
    try {
      return reading.from(new ColumnFile(place.resolve(name), allocator, rows, opening));
    } catch (OutOfMemoryException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw damaged(name, "cannot be read: " + e.getMessage(), e);
    }
  }

  /** Check the size and checksum of a file. */
  void verify(String name, List<Manifest.FileEntry> files) {
    check(name, files, true);
  }

  private void check(String name, List<Manifest.FileEntry> files, boolean checksum) {
    Manifest.FileEntry entry =
        files.stream()
            .filter(file -> file.name().equals(name))
            .findFirst()
            .orElseThrow(() -> damaged(ModelStore.MANIFEST, "does not list " + name));
    try {
      Path file = checkedFile(name);
      if (Files.size(file) != entry.bytes()) {
        throw damaged(name, "holds " + Files.size(file) + " bytes instead of " + entry.bytes());
      }
      if (checksum && !DigestingChannel.checksum(file).equals(entry.sha256())) {
        throw damaged(name, "does not match its checksum");
      }
    } catch (IOException e) {
      throw damaged(name, "cannot be read: " + e, e);
    }
  }

  /** Return the whole of a file whose checksum is not known yet, if it is not too large. */
  byte[] bytes(String name, int mostMebibytes) {
    try {
      Path file = checkedFile(name);
      if (Files.size(file) > (long) mostMebibytes << 20) {
        throw damaged(name, "is larger than " + mostMebibytes + " MiB");
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw damaged(name, "cannot be read: " + e, e);
    }
  }

  /** Return a file, if it is one in the folder itself: a name or a link may lead anywhere. */
  private Path checkedFile(String name) {
    if (!PLAIN_NAME.matcher(name).matches()) {
      throw damaged(ModelStore.MANIFEST, "lists '" + name + "', which is not a name of its files");
    }
    Path file = place.resolve(name);
    if (Files.isSymbolicLink(file)) {
      throw damaged(name, "is a link instead of a file");
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw damaged(name, Files.exists(file) ? "is not a file" : "is missing");
    }
    return file;
  }

  /** Return the report that a file is not what it should be. */
  PecfException damaged(String file, String what) {
    return PecfException.badModel(
        "The %s at %s is damaged: %s %s. %s", kind, place, file, what, remedy);
  }

  /** Return the report that a file is not what it should be, and why that is known. */
  PecfException damaged(String file, String what, Exception cause) {
    return damaged(file, what).causedBy(cause);
  }
}
