package org.pecf.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.PecfException;

/** Who may ask, how much, and how long. */
class ProtectionTest {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";

  @TempDir private static Path folder;
  private static Path model;

  @BeforeAll
  static void train() throws IOException {
    model = Bookshop.train(folder, "model", 1);
  }

  private static ServerSettings settings(
      ServerLimits limits, Optional<AccessToken> token, Optional<TlsSettings> tls) {
    ServerSettings usual = ServerSettings.of(model);
    return new ServerSettings(
        model,
        Optional.empty(),
        usual.host(),
        0,
        Set.of(),
        token,
        tls,
        limits,
        Optional.empty(),
        Optional.empty(),
        usual.grace());
  }

  private static ServerLimits limits(int bodyBytes, Duration time, Duration idle, int requests) {
    return new ServerLimits(50, 100, bodyBytes, time, idle, requests, 200, 2);
  }

  private static ServerLimits usualLimits() {
    return limits(10_000, Duration.ofSeconds(10), Duration.ofSeconds(10), 100);
  }

  @Test
  void onlyWhoShowsTheTokenIsServed() throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("token"), SECRET + "\n");
    try (RecommendationServer server =
        RecommendationServer.start(
            settings(usualLimits(), Optional.of(AccessToken.read(file)), Optional.empty()))) {
      Client stranger = new Client(server.address());
      stranger.get(401, "/model");
      stranger.get(401, "/recommend/reader107");
      stranger.post(401, "/recommend", "{}");
      stranger.post(401, "/model/reload", "");
      stranger.get(200, "/live");
      stranger.get(200, "/ready");
      new Client(server.address())
          .with("Authorization", "Bearer " + SECRET + "x")
          .get(401, "/model");
      new Client(server.address()).with("Authorization", "Basic " + SECRET).get(401, "/model");
      Client friend = new Client(server.address()).with("Authorization", "Bearer " + SECRET);
      friend.get(200, "/model");
      friend.get(200, "/recommend/reader107");
      assertEquals(1, friend.post(200, "/model/reload", "").get("reloads").asInt());
    }
  }

  @Test
  void weakTokensAreRefused() throws IOException {
    assertThrows(PecfException.class, () -> AccessToken.of("short", "a test"));
    assertThrows(PecfException.class, () -> AccessToken.of("sixteen letters and blanks", "a test"));
    Path missing = folder.resolve("missing");
    PecfException e = assertThrows(PecfException.class, () -> AccessToken.read(missing));
    assertTrue(e.getMessage().contains("there is no such file"), e.getMessage());
  }

  @Test
  void otherHostNamesAreRefused() throws IOException {
    try (RecommendationServer server =
        RecommendationServer.start(settings(usualLimits(), Optional.empty(), Optional.empty()))) {
      int port = server.address().getPort();
      assertStatus(
          421, raw(port, "GET /model HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"));
      assertStatus(
          200, raw(port, "GET /model HTTP/1.1\r\nHost: LOCALHOST:1\r\nConnection: close\r\n\r\n"));
      assertStatus(
          200, raw(port, "GET /model HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n"));
    }
  }

  /** Send bytes, and return all that comes back until the server ends the connection. */
  private static String raw(int port, String text) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return rest(socket);
    }
  }

  private static String rest(Socket socket) throws IOException {
    InputStream stream = socket.getInputStream();
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void assertStatus(int status, String answer) {
    assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
    if (status >= 400) {
      assertTrue(answer.contains("application/problem+json"), answer);
    }
  }

  @Test
  void slowClientsAreLetGo() throws IOException, InterruptedException {
    try (RecommendationServer server =
        RecommendationServer.start(
            settings(
                limits(10_000, Duration.ofMillis(300), Duration.ofMillis(600), 100),
                Optional.empty(),
                Optional.empty()))) {
      int port = server.address().getPort();
      // A body that never comes whole is answered when the time is up.
      assertStatus(
          408,
          raw(
              port,
              "POST /recommend HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  + "Content-Length: 50\r\n\r\n{\"history\""));
      // A header that comes letter by letter, so that the connection is never idle.
      try (Socket socket = new Socket("127.0.0.1", port)) {
        socket.setTcpNoDelay(true);
        boolean ended = false;
        for (int k = 0; k < 200 && !ended; k++) {
          try {
            socket
                .getOutputStream()
                .write(k == 0 ? "GET / HTTP/1.1\r\nX: ".getBytes() : new byte[] {'x'});
          } catch (IOException e) {
            ended = true;
          }
          Thread.sleep(50);
        }
        assertTrue(ended, "ten seconds are more than the service waits");
      }
      try (Socket idle = new Socket("127.0.0.1", port)) {
        assertEquals(-1, idle.getInputStream().read(), "nothing is said to who says nothing");
      }
      assertEquals(200, new Client(server.address()).get(200, "/model").get("users").asInt());
    }
  }

  @Test
  void tooManyRequestsAtOnceAreRefused() throws Exception {
    try (RecommendationServer server =
        RecommendationServer.start(
            settings(
                limits(10_000, Duration.ofSeconds(30), Duration.ofSeconds(30), 2),
                Optional.empty(),
                Optional.empty()))) {
      int port = server.address().getPort();
      String begun =
          "POST /recommend HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              + "Connection: close\r\nContent-Length: 20\r\n\r\n";
      try (Socket first = new Socket("127.0.0.1", port);
          Socket second = new Socket("127.0.0.1", port)) {
        first.getOutputStream().write(begun.getBytes());
        second.getOutputStream().write(begun.getBytes());
        Client client = new Client(server.address());
        awaitInProgress(server, 2);
        client.get(503, "/model");
        client.get(200, "/live");
        first.getOutputStream().write("{\"history\":[\"b101\"]}".getBytes());
        assertStatus(200, rest(first));
        awaitInProgress(server, 1); // the place is free a moment after the answer has been written
        client.get(200, "/model");
        second.getOutputStream().write("{\"history\":[\"b102\"]}".getBytes());
        assertStatus(200, rest(second));
      }
    }
  }

  private static void awaitInProgress(RecommendationServer server, int requests) throws Exception {
    while (!metrics(server).contains("pecf_requests_in_progress " + requests + ".0")) {
      Thread.sleep(10);
    }
  }

  private static String metrics(RecommendationServer server) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(server.address().resolve("/metrics")).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void largeBodiesAreRefusedWithAndWithoutTheirLength() throws Exception {
    try (RecommendationServer server =
        RecommendationServer.start(
            settings(
                limits(1_000, Duration.ofSeconds(10), Duration.ofSeconds(10), 10),
                Optional.empty(),
                Optional.empty()))) {
      Client client = new Client(server.address());
      String large = "{\"history\":[\"" + "x".repeat(2_000) + "\"]}";
      client.post(413, "/recommend", large);
      byte[] bytes = large.getBytes(StandardCharsets.UTF_8);
      client.send(
          413,
          "POST",
          "/recommend",
          HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers.ofByteArray(bytes)));
    }
  }

  @Test
  void aBodyWithoutEndIsRefusedOnceItsRestIsNotWorthReading() throws Exception {
    try (RecommendationServer server =
        RecommendationServer.start(
            settings(
                limits(1_000, Duration.ofSeconds(30), Duration.ofSeconds(30), 10),
                Optional.empty(),
                Optional.empty()))) {
      String chunk = "400\r\n" + "x".repeat(0x400) + "\r\n";
      assertStatus(
          413,
          raw(
              server.address().getPort(),
              "POST /recommend HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  + "Transfer-Encoding: chunked\r\n\r\n"
                  + chunk.repeat(17)));
    }
  }

  @Test
  void malformedAddressesAreRefusedWithTheReason() throws IOException {
    try (RecommendationServer server =
        RecommendationServer.start(settings(usualLimits(), Optional.empty(), Optional.empty()))) {
      int port = server.address().getPort();
      for (String query : List.of("search=%", "search=%z1", "se%4=a", "search=%u0041")) {
        String answer =
            raw(
                port,
                "GET /items?"
                    + query
                    + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertStatus(400, answer);
        assertTrue(answer.contains("two hexadecimal digits"), answer);
      }
      for (String path :
          List.of("/history/%ff", "/history/%", "/history/%z1", "/items?search=%c3")) {
        assertStatus(
            400,
            raw(port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
      }
    }
  }

  @Test
  void stoppingWaitsForRequestsUnderWay() throws Exception {
    RecommendationServer server =
        RecommendationServer.start(settings(usualLimits(), Optional.empty(), Optional.empty()));
    int port = server.address().getPort();
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket
          .getOutputStream()
          .write(
              ("POST /recommend HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                      + "Content-Length: 20\r\n\r\n")
                  .getBytes());
      while (!metrics(server).contains("pecf_requests_in_progress 1.0")) {
        Thread.sleep(10);
      }
      CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::close);
      while (accepts(port)) {
        Thread.sleep(10);
      }
      socket.getOutputStream().write("{\"history\":[\"b101\"]}".getBytes());
      assertStatus(200, rest(socket));
      stopped.get(1, TimeUnit.MINUTES);
    }
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    try (RecommendationServer server =
        RecommendationServer.start(settings(usualLimits(), Optional.empty(), Optional.empty()))) {
      ServerSettings usual = ServerSettings.of(model);
      ServerSettings same =
          new ServerSettings(
              model,
              Optional.empty(),
              usual.host(),
              server.address().getPort(),
              Set.of(),
              usual.token(),
              usual.tls(),
              usual.limits(),
              usual.accessLog(),
              usual.watch(),
              usual.grace());
      PecfException e = assertThrows(PecfException.class, () -> RecommendationServer.start(same));
      assertTrue(e.getMessage().contains("port " + server.address().getPort()), e.getMessage());
    }
  }

  @Test
  void theAccessLogHasALinePerRequest() throws Exception {
    Path log = folder.resolve("access.log");
    ServerSettings usual = ServerSettings.of(model);
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
                usual.limits(),
                Optional.of(log),
                usual.watch(),
                usual.grace()))) {
      new Client(server.address()).get(200, "/recommend/reader107?count=3");
    }
    List<String> lines = Files.readAllLines(log);
    assertEquals(2, lines.size(), lines::toString);
    assertTrue(
        lines
            .get(1)
            .matches(
                "127\\.0\\.0\\.1 \\[\\d{4}-\\d\\d-\\d\\dT\\S+] \"GET /recommend/reader107\\?count=3"
                    + " HTTP/1.1\" 200 \\d+ \\d+"),
        lines.get(1));
  }

  @Test
  void tlsByAKeyStore() throws Exception {
    Path store = folder.resolve("keys.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    assumeTrue(Files.isExecutable(keytool), "this Java has no keytool to make a key with");
    List<String> command = new ArrayList<>(List.of(keytool.toString(), "-genkeypair"));
    command.addAll(List.of("-keyalg", "EC", "-alias", "serve", "-dname", "CN=localhost"));
    command.addAll(List.of("-ext", "SAN=ip:127.0.0.1", "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", "changeit"));
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    PecfException wrong =
        assertThrows(PecfException.class, () -> TlsSettings.open(store, "guess1"));
    assertTrue(wrong.getMessage().contains("cannot be opened"), wrong.getMessage());
    TlsSettings tls = TlsSettings.open(store, "changeit");
    try (RecommendationServer server =
        RecommendationServer.start(settings(usualLimits(), Optional.empty(), Optional.of(tls)))) {
      assertEquals("https", server.address().getScheme());
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("serve", tls.keyStore().getCertificate("serve"));
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      HttpResponse<String> answer =
          HttpClient.newBuilder()
              .sslContext(context)
              .build()
              .send(
                  HttpRequest.newBuilder(URI.create(server.address() + "ready")).build(),
                  HttpResponse.BodyHandlers.ofString());
      assertEquals(200, answer.statusCode());
      assertEquals("{\"status\":\"ready\"}", answer.body());
    }
  }
}
