package org.pecf.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten thousand requests that no client should send, from a seed: each is refused in order. */
class BadRequestsTest {
  private static final int REQUESTS = 10_000;
  private static final int WARM_UP = 2_000;
  private static final int CLIENTS = 8;
  private static final long MOST_GROWTH = 16 << 20;
  private static final Pattern STATUS =
      Pattern.compile("^HTTP/1\\.[01] (\\d{3}) ", Pattern.MULTILINE);

  @TempDir private Path folder;
  private int port;

  @Test
  void badRequestsAreRefusedInOrder() throws Exception {
    Path model = Bookshop.train(folder, "model", 1);
    ServerSettings usual = ServerSettings.of(model);
    ServerLimits limits =
        new ServerLimits(
            100, 200, 4_000, Duration.ofSeconds(3), Duration.ofMillis(700), 64, 256, 2);
    try (RecommendationServer server =
        RecommendationServer.start(
            new ServerSettings(
                model,
                Optional.empty(),
                usual.host(),
                0,
                Set.of(),
                usual.token(),
                usual.tls(),
                limits,
                Optional.empty(),
                Optional.empty(),
                usual.grace()))) {
      port = server.address().getPort();
      Map<String, Integer> outcomes = new TreeMap<>();
      send(0, WARM_UP, outcomes);
      await(server);
      int threads = ManagementFactory.getThreadMXBean().getThreadCount();
      long memory = memory();
      send(WARM_UP, REQUESTS, outcomes);
      await(server);
      String seen = outcomes.toString();
      assertEquals(REQUESTS, outcomes.values().stream().mapToInt(Integer::intValue).sum(), seen);
      for (String outcome : List.of("400", "404", "405", "413", "415", "421", "closed")) {
        assertTrue(outcomes.getOrDefault(outcome, 0) > 0, outcome + " is missing in " + seen);
      }
      // Jetty lets idle threads go one by one; more than a few would be a leak.
      int now = ManagementFactory.getThreadMXBean().getThreadCount();
      assertTrue(now <= threads + 4, threads + " threads became " + now);
      long growth = memory() - memory;
      assertTrue(growth < MOST_GROWTH, "memory grew by " + growth + " bytes");
      new Client(server.address()).get(200, "/recommend/reader107");
    }
  }

  private static void await(RecommendationServer server) throws InterruptedException {
    while (server.connections() > 0) {
      Thread.sleep(10);
    }
  }

  private static long memory() {
    for (int k = 0; k < 3; k++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Send the requests of some numbers, and count what became of them. */
  private void send(int first, int end, Map<String, Integer> outcomes) throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<String>> sent = new ArrayList<>();
      for (int number = first; number < end; number++) {
        Random chance = new Random(number);
        sent.add(clients.submit(() -> outcome(chance)));
      }
      for (Future<String> one : sent) {
        outcomes.merge(one.get(), 1, Integer::sum);
      }
    } finally {
      clients.shutdown();
      assertTrue(clients.awaitTermination(1, TimeUnit.MINUTES));
    }
  }

