package org.pecf.engine.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.pecf.api.PecfException;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;

/**
 * A folder of files that anybody may have changed: a file is read only if it is a file, in the
 * folder itself, of the size and checksum that are expected of it.
 *
 * @param place the folder
 * @param kind the kind of folder, for messages
 * @param remedy what to do if it is damaged, for messages
 * @param allocator the source of the memory of what is read
 */
record CheckedFolder(Path place, String kind, String remedy, BufferAllocator allocator) {
  private static final int MOST_TEXT_BYTES = 64 << 20;

  /** A reader of the content of a file. */
  @FunctionalInterface
  interface Reading<T> {
    T from(ColumnFile file) throws IOException;
  }

  /** Return the name of the file of one side of factors. */
  static String fileOf(String name, Side side) {
    return name + (side == Side.USERS ? "-users.arrow" : "-items.arrow");
  }

  /** Write factors to two new files and return their entries. */
  static List<Manifest.FileEntry> write(
      Path folder, String name, FactorModel factors, BufferAllocator allocator) throws IOException {
    List<Manifest.FileEntry> files = new ArrayList<>();
    for (Side side : Side.values()) {
      FloatMatrix matrix = factors.side(side);
      Path file = folder.resolve(fileOf(name, side));
      files.add(FactorColumn.write(new ColumnFile(file, allocator, matrix.rows()), matrix));
    }
    return files;
  }

  /**
   * Read factors; the caller owns them.
   *
   * @param name the name they were written under
   * @param files the entries of all files of the folder
   */
  FactorModel factors(String name, GridShape shape, int rank, List<Manifest.FileEntry> files) {
    requireBytes(fileOf(name, Side.USERS), shape.users(), rank);
    requireBytes(fileOf(name, Side.ITEMS), shape.items(), rank);
    FactorModel factors = FactorModel.allocate(allocator, shape, rank);
    try {
      for (Side side : Side.values()) {
        FloatMatrix matrix = factors.side(side);
        read(
            fileOf(name, side),
            matrix.rows(),
            files,
            file -> {
              FactorColumn.read(file, matrix);
              return matrix;
            });
      }
      return factors;
    } catch (RuntimeException | Error e) {
      factors.close();
      throw e;
    }
  }

  /** Check that a file is long enough for its factors, before memory is allocated for them. */
  private void requireBytes(String name, int rows, int rank) {
    checkFile(name);
    try {
      if (rank < 1) {
        throw new IllegalArgumentException("its rank is " + rank);
      }
      new ColumnFile(place.resolve(name), allocator, rows).requireBytes(FloatMatrix.bytes(1, rank));
    } catch (IOException | IllegalArgumentException e) {
      throw damaged(name, "cannot be read: " + e.getMessage(), e);
    }
  }

  /** Read a file of the given number of rows, once its size and checksum are right. */
  <T> T read(String name, int rows, List<Manifest.FileEntry> files, Reading<T> reading) {
    verify(name, files);
    try {
      return reading.from(new ColumnFile(place.resolve(name), allocator, rows));
    } catch (OutOfMemoryException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw damaged(name, "cannot be read: " + e.getMessage(), e);
    }
  }

  /** Check the size and checksum of a file. */
  void verify(String name, List<Manifest.FileEntry> files) {
    Manifest.FileEntry entry =
        files.stream()
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

  /** Return the whole of a file whose checksum is not known yet, if it is not too large. */
  byte[] bytes(String name) {
    Path file = place.resolve(name);
    try {
      checkFile(name);
      if (Files.size(file) > MOST_TEXT_BYTES) {
        throw damaged(name, "is larger than " + (MOST_TEXT_BYTES >> 20) + " MiB");
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
