package org.pecf.plugin.backend.cpu.algebra;

import java.io.IOException;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_full;
import org.pecf.backend.base.library.PrivateFolder;

/**
 * The native library of OpenBLAS, unpacked where nobody else can write.
 *
 * <p>JavaCPP unpacks libraries once and later trusts the files it finds by size and time: in the
 * home folder or, where that is not usable, in the temporary folder under a predictable name. So
 * the folder is set before JavaCPP chooses one. A folder that the user names by the property {@code
 * org.bytedeco.javacpp.cachedir} is the user's own choice.
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
