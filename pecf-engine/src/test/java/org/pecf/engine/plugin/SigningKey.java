package org.pecf.engine.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Sign jars with the JDK's own tools, as authors of plugins do. */
public final class SigningKey {
  private static final String PASSWORD = "changeit";
  private final Path store;

  private SigningKey(Path store) {
    this.store = store;
  }

  /** Make a key and a certificate for a name. */
  public static SigningKey of(String name, Path folder) {
    Path store = folder.resolve(name + ".p12");
    run(
        "keytool",
        "-genkeypair",
        "-alias",
        "signer",
        "-keyalg",
        "EC",
        "-dname",
        "CN=" + name,
        "-validity",
        "30",
        "-storetype",
        "PKCS12",
        "-storepass",
        PASSWORD,
        "-keystore",
        store.toString());
    return new SigningKey(store);
  }

  /** Sign a jar in place. */
  public Path sign(Path jar) {
    run(
        "jarsigner",
        "-keystore",
        store.toString(),
        "-storepass",
        PASSWORD,
        jar.toString(),
        "signer");
    return jar;
  }

  /** Return the certificate. */
  public X509Certificate certificate() {
    try (InputStream content = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(content, PASSWORD.toCharArray());
      return (X509Certificate) keys.getCertificate("signer");
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void run(String tool, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
      if (process.waitFor() != 0) {
        throw new IllegalStateException(tool + ": " + output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
