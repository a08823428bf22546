package org.pecf.platform.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.CodeSigner;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/**
 * The signatures of a jar. They say nothing about trust: certificates are compared by fingerprint,
 * no certificate authority is asked.
 *
 * @param state the extent to which the jar is signed
 * @param signers the certificates of those who signed every entry; empty unless all is signed
 * @param detail the flaw of a signature that does not hold, otherwise empty
 */
public record JarSignature(State state, List<X509Certificate> signers, String detail) {
  /** The extent to which a jar is signed. */
  public enum State {
    /** No entry, or with algorithms that Java no longer accepts. */
    UNSIGNED,
    /** Some entries, or not all by the same signer, which is worth nothing. */
    PARTLY,
    /** Every entry, by the same signers. */
    SIGNED,
    /** A jar that was changed after it was signed. */
    BROKEN
  }

  private static final Pattern SIGNATURE_FILE =
      Pattern.compile("META-INF/(MANIFEST\\.MF|SIG-[^/]*|[^/]*\\.(SF|RSA|DSA|EC))");

  public JarSignature {
    signers = List.copyOf(signers);
  }

  /**
   * Check the signatures of a jar by reading all of it.
   *
   * @throws IOException if it cannot be read
   */
  public static JarSignature of(Path jar) throws IOException {
    boolean unsigned = false;
    boolean signed = false;
    Set<X509Certificate> common = new HashSet<>();
    ArchiveLimit limit = ArchiveLimit.of(jar);
    try (JarFile file = new JarFile(jar.toFile(), true)) {
      for (JarEntry entry : Collections.list(file.entries())) {
        if (entry.isDirectory() || isOfSignature(entry.getName())) {
          continue;
        }
        try (InputStream content = limit.bounded(file.getInputStream(entry))) {
          content.transferTo(OutputStream.nullOutputStream());
        }
        Set<X509Certificate> signers = signers(entry);
        if (signed || unsigned) {
          common.retainAll(signers);
        } else {
          common.addAll(signers);
        }
        unsigned |= signers.isEmpty();
        signed |= !signers.isEmpty();
      }
    } catch (SecurityException e) {
      return new JarSignature(
          State.BROKEN, List.of(), Objects.requireNonNullElse(e.getMessage(), ""));
    }
    if (!signed) {
      return new JarSignature(State.UNSIGNED, List.of(), "");
    }
    return unsigned || common.isEmpty()
        ? new JarSignature(State.PARTLY, List.of(), "")
        : new JarSignature(State.SIGNED, List.copyOf(common), "");
  }

  private static boolean isOfSignature(String name) {
    return SIGNATURE_FILE.matcher(name.toUpperCase(Locale.ROOT)).matches();
  }

  private static Set<X509Certificate> signers(JarEntry entry) {
    Set<X509Certificate> certificates = new HashSet<>();
    CodeSigner[] signers = entry.getCodeSigners();
    for (CodeSigner signer : signers == null ? new CodeSigner[0] : signers) {
      if (signer.getSignerCertPath().getCertificates().get(0) instanceof X509Certificate one) {
        certificates.add(one);
      }
    }
    return certificates;
  }

  /** Return the SHA-256 fingerprint of a certificate: 64 lower-case hexadecimal digits. */
  public static String fingerprint(X509Certificate certificate) {
    try {
      return Digest.of(certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was decoded can be encoded", e);
    }
  }
}
