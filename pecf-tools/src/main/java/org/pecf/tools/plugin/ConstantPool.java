package org.pecf.tools.plugin;

import java.io.DataInputStream;
import java.io.IOException;

/** Hold the constants of a class file. */
final class ConstantPool {
  private static final int UTF8 = 1;
  private static final int INTEGER = 3;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int CLASS = 7;
  private static final int STRING = 8;
  private static final int METHOD = 10;
  private static final int NAME_AND_TYPE = 12;
  private static final int METHOD_HANDLE = 15;

  private final int[] tags;
  private final Object[] values;

  private ConstantPool(int size) {
    tags = new int[size];
    values = new Object[size];
  }

  static ConstantPool read(DataInputStream in) throws IOException {
    int size = in.readUnsignedShort();
    ConstantPool pool = new ConstantPool(size);
    for (int index = 1; index < size; index++) {
      int tag = in.readUnsignedByte();
      pool.tags[index] = tag;
      pool.values[index] =
          switch (tag) {
            case UTF8 -> in.readUTF();
            case INTEGER, 4 -> in.readInt();
            case LONG, DOUBLE -> in.readLong();
            case CLASS, STRING, 16, 19, 20 -> new int[] {in.readUnsignedShort()};
            case 9, METHOD, 11, NAME_AND_TYPE, 17, 18 ->
                new int[] {in.readUnsignedShort(), in.readUnsignedShort()};
            case METHOD_HANDLE -> new int[] {in.readUnsignedByte(), in.readUnsignedShort()};
            default -> throw new IOException("constant " + index + " is of unknown kind " + tag);
          };
      if (tag == LONG || tag == DOUBLE) {
        // They take two places.
        index++;
      }
    }
    return pool;
  }

  /** Return the text at an index. */
  String text(int index) {
    return (String) values[index];
  }

  /** Return whether a text is there. */
  boolean mentions(String text) {
    for (int index = 1; index < tags.length; index++) {
      if (tags[index] == UTF8 && text.equals(values[index])) {
        return true;
      }
    }
    return false;
  }

  /** Return the String or Integer that loading an index pushes, or null for anything else. */
  Object loadable(int index) {
    return switch (tags[index]) {
      case STRING -> text(reference(index, 0));
      case INTEGER -> values[index];
      default -> null;
    };
  }

  /** Return whether an index refers to a constructor of a class with a descriptor. */
  boolean isConstructor(int index, String className, String descriptor) {
    if (tags[index] != METHOD) {
      return false;
    }
    int nameAndType = reference(index, 1);
    return text(reference(reference(index, 0), 0)).equals(className)
        && text(reference(nameAndType, 0)).equals("<init>")
        && text(reference(nameAndType, 1)).equals(descriptor);
  }

  private int reference(int index, int part) {
    return ((int[]) values[index])[part];
  }
}
