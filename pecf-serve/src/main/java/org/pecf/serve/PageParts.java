package org.pecf.serve;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.study.page.Page;

/** The files of the page and the description of the service, held in memory. */
final class PageParts {
  /** The files that all pages are made of. */
  private static final List<String> COMMON =
      List.of("page.css", "elements.js", "choices.js", "tables.js");

  private static final List<String> OWN =
      List.of("index.html", "service.css", "service.js", "icon.svg");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  private final Map<String, Part> parts = new LinkedHashMap<>();
  private final byte[] description = read("openapi.json");

  PageParts() {
    COMMON.forEach(name -> add(name, Page.resource(name).getBytes(StandardCharsets.UTF_8)));
    OWN.forEach(name -> add(name, read("page/" + name)));
  }

  private void add(String name, byte[] content) {
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null) {
      throw new IllegalStateException("the file " + name + " is of no type that is served");
    }
    parts.put(name, new Part(type, content));
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
