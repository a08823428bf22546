package org.pecf.backend.algebra;

import java.io.IOException;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_full;
import org.pecf.api.support.PrivateFolder;

/**
 * The native library of OpenBLAS, unpacked where nobody else can write.
 *
 * <p>JavaCPP unpacks libraries once and later trusts the files it finds by size and time: in the
 * home folder or, where that is not usable, in the temporary folder under a predictable name. So
 * the folder is set before JavaCPP chooses one. A folder that the user names by the property {@code
 * org.bytedeco.javacpp.cachedir} is the user's own choice.
 *
 * <p>netlib, by which Spark's MLlib and others compute, loads the OpenBLAS of the system, whose
 * name in the process is that of ours. Whoever loads first gives both its library. The system's
 * serves both; with ours, netlib crashes or computes wrong numbers. So netlib goes first where it
 * is present.
 */
final class NativeLibrary {
  private static final String NETLIB = "dev.ludovic.netlib.blas.NativeBLAS";
  private static final String UNPACKED = "org.bytedeco.javacpp.cachedir";

  private NativeLibrary() {}

  /** Load the library, once. */
  static synchronized void load() {
    letNetlibLoad();
    if (System.getProperty(UNPACKED) != null) {
      Loader.load(openblas_full.class);
      return;
    }
    try {
      PrivateFolder folder = PrivateFolder.keep("javacpp");
      System.setProperty(UNPACKED, folder.path().toString());
      try {
        Loader.load(openblas_full.class);
      } finally {
        folder.discard();
      }
    } catch (IOException e) {
      throw (LinkageError) new UnsatisfiedLinkError("it cannot be unpacked: " + e).initCause(e);
    }
  }

  /** Have netlib load its library, if it is present and finds one. */
  private static void letNetlibLoad() {
    for (ClassLoader loader :
        new ClassLoader[] {
          Thread.currentThread().getContextClassLoader(),
          NativeLibrary.class.getClassLoader(),
          ClassLoader.getSystemClassLoader()
        }) {
      try {
        Class.forName(NETLIB, true, loader).getMethod("getInstance").invoke(null);
        return;
      } catch (ReflectiveOperationException | LinkageError e) {
        // It is not there, or this machine has no library for it.
      }
    }
  }
}
