package org.pecf.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** A client that holds every answer against the OpenAPI description that the service gives. */
final class Client {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI address;
  private final JsonNode description;
  private final Map<String, String> headers = new TreeMap<>();
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  Client(URI address) throws IOException, InterruptedException {
    this.address = address;
    this.description =
        JSON.readTree(
            http.send(
                    HttpRequest.newBuilder(address.resolve("/openapi.json")).build(),
                    HttpResponse.BodyHandlers.ofByteArray())
                .body());
  }

  /** Send a header with every request. */
  Client with(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /** Return the description. */
  JsonNode description() {
    return description;
  }

  /** Return the operations and statuses that were seen, such as "get /model 200". */
  Set<String> seen() {
    return seen;
  }

  JsonNode get(int status, String path) throws IOException, InterruptedException {
    return send(status, "GET", path, HttpRequest.BodyPublishers.noBody());
  }

  JsonNode post(int status, String path, String body) throws IOException, InterruptedException {
    return send(status, "POST", path, HttpRequest.BodyPublishers.ofString(body));
  }

  /** Send a request, and check its answer against the description. */
  JsonNode send(int status, String method, String path, HttpRequest.BodyPublisher body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + path.substring(1))).method(method, body);
    if (method.equals("POST") && !headers.containsKey("Content-Type")) {
      request.header("Content-Type", "application/json");
    }
    headers.forEach(request::header);
    HttpResponse<byte[]> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    String shown = method + " " + path + ": " + new String(response.body());
    assertEquals(status, response.statusCode(), shown);
    JsonNode answer = JSON.readTree(response.body());
    check(method, path.replaceFirst("\\?.*", ""), response, answer);
    return answer;
  }

  private void check(String method, String path, HttpResponse<?> response, JsonNode answer) {
    String type = response.headers().firstValue("Content-Type").orElse("");
    if (response.statusCode() >= 400) {
      assertEquals("application/problem+json", type, method + " " + path);
      assertEquals(response.statusCode(), answer.path("status").asInt());
      assertTrue(answer.path("detail").asText().endsWith("."), answer.path("detail").asText());
    }
    for (Map.Entry<String, JsonNode> entry : description.path("paths").properties()) {
      if (path.matches(entry.getKey().replaceAll("\\{[a-z]+}", "[^/]+"))) {
        JsonNode operation = entry.getValue().path(method.toLowerCase());
        if (operation.isMissingNode() && response.statusCode() == 405) {
          return;
        }
        JsonNode described =
            operation.path("responses").get(Integer.toString(response.statusCode()));
        String name = method.toLowerCase() + " " + entry.getKey() + " " + response.statusCode();
        assertNotNull(described, name + " is described");
        if (described.has("$ref")) {
          described = description.at(described.get("$ref").asText().substring(1));
        }
        JsonNode content = described.path("content").get(type);
        assertNotNull(content, name + " has the type " + type);
        assertEquals(Set.of(), violations(content.get("schema"), answer), name + " " + answer);
        seen.add(name);
        return;
      }
    }
    assertEquals(404, response.statusCode(), path + " is not described");
  }

  /** Return how a value breaks a schema of the description. */
  private Set<ValidationMessage> violations(JsonNode schema, JsonNode value) {
    // The schema stands alone, so what it refers to comes with it.
    com.fasterxml.jackson.databind.node.ObjectNode whole = schema.deepCopy();
    whole.set("components", description.get("components"));
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
        .getSchema(whole, SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build())
        .validate(value);
  }
}
