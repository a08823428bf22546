package org.pecf.benchmarks.peer;

import com.sun.management.OperatingSystemMXBean;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The process that measures one library.
 *
 * <p>The time of a sweep is the difference of a longer and a shorter training divided by the
 * difference of their sweeps, so that what a training costs once does not count; the best of
 * several repetitions is taken of either. Processor time is that of the whole process, collecting
 * garbage included.
 */
public final class PeerProcess {
  private static final int TOP = 50;

  private PeerProcess() {}

  /** Run a {@link PeerTask} and write its {@link PeerResult} to a file. */
  public static void main(String[] arguments) throws Exception {
    PeerTask task = PeerTask.of(arguments);
    Peer peer = (Peer) Class.forName(task.peer()).getDeclaredConstructor().newInstance();
    PeerResult result;
    try (peer) {
      result = measure(peer, task);
    }
    Properties properties = result.properties();
    try (Writer writer = Files.newBufferedWriter(Path.of(task.result()))) {
      properties.store(writer, null);
    }
    // Some libraries leave threads behind.
    System.exit(0);
  }

  static PeerResult measure(Peer peer, PeerTask task) throws Exception {
    Positives training = Positives.read(Path.of(task.training()), task.users(), task.items());
    Positives heldOut = Positives.read(Path.of(task.heldOut()), task.users(), task.items());
    long start = System.nanoTime();
    peer.load(Path.of(task.training()), training, task.rank());
    double loadSeconds = (System.nanoTime() - start) / 1e9;
    // Warms up the compiler.
    peer.train(task.few());
    Time few = Time.NONE;
    Time more = Time.NONE;
    for (int k = 0; k < task.repetitions(); k++) {
      few = few.orLess(time(peer, task.few()));
      more = more.orLess(time(peer, task.more()));
    }
    double recall = Recall.at(TOP, peer.factors(), training, heldOut);
    int sweeps = task.more() - task.few();
    return new PeerResult(
        peer.name(),
        (more.cpu - few.cpu) / sweeps,
        (more.wall - few.wall) / sweeps,
        loadSeconds,
        task.more(),
        recall);
  }

  private static Time time(Peer peer, int sweeps) throws Exception {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long cpu = system.getProcessCpuTime();
    long wall = System.nanoTime();
    peer.train(sweeps);
    return new Time((system.getProcessCpuTime() - cpu) / 1e9, (System.nanoTime() - wall) / 1e9);
  }

  private record Time(double cpu, double wall) {
    static final Time NONE = new Time(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    Time orLess(Time other) {
      return new Time(Math.min(cpu, other.cpu), Math.min(wall, other.wall));
    }
  }
}
