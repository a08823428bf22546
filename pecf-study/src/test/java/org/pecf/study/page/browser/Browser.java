package org.pecf.study.page.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A headless Chromium with one page, driven by the DevTools protocol. */
public final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LISTENING = "DevTools listening on ";
  private static final int SECONDS = 120;
  private static final Map<String, Integer> KEYS =
      Map.of(
          "Tab",
          9,
          "Enter",
          13,
          "Escape",
          27,
          "Space",
          32,
          "End",
          35,
          "Home",
          36,
          "ArrowLeft",
          37,
          "ArrowUp",
          38,
          "ArrowRight",
          39,
          "ArrowDown",
          40);

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

  /** Return whether there is a Chromium. */
  public static boolean isThere() {
    return program().isPresent();
  }

  /** Skip the test, not its class, where there is no Chromium: so the reason is reported. */
  public static void require() {
    Assumptions.assumeTrue(
        isThere(),
        "there is no Chromium: install Debian's package chromium, or name one by PECF_CHROMIUM");
  }

  /** Return the program, by PECF_CHROMIUM or by its usual names on the PATH. */
  private static Optional<Path> program() {
    String named = System.getenv("PECF_CHROMIUM");
    if (named != null) {
      return Optional.of(Path.of(named)).filter(Files::isExecutable);
    }
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(
            folder ->
                Stream.of("chromium", "chromium-browser", "google-chrome")
                    .map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Start a browser; without one the test is skipped.
   *
   * @param profile a folder of its own
   */
  public static Browser start(Path profile) throws IOException, InterruptedException {
    require();
    List<String> command = new ArrayList<>(List.of(program().orElseThrow().toString()));
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
    try {
      return new Browser(process, page(listening(process)));
    } catch (IOException | InterruptedException | RuntimeException e) {
      end(process);
      throw e;
    }
  }

  private static URI listening(Process process) throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    List<String> said = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      said.add(line);
      if (line.startsWith(LISTENING)) {
        Thread drain = new Thread(() -> lines.lines().forEach(text -> {}), "chromium-output");
        drain.setDaemon(true);
        drain.start();
        return URI.create(line.substring(LISTENING.length()).strip());
      }
    }
    throw new IOException("Chromium ended before it listened: " + said);
  }

  private static URI page(URI devTools) throws IOException, InterruptedException {
    URI list = URI.create("http://127.0.0.1:" + devTools.getPort() + "/json/list");
    while (true) {
      String answer =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      for (JsonNode target : JSON.readTree(answer)) {
        if (target.get("type").asText().equals("page")) {
          return URI.create(target.get("webSocketDebuggerUrl").asText());
        }
      }
      Thread.sleep(20);
    }
  }

  /** A receiver of the texts of the protocol, whose parts it puts together. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean whole) {
      text.append(part);
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
        CompletableFuture<JsonNode> result =
            Objects.requireNonNull(open.remove(message.get("id").asInt()));
        if (message.has("error")) {
          result.completeExceptionally(new IllegalStateException(message.get("error").toString()));
        } else {
          result.complete(message.get("result"));
        }
      } else {
        events.add(message);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Send a command and return its result. */
  private JsonNode send(String method, Map<String, ?> parameters) {
    int id = last.incrementAndGet();
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", JSON.valueToTree(parameters));
    CompletableFuture<JsonNode> result = new CompletableFuture<>();
    open.put(id, result);
    socket.sendText(message.toString(), true).join();
    return result.orTimeout(SECONDS, TimeUnit.SECONDS).join();
  }

  /** Open an address and wait until all of it is there. */
  public void open(URI address) {
    send("Page.navigate", Map.of("url", address.toString()));
    await("document.readyState === 'complete'");
  }

  /** Return the value of an expression, or of the promise that it is. */
  public JsonNode evaluate(String expression) {
    JsonNode result =
        send(
            "Runtime.evaluate",
            Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + result);
    }
    return result.path("result").path("value");
  }

  /** Wait until an expression is true, also while the page gives way to another. */
  public void await(String expression) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!holds(expression)) {
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

  private boolean holds(String expression) {
    try {
      return evaluate("Boolean(" + expression + ")").asBoolean();
    } catch (CompletionException e) {
      // The page that was asked is gone.
      return false;
    }
  }

  /** Press a key. */
  public void press(String key) {
    int code = Objects.requireNonNull(KEYS.get(key), key);
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

  /** Type a text into the element that has the focus. */
  public void type(String text) {
    send("Input.insertText", Map.of("text", text));
  }

  /** Move the pointer into the middle of an element. */
  public void pointAt(String selector) {
    JsonNode middle =
        evaluate(
            "(() => { const one = document.querySelector('"
                + selector
                + "'); one.scrollIntoView({block: 'center'}); const box ="
                + " one.getBoundingClientRect(); return {x: box.x + box.width / 2, y: box.y +"
                + " box.height / 2}; })()");
    send(
        "Input.dispatchMouseEvent",
        Map.of(
            "type", "mouseMoved",
            "x", middle.get("x").asDouble(),
            "y", middle.get("y").asDouble()));
  }

  /** Set the size of the window, and light or dark. */
  public void show(int width, int height, boolean dark) {
    send(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    send(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  /** Take a picture of the window, as PNG. */
  public byte[] picture() {
    return picture(false);
  }

  /** Take a picture of the page from its top to its end, as PNG. */
  public byte[] wholePicture() {
    return picture(true);
  }

  private byte[] picture(boolean whole) {
    return decode(
        send("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", whole)));
  }

  /** Print the page, as PDF. */
  public byte[] print() {
    return decode(send("Page.printToPDF", Map.of("printBackground", false)));
  }

  private static byte[] decode(JsonNode result) {
    return Base64.getDecoder().decode(result.get("data").asText());
  }

  /** Return the rules of axe that the page breaks: roles, names, order, contrast and so on. */
  public List<String> brokenRules() {
    try (InputStream axe = Browser.class.getClassLoader().getResourceAsStream("axe.min.js")) {
      evaluate(new String(axe.readAllBytes(), StandardCharsets.UTF_8) + "; 0");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> broken = new ArrayList<>();
    evaluate(
            "axe.run({resultTypes: ['violations']}).then(found => found.violations.map(one =>"
                + " one.id + ': ' + one.nodes.map(node => node.html + node.failureSummary)))")
        .forEach(rule -> broken.add(rule.asText()));
    return broken;
  }

  /** Return the errors and warnings of the console, and exceptions. */
  public List<String> complaints() {
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
  public List<URI> requests() {
    return events.stream()
        .filter(event -> event.get("method").asText().equals("Network.requestWillBeSent"))
        .map(event -> URI.create(event.at("/params/request/url").asText()))
        .toList();
  }

  /** Forget all complaints and requests so far. */
  public void forget() {
    events.clear();
  }

  @Override
  public void close() {
    socket.abort();
    end(process);
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
