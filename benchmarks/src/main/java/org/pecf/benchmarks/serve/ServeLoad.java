package org.pecf.benchmarks.serve;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.recommend.Recommender;
import org.pecf.serve.RecommendationServer;
import org.pecf.serve.ServerSettings;

/**
 * A measurement of the service beside the bare ranking that it stands on: 5,000 users x 17,000
 * items, rank 150, lists of 10.
 *
 * <p>Bare ranking and 64 clients take turns, so that both see the same machine; then the clients go
 * on alone while the model is replaced ten times. Rates are of wall time, and of processor time
 * too, which other work on the machine disturbs less; the clients, in this process, are part of it.
 * Any answer but a list of ten ends the measurement.
 */
public final class ServeLoad {
  private static final int USERS = 5_000;
  private static final int ITEMS = 17_000;
  private static final int RANK = 150;
  private static final int COUNT = 10;
  private static final int CLIENTS = 64;
  private static final int RELOADS = 10;
  private static final int TURNS = 6;
  private static final int WARM_UP = 3_000;

  private ServeLoad() {}

  /**
   * Measure and print.
   *
   * @param arguments the seconds of load with and without reloads; 60 if there are none
   */
  public static void main(String[] arguments) throws Exception {
    int seconds = arguments.length == 0 ? 60 : Integer.parseInt(arguments[0]);
    Path folder = Files.createTempDirectory("pecf-load");
    Path first = save(folder.resolve("first"), 1);
    Path second = save(folder.resolve("second"), 2);
    Path place = folder.resolve("model");
    point(place, first);
    List<Rate> bare = new ArrayList<>();
    List<Rate> served = new ArrayList<>();
    try (Recommender recommender = Recommender.open(first);
        RecommendationServer server = RecommendationServer.start(ServerSettings.of(place))) {
      int port = server.address().getPort();
      // However slow the machine, what is measured has been compiled.
      for (int lists = 0; lists < WARM_UP; ) {
        lists += rank(recommender, 2).lists();
      }
      for (int lists = 0; lists < WARM_UP; ) {
        lists += ask(port, 2).lists();
      }
      for (int turn = 0; turn < TURNS; turn++) {
        bare.add(rank(recommender, Math.max(1, seconds / TURNS)));
        served.add(ask(port, Math.max(1, seconds / TURNS)));
      }
      print("bare ranking, " + threads() + " threads", bare);
      print("HTTP, " + CLIENTS + " clients", served);
      System.out.printf(
          Locale.ROOT,
          "lost to HTTP: %.1f %% of the rate, %.1f %% by processor time%n",
          100 * (1 - median(served, Rate::perSecond) / median(bare, Rate::perSecond)),
          100 * (1 - median(bare, Rate::processor) / median(served, Rate::processor)));
      ExecutorService background = Executors.newSingleThreadExecutor();
      Future<Rate> load = background.submit(() -> ask(port, seconds));
      for (int k = 1; k <= RELOADS; k++) {
        Thread.sleep(seconds * 1000L / (RELOADS + 2));
        point(place, k % 2 == 0 ? first : second);
        while (server.reloads() < k && !load.isDone()) {
          Thread.sleep(10);
        }
      }
      print("HTTP, with " + server.reloads() + " reloads", List.of(load.get()));
      background.shutdown();
    }
  }

  /**
   * A measured rate.
   *
   * @param perSecond lists per second
   * @param processor seconds of processor time per list
   * @param p99 the time within which 99 of 100 lists came, in milliseconds
   * @param lists the number of lists
   */
  private record Rate(double perSecond, double processor, double p99, int lists) {}