  private String outcome(Random chance) throws IOException, InterruptedException {
    byte[] request = request(chance);
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(60_000);
      OutputStream out = socket.getOutputStream();
      int manner = chance.nextInt(1000);
      if (manner < 30) {
        // Breaks off without a word.
        out.write(request, 0, chance.nextInt(request.length + 1));
        socket.setSoLinger(true, 0);
        return "broken off";
      }
      String answer = "";
      try {
        if (manner < 35) {
          // Sends a part, slowly, and waits for what comes.
          out.write(request, 0, request.length / 2);
          Thread.sleep(chance.nextInt(50));
          out.write(request, request.length / 2, request.length / 4);
        } else if (manner < 150) {
          out.write(request, 0, chance.nextInt(request.length + 1));
          socket.shutdownOutput();
        } else {
          out.write(request);
          socket.shutdownOutput();
        }
        answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      } catch (SocketException e) {
        // The server had enough of it before all was sent.
        return "closed";
      }
      return judged(answer, request);
    }
  }

  private static String judged(String answer, byte[] request) {
    String shown = new String(request, StandardCharsets.ISO_8859_1) + "\n---\n" + answer;
    assertFalse(answer.contains("Exception") || answer.contains("\tat "), shown);
    Matcher status = STATUS.matcher(answer);
    String last = "closed";
    while (status.find()) {
      last = status.group(1);
      // Some are good after all; 503 is what a busy machine says to these.
      assertTrue(last.matches("100|200|4\\d\\d|503"), shown);
      if (last.startsWith("4") && !shown.startsWith("HEAD")) {
        assertTrue(answer.contains("\"type\":\"about:blank\""), shown);
      }
    }
    assertFalse(last.equals("closed") && !answer.isEmpty(), shown);
    return last;
  }

  private static byte[] request(Random chance) {
    return switch (chance.nextInt(6)) {
      case 0 -> bytes(chance, chance.nextInt(300));
      case 1 -> text("GET " + path(chance) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      case 2 -> text(headers(chance));
      case 3 -> post(chance, mutated(chance, "{\"history\":[\"b101\",\"b102\"],\"count\":5}"));
      case 4 -> post(chance, json(chance, 0).getBytes(StandardCharsets.UTF_8));
      default ->
          mutated(
              chance, "GET /explain?user=reader107&item=b101 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    };
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] bytes(Random chance, int count) {
    byte[] bytes = new byte[count];
    chance.nextBytes(bytes);
    return bytes;
  }

  private static String path(Random chance) {
    String[] parts = {
      "/", "//", "..", "%2e%2e", "%00", "%", "%zz", "recommend", "similar", "explain", "page",
      "index.html", "?", "&", "=", "count=", "-1", "99999999999", "b101", "reader107", ";", "#",
      "%ff", "é", "<script>", "model", "reload", "items", "search=", "~", "\\", "{user}", "*"
    };
    StringBuilder path = new StringBuilder("/");
    for (int k = chance.nextInt(8); k >= 0; k--) {
      path.append(parts[chance.nextInt(parts.length)]);
    }
    return chance.nextInt(50) == 0 ? path + "x".repeat(20_000) : path.toString();
  }

  private static String headers(Random chance) {
    String[] lines = {
      "Host: localhost",
      "Host: elsewhere.example",
      "Host:",
      "Content-Length: -1",
      "Content-Length: 9999999999999",
      "Content-Length: 5\r\nContent-Length: 6",
      "Transfer-Encoding: chunked",
      "Transfer-Encoding: gzip, chunked",
      "Expect: 100-continue",
      "Expect: wonders",
      "Authorization: Bearer ",
      "Authorization: \u0001",
      "Content-Type: application/xml",
      "Upgrade: h2c\r\nConnection: Upgrade",
      "Range: bytes=0-",
      "X-Long: " + "y".repeat(30_000),
      " folded: header",
      "no colon here",
      ": no name",
      "Cookie: " + "a=b; ".repeat(500),
      "Connection: keep-alive, close"
    };
    String[] methods = {
      "GET", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW", "get", ""
    };
    String[] versions = {"HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9", "HTTP/1.1 x", "", "SPDY"};
    StringBuilder text = new StringBuilder();
    text.append(methods[chance.nextInt(methods.length)]);
    text.append(chance.nextInt(3) == 0 ? " " + path(chance) : " /recommend").append(' ');
    text.append(versions[chance.nextInt(10) < 6 ? 0 : chance.nextInt(versions.length)]);
    text.append("\r\n");
    for (int k = chance.nextInt(5); k >= 0; k--) {
      text.append(lines[chance.nextInt(lines.length)]);
      text.append(chance.nextInt(20) == 0 ? "\n" : "\r\n");
    }
    return text + "\r\n" + (chance.nextBoolean() ? "5\r\nabcde\r\n0\r\n\r\n" : "");
  }

  private static byte[] post(Random chance, byte[] body) {
    int length = body.length + (chance.nextInt(10) == 0 ? chance.nextInt(20) - 10 : 0);
    String type = chance.nextInt(10) == 0 ? "text/plain" : "application/json";
    byte[] head =
        text(
            "POST "
                + (chance.nextBoolean() ? "/recommend" : "/explain")
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                + type
                + "\r\nContent-Length: "
                + length
                + "\r\n\r\n");
    byte[] whole = new byte[head.length + body.length];
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(body, 0, whole, head.length, body.length);
    return whole;
  }

  private static byte[] mutated(Random chance, String text) {
    byte[] bytes = text(text);
    for (int k = chance.nextInt(4); k >= 0; k--) {
      bytes[chance.nextInt(bytes.length)] = (byte) chance.nextInt(256);
    }
    return bytes;
  }

  /** Make JSON that is well formed, mostly, and asks for nothing sensible. */
  private static String json(Random chance, int depth) {
    return switch (depth > 20 ? 0 : chance.nextInt(9)) {
      case 0 -> "\"" + "z".repeat(chance.nextInt(10)) + "\"";
      case 1 -> Long.toString(chance.nextLong());
      case 2 -> chance.nextBoolean() ? "1e999" : "-0.5";
      case 3 -> chance.nextBoolean() ? "null" : "true";
      case 4 -> "[" + json(chance, depth + 1) + "," + json(chance, depth + 1) + "]";
      case 5 -> "{\"history\":" + json(chance, depth + 1) + "}";
      case 6 -> "{\"history\":[\"b101\"],\"count\":" + json(chance, depth + 1) + "}";
      case 7 -> "[".repeat(chance.nextInt(3_000)) + "x".repeat(chance.nextInt(3_000));
      default ->
          "{\"history\":[\"b101\"],\"only\":"
              + json(chance, depth + 1)
              + ",\"item\":"
              + json(chance, depth + 1)
              + "}";
    };
  }
}
