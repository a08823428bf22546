package org.pecf.serve;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.PreEncodedHttpField;

/** The headers that tell a browser to run nothing but the page's own files, and ask nobody else. */
final class ProtectiveHeaders {
  private static final HttpField[] FIELDS = {
    new PreEncodedHttpField(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src"
            + " 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    new PreEncodedHttpField("X-Content-Type-Options", "nosniff"),
    new PreEncodedHttpField("Referrer-Policy", "no-referrer"),
    new PreEncodedHttpField("Cross-Origin-Resource-Policy", "same-origin"),
    new PreEncodedHttpField("Cross-Origin-Opener-Policy", "same-origin"),
  };

  private ProtectiveHeaders() {}

  /** Add them to an answer. */
  static void add(HttpFields.Mutable headers) {
    for (HttpField field : FIELDS) {
      headers.put(field);
    }
  }
}
