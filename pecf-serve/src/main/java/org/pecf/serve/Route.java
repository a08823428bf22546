package org.pecf.serve;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.http.pathmap.MatchedResource;
import org.eclipse.jetty.http.pathmap.PathMappings;
import org.eclipse.jetty.http.pathmap.UriTemplatePathSpec;

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
  RECOMMEND(
      "GET",
      "/recommend/{user}",
      Access.TOKEN,
      "count",
      "exclude",
      "only",
      "includeKnown",
      "fallback"),
  RECOMMEND_NEW(
      "POST",
      "/recommend",
      Access.TOKEN,
      "history",
      "count",
      "exclude",
      "only",
      "includeKnown",
      "unknownItems",
      "fallback"),
  SIMILAR("GET", "/similar/{item}", Access.TOKEN, "count"),
  EXPLAIN("GET", "/explain", Access.TOKEN, "user", "item", "count"),
  EXPLAIN_NEW("POST", "/explain", Access.TOKEN, "history", "item", "count"),
  HISTORY("GET", "/history/{user}", Access.TOKEN),
  ITEMS("GET", "/items", Access.TOKEN, "search", "count"),
  USERS("GET", "/users", Access.TOKEN, "search", "count");

  /** The routes of each path by their methods. */
  private static final PathMappings<Map<String, Route>> PATHS = new PathMappings<>();

  static {
    for (Route route : values()) {
      PATHS
          .computeIfAbsent(new UriTemplatePathSpec(route.template), path -> new LinkedHashMap<>())
          .put(route.method, route);
    }
  }

  /** The clients that may take a route. */
  enum Access {
    /** Everybody. */
    OPEN,
    /** Those who show the token, if the service has one. */
    TOKEN,
    /** Those who show the token; nobody if the service has none. */
    TOKEN_ONLY
  }

  private final String method;
  private final String template;
  private final Access access;
  private final Set<String> parameters;

  Route(String method, String template, Access access, String... parameters) {
    this.method = method;
    this.template = template;
    this.access = access;
    this.parameters = Set.of(parameters);
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

  /** Return the names of the parameters of a query, or of the fields of a body if there is one. */
  Set<String> parameters() {
    return parameters;
  }

  /** Return whether requests have a body instead of a query. */
  boolean hasBody() {
    return method.equals("POST") && access == Access.TOKEN;
  }

  /** Return whether requests are answered at once, without a worker. */
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
   * @throws Refusal if no route has the path
   * @throws WrongMethod if none has it with the method
   */
  static Match find(String method, String rawPath) {
    MatchedResource<Map<String, Route>> matched = PATHS.getMatched(rawPath);
    if (matched == null) {
      throw Refusal.notFound(
          "There is nothing at this path. See /openapi.json for what the service offers.");
    }
    Map<String, Route> routes = matched.getResource();
    Route route = routes.get(method.equals("HEAD") ? "GET" : method);
    if (route == null) {
      throw new WrongMethod(
          String.join(", ", routes.keySet()) + (routes.containsKey("GET") ? ", HEAD" : ""));
    }
    return new Match(
        route,
        ((UriTemplatePathSpec) matched.getPathSpec())
            .getPathParams(rawPath).values().stream()
                .findFirst()
                .map(Parameters::decoded)
                .orElse(""));
  }

  /** A request for a path that exists, but not with its method. */
  static final class WrongMethod extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String allowed;

    WrongMethod(String allowed) {
      super("There is no such method here.", null, false, false);
      this.allowed = allowed;
    }

    /** Return the methods of the path. */
    String allowed() {
      return allowed;
    }
  }
}
