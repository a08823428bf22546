package org.pecf.distribution;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A headless Chromium, driven by the DevTools protocol. */
final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LISTENING = "DevTools listening on ";
  private static final int SECONDS = 120;

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger last = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<JsonNode>> awaited = new ConcurrentHashMap<>();
  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  private Browser(Process process, URI page) {
    this.process = process;
    this.socket =
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(page, new Listener()).join();
  }

  /** Return the Chromium of this machine, if it has one. */
  static Optional<Path> find() {
    return List.of("chromium", "chromium-browser", "google-chrome").stream()
        .flatMap(
            name ->
                List.of(System.getenv().getOrDefault("PATH", "").split(":")).stream()
                    .map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Start a Chromium with a profile of its own. */
  static Browser start(Path program, Path profile) throws Exception {
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      URI listening = listening(process);
      String list = "http://" + listening.getAuthority() + "/json/list";
      HttpResponse<String> pages =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(list)).build(),
                  HttpResponse.BodyHandlers.ofString());
      for (JsonNode page : JSON.readTree(pages.body())) {
        if (page.get("type").asText().equals("page")) {
          Browser browser =
              new Browser(process, URI.create(page.get("webSocketDebuggerUrl").asText()));
          for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            browser.send(domain + ".enable", Map.of());
          }
          return browser;
        }
      }
      throw new IOException("Chromium shows no page: " + pages.body());
    } catch (Exception e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static URI listening(Process process) throws IOException {
    BufferedReader said = process.errorReader(StandardCharsets.UTF_8);
    List<String> lines = new ArrayList<>();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      lines.add(line);
      if (line.startsWith(LISTENING)) {
        Thread drain = new Thread(() -> said.lines().forEach(rest -> {}));
        drain.setDaemon(true);
        drain.start();
        return URI.create(line.substring(LISTENING.length()));
      }
    }
    throw new IOException("Chromium did not start: " + lines);
  }

  /** Receive what the browser says. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean complete) {
      text.append(part);
      if (complete) {
        try {
          take(JSON.readTree(text.toString()));
        } catch (IOException e) {
          problems.add(e.toString());
        }
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private void take(JsonNode message) {
    if (message.has("id")) {
      answers.get(message.get("id").asInt()).complete(message);
      return;
    }
    JsonNode about = message.get("params");
    switch (message.get("method").asText()) {
      case "Runtime.exceptionThrown" -> problems.add(about.toString());
      case "Runtime.consoleAPICalled" -> {
        if (List.of("error", "warning", "assert").contains(about.get("type").asText())) {
          problems.add(about.toString());
        }
      }
      case "Log.entryAdded" -> {
        if (about.at("/entry/level").asText().equals("error")) {
          problems.add(about.toString());
        }
      }
      case "Network.requestWillBeSent" -> requests.add(about.at("/request/url").asText());
      default -> {
        CompletableFuture<JsonNode> waiting = awaited.remove(message.get("method").asText());
        if (waiting != null) {
          waiting.complete(about);
        }
      }
    }
  }

  JsonNode send(String method, Map<String, ?> parameters) throws Exception {
    int id = last.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", JSON.valueToTree(parameters));
    socket.sendText(message.toString(), true).get(SECONDS, TimeUnit.SECONDS);
    JsonNode received = answer.get(SECONDS, TimeUnit.SECONDS);
    if (received.has("error")) {
      throw new IOException(method + ": " + received.get("error"));
    }
    return received.get("result");
  }

  /** Show a page of a width in pixels, light or dark. */
  void show(URI page, int width, boolean dark) throws Exception {
    send(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 600));
    send(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    CompletableFuture<JsonNode> loaded = new CompletableFuture<>();
    awaited.put("Page.loadEventFired", loaded);
    send("Page.navigate", Map.of("url", page.toString()));
    loaded.get(SECONDS, TimeUnit.SECONDS);
  }

  /** Return the value of an expression in the page. */
  JsonNode value(String expression) throws Exception {
    JsonNode result =
        send("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new IOException(expression + ": " + result.get("exceptionDetails"));
    }
    return result.get("result").path("value");
  }

  void press(String key) throws Exception {
    for (String type : List.of("keyDown", "keyUp")) {
      send("Input.dispatchKeyEvent", Map.of("type", type, "key", key, "code", key));
    }
  }

  void moveTo(double x, double y) throws Exception {
    send("Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", x, "y", y));
  }

  /** Write a picture of the whole page. */
  void picture(Path file) throws Exception {
    JsonNode picture =
        send("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
    Files.write(file, Base64.getDecoder().decode(picture.get("data").asText()));
  }

  /** Return all errors and warnings so far. */
  List<String> problems() {
    return problems;
  }

  /** Return the addresses of all requests so far. */
  List<String> requests() {
    return requests;
  }

  @Override
  public void close() {
    socket.abort();
    process.destroy();
    process.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).exceptionally(late -> process).join();
    process.destroyForcibly();
  }
}
