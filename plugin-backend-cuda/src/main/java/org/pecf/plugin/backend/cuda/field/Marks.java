package org.pecf.plugin.backend.cuda.field;

import org.pecf.backend.field.Window;

/** The layout of marks on the device: one bit per cell, each row starting at a new 32-bit word. */
public final class Marks {
  private Marks() {}

  /** Return the words that hold the marks of a window. */
  public static long words(Window window) {
    return window.users() * wordsOfRow(window.items());
  }

  /** Return the bytes that hold the marks of a window. */
  public static long bytes(Window window) {
    return words(window) * Integer.BYTES;
  }

  /** Return the words that hold the marks of a row. */
  static long wordsOfRow(int items) {
    return (items + 31L) / 32;
  }
}
