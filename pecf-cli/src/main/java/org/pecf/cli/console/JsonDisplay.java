package org.pecf.cli.console;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.function.LongSupplier;

/**
 * A display for programs: a JSON object per line, either {@code {"seconds":..., "line":...}} or the
 * state with all that is known of it.
 */
final class JsonDisplay implements Display {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final PrintStream stream;
  private final RunClock clock;
  private Progress last = Progress.activity("starting");

  JsonDisplay(PrintStream stream, LongSupplier nanoTime) {
    this.stream = stream;
    this.clock = new RunClock(nanoTime);
  }

  private ObjectNode object() {
    return JSON.createObjectNode().put("seconds", clock.elapsed().toMillis() / 1e3);
  }

  @Override
  public synchronized void line(String text) {
    stream.println(object().put("line", text));
  }

  @Override
  public synchronized void show(Progress progress) {
    clock.see(progress);
    if (progress.equals(last)) {
      return;
    }
    last = progress;
    ObjectNode state = object();
    if (progress.member() == 0) {
      state.put("activity", progress.activity());
    } else {
      state
          .put("activity", "training")
          .put("member", progress.member())
          .put("members", progress.members())
          .put("filter", progress.filter())
          .put("step", progress.step())
          .put("steps", progress.steps())
          .put("fraction", progress.fraction());
      progress
          .remaining(clock.training())
          .ifPresent(left -> state.put("secondsLeft", left.toMillis() / 1e3));
    }
    if (progress.rate() > 0) {
      state.put("positivesPerSecond", progress.rate());
    }
    state.put("memoryBytes", ProcessMemory.bytes());
    ObjectNode figures = state.putObject("figures");
    progress
        .figures()
        .forEach(
            (name, value) -> {
              if (Double.isFinite(value)) {
                figures.put(name, value);
              } else {
                figures.putNull(name);
              }
            });
    stream.println(state);
  }

  @Override
  public void close() {
    stream.flush();
  }
}
