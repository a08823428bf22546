package org.pecf.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
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
import java.util.stream.Stream;

/** A headless Chromium with one page, driven by the DevTools protocol. */
final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, Integer> KEYS =
      Map.of("Tab", 9, "Enter", 13, "Escape", 27, "ArrowUp", 38, "ArrowDown", 40, "Space", 32);

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger last = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
  private final List<JsonNode> events = new CopyOnWriteArrayList<>();

  private Browser(Process process, URI page) {
    this.process = process;
    this.socket =
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(page, new Listener()).join();
    for (String domain : List.of("Runtime", "Page", "Network", "Log", "DOM")) {
      send(domain + ".enable", Map.of());
    }
  }

  /** Return the program, by PECF_CHROMIUM or by its usual names on the PATH. */
  static Optional<Path> program() {
    String named = System.getenv("PECF_CHROMIUM");
    if (named != null) {
      return Optional.of(Path.of(named)).filter(Files::isExecutable);
    }
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(java.io.File.pathSeparator))
        .flatMap(
            folder ->
                Stream.of("chromium", "chromium-browser", "google-chrome")
                    .map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Start a browser.
   *
   * @param program the program
   * @param profile an empty folder
   */
  static Browser start(Path program, Path profile) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--force-color-profile=srgb",
            "--remote-debugging-port=0",
            "--user-data-dir=" + profile,
            "about:blank"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = lines.readLine();
    while (line != null && !line.startsWith("DevTools listening on ")) {
      line = lines.readLine();
    }
    if (line == null) {
      throw new IOException("Chromium ended before it listened");
    }
    URI devTools = URI.create(line.substring("DevTools listening on ".length()).strip());
    Thread drain = new Thread(() -> lines.lines().forEach(text -> {}), "chromium-output");
    drain.setDaemon(true);
    drain.start();
    return new Browser(process, page(devTools));
  }

  private static URI page(URI devTools) throws IOException, InterruptedException {
    URI list = URI.create("http://127.0.0.1:" + devTools.getPort() + "/json/list");
    while (true) {
      JsonNode targets =
          JSON.readTree(
              HttpClient.newHttpClient()
                  .send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString())
                  .body());
      for (JsonNode target : targets) {
        if (target.get("type").asText().equals("page")) {
          return URI.create(target.get("webSocketDebuggerUrl").asText());
        }
      }
      Thread.sleep(50);
    }
  }

  /** The receiving side of the protocol. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean whole) {
      text.append(data);
      if (whole) {
        receive(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private void receive(String text) {
    try {
      JsonNode message = JSON.readTree(text);
      if (message.has("id")) {
        CompletableFuture<JsonNode> waiting = open.remove(message.get("id").asInt());
        if (message.has("error")) {
          waiting.completeExceptionally(new IllegalStateException(text));
        } else {
          waiting.complete(message.get("result"));
        }
      } else {
        events.add(message);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Send a command and return its result. */
  JsonNode send(String method, Map<String, ?> parameters) {
    int id = last.incrementAndGet();
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", JSON.valueToTree(parameters));
    CompletableFuture<JsonNode> result = new CompletableFuture<>();
    open.put(id, result);
    socket.sendText(message.toString(), true).join();
    return result.orTimeout(2, TimeUnit.MINUTES).join();
  }

  /** Open an address and wait until all of it is there. */
  void open(URI address) {
    send("Page.navigate", Map.of("url", address.toString()));
    await("document.readyState === 'complete'");
  }

  /** Return the value of an expression, or of the promise that it is. */
  JsonNode evaluate(String expression) {
    JsonNode result =
        send(
            "Runtime.evaluate",
            Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(result.toString());
    }
    return result.path("result").path("value");
  }

  /** Wait until an expression is true. */
  void await(String expression) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!evaluate("Boolean(" + expression + ")").asBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "never true: " + expression + " in " + evaluate("document.body.innerText").asText());
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Press a key. */
  void press(String key) {
    int code = KEYS.get(key);
    String name = key.equals("Space") ? " " : key;
    String text = key.equals("Enter") ? "\r" : key.equals("Space") ? " " : "";
    send(
        "Input.dispatchKeyEvent",
        Map.of(
            "type", text.isEmpty() ? "rawKeyDown" : "keyDown",
            "key", name,
            "code", key,
            "windowsVirtualKeyCode", code,
            "text", text));
    send(
        "Input.dispatchKeyEvent",
        Map.of("type", "keyUp", "key", name, "code", key, "windowsVirtualKeyCode", code));
  }

  /** Type a text into what has the focus. */
  void type(String text) {
    send("Input.insertText", Map.of("text", text));
  }

  /** Set the size of the window, and light or dark. */
  void show(int width, int height, boolean dark) {
    send(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    send(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  /** Take a picture of the window. */
  byte[] picture() {
    return Base64.getDecoder()
        .decode(send("Page.captureScreenshot", Map.of("format", "png")).get("data").asText());
  }

  /** Return what the console said that is an error or a warning, and exceptions. */
  List<String> complaints() {
    return events.stream()
        .filter(
            event ->
                switch (event.get("method").asText()) {
                  case "Runtime.exceptionThrown" -> true;
                  case "Runtime.consoleAPICalled" ->
                      List.of("error", "warning", "assert")
                          .contains(event.at("/params/type").asText());
                  case "Log.entryAdded" ->
                      List.of("error", "warning")
                          .contains(event.at("/params/entry/level").asText());
                  default -> false;
                })
        .map(JsonNode::toString)
        .toList();
  }

  /** Return the addresses that were asked for. */
  List<URI> requests() {
    return events.stream()
        .filter(event -> event.get("method").asText().equals("Network.requestWillBeSent"))
        .map(event -> URI.create(event.at("/params/request/url").asText()))
        .toList();
  }

  /** Forget what was said and asked for so far. */
  void forget() {
    events.clear();
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
