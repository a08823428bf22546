package org.pecf.plugin.loaders.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Excerpts of files for messages: short, and free of characters that control a terminal. */
public final class Excerpt {
  private static final int LIMIT = 40;

  private Excerpt() {}

  /**
   * Quote bytes of UTF-8; those that are not are shown as {@code \xHH}.
   *
   * @param source the bytes as the characters of ISO 8859-1
   */
  public static String ofBytes(String source) {
    int end = Math.min(source.length(), 4 * LIMIT);
    while (end < source.length() && end > 0 && (source.charAt(end) & 0xc0) == 0x80) {
      end--;
    }
    byte[] bytes = source.substring(0, end).getBytes(StandardCharsets.ISO_8859_1);
    try {
      return of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)));
    } catch (CharacterCodingException e) {
      StringBuilder text = new StringBuilder();
      for (byte one : bytes) {
        if (one < 0) {
          text.append(String.format("\\x%02x", one & 0xff));
        } else {
          append(text, (char) one);
        }
      }
      return shorten(text);
    }
  }

  /** Quote a text. */
  public static String of(CharSequence source) {
    StringBuilder text = new StringBuilder();
    source.chars().limit(4L * LIMIT).forEach(letter -> append(text, (char) letter));
    return shorten(text);
  }

  private static void append(StringBuilder text, char letter) {
    switch (letter) {
      case '\t' -> text.append("\\t");
      case '\r' -> text.append("\\r");
      case '\n' -> text.append("\\n");
      case '\0' -> text.append("\\0");
      default -> {
        int type = Character.getType(letter);
        if (Character.isISOControl(letter)
            || type == Character.FORMAT
            || type == Character.LINE_SEPARATOR
            || type == Character.PARAGRAPH_SEPARATOR) {
          text.append(String.format("\\u%04x", (int) letter));
        } else {
          text.append(letter);
        }
      }
    }
  }

  private static String shorten(StringBuilder text) {
    if (text.length() <= LIMIT) {
      return text.toString();
    }
    int end = Character.isHighSurrogate(text.charAt(LIMIT - 1)) ? LIMIT - 1 : LIMIT;
    return text.substring(0, end) + "...";
  }
}
