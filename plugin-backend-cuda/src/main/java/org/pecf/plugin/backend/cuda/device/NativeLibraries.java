package org.pecf.plugin.backend.cuda.device;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import jcuda.JCudaVersion;
import jcuda.LibUtils;
import org.pecf.api.support.PrivateFolder;

/**
 * JCuda's native libraries, loaded once each from the plugin's own jars.
 *
 * <p>JCuda unpacks its libraries to fixed names in the shared temporary directory and trusts what
 * it finds there; and as a module it does not see the jars they are in. So they are unpacked here,
 * into a new directory that only this user can enter; loaded from there; and JCuda, which looks for
 * them when its classes are initialised, is shown that directory instead of the shared one. Where
 * the system allows it the files are deleted at once.
 */
final class NativeLibraries {
  private static final String TEMPORARY = "java.io.tmpdir";

  private NativeLibraries() {}

  /** The libraries, in the order in which they are needed. */
  enum Library {
    /** The driver. */
    DRIVER("JCudaDriver", "jcuda.driver.JCudaDriver"),
    /** cuBLAS. */
    CUBLAS("JCublas2", "jcuda.jcublas.JCublas2");

    private final String fileStem;
    private final String className;

    Library(String fileStem, String className) {
      this.fileStem = fileStem;
      this.className = className;
    }
  }

  /** Return the reason why a library does not load; empty if it does. Tried once. */
  static Optional<String> problem(Library library) {
    return switch (library) {
      case DRIVER -> Driver.PROBLEM;
      case CUBLAS -> Cublas.PROBLEM;
    };
  }

  // The JVM initialises each of these when it is first asked for, and only once.

  private static final class Driver {
    static final Optional<String> PROBLEM = load(Library.DRIVER);
  }

  private static final class Cublas {
    static final Optional<String> PROBLEM = load(Library.CUBLAS);
  }

  private static synchronized Optional<String> load(Library library) {
    try {
      String name =
          System.mapLibraryName(
              LibUtils.createPlatformLibraryName(library.fileStem + "-" + JCudaVersion.get()));
      PrivateFolder folder = PrivateFolder.create("cuda");
      Path file = folder.path().resolve(name);
      try {
        if (!unpack("lib/" + name, file)) {
          return Optional.of("JCuda has no " + name);
        }
        // First by ourselves: JCuda turns the reason of a failure into pages of stack traces.
        System.load(file.toString());
        initialise(library.className, folder.path());
        return Optional.empty();
      } finally {
        folder.discard();
      }
    } catch (IOException e) {
      return Optional.of("JCuda's libraries cannot be unpacked: " + e);
    } catch (LinkageError | RuntimeException e) {
      return Optional.of(firstLine(e));
    }
  }

  private static boolean unpack(String resource, Path file) throws IOException {
    try (InputStream library =
        NativeLibraries.class.getClassLoader().getResourceAsStream(resource)) {
      if (library == null) {
        return false;
      }
      Files.copy(library, file);
      return true;
    }
  }

  private static void initialise(String className, Path directory) throws IOException {
    // Java remembers the shared directory when it first makes a temporary file: see that it does so
    // before the property is changed.
    File.createTempFile("pecf", null, directory.toFile()).delete();
    String shared = System.getProperty(TEMPORARY);
    System.setProperty(TEMPORARY, directory.toString());
    try {
      Class.forName(className, true, NativeLibraries.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new NoClassDefFoundError(e.getMessage());
    } finally {
      System.setProperty(TEMPORARY, shared);
    }
  }

  private static String firstLine(Throwable problem) {
    String message = problem.getMessage();
    return message == null ? problem.toString() : message.lines().findFirst().orElse("");
  }
}
