package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/serving.md, run as a reader would, but for the port and for curl. */
class ServingIT {
  private static final Pattern SHELL = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
  private static final Pattern ADDRESS = Pattern.compile(" at (https?://\\S+)");

  @TempDir private Path folder;
  private String guide;

  @BeforeEach
  void prepare() throws IOException {
    guide = Files.readString(Path.of(System.getProperty("pecf.root"), "docs", "serving.md"));
    StringBuilder ratings = new StringBuilder("user,item,rating\n");
    StringBuilder titles = new StringBuilder("item,title\n");
    Random random = new Random(1);
    for (int user = 1; user <= 60; user++) {
      for (int item = 1; item <= 40; item++) {
        if (random.nextInt(3) > 0) {
          ratings.append("%d,%d,%d%n".formatted(user, item, 1 + random.nextInt(5)));
        }
      }
    }
    for (int item = 1; item <= 40; item++) {
      titles.append("%d,Title %d%n".formatted(item, item));
    }
    Files.writeString(folder.resolve("ratings.csv"), ratings);
    Files.writeString(folder.resolve("titles.csv"), titles);
    Files.writeString(folder.resolve("token"), "0123456789abcdef0123456789abcdef\n");
    Files.writeString(folder.resolve("password"), "changeit\n");
  }

  /** Return the commands of the guide that start with a word, each split into words. */
  private List<List<String>> commands(String first) {
    List<List<String>> commands = new ArrayList<>();
    Matcher blocks = SHELL.matcher(guide);
    while (blocks.find()) {
      for (String line : blocks.group(1).replace("\\\n", " ").split("\n")) {
        if (line.startsWith(first + " ")) {
          List<String> words = new ArrayList<>();
          Matcher word = WORD.matcher(line.substring(first.length()));
          while (word.find()) {
            words.add(
                word.group(1) != null
                    ? word.group(1)
                    : word.group(2) != null ? word.group(2) : word.group(3));
          }
          commands.add(words);
        }
      }
    }
    return commands;
  }

  /** A service that the launcher started. */
  private final class Service implements AutoCloseable {
    private final Process process;
    private final URI address;

    Service(List<String> words) throws IOException, InterruptedException {
      List<String> arguments = new ArrayList<>(words);
      int port = arguments.indexOf("--port");
      if (port < 0) {
        arguments.addAll(List.of("--port", "0"));
      } else {
        arguments.set(port + 1, "0");
      }
      Path out = folder.resolve("serve.out");
      process =
          Distribution.in(folder)
              .start(out, folder.resolve("serve.err"), arguments.toArray(String[]::new));
      Matcher said = ADDRESS.matcher(Files.readString(out));
      while (!said.find()) {
        assertTrue(process.isAlive(), () -> read("serve.err"));
        Thread.sleep(50);
        said = ADDRESS.matcher(Files.readString(out));
      }
      address = URI.create(said.group(1));
    }

    private String read(String name) {
      try {
        return Files.readString(folder.resolve(name));
      } catch (IOException e) {
        return e.toString();
      }
    }

    @Override
    public void close() {
      process.destroy();
      assertEquals(
          0,
          process.onExit().join().exitValue(),
          "a service that is told to stop has done its work");
      assertTrue(read("serve.out").contains("stopped"), read("serve.out"));
      assertEquals("", read("serve.err"));
    }
  }

  private void train() throws IOException, InterruptedException {
    List<String> training = commands("./pecf-run").get(0);
    Distribution.in(folder).run(training.toArray(String[]::new)).expectExit(0);
  }

  @Test
  void everyRequestIsAnswered() throws Exception {
    train();
    List<List<String>> requests = commands("curl");
    assertTrue(requests.size() > 10, requests::toString);
    try (Service service = new Service(commands("./pecf-run").get(1))) {
      for (List<String> words : requests) {
        if (words.stream().noneMatch(word -> word.startsWith("https:"))) {
          HttpResponse<String> answer = send(service.address, words);
          assertEquals(200, answer.statusCode(), () -> words + ": " + answer.body());
          assertTrue(answer.body().startsWith("{\""), answer.body());
        }
      }
      HttpResponse<String> listed =
          send(service.address, List.of("http://127.0.0.1:8080/recommend/42?count=3"));
      assertTrue(listed.body().contains("\"title\":\"Title "), listed.body());
      // Other texts than the usual one of a whole number are no ids, whatever their value.
      for (String other : List.of("042", "%2B42", "%D9%A4%D9%A2")) {
        HttpResponse<String> none =
            send(service.address, List.of("http://127.0.0.1:8080/recommend/" + other));
        assertEquals(404, none.statusCode(), other);
      }
      HttpResponse<String> unknown =
          send(service.address, List.of("http://127.0.0.1:8080/recommend/4242424242"));
      assertTrue(unknown.body().contains("\"source\":\"popular\""), unknown.body());
      HttpResponse<String> page = send(service.address, List.of("http://127.0.0.1:8080/"));
      assertTrue(page.body().contains("<title>"), page.body());
    }
  }

  /** Do what curl would. */
  private static HttpResponse<String> send(URI address, List<String> words)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder();
    for (int k = 0; k < words.size(); k++) {
      String word = words.get(k);
      if (word.startsWith("http")) {
        request.uri(URI.create(word.replaceFirst("https?://[^/]+/", address.toString())));
      } else if (word.equals("-H")) {
        String[] header = words.get(++k).split(": ", 2);
        request.header(header[0], header[1]);
      } else if (word.equals("-d")) {
        request.POST(HttpRequest.BodyPublishers.ofString(words.get(++k)));
      } else {
        assertEquals("-s", word);
      }
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void tokenAndTlsWorkAsShown() throws Exception {
    train();
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> making = new ArrayList<>(List.of(keytool.toString(), "-genkeypair"));
    making.addAll(List.of("-keyalg", "EC", "-dname", "CN=shop.example", "-storetype", "PKCS12"));
    making.addAll(List.of("-keystore", folder.resolve("keys.p12").toString()));
    making.addAll(List.of("-storepass", "changeit"));
    assertEquals(
        0,
        new ProcessBuilder(making)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.out").toFile())
            .start()
            .waitFor());
    List<String> shown = commands("./pecf-run").get(2);
    assertTrue(shown.contains("--tls-keystore") && shown.contains("--token-file"), "" + shown);
    try (Service service = new Service(shown)) {
      assertEquals("https", service.address.getScheme());
    }
    assertTrue(Files.exists(folder.resolve("access.log")));
  }

  @Test
  void theLibraryServesAsShown() throws Exception {
    train();
    Matcher program = JAVA.matcher(guide);
    assertTrue(program.find());
    Path source = Files.writeString(folder.resolve("Shop.java"), program.group(1));
    Path out = folder.resolve("shop.out");
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                Distribution.built().resolve("lib") + "/*",
                "--add-opens",
                "java.base/java.nio=ALL-UNNAMED",
                source.toString(),
                folder.resolve("model").toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertEquals(0, java.waitFor(), () -> "see " + out);
    assertTrue(Files.readString(out).contains("http://127.0.0.1:"), Files.readString(out));
  }
}
