package org.pecf.plugin.backend.cpu.algebra;

import java.io.IOException;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_full;
import org.pecf.backend.base.library.PrivateFolder;

/**
 * The native library of OpenBLAS, unpacked where nobody else can write.
 *
 * <p>JavaCPP unpacks libraries once and trusts by size and time what it finds the next time: in the
 * home folder, but where that cannot be used, under a name that anybody can foresee in the
 * temporary one. So it is told where to look before it asks. A folder that the user names by the
 * property {@code org.bytedeco.javacpp.cachedir} is the user's own choice.
 */
final class NativeLibrary {
  private static final String UNPACKED = "org.bytedeco.javacpp.cachedir";

  private NativeLibrary() {}

  /** Load the library, once. */
  static synchronized void load() {
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
}
