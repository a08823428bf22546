package org.pecf.tools.plugin;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Read from a class file, without loading it, which Java it was compiled for and how it describes
 * itself as a provider.
 *
 * <p>The SPI version is a compile-time constant and so are nearly all ids: they stand in the byte
 * code right before the call of {@code new ProviderDescription(id, summary, spiVersion)}.
 *
 * @param release the Java release it was compiled for
 * @param descriptions the provider descriptions it makes from constants
 */
record ClassFile(int release, List<Described> descriptions) {
  private static final int MAGIC = 0xCAFEBABE;
  private static final int CLASS_FILE_VERSION_OF_JAVA_0 = 44;
  private static final String DESCRIPTION = "org/pecf/api/plugin/ProviderDescription";

  /**
   * Be a provider description in byte code.
   *
   * @param id the id
   * @param spiVersion the version of the SPI
   */
  record Described(String id, int spiVersion) {}

  /**
   * Read a class file.
   *
   * @param bytes the file. Not modified.
   * @throws IOException if it is none
   */
  static ClassFile read(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (in.readInt() != MAGIC) {
        throw new IOException("it does not start like a class file");
      }
      in.readUnsignedShort();
      int release = in.readUnsignedShort() - CLASS_FILE_VERSION_OF_JAVA_0;
      ConstantPool pool = ConstantPool.read(in);
      List<Described> descriptions = new ArrayList<>();
      if (pool.mentions(DESCRIPTION)) {
        in.skipNBytes(6);
        in.skipNBytes(2L * in.readUnsignedShort());
        skipMembers(in);
        int methods = in.readUnsignedShort();
        for (int method = 0; method < methods; method++) {
          in.skipNBytes(6);
          readMethodAttributes(in, pool, descriptions);
        }
      }
      return new ClassFile(release, descriptions);
    } catch (RuntimeException e) {
      throw new IOException("it is no class file that can be understood", e);
    }
  }

  private static void skipMembers(DataInputStream in) throws IOException {
    int members = in.readUnsignedShort();
    for (int member = 0; member < members; member++) {
      in.skipNBytes(6);
      int attributes = in.readUnsignedShort();
      for (int attribute = 0; attribute < attributes; attribute++) {
        in.skipNBytes(2);
        in.skipNBytes(Integer.toUnsignedLong(in.readInt()));
      }
    }
  }

  private static void readMethodAttributes(
      DataInputStream in, ConstantPool pool, List<Described> descriptions) throws IOException {
    int attributes = in.readUnsignedShort();
    for (int attribute = 0; attribute < attributes; attribute++) {
      String name = pool.text(in.readUnsignedShort());
      byte[] content = in.readNBytes(in.readInt());
      if (name.equals("Code")) {
        describedIn(content, pool, descriptions);
      }
    }
  }

  private static void describedIn(
      byte[] codeAttribute, ConstantPool pool, List<Described> descriptions) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(codeAttribute));
    in.skipNBytes(4);
    ByteCode code = new ByteCode(in.readNBytes(in.readInt()), pool);
    while (code.next()) {
      if (code.constructs(DESCRIPTION, "(Ljava/lang/String;Ljava/lang/String;I)V")
          && code.pushed(2) instanceof String id
          && code.pushed(0) instanceof Integer version) {
        descriptions.add(new Described(id, version));
      }
    }
  }
}
