package org.pecf.serve;

import java.util.ArrayList;
import java.util.List;

/** The routes of the service. */
enum Route {
  PAGE("GET", "/", Access.OPEN),
  PAGE_PART("GET", "/page/{name}", Access.OPEN),
  DESCRIPTION("GET", "/openapi.json", Access.OPEN),
  LIVE("GET", "/live", Access.OPEN),
  READY("GET", "/ready", Access.OPEN),
  METRICS("GET", "/metrics", Access.TOKEN),
  MODEL("GET", "/model", Access.TOKEN),
  RELOAD("POST", "/model/reload", Access.TOKEN_ONLY),
  RECOMMEND("GET", "/recommend/{user}", Access.TOKEN),
  RECOMMEND_NEW("POST", "/recommend", Access.TOKEN),
  SIMILAR("GET", "/similar/{item}", Access.TOKEN),
  EXPLAIN("GET", "/explain", Access.TOKEN),
  EXPLAIN_NEW("POST", "/explain", Access.TOKEN),
  HISTORY("GET", "/history/{user}", Access.TOKEN),
  ITEMS("GET", "/items", Access.TOKEN),
  USERS("GET", "/users", Access.TOKEN);

  /** The clients that may take a route. */
  enum Access {
    /** Everybody. */
    OPEN,
    /** Who shows the token, if the service has one. */
    TOKEN,
    /** Who shows the token; nobody if the service has none. */
    TOKEN_ONLY
  }

  private final String method;
  private final String template;
  private final Access access;
  private final String[] segments;

  Route(String method, String template, Access access) {
    this.method = method;
    this.template = template;
    this.access = access;
    this.segments = template.substring(1).split("/", -1);
  }

  /** Return the method of requests. */
  String method() {
    return method;
  }

  /** Return the path, with names in braces for its variable parts. */
  String template() {
    return template;
  }

  /** Return who may take the route. */
  Access access() {
    return access;
  }

  /** Return whether the body of requests counts. */
  boolean hasBody() {
    return this == RECOMMEND_NEW || this == EXPLAIN_NEW;
  }

  /** Return whether answers need no work and come at once. */
  boolean isLight() {
    return access == Access.OPEN || this == METRICS;
  }

  /**
   * A route that fits a request.
   *
   * @param route the route
   * @param variable the variable part of the path, or an empty text
   */
  record Match(Route route, String variable) {}

  /**
   * Find the route of a request.
   *
   * @param method the method; HEAD counts as GET
   * @param rawPath the path as it was sent
   * @throws Refusal if no route has the path, or none with the method
   */
  static Match find(String method, String rawPath) {
    if (!rawPath.startsWith("/")) {
      throw Refusal.bad("The path does not begin with a slash.");
    }
    String[] parts = rawPath.substring(1).split("/", -1);
    List<String> methods = new ArrayList<>();
    for (Route route : values()) {
      if (route.fits(parts)) {
        if (route.method.equals(method) || route.method.equals("GET") && method.equals("HEAD")) {
          return new Match(route, route.variable(parts));
        }
        methods.add(route.method);
      }
    }
    if (methods.isEmpty()) {
      throw Refusal.notFound(
          "There is nothing at this path. See /openapi.json for what the service offers.");
    }
    throw new WrongMethod(methods);
  }

  private boolean fits(String... parts) {
    if (parts.length != segments.length) {
      return false;
    }
    for (int k = 0; k < parts.length; k++) {
      if (segments[k].startsWith("{") ? parts[k].isEmpty() : !segments[k].equals(parts[k])) {
        return false;
      }
    }
    return true;
  }

  private String variable(String... parts) {
    for (int k = 0; k < parts.length; k++) {
      if (segments[k].startsWith("{")) {
        return Percent.decode(parts[k], false);
      }
    }
    return "";
  }

  /** A path that is there for other methods. */
  static final class WrongMethod extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String allowed;

    WrongMethod(List<String> methods) {
      super("There is no such method here.", null, false, false);
      this.allowed =
          methods.contains("GET") ? String.join(", ", methods) + ", HEAD" : methods.get(0);
    }

    /** Return the methods that are there. */
    String allowed() {
      return allowed;
    }
  }
}
