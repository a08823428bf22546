package org.pecf.api.support;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A folder that nobody else can write to, for code that is unpacked and then run.
 *
 * <p>A file in a folder that others can write to may be theirs, whatever its name, size and time,
 * and a native library runs with the rights of the user who loads it. So a folder is either new, or
 * it is kept from run to run and checked each time to be this user's alone: it is no link, this
 * user owns it, nobody else has any right to it, and nobody else can rename one of its parent
 * folders.
 *
 * @param path the path
 * @param kept whether its files stay for the next run
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record PrivateFolder(Path path, boolean kept) {
  private static final String HOME = "user.home";
  private static final String TEMPORARY = "java.io.tmpdir";
  private static final String OWNER_ONLY = "rwx------";
  private static final int RIGHTS_OF_OTHERS = 0077;
  private static final int WRITABLE_BY_OTHERS = 0022;
  private static final int STICKY = 01000;
  private static final int ROOT = 0;

  /**
   * Open this user's folder of unpacked libraries: in the home folder or, where that is not usable,
   * in the temporary one. Where neither can be trusted the folder is a new one.
   *
   * @param name its purpose
   */
  public static PrivateFolder keep(String name) throws IOException {
    for (Path place : places(name)) {
      Optional<Path> kept = trusted(place);
      if (kept.isPresent()) {
        return new PrivateFolder(kept.get(), true);
      }
    }
    return create(name);
  }

  /**
   * Create a new folder in the temporary one. Java's own method takes a tenth of a second to load
   * its random numbers; it suffices that the folder did not exist before.
   *
   * @param name the start of its name, after that of the program
   */
  public static PrivateFolder create(String name) throws IOException {
    Path parent = Path.of(System.getProperty(TEMPORARY));
    while (true) {
      try {
        return new PrivateFolder(
            Files.createDirectory(
                parent.resolve(
                    String.format(
                        "pecf-%s-%s-%s",
                        name, ProcessHandle.current().pid(), Long.toHexString(System.nanoTime()))),
                rights(parent)),
            false);
      } catch (FileAlreadyExistsException e) {
        // The clock goes on.
      }
    }
  }

  /**
   * Delete a new folder with all that is in it, once it is loaded; where a loaded library cannot be
   * deleted, at the end of the program. A folder that is kept stays.
   */
  public void discard() {
    if (kept) {
      return;
    }
    try (Stream<Path> content = Files.walk(path)) {
      List<File> deepestFirst =
          content.sorted(Comparator.reverseOrder()).map(Path::toFile).toList();
      List<File> left = new ArrayList<>();
      for (File file : deepestFirst) {
        if (!file.delete()) {
          // The program deletes in the reverse order of these calls.
          left.add(0, file);
        }
      }
      left.forEach(File::deleteOnExit);
    } catch (IOException | RuntimeException e) {
      path.toFile().deleteOnExit();
    }
  }

  private static List<Path> places(String name) {
    List<Path> places = new ArrayList<>();
    Path home = Path.of(System.getProperty(HOME, ""));
    if (home.isAbsolute() && Files.isDirectory(home)) {
      places.add(home.resolve(".pecf").resolve(name));
    }
    Path temporary = Path.of(System.getProperty(TEMPORARY));
    if (isPosix(temporary)) {
      String user =
          System.getProperty("user.name", "")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^a-z0-9_.-]", "_");
      places.add(temporary.toAbsolutePath().resolve("pecf-" + name + "-of-" + user));
    }
    return places;
  }

  /** Return the real path of a folder, made if it is missing, if it is this user's alone. */
  static Optional<Path> trusted(Path place) {
    try {
      Path parent = Objects.requireNonNull(place.getParent());
      if (Files.notExists(parent, LinkOption.NOFOLLOW_LINKS)) {
        makeIfMissing(parent);
      }
      Path folder = parent.toRealPath().resolve(place.getFileName());
      makeIfMissing(folder);
      if (!isPosix(folder)) {
        // The home folder is its owner's here by rights that cannot be read as easily.
        return Files.isWritable(folder) ? Optional.of(folder) : Optional.empty();
      }
      Rights rights = Rights.of(folder);
      if (!rights.isFolder()
          || (rights.mode() & RIGHTS_OF_OTHERS) != 0
          || rights.owner() != user(folder)) {
        return Optional.empty();
      }
      for (Path above = folder.getParent(); above != null; above = above.getParent()) {
        Rights ofAbove = Rights.of(above);
        boolean safe = (ofAbove.mode() & WRITABLE_BY_OTHERS) == 0 || (ofAbove.mode() & STICKY) != 0;
        if (!safe || ofAbove.owner() != rights.owner() && ofAbove.owner() != ROOT) {
          return Optional.empty();
        }
      }
      return Optional.of(folder);
    } catch (IOException | RuntimeException e) {
      // A place that cannot be used; there are others.
      return Optional.empty();
    }
  }

  private static void makeIfMissing(Path folder) throws IOException {
    try {
      Files.createDirectory(folder, rights(Objects.requireNonNull(folder.getParent())));
    } catch (FileAlreadyExistsException e) {
      // What it is, is looked at next.
    }
  }

  /** Return the number of this user: who owns a file that is made now. */
  private static int user(Path folder) throws IOException {
    Path file =
        folder.resolve(
            ".owner-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime()));
    Files.createFile(file);
    try {
      return Rights.of(file).owner();
    } finally {
      Files.delete(file);
    }
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("unix");
  }

  private static FileAttribute<?>[] rights(Path parent) {
    return isPosix(parent)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY))
        }
        : new FileAttribute<?>[0];
  }

  /** The owner and permissions of a file; of a link, those of the link itself. */
  private record Rights(int mode, int owner) {
    private static final int KIND = 0170000;
    private static final int FOLDER = 0040000;

    static Rights of(Path path) throws IOException {
      Map<String, Object> read =
          Files.readAttributes(path, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
      return new Rights(number(read, "mode"), number(read, "uid"));
    }

    private static int number(Map<String, Object> read, String attribute) {
      return (Integer) Objects.requireNonNull(read.get(attribute));
    }

    boolean isFolder() {
      return (mode & KIND) == FOLDER;
    }
  }
}