  private static double median(List<Rate> rates, java.util.function.ToDoubleFunction<Rate> what) {
    double[] sorted = rates.stream().mapToDouble(what).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private static void print(String what, List<Rate> rates) {
    System.out.printf(
        Locale.ROOT,
        "%-28s %8.0f lists/s  %6.3f ms of processor per list  p99 %7.1f ms  %d lists, no error%n",
        what,
        median(rates, Rate::perSecond),
        1e3 * median(rates, Rate::processor),
        median(rates, Rate::p99),
        rates.stream().mapToInt(Rate::lists).sum());
  }

  private static int threads() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Something that makes one list. */
  @FunctionalInterface
  private interface ListMaker {
    void make(int user) throws IOException;
  }

  /** Something that makes list makers, one for each thread. */
  @FunctionalInterface
  private interface Maker {
    ListMaker create() throws IOException;
  }

  private static Rate rank(Recommender recommender, int seconds) throws Exception {
    return measure(
        threads(),
        seconds,
        () ->
            user -> {
              if (recommender.recommend(Integer.toString(user), COUNT).size() != COUNT) {
                throw new IOException("a list is short");
              }
            });
  }

  private static Rate ask(int port, int seconds) throws Exception {
    return measure(CLIENTS, seconds, () -> new Connection(port));
  }

  private static Rate measure(int threads, int seconds, Maker maker) throws Exception {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    long began = System.nanoTime();
    long processor = system.getProcessCpuTime();
    long end = began + TimeUnit.SECONDS.toNanos(seconds);
    List<Future<long[]>> work = new ArrayList<>();
    for (int k = 0; k < threads; k++) {
      Random chance = new Random(k);
      work.add(
          pool.submit(
              () -> {
                ListMaker lists = maker.create();
                List<Long> times = new ArrayList<>();
                long now = System.nanoTime();
                while (now < end) {
                  lists.make(chance.nextInt(USERS));
                  long then = System.nanoTime();
                  times.add(then - now);
                  now = then;
                }
                if (lists instanceof Connection connection) {
                  connection.socket.close();
                }
                return times.stream().mapToLong(Long::longValue).toArray();
              }));
    }
    long[] all = new long[0];
    for (Future<long[]> one : work) {
      long[] times = one.get();
      all = Arrays.copyOf(all, all.length + times.length);
      System.arraycopy(times, 0, all, all.length - times.length, times.length);
    }
    double wall = (System.nanoTime() - began) / 1e9;
    double used = (system.getProcessCpuTime() - processor) / 1e9;
    pool.shutdown();
    Arrays.sort(all);
    return new Rate(
        all.length / wall,
        used / all.length,
        all[(int) (0.99 * (all.length - 1))] / 1e6,
        all.length);
  }

  /** A client that keeps its connection. */
  private static final class Connection implements ListMaker {
    private final Socket socket;
    private final InputStream in;

    Connection(int port) throws IOException {
      socket = new Socket("127.0.0.1", port);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream(), 4096);
    }

    @Override
    public void make(int user) throws IOException {
      String request =
          "GET /recommend/" + user + "?count=" + COUNT + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String status = line();
      int length = 0;
      for (String header = line(); !header.isEmpty(); header = line()) {
        if (header.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
          length = Integer.parseInt(header.substring("content-length: ".length()));
        }
      }
      String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      if (!status.equals("HTTP/1.1 200 OK") || body.split("\"score\"", -1).length != COUNT + 1) {
        throw new IOException("user " + user + ": " + status + " " + body);
      }
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int letter = in.read(); letter != '\n'; letter = in.read()) {
        if (letter < 0) {
          throw new IOException("the service ended the connection");
        }
        if (letter != '\r') {
          line.append((char) letter);
        }
      }
      return line.toString();
    }
  }

  /** Let a link point to a model, at once. */
  private static void point(Path link, Path model) throws IOException {
    Path next = link.resolveSibling("next");
    Files.deleteIfExists(next);
    Files.createSymbolicLink(next, model);
    Files.move(next, link, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static Path save(Path place, long seed) {
    Random chance = new Random(seed);
    GridShape shape = new GridShape(USERS, ITEMS);
    try (BufferAllocator allocator = new RootAllocator()) {
      Ensemble ensemble = new Ensemble(shape);
      FactorModel factors = FactorModel.allocate(allocator, shape, RANK);
      fill(factors.users(), chance);
      fill(factors.items(), chance);
      ensemble.add(factors, "wmf", Combination.CONVEX, 1, Optional.empty());
      int[] users = new int[USERS * 20];
      int[] items = new int[USERS * 20];
      for (int k = 0; k < users.length; k++) {
        users[k] = k / 20;
        items[k] = k % 20 * (ITEMS / 20) + chance.nextInt(ITEMS / 20);
      }
      try (StoredModel model =
          new StoredModel(
              ensemble,
              ids(Side.USERS, USERS, allocator),
              ids(Side.ITEMS, ITEMS, allocator),
              SparseCells.ofSorted(allocator, USERS, ITEMS, users.length, users, items),
              SparseCells.ofSorted(allocator, USERS, ITEMS, 0, users, items),
              new ModelDescription(
                  "0.1.0",
                  Instant.EPOCH,
                  true,
                  seed,
                  "",
                  "{}",
                  Map.of(),
                  Map.of(),
                  ModelDescription.THIS_MODEL))) {
        ModelStore.save(place, model, false, allocator);
      }
    }
    return place;
  }

  private static void fill(FloatMatrix matrix, Random chance) {
    for (int row = 0; row < matrix.rows(); row++) {
      for (int column = 0; column < matrix.columns(); column++) {
        matrix.set(row, column, (float) chance.nextGaussian());
      }
    }
  }

  private static IdMap ids(Side side, int count, BufferAllocator allocator) {
    BigIntVector ids = new BigIntVector("id", allocator);
    ids.allocateNew(count);
    for (int k = 0; k < count; k++) {
      ids.set(k, k);
    }
    ids.setValueCount(count);
    return IdMap.of(side, ids);
  }
}
