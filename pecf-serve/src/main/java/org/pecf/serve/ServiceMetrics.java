package org.pecf.serve;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.function.IntSupplier;
import org.pecf.serve.model.CurrentModel;
import org.pecf.serve.model.ServedModel;

/** The measurements that Prometheus collects. */
final class ServiceMetrics {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
  private final Counter requests;
  private final Histogram seconds;

  /**
   * Set everything to zero.
   *
   * @param current the model in use; borrowed
   * @param underWay counts the requests under way
   */
  ServiceMetrics(CurrentModel current, IntSupplier underWay) {
    requests =
        Counter.builder()
            .name("pecf_requests_total")
            .help("Requests that were answered, by route and status.")
            .labelNames("route", "status")
            .register(registry);
    seconds =
        Histogram.builder()
            .name("pecf_request_duration_seconds")
            .help("Time from the header of a request to its answer, by route.")
            .unit(Unit.SECONDS)
            .labelNames("route")
            .classicOnly()
            .classicUpperBounds(.0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10)
            .register(registry);
    gauge("pecf_requests_in_progress", "Requests that the model works on.", underWay::getAsInt);
    gauge("pecf_model_users", "Users of the model.", () -> use(current, Sizes.USERS));
    gauge("pecf_model_items", "Items of the model.", () -> use(current, Sizes.ITEMS));
    gauge(
        "pecf_model_opened_timestamp_seconds",
        "Time at which the model was opened.",
        () -> use(current, Sizes.OPENED));
    counter("pecf_model_reloads_total", "Models that took the place of another.", current::reloads);
    counter(
        "pecf_model_reload_failures_total",
        "Models that could not be opened to take the place of another.",
        current::failures);
    gauge(
        "jvm_memory_used_bytes",
        "Memory of the Java heap in use.",
        () -> ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    gauge(
        "jvm_threads_current",
        "Threads of the process.",
        () -> ManagementFactory.getThreadMXBean().getThreadCount());
  }

  /** The figures of a model. */
  private enum Sizes {
    USERS,
    ITEMS,
    OPENED
  }

  /** A source of a figure. */
  @FunctionalInterface
  private interface Figure {
    double value();
  }

  private static double use(CurrentModel current, Sizes size) {
    try (ServedModel model = current.use()) {
      return switch (size) {
        case USERS -> model.recommender().users().size();
        case ITEMS -> model.recommender().items().size();
        case OPENED -> model.opened().toEpochMilli() / 1e3;
      };
    }
  }

  private void gauge(String name, String help, Figure figure) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(figure.value()))
        .register(registry);
  }

  private void counter(String name, String help, Figure figure) {
    CounterWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(figure.value()))
        .register(registry);
  }

  /**
   * Count an answer.
   *
   * @param route the template of the route, or other
   * @param status the status of the answer
   * @param nanos the time that it took
   */
  void answered(String route, int status, long nanos) {
    requests.labelValues(route, Integer.toString(status)).inc();
    seconds.labelValues(route).observe(nanos / 1e9);
  }

  /** Return the text that Prometheus reads. */
  byte[] text() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      writer.write(text, registry.scrape());
    } catch (IOException e) {
      throw new IllegalStateException("memory can be written to", e);
    }
    return text.toByteArray();
  }

  /** Return the type of that text. */
  String contentType() {
    return writer.getContentType();
  }
}
