package org.pecf.tools.plugin;

/** Step through the instructions of a method, remembering the constants pushed last. */
final class ByteCode {
  private static final int ICONST_M1 = 0x02;
  private static final int ICONST_0 = 0x03;
  private static final int ICONST_5 = 0x08;
  private static final int BIPUSH = 0x10;
  private static final int SIPUSH = 0x11;
  private static final int LDC = 0x12;
  private static final int LDC_W = 0x13;
  private static final int TABLESWITCH = 0xaa;
  private static final int LOOKUPSWITCH = 0xab;
  private static final int INVOKESPECIAL = 0xb7;
  private static final int WIDE = 0xc4;
  private static final int IINC = 0x84;

  private final byte[] code;
  private final ConstantPool pool;
  private final Object[] pushed = new Object[3];
  private int position = -1;
  private int following;

  /**
   * Create a reader that stands before the first instruction.
   *
   * @param code the instructions. Not modified.
   */
  ByteCode(byte[] code, ConstantPool pool) {
    this.code = code;
    this.pool = pool;
  }

  /** Go to the next instruction; return whether there is one. */
  boolean next() {
    if (position >= 0) {
      remember(constant());
    }
    position = following;
    if (position >= code.length) {
      return false;
    }
    following = position + length();
    return true;
  }

  /** Return whether this instruction calls a constructor. */
  boolean constructs(String className, String descriptor) {
    return opcode() == INVOKESPECIAL
        && pool.isConstructor(unsignedShort(position + 1), className, descriptor);
  }

  /**
   * Return the constant that an instruction before this one pushed, or null if it was no constant.
   *
   * @param back 0 for the instruction right before, up to 2
   */
  Object pushed(int back) {
    return pushed[back];
  }

  private void remember(Object constant) {
    pushed[2] = pushed[1];
    pushed[1] = pushed[0];
    pushed[0] = constant;
  }

  private int opcode() {
    return unsignedByte(position);
  }

  private Object constant() {
    int opcode = opcode();
    if (opcode >= ICONST_M1 && opcode <= ICONST_5) {
      return opcode - ICONST_0;
    }
    return switch (opcode) {
      case BIPUSH -> (int) code[position + 1];
      case SIPUSH -> (int) (short) unsignedShort(position + 1);
      case LDC -> pool.loadable(unsignedByte(position + 1));
      case LDC_W -> pool.loadable(unsignedShort(position + 1));
      default -> null;
    };
  }

  private int length() {
    int opcode = opcode();
    return switch (opcode) {
      case BIPUSH, LDC, 0xa9, 0xbc -> 2;
      case SIPUSH, LDC_W, 0x14, IINC -> 3;
      case TABLESWITCH -> {
        int start = afterPadding();
        yield start - position + 12 + 4 * (signedInt(start + 8) - signedInt(start + 4) + 1);
      }
      case LOOKUPSWITCH -> {
        int start = afterPadding();
        yield start - position + 8 + 8 * signedInt(start + 4);
      }
      case WIDE -> unsignedByte(position + 1) == IINC ? 6 : 4;
      case 0xc5 -> 4;
      case 0xb9, 0xba, 0xc8, 0xc9 -> 5;
      case 0xbe, 0xbf, 0xc2, 0xc3 -> 1;
      default -> {
        boolean loadOrStore = opcode >= 0x15 && opcode <= 0x19 || opcode >= 0x36 && opcode <= 0x3a;
        boolean jump = opcode >= 0x99 && opcode <= 0xa8 || opcode == 0xc6 || opcode == 0xc7;
        boolean member = opcode >= 0xb2 && opcode <= 0xc1;
        yield loadOrStore ? 2 : jump || member ? 3 : 1;
      }
    };
  }

  /** Switches are padded to a multiple of four. */
  private int afterPadding() {
    return (position + 4) & ~3;
  }

  private int unsignedByte(int index) {
    return code[index] & 0xff;
  }

  private int unsignedShort(int index) {
    return unsignedByte(index) << 8 | unsignedByte(index + 1);
  }

  private int signedInt(int index) {
    return unsignedShort(index) << 16 | unsignedShort(index + 2);
  }
}
