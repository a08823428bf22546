package org.pecf.serve;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The percent encoding of paths and queries, read strictly: what is not UTF-8 is refused. */
final class Percent {
  private Percent() {}

  /**
   * Decode a text.
   *
   * @param raw the text as it was sent
   * @param plusIsBlank whether a plus sign stands for a blank, as in queries
   * @throws Refusal if it is not well formed
   */
  static String decode(String raw, boolean plusIsBlank) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    for (int k = 0; k < raw.length(); k++) {
      char letter = raw.charAt(k);
      if (letter == '%') {
        int high = k + 2 <= raw.length() - 1 ? Character.digit(raw.charAt(k + 1), 16) : -1;
        int low = k + 2 <= raw.length() - 1 ? Character.digit(raw.charAt(k + 2), 16) : -1;
        if (high < 0 || low < 0) {
          throw Refusal.bad(
              "A percent sign in the address is not followed by two hexadecimal digits.");
        }
        bytes.write(high * 16 + low);
        k += 2;
      } else if (letter == '+' && plusIsBlank) {
        bytes.write(' ');
      } else if (Character.isSurrogate(letter)) {
        bytes.writeBytes(
            new String(Character.toChars(raw.codePointAt(k++))).getBytes(StandardCharsets.UTF_8));
      } else {
        bytes.writeBytes(String.valueOf(letter).getBytes(StandardCharsets.UTF_8));
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw Refusal.bad("The address is not encoded in UTF-8.");
    }
  }
}
