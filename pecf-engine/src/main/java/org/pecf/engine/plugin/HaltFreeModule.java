package org.pecf.engine.plugin;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A module of a plugin in whose classes {@link Runtime#halt} reads {@link Runtime#exit}. Both end
 * the process, but an exit can be noticed: a plugin that halts would end a command with any exit
 * code, even that of success.
 */
final class HaltFreeModule extends ModuleReference {
  private static final byte[] HALT = {1, 0, 4, 'h', 'a', 'l', 't'};

  private final ModuleReference module;

  /**
   * Take a module.
   *
   * @param descriptor what it is described by
   */
  HaltFreeModule(ModuleReference module, ModuleDescriptor descriptor) {
    super(descriptor, module.location().orElse(null));
    this.module = module;
  }

  @Override
  public ModuleReader open() throws IOException {
    return new Reader(module.open());
  }

  /** A reader that changes classes as they are read. */
  private record Reader(ModuleReader content) implements ModuleReader {
    @Override
    public Optional<URI> find(String name) throws IOException {
      return content.find(name);
    }

    @Override
    public Optional<InputStream> open(String name) throws IOException {
      return content.open(name);
    }

    @Override
    public Optional<ByteBuffer> read(String name) throws IOException {
      if (!name.endsWith(".class")) {
        return content.read(name);
      }
      try (InputStream stream = content.open(name).orElse(null)) {
        return Optional.ofNullable(stream == null ? null : stream.readAllBytes())
            .map(HaltFreeModule::withoutHalt)
            .map(ByteBuffer::wrap);
      }
    }

    @Override
    public Stream<String> list() throws IOException {
      return content.list();
    }

    @Override
    public void close() throws IOException {
      content.close();
    }
  }

  /** Return the bytes of a class, changed if it may halt. Damaged ones are left to Java. */
  static byte[] withoutHalt(byte... bytes) {
    if (!names(bytes)) {
      return bytes;
    }
    try {
      return new Constants(bytes).renamed();
    } catch (IOException | IndexOutOfBoundsException e) {
      return bytes;
    }
  }

  private static boolean names(byte... bytes) {
    for (int k = 0; k + HALT.length <= bytes.length; k++) {
      int same = 0;
      while (same < HALT.length && bytes[k + same] == HALT[same]) {
        same++;
      }
      if (same == HALT.length) {
        return true;
      }
    }
    return false;
  }

  /** The constants of a class file, which name the methods that it calls. */
  private static final class Constants {
    private static final int UTF_8 = 1;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int NAME_AND_TYPE = 12;
    private static final int LIMIT = 0xffff;

    /** A constant: its kind, and its first two numbers or its text. */
    private record Constant(int tag, int first, int second, String text, int place) {}

    private final byte[] bytes;
    private final List<Constant> constants = new ArrayList<>();
    private final int end;

    Constants(byte... bytes) throws IOException {
      this.bytes = bytes.clone();
      ByteArrayInputStream stream = new ByteArrayInputStream(bytes);
      try (DataInputStream data = new DataInputStream(stream)) {
        data.skipNBytes(Long.BYTES);
        int count = data.readUnsignedShort();
        constants.add(none());
        while (constants.size() < count) {
          read(data, bytes.length - stream.available());
        }
      }
      this.end = bytes.length - stream.available();
    }

    private static Constant none() {
      return new Constant(0, 0, 0, "", 0);
    }

    private void read(DataInputStream data, int place) throws IOException {
      int tag = data.readUnsignedByte();
      switch (tag) {
        case UTF_8 -> {
          byte[] text = new byte[data.readUnsignedShort()];
          data.readFully(text);
          constants.add(
              new Constant(tag, 0, 0, new String(text, StandardCharsets.ISO_8859_1), place));
        }
        case CLASS, 8, 16, 19, 20 ->
            constants.add(new Constant(tag, data.readUnsignedShort(), 0, "", place));
        case 3, 4, 9, METHOD, 11, NAME_AND_TYPE, 17, 18 ->
            constants.add(
                new Constant(tag, data.readUnsignedShort(), data.readUnsignedShort(), "", place));
        case 5, 6 -> {
          data.skipNBytes(Long.BYTES);
          constants.add(none());
          constants.add(none());
        }
        case 15 -> {
          data.skipNBytes(3);
          constants.add(none());
        }
        default -> throw new IOException("constant of kind " + tag);
      }
    }

    private boolean isHalt(Constant constant) {
      if (constant.tag != METHOD) {
        return false;
      }
      String owner = constants.get(constants.get(constant.first).first).text;
      Constant method = constants.get(constant.second);
      return owner.equals("java/lang/Runtime")
          && constants.get(method.first).text.equals("halt")
          && constants.get(method.second).text.equals("(I)V");
    }

    /** Return the class with two more constants, which name what is called instead. */
    byte[] renamed() {
      int count = constants.size();
      if (count + 2 > LIMIT) {
        return bytes;
      }
      int type = 0;
      for (Constant constant : constants) {
        if (isHalt(constant)) {
          type = constants.get(constant.second).second;
          put(constant.place + 3, count + 1);
        }
      }
      if (type == 0) {
        return bytes;
      }
      put(Long.BYTES, count + 2);
      ByteArrayOutputStream changed = new ByteArrayOutputStream();
      try (DataOutputStream data = new DataOutputStream(changed)) {
        data.write(bytes, 0, end);
        data.writeByte(UTF_8);
        data.writeUTF("exit");
        data.writeByte(NAME_AND_TYPE);
        data.writeShort(count);
        data.writeShort(type);
        data.write(bytes, end, bytes.length - end);
      } catch (IOException e) {
        throw new UncheckedIOException("memory can be written to", e);
      }
      return changed.toByteArray();
    }

    private void put(int place, int value) {
      bytes[place] = (byte) (value >> Byte.SIZE);
      bytes[place + 1] = (byte) value;
    }
  }
}
