package org.pecf.serve;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.pecf.api.PecfException;
import org.pecf.engine.file.FileProblem;

/**
 * A secret that clients show. Only its digest is kept, and comparing takes the same time whatever a
 * client shows.
 */
public final class AccessToken {
  private static final int FEWEST_LETTERS = 16;

  private final byte[] digest;

  private AccessToken(String secret) {
    this.digest = digest(secret);
  }

  /**
   * Take a secret.
   *
   * @param secret the secret; blanks around it do not count
   * @param source where it came from, for messages
   * @throws PecfException if it is too short, or could not be sent in a header
   */
  public static AccessToken of(String secret, String source) {
    String token = secret.strip();
    if (token.length() < FEWEST_LETTERS || !token.matches("[\\x21-\\x7e]+")) {
      throw PecfException.badOption(
          "The token in %s does not serve: it needs %d or more letters and digits, without blanks."
              + " Make one with 'openssl rand -hex 32'.",
          source, FEWEST_LETTERS);
    }
    return new AccessToken(token);
  }

  /**
   * Read a secret from a file.
   *
   * @throws PecfException if the file cannot be read or holds no fitting secret
   */
  public static AccessToken read(Path file) {
    return of(secret(file, "token"), file.toString());
  }

  /** Read the text of a small file that holds a secret. */
  static String secret(Path file, String what) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw PecfException.badData(
              "The %s cannot be read from %s (%s). Name a text file that holds it and nothing"
                  + " else.",
              what, file, FileProblem.unreadable(file, e))
          .causedBy(e);
    }
  }

  /** Return whether a text is the secret. */
  boolean matches(String shown) {
    return MessageDigest.isEqual(digest, digest(shown));
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
