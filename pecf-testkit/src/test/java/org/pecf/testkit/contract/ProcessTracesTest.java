package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ProcessTracesTest {
  @Test
  void nothingIsSaidOfWhoLeavesNothing() throws InterruptedException {
    PrintStream out = System.out;
    ProcessTraces watched = ProcessTraces.watch();
    Thread thread = new Thread(() -> {});
    thread.start();
    thread.join();
    assertEquals(List.of(), watched.end());
    assertSame(out, System.out);
  }

  @Test
  void printingIsNoticed() {
    ProcessTraces watched = ProcessTraces.watch();
    System.out.println("made by acme");
    System.out.println("all rights reserved");
    assertEquals(
        List.of("it prints to standard output, where results go: 'made by acme'"), watched.end());
  }

  @Test
  void threadsThatHoldUpTheProcessAreNoticed() {
    CountDownLatch end = new CountDownLatch(1);
    ProcessTraces watched = ProcessTraces.watch();
    for (boolean daemon : new boolean[] {true, false}) {
      Thread thread = new Thread(() -> await(end), "acme " + (daemon ? "daemon" : "user"));
      thread.setDaemon(daemon);
      thread.start();
    }
    List<String> traces = watched.end();
    end.countDown();
    assertEquals(
        List.of("it leaves thread 'acme user' running, which keeps a process from ending"), traces);
  }

  private static void await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
