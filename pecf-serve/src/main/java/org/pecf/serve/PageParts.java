package org.pecf.serve;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The files of the page and the description of the service, held in memory. */
final class PageParts {
  private static final Map<String, String> TYPES =
      Map.of(
          "index.html", "text/html; charset=utf-8",
          "page.css", "text/css; charset=utf-8",
          "page.js", "text/javascript; charset=utf-8",
          "components.js", "text/javascript; charset=utf-8",
          "icon.svg", "image/svg+xml");

  private final Map<String, Part> parts = new LinkedHashMap<>();
  private final byte[] description = read("openapi.json");

  PageParts() {
    TYPES.forEach((name, type) -> parts.put(name, new Part(type, read("page/" + name))));
  }

  /**
   * A file of the page.
   *
   * @param type the type of its content
   * @param content its content
   */
  record Part(String type, byte[] content) {}

  /** Return a file of the page by its name. */
  Optional<Part> find(String name) {
    return Optional.ofNullable(parts.get(name));
  }

  /** Return the OpenAPI description. */
  byte[] description() {
    return description;
  }

  private static byte[] read(String name) {
    try (InputStream stream = PageParts.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("the service lacks its file " + name);
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException("the service cannot read its file " + name, e);
    }
  }
}
