package org.pecf.serve;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import org.pecf.api.PecfException;
import org.pecf.engine.file.FileProblem;

/**
 * The certificate and key of a service that speaks TLS.
 *
 * @param keyStore a key store, PKCS#12 or JKS, with one key
 * @param password the password of the key store and of the key
 */
public record TlsSettings(KeyStore keyStore, String password) {
  /**
   * Open a key store.
   *
   * @param file the key store
   * @param password its password
   * @throws PecfException if the file or the password does not serve
   */
  public static TlsSettings open(Path file, String password) {
    try {
      KeyStore store = KeyStore.getInstance(file.toFile(), password.toCharArray());
      if (store.size() == 0) {
        throw PecfException.badData(
            "The key store %s is empty. Make one with 'keytool -genkeypair -keyalg EC'.", file);
      }
      return new TlsSettings(store, password);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw PecfException.badData(
              "The key store %s cannot be opened (%s). Name a PKCS#12 file and its password.",
              file, e instanceof IOException io ? FileProblem.unreadable(file, io) : e.getMessage())
          .causedBy(e);
    }
  }

  /**
   * Read the password of a key store from a file.
   *
   * @throws PecfException if the file cannot be read
   */
  public static String readPassword(Path file) {
    return AccessToken.secret(file, "password of the key store");
  }

  @Override
  public String toString() {
    return "TlsSettings";
  }
}
